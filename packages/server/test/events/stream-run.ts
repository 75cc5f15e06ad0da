/**
 * Runs concurrent writers and readers of the event log on several replicas, records every page and checks all of them.
 * Readers use random limits and filters and sometimes start again, from the beginning or from an older cursor.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { createCryptoRandom, createSeededRandom, type Random } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import type { NewEvent } from '../../src/core/work/ctx.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import type { Server } from '../../src/server.ts'
import type { LoggedEvent, OracleFilters } from './filter-oracle.ts'
import { type Append, byCounter, prepareMutatedNumbers } from './numbering.ts'
import { type EventReplicas, type ReplicaAccount, startReplicas } from './replicas.ts'
import {
  type Committed,
  type RequestedPage,
  type Stream,
  type StreamViolation,
  verifyStream,
} from './stream-validators.ts'

type StreamRunOptions = {
  readonly replicas: EventReplicas
  readonly accounts: readonly ReplicaAccount[]
  readonly append: Append
  readonly events: number
  readonly writers: number
  readonly pollers: number
  readonly seed: string
  /**
   * The writers go on until this many pages were requested while two or more of them were writing, and until readers
   * have used each filter set that often.
   */
  readonly pages: { readonly contended: number; readonly of_each_filter: number }
  /** Whether a transaction of the busy account stays open until a reader has got events of later ones. */
  readonly holds_one_back: boolean
}

type RunReport = {
  readonly violations: readonly StreamViolation[]
  readonly events: number
  readonly commits_per_second: number
  /** The number of pages that were requested while two or more writers were writing. */
  readonly contended: number
  readonly pages: number
  readonly empty_pages: number
  /** Cursors that were ahead of the log, which the server takes for lost commits. */
  readonly gone: number
  /** The number of pages of the filter set with the fewest pages. */
  readonly pages_of_rarest: number
  readonly streams: number
}

type StreamRun = {
  readonly options: StreamRunOptions
  readonly random: Random
  written: number
  writing: number
  commits: number
  committed: Map<string, number>
  streams: Stream[]
  contended: number
  pages: number
  empty: number
  gone: number
  perFilter: number[]
  /** The number of filter sets that readers have chosen. */
  turn: number
  hasHeldBack: boolean
}

const filterSets: readonly OracleFilters[] = [
  {},
  { action: 'instance.created' },
  { target_type: 'image' },
  { target: 'inst_3' },
  { action: 'instance.running', target: 'inst_5' },
  { since: 1, until: 99_999_999_999 },
  { target_type: 'instance', since: 1 },
]

const coldAccounts = 20

/** Starts replicas for the runs of a test file. `run`: a run with new accounts, which have this name. */
export async function openStreams() {
  const seed = process.env.BOURSE_TEST_SEED ?? createCryptoRandom().bytes(4).toString('hex')
  console.log(`seed ${seed}`)
  const replicas = await startReplicas(3)
  const [{ runtime }] = replicas.servers as [Server]
  const run = async (
    append: Append,
    { name, ...rest }: Pick<StreamRunOptions, 'events' | 'pages' | 'holds_one_back'> & { name: string },
  ) => {
    const made = Array.from({ length: 1 + coldAccounts }, (_, i) => replicas.account(`${name}-${i}`))
    const accounts = await Promise.all(made)
    if (append !== byCounter) await prepareMutatedNumbers(runtime)
    return runStreams({ replicas, accounts, append, writers: 16, pollers: 8, seed: `${seed} ${name}`, ...rest })
  }
  return { seed, run }
}

/** Runs until the numbers of events and pages are reached, and every reader has read all events. */
async function runStreams(options: StreamRunOptions): Promise<RunReport> {
  const run: StreamRun = {
    options,
    random: createSeededRandom(options.seed),
    written: 0,
    writing: 0,
    commits: 0,
    committed: new Map(),
    streams: [],
    contended: 0,
    pages: 0,
    empty: 0,
    gone: 0,
    perFilter: filterSets.map(() => 0),
    turn: 0,
    hasHeldBack: false,
  }
  const started = performance.now()
  let isOver = false
  const readers = Array.from({ length: options.pollers }, (_, i) => poll(run, `poller ${i}`, () => isOver))
  await Promise.all(Array.from({ length: options.writers }, () => write(run)))
  const seconds = (performance.now() - started) / 1000
  isOver = true
  await Promise.all(readers)
  return report(run, seconds)
}

async function write(run: StreamRun): Promise<void> {
  const { options, random } = run
  while (!isEnough(run)) {
    const events = transaction(run)
    run.written += events.length
    const isHeldBack = options.holds_one_back && !run.hasHeldBack && events[0]?.account_id === options.accounts[0]?.id
    if (isHeldBack) run.hasHeldBack = true
    const { runtime } = options.replicas.servers[random.integer(options.replicas.servers.length)] as Server
    run.writing++
    const xid = await options.append(runtime, events, () => (isHeldBack ? overtaken(run) : wait(random.integer(4))))
    run.committed.set(xid, performance.now())
    run.writing--
    run.commits++
  }
}

function isEnough({ options: { events, pages }, written, contended, perFilter }: StreamRun): boolean {
  return written >= events && contended >= pages.contended && Math.min(...perFilter) >= pages.of_each_filter
}

/** Waits until a reader has got later events of the busy account than those of a transaction that begins now. */
async function overtaken(run: StreamRun): Promise<void> {
  const { written } = run
  const [busy] = run.options.accounts
  // Whoever got more events than are written or being written has got later ones. A cursor may also end before that.
  const hasGotMore = ({ account_id, filters, behind, pages }: Stream) =>
    account_id === busy?.id &&
    filters === filterSets[0] &&
    behind === undefined &&
    pages.reduce((sum, { ids }) => sum + ids.length, 0) > written
  await eventually('a reader gets events that are later than those of an open transaction', () => {
    return run.gone > 0 || run.streams.some(hasGotMore)
  })
}

/** One to eight events, mostly of the busy account, sometimes of two accounts. */
function transaction({ options: { accounts }, random }: StreamRun): NewEvent[] {
  const isHot = random.integer(2) === 0
  const pick = () => (isHot ? accounts[0] : accounts[random.integer(accounts.length)]) as ReplicaAccount
  const own = random.integer(8) === 0 ? [pick(), accounts[random.integer(accounts.length)] as ReplicaAccount] : [pick()]
  return Array.from({ length: 1 + random.integer(8) }, () => {
    const { id } = own[random.integer(own.length)] as ReplicaAccount
    const isImage = random.integer(40) === 0
    return {
      account_id: id,
      workspace_id: null,
      action: isImage ? 'image.revoked' : random.integer(2) === 0 ? 'instance.created' : 'instance.running',
      target_type: isImage ? 'image' : 'instance',
      target_id: `inst_${random.integer(12)}`,
    }
  })
}

async function poll(run: StreamRun, reader: string, isOver: () => boolean): Promise<void> {
  const { options, random } = run
  let known: { cursor: string; id: string }[] = []
  for (let isLast = false; !isLast; ) {
    // Checked before the stream begins, so that the last stream reads all events.
    isLast = isOver()
    // In turn: by chance, a slow run read one of the filter sets for a few pages only.
    const filter = run.turn++ % filterSets.length
    const account = options.accounts[
      random.integer(3) === 0 ? random.integer(options.accounts.length) : 0
    ] as ReplicaAccount
    known = await readStream(run, { reader, filter, account, known: [] }, isOver)
    if (known.length > 0) await readStream(run, { reader, filter, account, known }, isOver)
  }
}

type ReaderPlan = {
  reader: string
  filter: number
  account: ReplicaAccount
  known: readonly { cursor: string; id: string }[]
}

/** Reads from the start, or after a known event, for a random number of pages or until the run is over. */
async function readStream(run: StreamRun, { reader, filter, account, known }: ReaderPlan, isOver: () => boolean) {
  const { random } = run
  const start = known.length === 0 ? undefined : known[random.integer(known.length)]
  const filters = filterSets[filter] as OracleFilters
  const stream: Stream = { reader, account_id: account.id, filters, visibility: 'all', behind: start?.id, pages: [] }
  run.streams.push(stream)
  const cursors: { cursor: string; id: string }[] = []
  let cursor = start?.cursor
  let pagesLeft = 5 + random.integer(40)
  for (;;) {
    const wasOver = isOver()
    const page = await readPage(run, { account, filter, cursor })
    if (!page) return cursors
    stream.pages.push(page.page)
    cursors.push(...page.events)
    cursor = page.events.at(-1)?.cursor ?? cursor
    pagesLeft--
    if (wasOver ? !page.page.has_more : pagesLeft <= 0) return cursors
    if (page.page.ids.length === 0) await wait(random.integer(3))
  }
}

async function readPage(
  run: StreamRun,
  { account, filter, cursor }: { account: ReplicaAccount; filter: number; cursor: string | undefined },
) {
  const { options, random } = run
  const limit = 1 + random.integer(random.integer(3) === 0 ? 200 : 30)
  const replica = random.integer(options.replicas.servers.length)
  if (run.writing >= 2) run.contended++
  run.pages++
  run.perFilter[filter] = (run.perFilter[filter] as number) + 1
  const query = { ...filterSets[filter], limit, starting_after: cursor }
  const requested_at = performance.now()
  const { status, body } = await options.replicas.on(replica).attempt('list_events', { query, token: account.token })
  if (status === 410) {
    run.gone++
    return undefined
  }
  if (status !== 200) throw new Error(`A page returned ${status}: ${JSON.stringify(body)}`)
  const events: { cursor: string; id: string }[] = body.data
  if (events.length === 0) run.empty++
  const page: RequestedPage = {
    requested_at,
    starting_after: cursor,
    ids: events.map(({ id }) => id),
    has_more: body.has_more,
  }
  return { page, events: events.map(({ cursor, id }) => ({ cursor, id })) }
}

const listCommitted = statement<LoggedEvent & { xid: string }>(
  null,
  `select id, position, occurred_at, action, target_type, target_id, workspace_id, xmin::text as xid
   from events
   where account_id = $1
   order by position`,
)

async function report(run: StreamRun, seconds: number): Promise<RunReport> {
  const { runtime } = run.options.replicas.servers[0] as Server
  const violations: StreamViolation[] = []
  for (const { id } of run.options.accounts) {
    const log = await readCommitted(runtime, id, run.committed)
    for (const stream of run.streams) if (stream.account_id === id) violations.push(...verifyStream(stream, log))
  }
  return {
    violations,
    events: run.written,
    commits_per_second: run.commits / seconds,
    contended: run.contended,
    pages: run.pages,
    gone: run.gone,
    empty_pages: run.empty,
    pages_of_rarest: Math.min(...run.perFilter),
    streams: run.streams.length,
  }
}

async function readCommitted(
  { database }: Runtime,
  account_id: string,
  committed: ReadonlyMap<string, number>,
): Promise<Committed[]> {
  const rows = await database.reader.rows(listCommitted, [account_id])
  return rows.map((row) => ({ ...row, committed_at: committed.get(row.xid) ?? Number.POSITIVE_INFINITY }))
}

/**
 * Writers and readers on the event log at once, over several replicas; every page is recorded and checked afterwards.
 * Readers use random limits and filters and start anew now and then, from the beginning or from an older cursor.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { createSeededRandom, type Random } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import type { NewEvent } from '../../src/core/work/ctx.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import type { Server } from '../../src/server.ts'
import { type Filters, type LoggedEvent, queryOf } from './filter-oracle.ts'
import type { Append } from './numbering.ts'
import type { Account, Replicas } from './replicas.ts'
import { type Committed, type Page, type Stream, type Violation, verifyStream } from './stream-validators.ts'

export type RunOptions = {
  readonly replicas: Replicas
  readonly accounts: readonly Account[]
  readonly append: Append
  readonly events: number
  readonly writers: number
  readonly pollers: number
  readonly seed: string
}

export type RunReport = {
  readonly violations: readonly Violation[]
  readonly events: number
  readonly commits_per_second: number
  /** Share of pages that were asked for while two or more writers were at work. */
  readonly contended: number
  readonly pages: number
  readonly empty_pages: number
  /** Pages of the filter set that was read least. */
  readonly pages_of_rarest: number
  readonly streams: number
}

type Mind = {
  readonly options: RunOptions
  readonly random: Random
  written: number
  writing: number
  commits: number
  told: Map<string, number>
  streams: Stream[]
  contended: number
  pages: number
  empty: number
  perFilter: number[]
}

const filterSets: readonly Filters[] = [
  {},
  { action: 'instance.created' },
  { target_type: 'image' },
  { target: 'inst_3' },
  { action: 'instance.running', target: 'inst_5' },
  { since: 1, until: 99_999_999_999 },
  { target_type: 'instance', since: 1 },
]

/** Runs until so many events are written and every reader has caught up. */
export async function runStreams(options: RunOptions): Promise<RunReport> {
  const mind: Mind = {
    options,
    random: createSeededRandom(options.seed),
    written: 0,
    writing: 0,
    commits: 0,
    told: new Map(),
    streams: [],
    contended: 0,
    pages: 0,
    empty: 0,
    perFilter: filterSets.map(() => 0),
  }
  const started = performance.now()
  let isOver = false
  const readers = Array.from({ length: options.pollers }, (_, i) => poll(mind, `poller ${i}`, () => isOver))
  await Promise.all(Array.from({ length: options.writers }, () => write(mind)))
  const seconds = (performance.now() - started) / 1000
  isOver = true
  await Promise.all(readers)
  return report(mind, seconds)
}

async function write(mind: Mind): Promise<void> {
  const { options, random } = mind
  while (mind.written < options.events) {
    const events = transaction(mind)
    mind.written += events.length
    const { runtime } = options.replicas.servers[random.integer(options.replicas.servers.length)] as Server
    mind.writing++
    const xid = await options.append(runtime, events, () => wait(random.integer(4)))
    mind.told.set(xid, performance.now())
    mind.writing--
    mind.commits++
  }
}

/** One to eight events, mostly of the hot account, at times of several. */
function transaction({ options: { accounts }, random }: Mind): NewEvent[] {
  const isHot = random.integer(2) === 0
  const pick = () => (isHot ? accounts[0] : accounts[random.integer(accounts.length)]) as Account
  const own = random.integer(8) === 0 ? [pick(), accounts[random.integer(accounts.length)] as Account] : [pick()]
  return Array.from({ length: 1 + random.integer(8) }, () => {
    const { id } = own[random.integer(own.length)] as Account
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

async function poll(mind: Mind, reader: string, isOver: () => boolean): Promise<void> {
  const { options, random } = mind
  let known: { cursor: string; id: string }[] = []
  for (let isLast = false; !isLast; ) {
    // Asked before the stream begins, so that the last stream reads all there is.
    isLast = isOver()
    const filter = random.integer(filterSets.length)
    const account = options.accounts[random.integer(3) === 0 ? random.integer(options.accounts.length) : 0] as Account
    known = await readStream(mind, { reader, filter, account, known: [] }, isOver)
    if (known.length > 0) await readStream(mind, { reader, filter, account, known }, isOver)
  }
}

type Plan = { reader: string; filter: number; account: Account; known: readonly { cursor: string; id: string }[] }

/** Reads from the start, or from behind a known event, until it is told to stop or to start anew. */
async function readStream(mind: Mind, { reader, filter, account, known }: Plan, isOver: () => boolean) {
  const { random } = mind
  const start = known.length === 0 ? undefined : known[random.integer(known.length)]
  const filters = filterSets[filter] as Filters
  const stream: Stream = { reader, account_id: account.id, filters, visibility: 'all', behind: start?.id, pages: [] }
  mind.streams.push(stream)
  const cursors: { cursor: string; id: string }[] = []
  let cursor = start?.cursor
  let pagesLeft = 5 + random.integer(40)
  for (;;) {
    const wasOver = isOver()
    const page = await readPage(mind, { account, filter, cursor })
    stream.pages.push(page.page)
    cursors.push(...page.events)
    cursor = page.events.at(-1)?.cursor ?? cursor
    pagesLeft--
    if (wasOver ? !page.page.has_more : pagesLeft <= 0) return cursors
    if (page.page.ids.length === 0) await wait(random.integer(3))
  }
}

async function readPage(
  mind: Mind,
  { account, filter, cursor }: { account: Account; filter: number; cursor: string | undefined },
) {
  const { options, random } = mind
  const limit = 1 + random.integer(random.integer(3) === 0 ? 200 : 30)
  const replica = random.integer(options.replicas.servers.length)
  if (mind.writing >= 2) mind.contended++
  mind.pages++
  mind.perFilter[filter] = (mind.perFilter[filter] as number) + 1
  const query = queryOf(filterSets[filter] as Filters, { limit, starting_after: cursor })
  const asked_at = performance.now()
  const { status, body } = await options.replicas.get(`/preview/v2/events?${query}`, { token: account.token, replica })
  if (status !== 200) throw new Error(`A page was answered with ${status}: ${JSON.stringify(body)}`)
  const events: { cursor: string; id: string }[] = body.data
  if (events.length === 0) mind.empty++
  const page: Page = { asked_at, starting_after: cursor, ids: events.map(({ id }) => id), has_more: body.has_more }
  return { page, events: events.map(({ cursor, id }) => ({ cursor, id })) }
}

const listCommitted = statement<LoggedEvent & { xid: string }>(
  null,
  `select id, position, occurred_at, action, target_type, target_id, workspace_id, xmin::text as xid from events
   where account_id = $1 order by position`,
)

async function report(mind: Mind, seconds: number): Promise<RunReport> {
  const { runtime } = mind.options.replicas.servers[0] as Server
  const violations: Violation[] = []
  for (const { id } of mind.options.accounts) {
    const log = await readCommitted(runtime, id, mind.told)
    for (const stream of mind.streams) if (stream.account_id === id) violations.push(...verifyStream(stream, log))
  }
  return {
    violations,
    events: mind.written,
    commits_per_second: mind.commits / seconds,
    contended: mind.contended / mind.pages,
    pages: mind.pages,
    empty_pages: mind.empty,
    pages_of_rarest: Math.min(...mind.perFilter),
    streams: mind.streams.length,
  }
}

async function readCommitted(
  { database }: Runtime,
  account_id: string,
  notified: ReadonlyMap<string, number>,
): Promise<Committed[]> {
  const rows = await database.reader.rows(listCommitted, [account_id])
  return rows.map((row) => ({ ...row, told_at: notified.get(row.xid) ?? Number.POSITIVE_INFINITY }))
}

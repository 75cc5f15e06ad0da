/** One seed: its coverage pass, its random steps, and the convergence check. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, statement } from '../../src/core/db/db.ts'
import { closeMonths, foldUsage } from '../market/folds.ts'
import { findStuck } from './checks/convergence.ts'
import { openDigest } from './checks/digest.ts'
import { openEventMemory } from './checks/event-memory.ts'
import { findWrongActors } from './checks/filled-orders.ts'
import { findSome, findViolations, verifyReader } from './checks/inspection.ts'
import { readMoved, wrongInLedger } from './checks/operator-ledger.ts'
import { openReferenceBooks } from './checks/reference-books.ts'
import { readTransitions } from './checks/transitions.ts'
import { findWrongVictims } from './checks/victims.ts'
import { choicesOf } from './choices.ts'
import type { SimActor, SimOperation } from './context.ts'
import type { Item } from './coverage/item.ts'
import { coverageList, shareOf } from './coverage/list.ts'
import { runCoveragePass } from './coverage/pass.ts'
import { type Delivery, deliveryArea, finishDelivery, takeTurn } from './delivery/delivery.ts'
import { openInventory } from './inventory.ts'
import { budgetOperations } from './operations/budgets.ts'
import { fleetOperations } from './operations/fleet.ts'
import { hostOperations } from './operations/hosts.ts'
import { iamOperations } from './operations/iam.ts'
import { imageOperations } from './operations/images.ts'
import { invalidOperations } from './operations/invalid-operations.ts'
import { exchangeOperations } from './operations/market-admin.ts'
import { networkOperations } from './operations/network.ts'
import { operatorOperations } from './operations/operator.ts'
import { procurementOperations } from './operations/procurements.ts'
import { readingOperations } from './operations/readers.ts'
import { lookingOperations } from './operations/single-reads.ts'
import { traderOperations } from './operations/trading.ts'
import { uploadOperations } from './operations/uploads.ts'
import { boosted, describeOptions, drawOptions } from './options.ts'
import { type Monitor, type SimReplicas, startReplicas } from './replicas/replicas.ts'
import { openSockets } from './replicas/sockets.ts'
import { checkInventory, count, readAgain, recordViolation, request, type SimRun, verifyTrades } from './run.ts'
import { advanceClock, drain, readClock, resume, takeStep } from './step.ts'
import { openTemplate, type SimWorld, type WorldAccount, type WorldTemplate, worldStart } from './world.ts'

const areas: Readonly<Record<string, readonly SimOperation[]>> = {
  iam: iamOperations,
  network: networkOperations,
  images: imageOperations,
  uploads: uploadOperations,
  fleet: fleetOperations,
  hosts: hostOperations,
  operator: operatorOperations,
  traders: traderOperations,
  procurements: procurementOperations,
  budgets: budgetOperations,
  exchange: exchangeOperations,
  reading: readingOperations,
  looking: lookingOperations,
  invalid: invalidOperations,
}

/** Names of the areas of operations, and of the deliveries between them. */
export const areaNames: readonly string[] = [...Object.keys(areas), deliveryArea]

/** The order to run a seed. */
export type SeedOrder = {
  readonly seed: number
  readonly steps: number
  /** Steps between two complete checks; other steps run two audits, in turn. */
  readonly audit_every: number
  readonly hashes: boolean
  /** Excluded steps. The other steps draw the same choices. */
  readonly without?: ReadonlySet<number>
  /** Excluded kinds of faults, areas of operations and items of the coverage list. */
  readonly left_out?: readonly string[]
  /** Items of the coverage list, by name, that replace the share of the seed. */
  readonly items?: readonly string[]
  readonly log?: (line: string) => void
  /** Called with every line of the hash. */
  readonly write?: (line: string) => void
}

/** The result of a seed. */
export type SeedResult = {
  readonly seed: number
  readonly options: string
  readonly violations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  /** Targets that its coverage items reached. */
  readonly covered: readonly string[]
  readonly hash: string | undefined
}

const replicasCount = 3
const convergenceSeconds = 1800
const turnsApart = 7

const countDeadlocks = statement<{ count: number }>(
  null,
  'select deadlocks as count from pg_stat_database where datname = current_database()',
)

export async function runSeed(order: SeedOrder): Promise<SeedResult> {
  const template = await openTemplate()
  await using copy = await template.copy()
  const sockets = openSockets()
  await using database = openDatabase(sockets.target(copy.target), { connections_max: 1 })
  const monitor = { database, sockets }
  const { keys, schema_version } = template
  await using images = await mkdtempDisposable(join(tmpdir(), 'bourse-sim-'))
  const shared = { target: copy.target, keys, schema_version, seed: String(order.seed), count: replicasCount }
  await using replicas = await startReplicas({ ...shared, image_directory: images.path }, monitor)
  const run = makeRun(order, template, { replicas, monitor })
  const delivery: Delivery = { readers: [], hooks: [] }
  const delivers = !order.left_out?.includes(deliveryArea)
  const options = describeOptions(run.options)
  run.log(options)
  await checkInventory(run, { isSure: false })
  await readClock(run)
  await runCoveragePass(run, itemsOf(order))
  if (run.violations.length === 0) await inspect(run, order)
  for (run.step = 1; run.step <= order.steps && run.violations.length === 0; run.step++) {
    if (order.without?.has(run.step)) continue
    run.choices.goTo(`step ${run.step}`)
    await takeStep(run)
    await inspect(run, order)
    if (delivers) await takeTurn(run, delivery)
  }
  if (run.violations.length === 0) await converge(run)
  if (run.violations.length === 0 && delivers) await finishDelivery(run, delivery)
  if (run.violations.length === 0) await verifyEnd(run)
  await replicas.untilIdle(run.paused?.replica)
  await countAll(run, database)
  const hash = order.hashes ? await run.digest.close(database.reader) : undefined
  const { violations, counts, covered } = run
  return { seed: order.seed, options, violations, counts: Object.fromEntries(counts), covered: [...covered], hash }
}

/** The coverage items of a seed: the requested ones, otherwise its share. */
function itemsOf({ seed, items, left_out = [] }: SeedOrder): readonly Item[] {
  const chosen = items ? coverageList.filter(({ name }) => items.includes(name)) : shareOf(seed)
  return chosen.filter(({ name }) => !left_out.includes(name))
}

type SeedRunParts = { readonly replicas: SimReplicas; readonly monitor: Monitor }

function makeRun(
  { seed, left_out = [], log, write }: SeedOrder,
  { world }: WorldTemplate,
  { replicas, monitor }: SeedRunParts,
): SimRun {
  const choices = choicesOf(`run ${seed}`)
  const drawn = drawOptions(choices, Object.keys(areas))
  const options = { ...drawn, faults: drawn.faults.filter(({ kind }) => !left_out.includes(kind)) }
  const counts = new Map<string, number>()
  const digest = openDigest(write)
  let keys = 0
  const actorOf = (account: WorldAccount): SimActor => {
    return { ...account, isDisposable: false, isPlatform: account === world.platform, tokens: new Map() }
  }
  const run: SimRun = {
    options,
    choices,
    replicas,
    monitor,
    digest,
    referenceBooks: openReferenceBooks(),
    counts,
    covered: new Set(),
    operations: Object.entries(areas).flatMap(([area, operations]) => {
      const all = boosted(area, operations, options)
      // Excluded operations are still drawn, so that the random stream of other areas does not change.
      return left_out.includes(area) ? all.map((operation) => ({ ...operation, plan: () => undefined })) : all
    }),
    context: {
      choices,
      world: world satisfies SimWorld,
      inventory: openInventory(),
      actors: world.accounts.slice(0, options.accounts).map(actorOf),
      platform: actorOf(world.platform),
      coverage: { account: actorOf(world.fixtures.account), partner: actorOf(world.fixtures.partner) },
      refused: [],
      now: worldStart,
      readers: [],
      shown: openEventMemory(),
      halts: new Set(),
      keyed: [],
      turns: new Map(),
      firstTurn: seed * turnsApart,
      count: (what) => count(run, what),
      nextKey: () => `key-${++keys}`,
    },
    violations: [],
    chain: [],
    paused: undefined,
    verifiedAt: 0,
    step: 0,
    requests: 0,
    log: (line) => {
      digest.add(line)
      log?.(`${String(run.step).padStart(4)} ${line}`)
    },
  }
  return run
}

/** Cheap checks after each step, and all of them after every `audit_every` steps. */
async function inspect(run: SimRun, { audit_every }: SeedOrder): Promise<void> {
  const { replicas, monitor, step, choices } = run
  await replicas.untilIdle(run.paused?.replica)
  for (const error of replicas.errors.splice(0)) recordViolation(run, error)
  if (run.violations.length > 0 || run.paused) return
  if (choices.chance(20)) await readAgain(run)
  const isWhole = step % audit_every === 0
  // Without a commit nothing has changed.
  if (!isWhole && run.verifiedAt === replicas.commits) return
  run.verifiedAt = replicas.commits
  const { database } = monitor
  await verifyTrades(run)
  const found = isWhole ? await findViolations(database) : await findSome(database, { from: step * 2, count: 2 })
  for (const violation of found) recordViolation(run, violation)
  if (!isWhole) return
  for (const violation of await findWrongVictims(database)) recordViolation(run, violation)
  // Due work of this step may have moved the clock, and an instance may have been purged.
  await readClock(run)
  await checkInventory(run, { isSure: true })
}

/** The convergence phase: ends all faults, freezes and halts, then lets half an hour pass with all due work. */
async function converge(run: SimRun): Promise<void> {
  const { context, replicas } = run
  await resume(run)
  // A clock that was moved by weeks waits for due work, and recurring faults would continue.
  await advanceClock(run, 0)
  const { body } = await request(run, context.platform, '/sandbox/faults')
  for (const { id } of body.data) await request(run, context.platform, `/sandbox/faults/${id}`, 'DELETE')
  for (const { id } of context.actors) {
    await request(run, context.platform, `/preview/v2/admin/accounts/${id}/unfreeze`, 'POST')
  }
  for (const body of [{}, ...Object.values(context.world.skus).map((sku) => ({ sku }))]) {
    await request(run, context.platform, '/preview/v2/admin/market/resume', 'POST', body)
  }
  await readClock(run)
  await drain(run)
  await advanceClock(run, convergenceSeconds)
  await drain(run)
  await replicas.untilIdle()
  await readClock(run)
  for (const error of replicas.errors.splice(0)) recordViolation(run, error)
}

async function verifyEnd(run: SimRun): Promise<void> {
  const { monitor, context, replicas } = run
  const { database } = monitor
  await verifyTrades(run)
  // The audits of usage look at what is folded: at the end of a seed that is everything.
  const [replica] = replicas.all
  if (replica) {
    await foldUsage(replica.server.runtime)
    await closeMonths(replica.server.runtime)
  }
  await verifyOperatorLedger(run)
  for (const violation of await findViolations(database)) recordViolation(run, violation)
  for (const stuck of await findStuck(database)) recordViolation(run, stuck)
  for (const violation of await findWrongVictims(database)) recordViolation(run, violation)
  await checkInventory(run, { isSure: true })
  for (const violation of await findWrongActors(database, run.referenceBooks.filledAtOnce))
    recordViolation(run, violation)
  for (const actor of new Set(context.readers.map(({ actor }) => actor))) await readLogAgain(run, actor)
  for (const reader of context.readers) {
    const violation = await verifyReader(database, reader)
    if (violation) recordViolation(run, violation)
  }
  if (((await database.reader.row(countDeadlocks))?.count ?? 0) > 0)
    recordViolation(run, 'a deadlock was broken by PostgreSQL')
}

/** Reads the operator's export of the ledger. */
async function verifyOperatorLedger(run: SimRun): Promise<void> {
  const moved = await readMoved(run.monitor.database)
  if (!moved) return
  const range = `from=${moved.from}&to=${moved.to}&encoding=jsonl`
  const { text } = await request(run, run.context.platform, `/preview/v2/admin/ledger?${range}`)
  for (const wrong of wrongInLedger(text, moved)) recordViolation(run, wrong)
}

/** Reads the whole event log of an account again. */
async function readLogAgain(run: SimRun, actor: SimActor): Promise<void> {
  for (let query = 'limit=100'; ; ) {
    const { body, text } = await request(run, actor, `/preview/v2/events?${query}`)
    if (body.data === undefined) return recordViolation(run, `the log of ${actor.id} was answered ${text}`)
    for (const event of body.data) {
      const violation = run.context.shown.observe(event)
      if (violation) recordViolation(run, violation)
    }
    if (!body.has_more) return
    query = `limit=100&starting_after=${body.cursor}`
  }
}

async function countAll(run: SimRun, database: Database): Promise<void> {
  const { replicas } = run
  count(run, 'commits', replicas.commits)
  for (const [what, times] of run.referenceBooks.counts) count(run, what, times)
  for (const [label, times] of replicas.injected) count(run, `injected ${label}`, times)
  for (const [what, times] of await readTransitions(database)) count(run, what, times)
}

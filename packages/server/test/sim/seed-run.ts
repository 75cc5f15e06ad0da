/** One seed: a world, its options, its steps, then calm, and what was found wrong. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, statement } from '../../src/core/db/db.ts'
import { openBook } from './book.ts'
import { findStuck } from './calm.ts'
import { choicesOf } from './choices.ts'
import { exchangeDeeds } from './deeds/exchange.ts'
import { fleetDeeds } from './deeds/fleet.ts'
import { hostDeeds } from './deeds/hosts.ts'
import { iamDeeds } from './deeds/iam.ts'
import { imageDeeds } from './deeds/images.ts'
import { lookingDeeds } from './deeds/looking.ts'
import { homework, mistakeDeeds } from './deeds/mistakes.ts'
import { networkDeeds } from './deeds/network.ts'
import { operatorDeeds } from './deeds/operator.ts'
import { procurementDeeds } from './deeds/procurements.ts'
import { readingDeeds } from './deeds/reading.ts'
import { traderDeeds } from './deeds/traders.ts'
import { uploadDeeds } from './deeds/uploads.ts'
import { openDigest } from './digest.ts'
import { openEventMemory } from './event-memory.ts'
import { findWrongActors } from './filled-orders.ts'
import { findSome, findViolations, judgeReader } from './inspection.ts'
import { openTwins } from './market-twin.ts'
import { boosted, describeOptions, drawOptions } from './options.ts'
import { type Monitor, type Replicas, startReplicas } from './replicas.ts'
import { complain, count, judgeTrades, look, type Run, readAgain, takeInventory } from './run.ts'
import type { Actor, Deed } from './scene.ts'
import { openSockets } from './sockets.ts'
import { actInPeace, goOn, letTimePass, lookAtClock, takeStep, tick } from './step.ts'
import { findWrongVictims } from './victims.ts'
import { openTemplate, type Template, type World, type WorldAccount, worldStart } from './world.ts'

const areas: Readonly<Record<string, readonly Deed[]>> = {
  iam: iamDeeds,
  network: networkDeeds,
  images: imageDeeds,
  uploads: uploadDeeds,
  fleet: fleetDeeds,
  hosts: hostDeeds,
  operator: operatorDeeds,
  traders: traderDeeds,
  procurements: procurementDeeds,
  exchange: exchangeDeeds,
  reading: readingDeeds,
  looking: lookingDeeds,
  mistakes: mistakeDeeds,
}

/** What a run's options name areas of deeds by. */
export const areaNames: readonly string[] = Object.keys(areas)

/** How a seed is run. */
export type SeedOrder = {
  readonly seed: number
  readonly steps: number
  /** After how many steps everything is looked at; in between a few audits, in turn. */
  readonly audit_every: number
  readonly hashes: boolean
  /** Steps that are not taken; the others draw what they would have drawn. */
  readonly without?: ReadonlySet<number>
  /** Kinds of trouble that befall nobody, and areas of deeds that nobody does. */
  readonly left_out?: readonly string[]
  readonly say?: (line: string) => void
  /** Told of every line that the hash is made of. */
  readonly write?: (line: string) => void
}

/** What came of a seed. Counts are by what the guards ask for. */
export type SeedResult = {
  readonly seed: number
  readonly options: string
  readonly violations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly hash: string | undefined
}

const replicasCount = 3
const calmSeconds = 1800
const ticksMax = 3000
const turnsApart = 7

const countActions = statement<{ action: string; count: number }>(
  null,
  'select action, count(*) as count from events group by action',
)
const countPreempted = statement<{ count: number }>(
  null,
  `select count(*) as count from instances where termination_reason in ('allocation_ended', 'sold', 'transferred')`,
)
// Whoever lost its place in a minute that its pool sold to somebody.
const countSoldUnder = statement<{ count: number }>(
  null,
  `select count(*) as count from instances i where i.termination_reason = 'sold' and exists (
     select from fills f join orders s on s.id = f.sell_order_id
     where s.pool_id = i.pool_id and f.sku_id = i.sku_id
       and i.terminated_at / 60 between f.start_minute and f.end_minute)`,
)
// What a market pool sells it has bought before, or was given.
const countResales = statement<{ count: number }>(
  null,
  `select count(*) as count from fills f join orders s on s.id = f.sell_order_id
   join pools p on p.id = s.pool_id where p.kind = 'market'`,
)
const countFolded = statement<{ count: number }>(
  'sim.count_folded',
  'select count(*) from pool_allocation where minute = 0',
)
// What the sandbox sold for a pool without anybody's token.
const countSoldOff = statement<{ count: number }>(
  null,
  `select count(*) from orders o where o.side = 'sell' and o.created_by_token_id is null and o.managed_by is null`,
)
const countReleases = statement<{ count: number }>(
  null,
  `select count(*) as count from (select distinct cause_id, part from ledger where cause_kind = 'release') r`,
)
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
  const options = describeOptions(run.options)
  run.say(options)
  await takeInventory(run, { isSure: false })
  for (run.step = 1; run.step <= order.steps && run.violations.length === 0; run.step++) {
    if (order.without?.has(run.step)) continue
    run.choices.goTo(`step ${run.step}`)
    await takeStep(run)
    await inspect(run, order)
  }
  if (run.violations.length === 0) await calmDown(run, order)
  if (run.violations.length === 0) await judgeEnd(run)
  await replicas.quiet(run.paused?.replica)
  await countAll(run, database)
  const hash = order.hashes ? await run.digest.close(database.reader) : undefined
  const { violations, counts } = run
  return { seed: order.seed, options, violations, counts: Object.fromEntries(counts), hash }
}

type Parts = { readonly replicas: Replicas; readonly monitor: Monitor }

function makeRun(
  { seed, left_out = [], say, write }: SeedOrder,
  { world }: Template,
  { replicas, monitor }: Parts,
): Run {
  const choices = choicesOf(`run ${seed}`)
  const drawn = drawOptions(choices, areaNames, seed)
  const options = { ...drawn, troubles: drawn.troubles.filter(({ kind }) => !left_out.includes(kind)) }
  const counts = new Map<string, number>()
  const digest = openDigest(write)
  let keys = 0
  const actorOf = (account: WorldAccount): Actor => {
    return { ...account, isDisposable: false, isPlatform: account === world.platform, tokens: new Map() }
  }
  const run: Run = {
    options,
    choices,
    replicas,
    monitor,
    digest,
    twins: openTwins(),
    counts,
    deeds: Object.entries(areas).flatMap(([area, deeds]) => {
      const all = boosted(area, deeds, options)
      // They are drawn all the same, or each draw would come to another deed.
      return left_out.includes(area) ? all.map((deed) => ({ ...deed, plan: () => undefined })) : all
    }),
    scene: {
      choices,
      world: world satisfies World,
      book: openBook(),
      actors: world.accounts.slice(0, options.accounts).map(actorOf),
      platform: actorOf(world.platform),
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
    ...{ paused: undefined, hadTwin: false, judgedAt: 0, step: 0, requests: 0 },
    say: (line) => {
      digest.add(line)
      say?.(`${String(run.step).padStart(4)} ${line}`)
    },
  }
  return run
}

/** After each step what is cheap, now and then everything. */
async function inspect(run: Run, { audit_every }: SeedOrder): Promise<void> {
  const { replicas, monitor, step, choices } = run
  await replicas.quiet(run.paused?.replica)
  for (const error of replicas.errors.splice(0)) complain(run, error)
  if (run.violations.length > 0 || run.paused) return
  if (choices.chance(20)) await readAgain(run)
  const isWhole = step % audit_every === 0
  // Where nothing was committed nothing has changed.
  if (!isWhole && run.judgedAt === replicas.commits) return
  run.judgedAt = replicas.commits
  const { database } = monitor
  await judgeTrades(run)
  const found = isWhole ? await findViolations(database) : await findSome(database, { from: step * 2, count: 2 })
  for (const violation of found) complain(run, violation)
  if (!isWhole) return
  for (const flaw of await findWrongVictims(database)) complain(run, flaw)
  // What was due in this step has moved the clock: an instance may have been purged since it began.
  await lookAtClock(run)
  await takeInventory(run, { isSure: true })
}

/** Ends every fault, does what is left to do, and lets half an hour pass, with everything that is due in it. */
async function calmDown(run: Run, { seed, left_out = [] }: SeedOrder): Promise<void> {
  const { scene, replicas } = run
  await goOn(run)
  // A clock that was moved by weeks stops where due work holds it: faults that come again each minute would go on.
  await letTimePass(run, 0)
  const { body } = await look(run, scene.platform, '/sandbox/faults')
  for (const { id } of body.data) await look(run, scene.platform, `/sandbox/faults/${id}`, 'DELETE')
  for (const { id } of scene.actors) {
    await look(run, scene.platform, `/preview/v2/admin/accounts/${id}/unfreeze`, 'POST')
  }
  for (const body of [{}, ...Object.values(scene.world.skus).map((sku) => ({ sku }))]) {
    await look(run, scene.platform, '/preview/v2/admin/market/resume', 'POST', body)
  }
  await lookAtClock(run)
  for (const make of left_out.includes('mistakes') ? [] : homework(scene, seed)) {
    const plan = make()
    if (plan) await actInPeace(run, plan)
  }
  await drain(run)
  await letTimePass(run, calmSeconds)
  await drain(run)
  await replicas.quiet()
  await lookAtClock(run)
  for (const error of replicas.errors.splice(0)) complain(run, error)
}

async function drain(run: Run): Promise<void> {
  for (let ticks = 0; ticks < ticksMax; ticks++) if ((await tick(run, undefined)) === 0) return
  complain(run, `after ${ticksMax} ticks something is still due`)
}

async function judgeEnd(run: Run): Promise<void> {
  const { monitor, scene } = run
  const { database } = monitor
  await judgeTrades(run)
  for (const violation of await findViolations(database)) complain(run, violation)
  for (const stuck of await findStuck(database)) complain(run, stuck)
  for (const flaw of await findWrongVictims(database)) complain(run, flaw)
  await takeInventory(run, { isSure: true })
  for (const flaw of await findWrongActors(database, run.twins.filledAtOnce)) complain(run, flaw)
  for (const actor of new Set(scene.readers.map(({ actor }) => actor))) await readLogAgain(run, actor)
  for (const reader of scene.readers) {
    const flaw = await judgeReader(database, reader)
    if (flaw) complain(run, flaw)
  }
  if (((await database.reader.row(countDeadlocks))?.count ?? 0) > 0)
    complain(run, 'a deadlock was broken by PostgreSQL')
}

/** Everything that an account's log still shows, once more. */
async function readLogAgain(run: Run, actor: Actor): Promise<void> {
  for (let query = 'limit=100'; ; ) {
    const { body, text } = await look(run, actor, `/preview/v2/events?${query}`)
    if (body.data === undefined) return complain(run, `the log of ${actor.id} was answered with ${text}`)
    for (const event of body.data) {
      const flaw = run.scene.shown.meet(event)
      if (flaw) complain(run, flaw)
    }
    if (!body.has_more) return
    query = `limit=100&starting_after=${body.cursor}`
  }
}

async function countAll(run: Run, { reader }: Database): Promise<void> {
  const { replicas } = run
  count(run, 'commits', replicas.commits)
  for (const [what, times] of run.twins.counts) count(run, what, times)
  for (const [label, times] of replicas.struck) count(run, `struck ${label}`, times)
  for (const { action, count: times } of await reader.rows(countActions)) count(run, `action ${action}`, times)
  count(run, 'preempted', (await reader.row(countPreempted))?.count)
  count(run, 'preempted by a sale', (await reader.row(countSoldUnder))?.count)
  count(run, 'resales', (await reader.row(countResales))?.count)
  count(run, 'sold off', (await reader.row(countSoldOff))?.count)
  count(run, 'folded schedules', (await reader.row(countFolded))?.count)
  count(run, 'releases', (await reader.row(countReleases))?.count)
}

/** One step of a run: an operation, due work, or a move of the clock. */
import { statement } from '../../src/core/db/db.ts'
import { countRows, type RowCounts } from './checks/inspection.ts'
import type { CallPlan } from './context.ts'
import { limitedToken } from './operations/readers.ts'
import type { ReplicaResponse } from './replicas/client.ts'
import {
  callOf,
  type ExecutionOutcome,
  endpointOf,
  execute,
  runBeside,
  tickOf,
  violationOf,
} from './replicas/execution.ts'
import type { ReplicaFault, SimReplica } from './replicas/replicas.ts'
import {
  checkInventory,
  count,
  freeReplica,
  type Paused,
  recordViolation,
  refresh,
  type SimRun,
  settle,
} from './run.ts'

const readNow = statement<{ now: number; is_due: boolean }>(
  'sim.read_now',
  `select now, exists (select from due where due_at <= now) as is_due from bourse_now() as now`,
)
const moveClock = statement<never>(
  'sim.move_clock',
  'update sandbox_clock set business_anchor_ms = bourse_now_ms() + $1 * 1000',
)

const findKey = statement<{ key: string }>(
  'sim.find_key',
  'select key from idempotency_keys where account_id = $1 and operation = $2 and key = $3',
)

/** Draws until an operation finds a resource that fits. */
const drawsMax = 6
/** Resting orders lose one minute at a time, so hours need this many ticks. */
const ticksOfHours = 400
const ticksMax = 3000
/** Milliseconds of the replicas' own time between two steps, around the lifetime of a cached token. */
const pauses = [0, 0, 0, 3_000]

export async function takeStep(run: SimRun): Promise<void> {
  const { choices, options, paused, replicas } = run
  await replicas.pass(choices.pick(pauses), paused?.replica)
  const isDue = await readClock(run)
  if (paused) {
    if (choices.chance(35) && paused.plan?.key !== undefined) return sendDuplicate(run, paused.plan)
    paused.steps_left -= 1
    if (paused.steps_left < 0) return resume(run)
  }
  const dice = choices.integer(100)
  if (dice < options.clock_percent) return advanceClock(run, choices.pick(options.jumps))
  if (isDue && dice < options.clock_percent + options.tick_percent) return runDue(run)
  const plan = run.chain.shift() ?? draw(run)
  if (!plan) return
  const isWrite = endpointOf(plan).method !== 'GET' && !plan.transfer
  await act(run, plan, isWrite ? drawFault(run) : undefined)
}

/** Reads the clock and whether work is due. */
export async function readClock({ context, monitor }: SimRun): Promise<boolean> {
  const row = await monitor.database.reader.row(readNow)
  context.now = row?.now as number
  return row?.is_due ?? false
}

/** Moves the clock. Due work on the way holds it back until it is done. */
export async function advanceClock(run: SimRun, seconds: number): Promise<void> {
  await settle(run)
  run.log(`time +${seconds} s`)
  await run.monitor.database.reader.run(moveClock, [seconds])
}

function draw(run: SimRun): CallPlan | undefined {
  const { context, choices, operations } = run
  let plan: CallPlan | undefined
  for (let n = 0; n < drawsMax && !plan; n++) plan = choices.weighted(operations).plan(context)
  if (!plan || plan.actor.isPlatform || plan.key !== undefined || plan.transfer) return plan
  const token = limitedToken(context, plan.actor)
  return token === undefined || plan.token !== undefined ? plan : { ...plan, token }
}

async function runDue(run: SimRun): Promise<void> {
  const { choices, options } = run
  const few = choices.chance(25) ? 40 : 1 + choices.integer(6)
  // PostgreSQL ends a transaction that is idle for ten real seconds: beside a paused command only few ticks run.
  const most = () => (options.has_weeks && !run.paused ? ticksOfHours : few)
  for (let n = 0; n < most() && run.violations.length === 0; n++) if ((await tick(run, drawFault(run))) === 0) return
}

/** One batch of due work in a replica; returns the number of its steps. */
export async function tick(run: SimRun, fault: ReplicaFault | undefined): Promise<number> {
  const replica = freeReplica(run)
  const outcome = await runWork(run, { replica, plan: undefined, fault })
  if (outcome.kind === 'paused') return 1
  if (outcome.kind === 'killed') {
    run.log(`tick in ${replica.index} killed ${outcome.injected.at}`)
    await run.replicas.revive(replica)
    return 1
  }
  const { steps } = outcome.response.body as { steps: number }
  const done = run.replicas.steps.splice(0).join(', ')
  run.log(`tick in ${replica.index}${outcome.injected ? ` (${describe(outcome.injected)})` : ''}: ${steps} ${done}`)
  count(run, 'reconciler steps', steps)
  // A broken connection can mean that no step ran although work is due.
  return outcome.injected ? Math.max(steps, 1) : steps
}

function drawFault({ choices, options, paused }: SimRun): ReplicaFault | undefined {
  if (paused || !choices.chance(options.fault_percent) || options.faults.length === 0) return undefined
  return choices.pick(options.faults)
}

type ReplicaStep = {
  readonly replica: SimReplica
  readonly plan: CallPlan | undefined
  readonly fault: ReplicaFault | undefined
}

/** Runs a call or a tick, beside a paused command if there is one. */
async function runWork(run: SimRun, { replica, plan, fault }: ReplicaStep): Promise<ExecutionOutcome> {
  await settle(run)
  if (fault?.kind === 'lost_commit') await run.replicas.outlastDoubt()
  run.requests += 1
  const work = plan ? callOf(replica, plan, `sim-${run.requests}`) : tickOf(replica)
  const doing = execute(replica, work, fault)
  if (run.paused) await runBesidePaused(run, run.paused, { replica, doing })
  const outcome = await doing
  if (outcome.kind !== 'paused') return outcome
  const { responded } = outcome
  run.log(`${plan?.op ?? 'tick'} in ${replica.index} paused ${fault?.at}`)
  run.paused = {
    replica,
    plan,
    responded,
    resume: outcome.resume,
    fault: fault as ReplicaFault,
    pid: await run.replicas.working(),
    steps_left: 1 + run.choices.integer(3),
  }
  return outcome
}

/**
 * Resumes the paused command if work waits for its locks. They take turns: first the paused command to its end, then
 * the work that waited, then the rest of the paused replica.
 */
async function runBesidePaused(
  run: SimRun,
  paused: Paused,
  { replica, doing }: { replica: SimReplica; doing: Promise<unknown> },
): Promise<void> {
  const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
  const onBlocked = () => {
    replica.gate = { until: isOver, holds: 'all' }
    paused.replica.gate = { until: doing.catch(() => {}), holds: 'those to come' }
    paused.replica.onCommit = over
    paused.responded.finally(over).catch(() => {})
    paused.resume()
  }
  const wasBlocked = await runBeside(run.replicas, { work: doing, pid: paused.pid, onBlocked })
  for (const one of [replica, paused.replica]) Object.assign(one, { gate: undefined, onCommit: undefined })
  if (!wasBlocked) return
  count(run, 'waits for a paused command')
  await resume(run)
}

/** Runs due work until none is left. */
export async function drain(run: SimRun): Promise<void> {
  for (let ticks = 0; ticks < ticksMax; ticks++) if ((await tick(run, undefined)) === 0) return
  recordViolation(run, `after ${ticksMax} ticks work is still due`)
}

/** Resumes the paused command and handles its response. */
export async function resume(run: SimRun): Promise<void> {
  const { paused } = run
  if (!paused) return
  run.paused = undefined
  paused.resume()
  const response = await paused.responded
  if (paused.plan) await handleResponse(run, paused.plan, { response, injected: paused.fault, replica: paused.replica })
}

export async function act(run: SimRun, plan: CallPlan, fault: ReplicaFault | undefined): Promise<void> {
  const replica = freeReplica(run)
  const before = fault ? await countRows(run.monitor.database) : {}
  const outcome = await runWork(run, { replica, plan, fault })
  if (outcome.kind === 'paused') return
  if (outcome.kind === 'killed') return afterKill(run, { plan, replica, injected: outcome.injected, before })
  const { response, injected } = outcome
  // A halted market advances its book before it refuses.
  const isHalted = response.text.includes('The market is halted')
  if (response.status === 503 && injected && !isHalted) await assertNothingDone(run, before, `${plan.op} that was cut`)
  await handleResponse(run, plan, { response, injected, replica })
}

/** The same call while the first one under its key is paused. */
export async function sendDuplicate(run: SimRun, plan: CallPlan): Promise<void> {
  const replica = freeReplica(run)
  const outcome = await runWork(run, { replica, plan, fault: undefined })
  if (outcome.kind !== 'responded') return
  count(run, 'duplicates')
  await handleResponse(run, plan, { response: outcome.response, injected: undefined, replica })
}

/** The same call while the first one under its key stays paused: after two real seconds it is refused. */
export async function sendDuplicateUntilTimeout(run: SimRun, plan: CallPlan): Promise<void> {
  const replica = freeReplica(run)
  run.requests += 1
  const response = await callOf(replica, plan, `sim-${run.requests}`).run()
  if (!codesOf(response.body).includes('idempotency_key_in_use')) {
    recordViolation(run, `a duplicate of a paused command returned ${response.text}`)
  }
  await handleResponse(run, plan, { response, injected: undefined, replica })
}

type LostCall = {
  readonly plan: CallPlan
  readonly replica: SimReplica
  readonly injected: ReplicaFault
  readonly before: RowCounts
}

/** Handles the death of a replica during a call: the failpoint decides whether the call took effect. */
async function afterKill(run: SimRun, { plan, replica, injected, before }: LostCall): Promise<void> {
  run.log(`${plan.op} in ${replica.index} killed ${injected.at}`)
  await run.replicas.revive(replica)
  const wasCommitted = injected.at === 'after_commit'
  const hasEffect = wasCommitted && (await isAccepted(run, plan))
  // The batch of a refused order still commits the time that it advanced its book.
  const but = wasCommitted ? ofTime : []
  if (!hasEffect) await assertNothingDone(run, before, `${plan.op} that died ${injected.at}`, but)
  if (plan.key !== undefined) {
    run.requests += 1
    const another = freeReplica(run)
    const response = await callOf(another, plan, `sim-${run.requests}`).run()
    const wasKnown = run.context.keyed.some(({ plan: kept }) => kept.key === plan.key)
    if (response.status < 300 && response.replayed !== hasEffect && !wasKnown) {
      recordViolation(
        run,
        `the retry of ${plan.op}, which died ${injected.at}, was ${response.replayed ? '' : 'not '}replayed`,
      )
    }
    if (hasEffect && response.status >= 300)
      recordViolation(run, `${plan.op} was refused after its commit: ${response.text}`)
    return handleResponse(run, plan, { response, injected: undefined, replica: another })
  }
  if (plan.eventually) run.chain.push(plan.eventually)
  if (!hasEffect) return
  for (const resource of plan.touches ?? []) await refresh(run, resource)
  await checkInventory(run, { isSure: false })
}

/** Whether the command was accepted. A batch commits refused orders too, without their key. */
async function isAccepted({ monitor }: SimRun, { op, actor, key }: CallPlan): Promise<boolean> {
  if (key === undefined) return true
  return (await monitor.database.reader.row(findKey, [actor.id, op, key])) !== undefined
}

/** Counts that change when a book only advances in time. */
const ofTime = ['events', 'ledger', 'books']

async function assertNothingDone(
  run: SimRun,
  before: RowCounts,
  what: string,
  but: readonly string[] = [],
): Promise<void> {
  const after = await countRows(run.monitor.database)
  const changed = Object.keys(after).filter((name) => after[name] !== before[name] && !but.includes(name))
  for (const name of changed)
    recordViolation(run, `${what} left something: ${name} ${before[name]} became ${after[name]}`)
}

type Ending = {
  readonly response: ReplicaResponse
  readonly injected: ReplicaFault | undefined
  readonly replica: SimReplica
}

/** Handles a response: verifies it, records it, and queues the call that follows. */
async function handleResponse(run: SimRun, plan: CallPlan, { response, injected, replica }: Ending): Promise<void> {
  const { context, digest } = run
  const { status, body, replayed } = response
  const line = `${plan.op} in ${replica.index}${injected ? ` (${describe(injected)})` : ''}: ${status}${codesIn(body)}`
  run.log(plan.key === undefined ? line : `${line} under ${plan.key}${replayed ? ', replayed' : ''}`)
  digest.add(response.text)
  count(run, `status ${status}`)
  for (const code of codesOf(body)) count(run, `code ${plan.op} ${code}`)
  if (status < 300) count(run, `done ${plan.op}`)
  const violation = violationOf(plan, response, injected) ?? (status === 503 ? undefined : plan.verify?.(response))
  if (violation) recordViolation(run, violation)
  if (status < 300) {
    const isForeign = !plan.actor.isPlatform && plan.touches?.some(({ account }) => account !== plan.actor.id)
    if (isForeign) recordViolation(run, `access.tenant: ${plan.op} changed a resource of another account`)
    const isKnown = plan.key !== undefined && context.keyed.some(({ plan: kept }) => kept.key === plan.key)
    // The duplicate of a paused command has already recorded its effect, which others may have changed since.
    if (!isKnown || (!replayed && injected?.kind !== 'pause')) {
      plan.record?.(body)
      if (plan.key !== undefined) context.keyed.push({ plan, status, body, at: context.now })
    }
  }
  const next = plan.next?.(response) ?? plan.eventually
  if (next) run.chain.push(next)
}

/** The codes of a refusal: those of its details, else its type. */
export function codesOf(body: any): string[] {
  const { type, details } = body?.error ?? {}
  return details?.map(({ code }: { code: string }) => code) ?? (type === undefined ? [] : [type])
}

function codesIn(body: any): string {
  const codes = codesOf(body)
  return codes.length > 0 ? ` ${codes.join(' ')}` : ''
}

function describe({ kind, at }: ReplicaFault): string {
  return `${kind} ${at}`
}

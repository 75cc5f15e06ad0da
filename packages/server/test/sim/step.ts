/** One step of a run: somebody does something, due work runs, or time goes on. */
import { statement } from '../../src/core/db/db.ts'
import { limitedToken } from './deeds/reading.ts'
import { type Print, printOf } from './inspection.ts'
import { besides, callOf, endpointOf, type Fate, flawOf, perform, tickOf } from './performance.ts'
import type { Replica, Trouble } from './replicas.ts'
import { complain, count, freeReplica, learnAnew, type Paused, type Run, settle, takeInventory } from './run.ts'
import type { Plan } from './scene.ts'
import type { Answer } from './wire.ts'

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

/** Deeds that are drawn until one finds something to do. */
const drawsMax = 6
/** Orders lose a minute at a time: so many ticks let the hours pass for which they rest. */
const ticksOfHours = 400
/** Real milliseconds of a replica's own time between two steps: what it cached of a token is stale, or just so not. */
const pauses = [0, 0, 0, 3_000]

export async function takeStep(run: Run): Promise<void> {
  const { choices, options, paused, replicas } = run
  await replicas.pass(choices.pick(pauses), paused?.replica)
  const isDue = await lookAtClock(run)
  if (paused) {
    if (choices.chance(35) && paused.plan?.key !== undefined) return sendTwin(run, paused.plan)
    paused.steps_left -= 1
    if (paused.steps_left < 0) return goOn(run)
  }
  const dice = choices.integer(100)
  if (dice < options.clock_percent) return letTimePass(run, choices.pick(options.jumps))
  if (isDue && dice < options.clock_percent + options.tick_percent) return runDue(run)
  const plan = run.chain.shift() ?? draw(run)
  if (!plan) return
  const isWrite = endpointOf(plan).method !== 'GET' && !plan.transfer
  await act(run, plan, isWrite ? drawTrouble(run) : undefined)
}

/** Reads the clock; whether something is due. */
export async function lookAtClock({ scene, monitor }: Run): Promise<boolean> {
  const row = await monitor.database.reader.row(readNow)
  scene.now = row?.now as number
  return row?.is_due ?? false
}

/** Moves the clock; whatever is due on the way holds it back until it is done. */
export async function letTimePass(run: Run, seconds: number): Promise<void> {
  await settle(run)
  run.say(`time +${seconds} s`)
  await run.monitor.database.reader.run(moveClock, [seconds])
}

function draw(run: Run): Plan | undefined {
  const { scene, choices, deeds } = run
  let plan: Plan | undefined
  for (let n = 0; n < drawsMax && !plan; n++) plan = choices.weighted(deeds).plan(scene)
  if (!plan || plan.actor.isPlatform || plan.key !== undefined || plan.transfer) return plan
  const token = limitedToken(scene, plan.actor)
  return token === undefined || plan.token !== undefined ? plan : { ...plan, token }
}

async function runDue(run: Run): Promise<void> {
  const { choices, options } = run
  const few = choices.chance(25) ? 40 : 1 + choices.integer(6)
  // The database ends a transaction that stands still for ten seconds of real time: beside one only few go on.
  const most = () => (options.has_weeks && !run.paused ? ticksOfHours : few)
  for (let n = 0; n < most() && run.violations.length === 0; n++) if ((await tick(run, drawTrouble(run))) === 0) return
}

/** One batch of due work in some replica; gives the number of its steps. */
export async function tick(run: Run, trouble: Trouble | undefined): Promise<number> {
  const replica = freeReplica(run)
  const fate = await doWork(run, { replica, plan: undefined, trouble })
  if (fate.kind === 'paused') return 1
  if (fate.kind === 'killed') {
    run.say(`tick in ${replica.index} killed ${fate.struck.at}`)
    await run.replicas.revive(replica)
    return 1
  }
  const { steps } = fate.answer.body as { steps: number }
  const done = run.replicas.steps.splice(0).join(', ')
  run.say(`tick in ${replica.index}${fate.struck ? ` (${describe(fate.struck)})` : ''}: ${steps} ${done}`)
  count(run, 'reconciler steps', steps)
  // Where a connection broke, nothing may have been done although there is something to do.
  return fate.struck ? Math.max(steps, 1) : steps
}

function drawTrouble({ choices, options, paused }: Run): Trouble | undefined {
  if (paused || !choices.chance(options.trouble_percent) || options.troubles.length === 0) return undefined
  return choices.pick(options.troubles)
}

type Doing = { readonly replica: Replica; readonly plan: Plan | undefined; readonly trouble: Trouble | undefined }

/** Does a call or a tick, beside a paused command if there is one. */
async function doWork(run: Run, { replica, plan, trouble }: Doing): Promise<Fate> {
  await settle(run)
  if (trouble?.kind === 'lost_commit') await run.replicas.certain()
  run.requests += 1
  const work = plan ? callOf(replica, plan, `sim-${run.requests}`) : tickOf(replica)
  const doing = perform(replica, work, trouble)
  if (run.paused) await doBesides(run, run.paused, { replica, doing })
  const fate = await doing
  if (fate.kind !== 'paused') return fate
  const { answered } = fate
  run.say(`${plan?.op ?? 'tick'} in ${replica.index} paused ${trouble?.at}`)
  run.paused = {
    ...{ replica, plan, answered, goOn: fate.goOn, trouble: trouble as Trouble, pid: await run.replicas.working() },
    steps_left: 1 + run.choices.integer(3),
  }
  return fate
}

/**
 * Where work waits for a paused command, that one goes on. They take turns then: first the paused command to its end,
 * then what waited for it, then what the paused replica had yet to do.
 */
async function doBesides(
  run: Run,
  paused: Paused,
  { replica, doing }: { replica: Replica; doing: Promise<unknown> },
): Promise<void> {
  const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
  const onBlocked = () => {
    replica.gate = { until: isOver, holds: 'all' }
    paused.replica.gate = { until: doing.catch(() => {}), holds: 'those to come' }
    paused.replica.onCommit = over
    paused.answered.finally(over).catch(() => {})
    paused.goOn()
  }
  const wasBlocked = await besides(run.replicas, { work: doing, pid: paused.pid, onBlocked })
  for (const one of [replica, paused.replica]) Object.assign(one, { gate: undefined, onCommit: undefined })
  if (!wasBlocked) return
  count(run, 'waits for a paused command')
  await goOn(run)
}

/** Lets the paused command go on and takes its answer. */
export async function goOn(run: Run): Promise<void> {
  const { paused } = run
  if (!paused) return
  run.paused = undefined
  paused.goOn()
  const answer = await paused.answered
  if (paused.plan) await conclude(run, paused.plan, { answer, struck: paused.trouble, replica: paused.replica })
}

/** What is done to its end, whatever follows from it; nothing befalls it. */
export async function actInPeace(run: Run, plan: Plan): Promise<void> {
  run.chain.splice(0)
  for (let next: Plan | undefined = plan; next && run.violations.length === 0; next = run.chain.shift()) {
    await act(run, next, undefined)
  }
}

async function act(run: Run, plan: Plan, trouble: Trouble | undefined): Promise<void> {
  const replica = freeReplica(run)
  const before = trouble ? await printOf(run.monitor.database) : {}
  const fate = await doWork(run, { replica, plan, trouble })
  if (fate.kind === 'paused') return
  if (fate.kind === 'killed') return mourn(run, { plan, replica, struck: fate.struck, before })
  const { answer, struck } = fate
  // A halted market lets time pass on its book before it refuses.
  const isHalted = answer.text.includes('The market is halted')
  if (answer.status === 503 && struck && !isHalted) await assertNothingDone(run, before, `${plan.op} that was cut off`)
  await conclude(run, plan, { answer, struck, replica })
}

/** The same call while the first one under its key stands still. */
async function sendTwin(run: Run, plan: Plan): Promise<void> {
  const { options, paused } = run
  const replica = freeReplica(run)
  const isHeld = paused?.trouble.at !== 'before_claim' && paused?.trouble.at !== 'after_commit'
  if (options.lets_twins_wait && !run.hadTwin && isHeld) {
    run.hadTwin = true
    run.requests += 1
    const answer = await callOf(replica, plan, `sim-${run.requests}`).run()
    if (answer.body?.error?.details?.[0]?.code !== 'idempotency_key_in_use') {
      complain(run, `a twin that waited too long was answered ${answer.text}`)
    }
    return conclude(run, plan, { answer, struck: undefined, replica })
  }
  const fate = await doWork(run, { replica, plan, trouble: undefined })
  if (fate.kind !== 'answered') return
  count(run, 'twins')
  await conclude(run, plan, { answer: fate.answer, struck: undefined, replica })
}

type Loss = {
  readonly plan: Plan
  readonly replica: Replica
  readonly struck: Trouble
  readonly before: Print
}

/** A replica died under a call: by where it died the call had its effect, or none. */
async function mourn(run: Run, { plan, replica, struck, before }: Loss): Promise<void> {
  run.say(`${plan.op} in ${replica.index} killed ${struck.at}`)
  await run.replicas.revive(replica)
  const wasCommitted = struck.at === 'after_commit'
  const hasEffect = wasCommitted && (await isAccepted(run, plan))
  // The batch of an order that is refused commits the time that it let pass on its book.
  const but = wasCommitted ? ofTime : []
  if (!hasEffect) await assertNothingDone(run, before, `${plan.op} that died ${struck.at}`, but)
  if (plan.key !== undefined) {
    run.requests += 1
    const another = freeReplica(run)
    const answer = await callOf(another, plan, `sim-${run.requests}`).run()
    const wasKnown = run.scene.keyed.some(({ plan: kept }) => kept.key === plan.key)
    if (answer.status < 300 && answer.replayed !== hasEffect && !wasKnown) {
      complain(run, `the retry of ${plan.op}, which died ${struck.at}, was ${answer.replayed ? '' : 'not '}replayed`)
    }
    if (hasEffect && answer.status >= 300) complain(run, `what ${plan.op} committed was then refused: ${answer.text}`)
    return conclude(run, plan, { answer, struck: undefined, replica: another })
  }
  if (plan.eventually) run.chain.push(plan.eventually)
  if (!hasEffect) return
  for (const thing of plan.touches ?? []) await learnAnew(run, thing)
  await takeInventory(run, { isSure: false })
}

/** What is decided in batches commits also where it is refused: then no key is left. */
async function isAccepted({ monitor }: Run, { op, actor, key }: Plan): Promise<boolean> {
  if (key === undefined) return true
  return (await monitor.database.reader.row(findKey, [actor.id, op, key])) !== undefined
}

/** What time alone changes when it passes on a book. */
const ofTime = ['events', 'ledger', 'books']

async function assertNothingDone(run: Run, before: Print, what: string, but: readonly string[] = []): Promise<void> {
  const after = await printOf(run.monitor.database)
  const changed = Object.keys(after).filter((name) => after[name] !== before[name] && !but.includes(name))
  for (const name of changed) complain(run, `${what} left something: ${name} ${before[name]} became ${after[name]}`)
}

type Ending = { readonly answer: Answer; readonly struck: Trouble | undefined; readonly replica: Replica }

/** Takes an answer: what it may not be, what it means, what follows from it. */
async function conclude(run: Run, plan: Plan, { answer, struck, replica }: Ending): Promise<void> {
  const { scene, digest } = run
  const { status, body, replayed } = answer
  const line = `${plan.op} in ${replica.index}${struck ? ` (${describe(struck)})` : ''}: ${status}${codesIn(body)}`
  run.say(plan.key === undefined ? line : `${line} under ${plan.key}${replayed ? ', replayed' : ''}`)
  digest.add(answer.text)
  count(run, `status ${status}`)
  for (const code of codesOf(body)) count(run, `code ${plan.op} ${code}`)
  if (status < 300) count(run, `done ${plan.op}`)
  const flaw = flawOf(plan, answer, struck) ?? (status === 503 ? undefined : plan.judge?.(answer))
  if (flaw) complain(run, flaw)
  if (status < 300) {
    const isForeign = !plan.actor.isPlatform && plan.touches?.some(({ account }) => account !== plan.actor.id)
    if (isForeign) complain(run, `access.tenant: ${plan.op} touched what belongs to another account`)
    const isKnown = plan.key !== undefined && scene.keyed.some(({ plan: kept }) => kept.key === plan.key)
    // What a paused command did its twin has told of, and others may have changed since.
    if (!isKnown || (!replayed && struck?.kind !== 'pause')) {
      plan.learn?.(body)
      if (plan.key !== undefined) scene.keyed.push({ plan, status, body, at: scene.now })
    }
  }
  const next = plan.next?.(answer) ?? plan.eventually
  if (next) run.chain.push(next)
}

/** What an answer refuses with: the codes of its details, or where it has none its type. */
function codesOf(body: any): string[] {
  const { type, details } = body?.error ?? {}
  return details?.map(({ code }: { code: string }) => code) ?? (type === undefined ? [] : [type])
}

function codesIn(body: any): string {
  const codes = codesOf(body)
  return codes.length > 0 ? ` ${codes.join(' ')}` : ''
}

function describe({ kind, at }: Trouble): string {
  return `${kind} ${at}`
}

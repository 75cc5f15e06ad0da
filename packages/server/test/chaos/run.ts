/** Rounds of injected faults: each a kind of fault under load, and everything that is checked after it. */
import { pause } from '@bourse/text/time/pause.ts'
import { monotonicMilliseconds } from '../../src/core/base/clock.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { checkAll } from './checks.ts'
import { type KindName, kinds } from './kinds/all.ts'
import type { ChaosKind, Fault } from './kinds/kind.ts'
import { type ChaosLoad, startChaosLoad } from './load.ts'
import type { ChaosSetting } from './setting.ts'
import { type Stage, startDatabase, startReplicas } from './stage.ts'
import { type FaultMoments, judge, type LoadedResource, type NoisyAnswers, type RoundVerdict } from './verdict.ts'

export type RoundOptions = {
  readonly seed: number
  /** How long the fault lasts, where it has a length; before and after it the load runs for as long. */
  readonly fault_seconds: number
  /** Without keys, or of another kind, for a test that must fail. */
  readonly has_keys?: boolean
  readonly change?: Partial<ChaosKind>
}

export type RoundResult = RoundVerdict & { readonly notes: readonly string[]; readonly seconds: number }

/** Runs rounds one after the other. Those that leave the database as it was share replicas and database. */
export type ChaosRounds = AsyncDisposable & {
  /** Runs a round. Throws where it could not be carried out. */
  run(name: KindName, options: RoundOptions): Promise<RoundResult>
}

/** A stage without a load. */
type OpenStage = AsyncDisposable & {
  readonly parts: Omit<Stage, 'load' | 'noise' | 'note' | 'random'>
  baseline: readonly LoadedResource[]
}

/** Calls that are acknowledged before the fault, and after it, at least. */
const acknowledgedMin = 40

/** The time limit of the SDK. */
const patientMilliseconds = 60_000

/** After so many rounds what the load left makes each check longer, and nears the limits of its accounts. */
const sharedRoundsMax = 8

/** Opens none yet: the first round does. */
export function openRounds(setting: ChaosSetting): ChaosRounds {
  let shared: OpenStage | undefined
  let sharedRounds = 0
  const close = async () => {
    const open = shared
    shared = undefined
    sharedRounds = 0
    await open?.[Symbol.asyncDispose]()
  }
  const run = async (name: KindName, options: RoundOptions): Promise<RoundResult> => {
    const kind: ChaosKind = { ...kinds[name], ...options.change }
    const began = monotonicMilliseconds()
    if (kind.uses_up) {
      await close()
      await using own = await openStage(setting, kind)
      return await runOn(own, { name, kind, options, began })
    }
    if (sharedRounds >= sharedRoundsMax) await close()
    shared ??= await openStage(setting, kind)
    sharedRounds += 1
    try {
      return await runOn(shared, { name, kind, options, began })
    } catch (error) {
      // What it left behind is unknown.
      await close()
      throw error
    }
  }
  return { run, [Symbol.asyncDispose]: close }
}

async function openStage(setting: ChaosSetting, { database: kind }: ChaosKind): Promise<OpenStage> {
  await using stack = new AsyncDisposableStack()
  const database = await startDatabase(setting, kind, stack)
  const parts = { setting, database, ...(await startReplicas(setting, database, stack)) }
  const open = stack.move()
  return { parts, baseline: database.world.baseline, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

type FaultRound = {
  readonly name: KindName
  readonly kind: ChaosKind
  readonly options: RoundOptions
  readonly began: number
}

async function runOn(open: OpenStage, { name, kind, options, began }: FaultRound): Promise<RoundResult> {
  const { parts, baseline } = open
  const random = createSeededRandom(`${name} ${options.seed}`)
  const notes: string[] = []
  await using load = startChaosLoad({
    seed: `${name}-${options.seed}`,
    accounts: parts.database.world.accounts,
    url: parts.balancer.url,
    loses_commits: kind.goals.loses_commits === true,
    // What may not fail may take its time.
    ...(kind.goals.fails_nothing ? { attempt_milliseconds: patientMilliseconds } : {}),
    ...(options.has_keys === false ? { has_keys: false } : {}),
  })
  const noise: NoisyAnswers = { statuses: new Map(), without_retry_after: 0 }
  const stage: Stage = { ...parts, random, load, noise, note: (text) => void notes.push(text) }
  const moments = await disturb(stage, kind, options.fault_seconds * (750 + random.integer(500)))
  await load.stop()
  for (const [why, count] of load.failed) stage.note(`${count} attempts failed: ${why}`)
  const checked = await checkAll(stage, kind.goals)
  open.baseline = checked.present
  const { intents, samples, wrong } = load
  const verdict = judge({ goals: kind.goals, intents, samples, wrong, baseline, noise, ...checked, ...moments })
  return { ...verdict, notes, seconds: Math.round((monotonicMilliseconds() - began) / 1000) }
}

/** Injects the fault, with load before and after it. */
async function disturb(stage: Stage, kind: ChaosKind, milliseconds: number): Promise<FaultMoments> {
  const moments = { fault_began: 0, fault_ended: 0, repair_began: Infinity }
  const fault: Fault = {
    milliseconds,
    begin: () => {
      moments.fault_began = monotonicMilliseconds()
    },
    end: () => {
      moments.fault_ended = monotonicMilliseconds()
    },
    repair: () => {
      moments.repair_began = monotonicMilliseconds()
    },
  }
  const { load } = stage
  await load.more(acknowledgedMin)
  load.forgetSamples()
  await goOn(load, milliseconds)
  await kind.inject(stage, fault)
  await goOn(load, milliseconds)
  return moments
}

/** Lets the load run for a time, and until it has acknowledged enough. */
async function goOn(load: ChaosLoad, milliseconds: number): Promise<void> {
  await Promise.all([load.more(acknowledgedMin), pause(milliseconds)])
}

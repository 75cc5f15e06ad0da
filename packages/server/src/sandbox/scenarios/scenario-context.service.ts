/** The context of scenarios: calls of the services as the admins of the accounts, and control of the time. */
import type { Runtime } from '../../core/work/runtime.ts'
import { type ActAs, createActAs } from '../world/acting.service.ts'
import { passTime } from '../world/clock.service.ts'
import type { SeedAccount } from '../world/seed-accounts.service.ts'

/** The tools with which a scenario builds its world. */
export type ScenarioContext = {
  /** The time at which the world begins: Unix seconds, a whole minute. */
  readonly from: number
  /** The id of the platform account. */
  readonly platform: string
  /** The ids of notable resources, by name. Loading the scenario returns them. */
  readonly ids: Record<string, string>
  readonly as: ActAs
  /** Advances the clock. Work that falls due on the way runs at its own time. */
  pass(seconds: number): Promise<void>
}

/** A world that can be loaded. */
export type Scenario = {
  /** Its accounts besides the platform account. */
  readonly seed_accounts: readonly SeedAccount[]
  /** By how many seconds the world begins before the present. */
  readonly history_seconds: number
  /** Builds the history. Returns a function that runs at the present, just before the clock resumes. */
  build(context: ScenarioContext): Promise<(() => Promise<void>) | undefined>
}

/** Creates a scenario context for a runtime with seeded randomness. `drain` runs the due work on that runtime. */
export function openScenarioContext(
  runtime: Runtime,
  { from, platform, drain }: { from: number; platform: string; drain: () => Promise<number> },
): ScenarioContext {
  return {
    from,
    platform,
    ids: {},
    as: createActAs(runtime),
    pass: async (seconds) => {
      await drain()
      await passTime(runtime, seconds)
      await drain()
    },
  }
}

/** What scenarios are made with: the real services, called as the admins of the accounts, and time that passes. */
import type { Runtime } from '../../core/work/runtime.ts'
import { type ActAs, createActAs } from '../world/acting.service.ts'
import { passTime } from '../world/clock.service.ts'
import type { SeedAccount } from '../world/seed-accounts.service.ts'

/** What a scenario builds its world with. */
export type ScenarioContext = {
  /** The clock at its beginning, a whole minute. */
  readonly from: number
  /** The platform account's id. */
  readonly platform: string
  /** What is worth knowing of the world, by what it is. */
  readonly ids: Record<string, string>
  readonly as: ActAs
  /** Lets time pass; everything that falls due on the way is done at its own time. */
  pass(seconds: number): Promise<void>
}

/** A world that can be loaded. */
export type Scenario = {
  /** Its accounts besides the platform. */
  readonly seed_accounts: readonly SeedAccount[]
  /** How long before the present it begins. */
  readonly history_seconds: number
  /** What has happened until now; gives what is done at the very present, before the clock goes on with real time. */
  build(context: ScenarioContext): Promise<(() => Promise<void>) | undefined>
}

/** Opens a scenario context over a runtime whose randomness is seeded; `drain` runs what is due in its name. */
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

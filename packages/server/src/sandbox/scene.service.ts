/** What scenarios are made with: the real services, called as the admins of the accounts, and time that passes. */
import { command } from '../core/command.ts'
import type { Caller, Ctx } from '../core/ctx.ts'
import type { Runtime } from '../core/runtime.ts'
import { ensureAdminToken } from '../iam/bootstrap.service.ts'
import { createGate } from '../iam/gate.service.ts'
import type { Member } from './cast.service.ts'
import { advanceClock } from './clock.store.ts'

/** A world in the making. */
export type Scene = {
  /** The clock at its beginning, a whole minute. */
  readonly from: number
  /** The platform account's id. */
  readonly platform: string
  /** What is worth knowing of the world, by what it is. */
  readonly ids: Record<string, string>
  /** Does something as the admin of an account; events name the system, as for all sandbox control. */
  as<T>(account_id: string, work: (ctx: Ctx) => Promise<T>): Promise<T>
  /** Lets time pass; everything that falls due on the way is done at its own time. */
  pass(seconds: number): Promise<void>
}

/** A world that can be loaded. */
export type Scenario = {
  /** Its accounts besides the platform. */
  readonly cast: readonly Member[]
  /** How long before the present it begins. */
  readonly history_seconds: number
  /** What has happened until now. */
  build(scene: Scene): Promise<void>
  /** What is done at the very present, before the clock goes on with real time. */
  finish?(scene: Scene): Promise<void>
}

/** Opens a scene over a runtime whose randomness is seeded; `drain` runs what is due in its name. */
export function openScene(
  runtime: Runtime,
  { from, platform, drain }: { from: number; platform: string; drain: () => Promise<number> },
): Scene {
  const gate = createGate(runtime)
  const callers = new Map<string, Caller>()
  const callerOf = async (account_id: string): Promise<Caller> => {
    const known = callers.get(account_id) ?? (await gate.authenticate(await ensureAdminToken(runtime, account_id)))
    if (!known) throw new Error(`The account ${account_id} has no token that is taken.`)
    callers.set(account_id, known)
    return known
  }
  return {
    from,
    platform,
    ids: {},
    as: async (account_id, work) => {
      const origin = { caller: await callerOf(account_id), actor: { type: 'system' as const }, request_id: 'scenario' }
      const outcome = await command(runtime, origin, work)
      if (outcome.replayed) throw new Error('A scenario uses no keys.')
      return outcome.result
    },
    pass: async (seconds) => {
      await drain()
      await advanceClock(runtime.database.reader, seconds * 1000)
      await drain()
    },
  }
}

/**
 * Who may change the world of a sandbox. While it is wiped and filled nothing else of this process does, and sandbox
 * control waits; other replicas are kept out by a lock of the database.
 */
import { monotonicMilliseconds } from '../../core/base/clock.ts'
import { unavailable } from '../../core/db/db.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { enterWorldShared, leaveWorldShared } from './world.store.ts'

/** What one server knows of changes to its world. */
export type WorldState = {
  /** The change under way, or the last of those in line. */
  change: Promise<unknown> | undefined
  /** When the last change ended, by the process's own time. */
  changed_at: number
  /** The last of the pieces of work that need one world. */
  stay: Promise<unknown>
  /** The id that the platform account gets in every world. */
  platform_account: string | undefined
}

declare module '../../core/work/services.ts' {
  interface Services {
    readonly world: WorldState
  }
}

/** Makes the state of a server whose world has not changed yet. */
export function createWorldState(): WorldState {
  return {
    change: undefined,
    changed_at: Number.NEGATIVE_INFINITY,
    stay: Promise.resolve(),
    platform_account: undefined,
  }
}

/** Whether the world is being changed at this moment. */
export function isWorldChanging({ services }: Runtime): boolean {
  return services.world.change !== undefined
}

/** Whether the world has been changed since a moment of the process's own time, or is at this one. */
export function hasWorldChanged({ services: { world } }: Runtime, since: number): boolean {
  return world.change !== undefined || world.changed_at >= since
}

/** Waits until nobody changes the world. */
export async function awaitWorld({ services: { world } }: Runtime): Promise<void> {
  while (world.change !== undefined) await world.change
}

/** Changes the world, one change after the other. */
export function changeWorld<T>({ services: { world } }: Runtime, work: () => Promise<T>): Promise<T> {
  const change = (world.change ?? Promise.resolve()).then(work)
  const ended = change.then(
    () => {},
    () => {},
  )
  world.change = ended
  void ended.then(() => {
    world.changed_at = monotonicMilliseconds()
    if (world.change === ended) world.change = undefined
  })
  return change
}

/**
 * Does something that takes several transactions in one world: whoever is to change it waits, on every replica. Refuses
 * with `unavailable` where somebody changes it already. One after the other in a process, as each holds a connection
 * beside those of its transactions: many at once would leave none for these.
 */
export function withinWorld<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const { world } = runtime.services
  const done = world.stay.then(() => withinSharedWorld(runtime, work))
  world.stay = done.catch(() => {})
  return done
}

async function withinSharedWorld<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const session = await runtime.database.session()
  let hasEntered = false
  let broken: Error | undefined
  try {
    hasEntered = await enterWorldShared(session)
    if (!hasEntered) throw unavailable()
    return await work()
  } finally {
    if (hasEntered) {
      await leaveWorldShared(session).catch((error: Error) => {
        broken = error
      })
    }
    session.release(broken)
  }
}

/** Notes which account is the platform's, for worlds to come. */
export function rememberPlatform({ services }: Runtime, account_id: string): void {
  services.world.platform_account = account_id
}

/** The id that the platform account gets in every world. */
export function platformOf({ services }: Runtime): string {
  const account_id = services.world.platform_account
  if (account_id === undefined) throw new Error('This sandbox was never started.')
  return account_id
}

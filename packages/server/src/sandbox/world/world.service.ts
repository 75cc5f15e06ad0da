/**
 * Serialises changes of the world of a sandbox. While this process wipes and fills the world, requests of sandbox
 * control wait, and it refuses all others. An advisory lock of the database excludes other replicas.
 */
import { monotonicMilliseconds } from '../../core/base/clock.ts'
import { unavailable } from '../../core/db/db.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { enterWorldShared, leaveWorldShared } from './world.store.ts'

/** The state of world changes in one server. */
type WorldState = {
  /** The last change in the queue; undefined while none runs or waits. */
  change: Promise<unknown> | undefined
  /** When the last change ended, in milliseconds of the monotonic clock. */
  changed_at: number
  /** The last piece of work in the queue of {@link withinWorld}. */
  stay: Promise<unknown>
  /** The id that the platform account gets in every world. */
  platform_account: string | undefined
}

declare module '../../core/work/services.ts' {
  interface Services {
    readonly world: WorldState
  }
}

/** Creates the state of a server whose world has not changed yet. */
export function createWorldState(): WorldState {
  return {
    change: undefined,
    changed_at: Number.NEGATIVE_INFINITY,
    stay: Promise.resolve(),
    platform_account: undefined,
  }
}

/** Whether a change of the world runs or waits. */
export function isWorldChanging({ services }: Runtime): boolean {
  return services.world.change !== undefined
}

/** Whether the world is being changed, or has changed since a time in milliseconds of the monotonic clock. */
export function hasWorldChanged({ services: { world } }: Runtime, since: number): boolean {
  return world.change !== undefined || world.changed_at >= since
}

/** Waits until no change of the world runs or waits in this process. */
export async function awaitWorld({ services: { world } }: Runtime): Promise<void> {
  while (world.change !== undefined) await world.change
}

/** Runs a change of the world. Changes run one after the other. */
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
 * Runs work that needs several transactions in one world. Changes of the world wait for it, on every replica. Refuses
 * `unavailable` if a change already runs. The work of one process runs one after the other: each piece holds a
 * connection besides those of its transactions, and many at once would exhaust the connection pool.
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

/** Stores the id of the platform account for later worlds. */
export function rememberPlatform({ services }: Runtime, accountId: string): void {
  services.world.platform_account = accountId
}

/** The id of the platform account in every world. Throws before {@link rememberPlatform} has run. */
export function platformOf({ services }: Runtime): string {
  const accountId = services.world.platform_account
  if (accountId === undefined) throw new Error('The sandbox has no platform account yet.')
  return accountId
}

/**
 * Who may touch the world of a sandbox. While it is wiped and filled nothing else of this process does, and sandbox
 * control waits; other replicas are kept out by a lock of the database.
 */
import { monotonicMilliseconds } from '../../core/base/clock.ts'
import { unavailable } from '../../core/db/db.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { leaveWorld, tryToStay } from './worlds.store.ts'

const changes = new WeakMap<Runtime, Promise<unknown>>()
const ends = new WeakMap<Runtime, number>()

/** Whether the world is being changed at this moment. */
export function isWorldChanging(runtime: Runtime): boolean {
  return changes.has(runtime)
}

/** Whether the world has been changed since a moment of the process's own time, or is at this one. */
export function hasWorldChanged(runtime: Runtime, since: number): boolean {
  return changes.has(runtime) || (ends.get(runtime) ?? Number.NEGATIVE_INFINITY) >= since
}

/** Waits until nobody changes the world. */
export async function awaitWorld(runtime: Runtime): Promise<void> {
  while (changes.has(runtime)) await changes.get(runtime)
}

/** Changes the world, one change after the other. */
export function changeWorld<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const change = (changes.get(runtime) ?? Promise.resolve()).then(work)
  const ended = change.then(
    () => {},
    () => {},
  )
  changes.set(runtime, ended)
  void ended.then(() => {
    ends.set(runtime, monotonicMilliseconds())
    if (changes.get(runtime) === ended) changes.delete(runtime)
  })
  return change
}

const stays = new WeakMap<Runtime, Promise<unknown>>()

/**
 * Does something that takes several transactions in one world: whoever is to change it waits, on every replica. Refuses
 * with `unavailable` where somebody changes it already. One after the other in a process, as each holds a connection
 * beside those of its transactions: many at once would leave none for these.
 */
export function withinWorld<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const done = (stays.get(runtime) ?? Promise.resolve()).then(() => stayFor(runtime, work))
  stays.set(
    runtime,
    done.catch(() => {}),
  )
  return done
}

async function stayFor<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const session = await runtime.database.session()
  let isHeld = false
  let broken: Error | undefined
  try {
    isHeld = await tryToStay(session)
    if (!isHeld) throw unavailable()
    return await work()
  } finally {
    if (isHeld) {
      await leaveWorld(session).catch((error: Error) => {
        broken = error
      })
    }
    session.release(broken)
  }
}

const platforms = new WeakMap<Runtime, string>()

/** Notes which account is the platform's, for worlds to come. */
export function rememberPlatform(runtime: Runtime, account_id: string): void {
  platforms.set(runtime, account_id)
}

/** The id that the platform account gets in every world. */
export function platformOf(runtime: Runtime): string {
  const account_id = platforms.get(runtime)
  if (account_id === undefined) throw new Error('This sandbox was never started.')
  return account_id
}

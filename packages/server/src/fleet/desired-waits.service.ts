/**
 * Agents that wait for news. A process asks the database for all of them a few times a second, and only for what was
 * told lately; none holds a connection or a place while it waits.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { after, monotonicMilliseconds } from '../core/clock.ts'
import type { Runtime } from '../core/runtime.ts'
import { listTold } from './hosts.store.ts'

type Waiter = { readonly seen: number; readonly ends_at: number; readonly tell: () => void }
type Room = { readonly waiters: Map<string, Set<Waiter>>; isAsking: boolean; isClosed: boolean }

const pauseMilliseconds = 250
/** What was told is seen once its transaction is over; none lasts nearly as long. */
const latelySeconds = 60
/** Who has more than this many questions open has lost the oldest. */
const waitersOfHostMax = 4

const rooms = new WeakMap<Runtime, Room>()

/** Waits until a host is to do something newer than it has seen; no longer than so many seconds. */
export function waitForNews(
  runtime: Runtime,
  host_id: Id<'host'>,
  { seen, seconds }: { seen: number; seconds: number },
): Promise<void> {
  const room = roomOf(runtime)
  if (room.isClosed || seconds === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const own = room.waiters.get(host_id) ?? new Set<Waiter>()
    const waiter: Waiter = { seen, ends_at: monotonicMilliseconds() + seconds * 1000, tell: resolve }
    const [oldest] = own
    if (oldest !== undefined && own.size >= waitersOfHostMax) release(room, host_id, oldest)
    own.add(waiter)
    room.waiters.set(host_id, own)
    askLater(runtime, room)
  })
}

/** Lets everybody go who waits, and nobody wait any more: the server is about to close. */
export function endWaits(runtime: Runtime): void {
  const room = roomOf(runtime)
  room.isClosed = true
  for (const [host_id, own] of room.waiters) for (const waiter of own) release(room, host_id, waiter)
}

function roomOf(runtime: Runtime): Room {
  const known = rooms.get(runtime) ?? { waiters: new Map(), isAsking: false, isClosed: false }
  rooms.set(runtime, known)
  return known
}

function askLater(runtime: Runtime, room: Room): void {
  if (room.isAsking) return
  room.isAsking = true
  after(pauseMilliseconds, () => void ask(runtime, room))
}

async function ask(runtime: Runtime, room: Room): Promise<void> {
  const told = await listTold(runtime.database.reader, latelySeconds).catch((error) => {
    runtime.log.debug({ err: error }, 'What hosts were told could not be read; it is read again.')
    return new Map<string, number>()
  })
  for (const [host_id, generation] of told) {
    for (const waiter of room.waiters.get(host_id) ?? []) {
      if (generation > waiter.seen) release(room, host_id, waiter)
    }
  }
  const now = monotonicMilliseconds()
  for (const [host_id, own] of room.waiters) {
    for (const waiter of own) if (waiter.ends_at <= now) release(room, host_id, waiter)
  }
  room.isAsking = false
  if (room.waiters.size > 0) askLater(runtime, room)
}

function release(room: Room, host_id: string, waiter: Waiter): void {
  const own = room.waiters.get(host_id)
  own?.delete(waiter)
  if (own?.size === 0) room.waiters.delete(host_id)
  waiter.tell()
}

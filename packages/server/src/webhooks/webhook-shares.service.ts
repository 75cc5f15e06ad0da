/**
 * The webhooks that this server delivers for: extends its lease, takes webhooks that are its own among the servers
 * alive, gives up those that are not, reads changed ones again, and saves cursors.
 */
import { monotonicMilliseconds } from '../core/base/clock.ts'
import type { Random } from '../core/base/random.ts'
import type { History, RememberedValue } from '../core/db/history.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { loadedIds, openQueue, type Queue, resolvedPlace } from './webhook-queue.service.ts'
import {
  beat,
  claimWebhooks,
  countPendingByTarget,
  endLease,
  listDueWebhooks,
  listOwnWebhooks,
  listRecordedPositions,
  readDueDeliveries,
  readOwnWebhooks,
  releaseWebhooks,
  type SavedCursors,
  saveCursors,
} from './webhook-shares.store.ts'
import type { WebhookRow } from './webhooks.rules.ts'

/** The share of one server in one history of the database. Moments are of the monotonic clock in milliseconds. */
export type Share = {
  /** The id under which the server holds its lease; undefined before the first heartbeat. */
  worker_id: string | undefined
  readonly queues: Map<string, Queue>
  /** The state of the last heartbeat. */
  others: string
  version: number
  beatAt: number
  /** Until when the server looks for webhooks to take at every heartbeat. */
  claimsUntil: number
  savedAt: number
}

declare module '../core/work/services.ts' {
  interface Services {
    readonly webhook_share: RememberedValue<Share>
  }
}

const never = Number.NEGATIVE_INFINITY
const beatMilliseconds = 1_000
const saveMilliseconds = 1_000
/** Less than the lease, so that a server that was paused starts nothing before it knows what is still its own. */
const safeMilliseconds = 8_000
/** How long webhooks are looked for after servers have come or gone, and after a webhook has changed. */
const handoverMilliseconds = 30_000
const changeMilliseconds = 5_000

/** Keeps the share of a server until the history of the database changes: all claims may be lost then. */
export function rememberShare(history: History): RememberedValue<Share> {
  return history.remember(newShare)
}

function newShare(): Share {
  const at = { beatAt: never, claimsUntil: never, savedAt: never }
  return {
    worker_id: undefined,
    queues: new Map(),
    others: '',
    version: -1,
    ...at,
  }
}

/** Whether the lease certainly holds. */
export function isLeaseSafe({ beatAt }: Share): boolean {
  return monotonicMilliseconds() - beatAt < safeMilliseconds
}

/** Extends the lease if it is time, and takes and gives up webhooks. */
export async function keepShare(runtime: Runtime, share: Share): Promise<void> {
  const started = monotonicMilliseconds()
  if (started - share.beatAt < beatMilliseconds) return
  const { reader } = runtime.database
  share.worker_id ??= nameOf(runtime.random)
  const wasSafe = isLeaseSafe(share)
  const { is_new, others, version } = await beat(reader, share.worker_id)
  // Without its lease, as after a reset, nothing is known to be its own.
  if (is_new) endQueues(share, [...share.queues.keys()])
  const isChanged = share.version !== version
  const isMoved = share.others !== others || is_new
  share.beatAt = started
  share.others = others
  share.version = version
  if (isMoved) share.claimsUntil = started + handoverMilliseconds
  else if (isChanged) share.claimsUntil = Math.max(share.claimsUntil, started + changeMilliseconds)
  if (isMoved || isChanged || !wasSafe || started < share.claimsUntil) await takeShare(runtime, share)
}

/** Saves the cursors of queues, all that moved by default; queues of other servers end. */
export async function saveQueues(runtime: Runtime, share: Share, only?: readonly Queue[]): Promise<void> {
  const { worker_id } = share
  if (worker_id === undefined) return
  const now = monotonicMilliseconds()
  if (!only && now - share.savedAt < saveMilliseconds) return
  share.savedAt = now
  const moved = (only ?? [...share.queues.values()]).filter((queue) => queue.hasSucceeded || hasMoved(queue))
  if (moved.length === 0) return
  const saved = moved.map(cursorsOf)
  for (const queue of moved) queue.hasSucceeded = false
  const kept = await saveCursors(runtime.database.reader, worker_id, saved).catch((error) => {
    for (const [index, queue] of moved.entries()) queue.hasSucceeded ||= saved[index]?.has_succeeded === true
    throw error
  })
  for (const [index, queue] of moved.entries()) {
    if (!kept.has(queue.row.id)) endQueues(share, [queue.row.id], queue)
    queue.live.saved = saved[index]?.position ?? 0
    if (queue.replay) queue.replay.saved = saved[index]?.replay_position ?? 0
  }
}

/** Saves everything and gives up all webhooks and the lease. A worker that starts again begins with a heartbeat. */
export async function leaveShare(runtime: Runtime, share: Share): Promise<void> {
  const { worker_id, queues } = share
  if (worker_id === undefined) return
  try {
    await saveQueues(runtime, share, [...queues.values()])
    await releaseWebhooks(runtime.database.reader, worker_id, [...queues.keys()])
    await endLease(runtime.database.reader, worker_id)
  } finally {
    endQueues(share, [...queues.keys()])
    share.beatAt = never
  }
}

/** The queues with deliveries that are due. */
export async function listDueQueues({ database }: Runtime, { worker_id, queues }: Share): Promise<Queue[]> {
  if (worker_id === undefined) return []
  return (await listDueWebhooks(database.reader, worker_id)).flatMap((id) => queues.get(id) ?? [])
}

/** Loads due deliveries of a queue, without those that it has. */
export async function loadDueDeliveries({ database }: Runtime, queue: Queue, limit: number): Promise<void> {
  if (queue.isLoadingDue || queue.due.length > 0) return
  queue.isLoadingDue = true
  try {
    const { account_id, id: webhook_id } = queue.row
    const wanted = { webhook_id, without: loadedIds(queue), limit }
    const rows = await readDueDeliveries(database.readerOf(account_id), wanted)
    const loaded = new Set(loadedIds(queue))
    const fresh = rows.filter(({ id }) => !loaded.has(id))
    queue.due.push(...fresh.map((row) => ({ origin: row.origin, event: undefined, row })))
  } finally {
    queue.isLoadingDue = false
  }
}

async function takeShare(runtime: Runtime, share: Share): Promise<void> {
  const { reader } = runtime.database
  const worker_id = share.worker_id as string
  const own = new Map((await listOwnWebhooks(reader, worker_id)).map((row) => [row.id as string, row]))
  endQueues(
    share,
    [...share.queues].filter(([id, { row }]) => own.get(id)?.epoch !== row.epoch).map(([id]) => id),
  )
  const foreign = [...own.values()].filter(({ is_own }) => !is_own).map(({ id }) => id)
  if (foreign.length > 0) {
    await saveQueues(runtime, share, queuesOf(share, foreign))
    endQueues(share, foreign)
    await releaseWebhooks(reader, worker_id, foreign)
  }
  const stale = [...own.values()]
    .filter(({ id, revision, is_own }) => is_own && share.queues.get(id)?.row.revision !== revision)
    .map(({ id }) => id)
  if (stale.length > 0) {
    await saveQueues(runtime, share, queuesOf(share, stale))
    endQueues(share, stale)
  }
  const changed = stale.length > 0 ? await readOwnWebhooks(reader, worker_id, stale) : []
  const claimed = await claimWebhooks(reader, worker_id)
  const opened = await Promise.all([...changed, ...claimed].map((row) => open(runtime, row)))
  for (const queue of opened) share.queues.set(queue.row.id, queue)
}

async function open({ database }: Runtime, row: WebhookRow): Promise<Queue> {
  const db = database.readerOf(row.account_id)
  const [pending, recorded] = await Promise.all([
    countPendingByTarget(db, row.id),
    listRecordedPositions(db, row.id, row.position),
  ])
  return openQueue(row, { pending, recorded })
}

function queuesOf({ queues }: Share, ids: readonly string[]): Queue[] {
  return ids.flatMap((id) => queues.get(id) ?? [])
}

/** Ends queues: their running attempts end without an outcome. `only`: unless another queue is there by now. */
export function endQueues({ queues }: Share, ids: readonly string[], only?: Queue): void {
  for (const id of ids) {
    const queue = queues.get(id)
    if (!queue || (only && queue !== only)) continue
    queue.isEnded = true
    queues.delete(id)
  }
}

function hasMoved({ live, replay }: Queue): boolean {
  return (
    resolvedPlace(live).position > live.saved || (replay !== undefined && resolvedPlace(replay).position > replay.saved)
  )
}

function cursorsOf({ row, live, replay, hasSucceeded }: Queue): SavedCursors {
  const place = resolvedPlace(live)
  const replayed = replay && resolvedPlace(replay)
  return {
    id: row.id,
    epoch: row.epoch,
    revision: row.revision,
    position: place.position,
    position_at: place.occurred_at,
    replay_position: replayed?.position ?? null,
    replay_position_at: replayed?.occurred_at ?? null,
    has_succeeded: hasSucceeded,
  }
}

function nameOf(random: Random): string {
  return random.bytes(12).toString('base64url')
}

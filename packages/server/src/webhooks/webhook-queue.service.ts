/**
 * What one server still has to deliver for one webhook: events that it has read from the log, and deliveries that are
 * due again. Decides what comes next; all of it is in memory. Not this file's work: reading and sending
 * (webhook-worker.service.ts).
 */
import type { WebhookDelivery } from '@bourse/api/webhooks/webhook-deliveries.ts'
import { matchesFilters } from '@bourse/api/webhooks/webhook-filters.ts'
import type { EgressTarget } from '../core/egress/egress.ts'
import type { FeedEvent, LogPosition } from '../events/log/feed.service.ts'
import {
  type AttemptResult,
  type DeliveryRow,
  isDelivered,
  type PendingOfTarget,
  pendingMax,
} from './deliveries.rules.ts'
import type { SigningSecret } from './webhook-secrets.service.ts'
import type { WebhookRow } from './webhooks.rules.ts'

/** One thing to deliver. It has a row if it is not the first attempt of an event. */
export type Job = {
  readonly origin: WebhookDelivery['origin']
  readonly event: FeedEvent | undefined
  readonly row: DeliveryRow | undefined
}

/** An event of a stretch. `before`: the place to which the cursor may move before the event is resolved. */
export type QueueEntry = { readonly job: Job; readonly before: LogPosition; state: 'waiting' | 'running' | 'resolved' }

/** A range of the log that is being delivered: the new events, or those of a replay. */
export type Stretch = {
  readonly origin: 'event' | 'replay'
  /** The last event that belongs to it; undefined for the new ones. */
  readonly until: number | undefined
  /** Everything up to here has been read. */
  read: LogPosition
  /** The wanted events that were read, in order; the first one is not resolved. */
  readonly entries: QueueEntry[]
  saved: number
  isFilling: boolean
}

/** Where and with which secrets the messages of a webhook are sent. */
export type MessageSender = { readonly target: EgressTarget; readonly secrets: readonly SigningSecret[] }

/** The queue of one webhook. Times are those of the monotonic clock in milliseconds, unless they say otherwise. */
export type Queue = {
  row: WebhookRow
  /** Made by the first attempt. A change of the URL or the secret opens another queue. */
  sender: MessageSender | undefined
  readonly live: Stretch
  readonly replay: Stretch | undefined
  /** Due deliveries that were loaded. */
  readonly due: Job[]
  readonly running: Set<Job>
  /** How many attempts may run at once. More after each success, one after a receiver has not answered in time. */
  slots: number
  /** Whether the receiver did not answer in time, and has not taken a message since. */
  hasHung: boolean
  /** Whether the last start was one of a new event. */
  tookFront: boolean
  /** Positions whose events have a delivery already, from before this server took the webhook. */
  readonly recorded: ReadonlySet<number>
  /** The pending deliveries with a row. */
  pending: number
  readonly pendingOfTarget: Map<string, number>
  hasSucceeded: boolean
  isLoadingDue: boolean
  /** Whether a timer will start the next attempt. */
  isTimed: boolean
  /** True once another queue or server has taken over. Its outcomes are dropped. */
  isEnded: boolean
  nextStart: number
  nextProbe: number
}

/** What comes next. `defer`: the event waits for an earlier one of its target that has a row, so it gets one too. */
export type QueueChoice = {
  readonly kind: 'start' | 'defer'
  readonly job: Job
  readonly entry: QueueEntry | undefined
}

/** The most attempts of a webhook that run at once, once its receiver has answered. */
export const runningMax = 4
/** The milliseconds between the starts of two attempts: at most 50 in any second, with one that was late. */
const startMilliseconds = 20.4
/** A start that is late by no more than this does not delay the next one, so late timers do not lower the rate. */
const lateMilliseconds = 5
/** How often a webhook with too many pending deliveries tries the next event. */
export const probeMilliseconds = 60_000
/** The events that are read ahead. */
export const readAhead = 64

/** Opens the queue of a webhook at its saved cursors. */
export function openQueue(
  row: WebhookRow,
  { pending, recorded }: { pending: readonly PendingOfTarget[]; recorded: ReadonlySet<number> },
): Queue {
  const live = openStretch('event', { position: row.position, occurred_at: row.position_at }, undefined)
  const { replay_position, replay_position_at, replay_until } = row
  const from = { position: replay_position ?? 0, occurred_at: replay_position_at ?? 0 }
  const counted = pending.map(({ origin, target_id, pending }) => [chainOf(origin, target_id), pending] as const)
  return {
    row,
    sender: undefined,
    live,
    replay: replay_until === null ? undefined : openStretch('replay', from, replay_until),
    due: [],
    running: new Set(),
    slots: 1,
    hasHung: false,
    tookFront: false,
    recorded,
    pending: pending.reduce((sum, one) => sum + one.pending, 0),
    pendingOfTarget: new Map(counted),
    hasSucceeded: false,
    isLoadingDue: false,
    isTimed: false,
    isEnded: false,
    nextStart: 0,
    nextProbe: 0,
  }
}

function openStretch(origin: Stretch['origin'], read: LogPosition, until: number | undefined): Stretch {
  return { origin, until, read, entries: [], saved: read.position, isFilling: false }
}

/** Whether a stretch has room for more events, and the log has some. */
export function wantsEvents(queue: Queue, stretch: Stretch, end: LogPosition | undefined): boolean {
  if (!queue.row.enabled || stretch.isFilling || stretch.entries.length > readAhead / 2 || !end) return false
  return stretch.read.position < Math.min(end.position, stretch.until ?? Number.POSITIVE_INFINITY)
}

/** Whether nothing is left to read or to start. `end` is that of the log. */
export function isQuiet({ live, replay, due }: Queue, end: LogPosition | undefined): boolean {
  return live.read.position >= (end?.position ?? 0) && live.entries.length + due.length === 0 && !replay
}

/** Adds events that were read behind the stretch. `end` is set where the log has no more up to there. */
export function addEvents(
  queue: Queue,
  stretch: Stretch,
  events: readonly FeedEvent[],
  end: LogPosition | undefined,
): void {
  const { until = Number.POSITIVE_INFINITY } = stretch
  for (const event of events) {
    if (event.position > until) break
    const isRecorded = stretch.origin === 'event' && queue.recorded.has(event.position)
    if (!isRecorded && matchesFilters(queue.row, event)) {
      const job: Job = { origin: stretch.origin, event, row: undefined }
      stretch.entries.push({ job, before: stretch.read, state: 'waiting' })
    }
    stretch.read = { position: event.position, occurred_at: event.occurred_at }
  }
  // Events that are no longer kept leave a gap, which is passed.
  if (end && stretch.read.position < Math.min(end.position, until)) stretch.read = end
}

/** The place up to which everything of a stretch is resolved. */
export function resolvedPlace({ entries, read }: Stretch): LogPosition {
  return entries[0]?.before ?? read
}

/** Whether it is the receiver that delays its events: it fails, does not answer, or asked for a pause. */
export function isDelayedByReceiver({ row, hasHung }: Queue, now: number): boolean {
  return row.is_failing || hasHung || (row.paused_until ?? 0) > now
}

/**
 * When the oldest new event occurred that has not been attempted with success and has no delivery yet; undefined where
 * there is none. `end` is that of the log. Events that were not read yet count as the last of them.
 */
export function oldestNewEvent({ row, live }: Queue, end: LogPosition | undefined): number | undefined {
  if (!row.enabled) return undefined
  const [first] = live.entries
  if (first) return first.job.event?.occurred_at
  return end && live.read.position < end.position ? end.occurred_at : undefined
}

/** Marks an event as resolved: it was delivered, or has a row. */
export function resolve(stretch: Stretch, entry: QueueEntry): void {
  entry.state = 'resolved'
  while (stretch.entries[0]?.state === 'resolved') stretch.entries.shift()
}

/** The stretch of an origin. */
export function stretchOf(queue: Queue, origin: Job['origin']): Stretch | undefined {
  return origin === 'event' ? queue.live : queue.replay
}

/** Chooses what comes next at a moment; undefined where something has to end first. */
export function chooseNext(
  queue: Queue,
  { monotonic, now }: { monotonic: number; now: number },
): QueueChoice | undefined {
  const { row, running } = queue
  if (queue.isEnded || running.size >= queue.slots || monotonic < queue.nextStart) return undefined
  if ((row.paused_until ?? 0) > now) return undefined
  const front = chooseEntry(queue, queue.live, monotonic)
  const [due] = queue.due
  const back: QueueChoice | undefined = due
    ? { kind: 'start', job: due, entry: undefined }
    : queue.replay && chooseEntry(queue, queue.replay, monotonic)
  if (front && back) return isFrontNext(queue) ? front : back
  return front ?? back
}

/** Whether a new event comes before other work that waits. That has one place, or every other turn of a single one. */
function isFrontNext({ running, slots, tookFront }: Queue): boolean {
  if (slots === 1) return !tookFront
  return [...running].filter(({ origin, row }) => origin === 'event' && !row).length < slots - 1
}

/**
 * Gives a webhook one attempt more at once after a success, and a single one after its receiver has not answered in
 * time, so that receivers that hang take few places of the server.
 */
export function adaptSlots(queue: Queue, result: AttemptResult): void {
  if (result.error === 'timeout') Object.assign(queue, { slots: 1, hasHung: true })
  else if (isDelivered(result)) Object.assign(queue, { slots: Math.min(runningMax, queue.slots + 1), hasHung: false })
}

/**
 * The business time of an attempt in seconds, by the last time that the worker has read. That may be from before the
 * moment at which the attempt became due, most of all in a sandbox whose clock is advanced.
 */
export function attemptTime({ row, event }: Pick<Job, 'row' | 'event'>, now: number): number {
  return Math.max(now, row?.next_attempt_at ?? event?.occurred_at ?? now)
}

/** Whether the receiver answers: it has taken a message since it last did not answer in time. */
export function isResponsive({ slots }: Queue): boolean {
  return slots > 1
}

/** Records that a choice was taken. */
export function take(queue: Queue, { kind, job, entry }: QueueChoice, monotonic: number): void {
  if (entry) entry.state = 'running'
  else queue.due.splice(queue.due.indexOf(job), 1)
  if (kind === 'defer') return
  queue.tookFront = job.origin === 'event' && !job.row
  queue.running.add(job)
  queue.nextStart = Math.max(queue.nextStart, monotonic - lateMilliseconds) + startMilliseconds
}

/** The ids of the deliveries that are loaded or running. */
export function loadedIds({ due, running }: Queue): string[] {
  return [...due, ...running].flatMap(({ row }) => (row ? [row.id] : []))
}

/** Counts a pending delivery of a target that came or went. */
export function countPending(queue: Queue, job: Pick<Job, 'origin' | 'event' | 'row'>, change: 1 | -1): void {
  // Tests and requested deliveries do not count, since requests limit them.
  if (job.origin !== 'event' && job.origin !== 'replay') return
  queue.pending += change
  const chain = chainOfJob(job)
  const pending = (queue.pendingOfTarget.get(chain) ?? 0) + change
  if (pending > 0) queue.pendingOfTarget.set(chain, pending)
  else queue.pendingOfTarget.delete(chain)
}

/** Whether the webhook has so many pending deliveries that further failures get no row. */
export function isSaturated({ pending }: Queue): boolean {
  return pending >= pendingMax
}

function chooseEntry(queue: Queue, stretch: Stretch, monotonic: number): QueueChoice | undefined {
  if (!queue.row.enabled) return undefined
  const isFull = isSaturated(queue)
  // Behind too many failures one event at a time shows whether the receiver is back.
  if (isFull && (monotonic < queue.nextProbe || hasFresh(queue))) return undefined
  const isOrdered = queue.row.ordering === 'per_target'
  const passed = new Set<string>()
  for (const entry of stretch.entries) {
    const chain = chainOfJob(entry.job)
    const isWaiting = entry.state === 'waiting'
    if (isOrdered && queue.pendingOfTarget.has(chain)) {
      if (isWaiting && !isFull) return { kind: 'defer', job: entry.job, entry }
    } else if (isWaiting && !passed.has(chain)) return { kind: 'start', job: entry.job, entry }
    if (isOrdered) passed.add(chain)
  }
  return undefined
}

function hasFresh({ running }: Queue): boolean {
  return [...running].some(({ row, origin }) => !row && origin !== 'test')
}

function chainOfJob({ origin, event, row }: Pick<Job, 'origin' | 'event' | 'row'>): string {
  return chainOf(origin, event?.target_id ?? row?.target_id ?? null)
}

/** Events of one target follow each other within the new ones and within a replay. Requested deliveries do not wait. */
function chainOf(origin: string, targetId: string | null): string {
  return `${origin} ${targetId ?? ''}`
}

/**
 * Delivers the events of webhooks, in every replica. A tick extends the lease of this server, finds new events and due
 * deliveries of all its webhooks, and saves the cursors that moved. In between, attempts that end start the next ones.
 * A server that is killed loses nothing: another one takes its webhooks when its lease has ended, at the saved cursors,
 * and repeats at most what was delivered since. Not this file's work: what comes next (webhook-queue.service.ts), which
 * webhooks are whose (webhook-shares.service.ts), and what is written about attempts (outcomes.service.ts).
 */

import { pause } from '@bourse/text/time/pause.ts'
import { after, monotonicMilliseconds } from '../core/base/clock.ts'
import { isRefusal } from '../core/base/refusal.ts'
import { isUnavailable } from '../core/db/db.ts'
import type { Egress } from '../core/egress/egress.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { readFeed } from '../events/log/feed.service.ts'
import { followHeads, type LogHeads } from '../events/log/log-heads.service.ts'
import { type AttemptFault, attempt } from './attempts.service.ts'
import { isDelivered } from './deliveries.rules.ts'
import { type EndedAttempt, type JobOutcome, type Recorded, recordOutcomes } from './outcomes.service.ts'
import type { WebhookLags } from './webhook-clock.service.ts'
import {
  adaptSlots,
  addEvents,
  attemptTime,
  chooseNext,
  countPending,
  isDelayedByReceiver,
  isQuiet,
  isResponsive,
  isSaturated,
  oldestNewEvent,
  probeMilliseconds,
  type Queue,
  type QueueChoice,
  readAhead,
  resolve,
  type Stretch,
  stretchOf,
  take,
  wantsEvents,
} from './webhook-queue.service.ts'
import {
  endQueues,
  isLeaseSafe,
  keepShare,
  leaveShare,
  listDueQueues,
  loadDueDeliveries,
  type Share,
  saveQueues,
} from './webhook-shares.service.ts'

/** What the worker of a server needs besides the runtime. */
type WorkerOptions = { readonly egress: Egress; readonly fault: AttemptFault }

/** The state of the worker of one server. */
type Worker = WorkerOptions & {
  readonly runtime: Runtime
  share: Share
  heads: LogHeads
  /** The attempts that run, of receivers that answer and of others. */
  readonly running: { responsive: number; others: number }
  /** Queues that wait for an attempt of another one to end. */
  readonly starved: { readonly responsive: Set<Queue>; readonly others: Set<Queue> }
  readonly outbox: JobOutcome[]
  flushing: Promise<void> | undefined
  readonly stopping: AbortController
  /** Ends the pause before the next tick. */
  pausing: AbortController
}

const tickMilliseconds = 200
/** The most attempts of a server that run at once. With idle connections they are at most 1,000 (connections.ts). */
const runningMax = 600
/** How many of them may be of receivers that have not answered yet, or not in time. */
const othersMax = 300
/** The due deliveries of a webhook that are loaded at once. */
const dueLoaded = 8
const outcomesAtOnce = 200
const retryMilliseconds = 500
/** How long a server that stops waits for its attempts. What is left is delivered again by another. */
const stopMilliseconds = 5_000

/** Starts the worker of a server. Returns a function that stops it and gives its webhooks up. */
export function startWebhookWorker(runtime: Runtime, options: WorkerOptions): () => Promise<void> {
  const worker: Worker = {
    ...options,
    runtime,
    share: runtime.services.webhook_share.current,
    heads: { now: 0, keys_version: -1, ends: new Map() },
    running: { responsive: 0, others: 0 },
    starved: { responsive: new Set(), others: new Set() },
    outbox: [],
    flushing: undefined,
    stopping: new AbortController(),
    pausing: new AbortController(),
  }
  const { webhook_clock, webhook_measures } = runtime.services
  webhook_clock.wake = () => worker.pausing.abort()
  webhook_measures.lags = () => lagsOf(worker)
  const ticking = run(worker)
  return async () => {
    webhook_clock.wake = () => {}
    webhook_measures.lags = () => ({ active: 0, failing: 0 })
    worker.stopping.abort()
    worker.pausing.abort()
    await ticking
    await finish(worker)
  }
}

/** How late new events are, as of the last tick. */
function lagsOf({ share, heads }: Worker): WebhookLags {
  const lags = { active: 0, failing: 0 }
  for (const queue of share.queues.values()) {
    const oldest = oldestNewEvent(queue, heads.ends.get(queue.row.account_id))
    if (oldest === undefined) continue
    const kind = isDelayedByReceiver(queue, heads.now) ? 'failing' : 'active'
    lags[kind] = Math.max(lags[kind], heads.now - oldest)
  }
  return lags
}

async function run(worker: Worker): Promise<void> {
  const { signal } = worker.stopping
  while (!signal.aborted) {
    worker.pausing = new AbortController()
    try {
      await tick(worker)
    } catch (err) {
      const isExpected = isUnavailable(err) || isRefusal(err, 'unavailable')
      worker.runtime.log[isExpected ? 'debug' : 'error']({ err }, 'The deliveries of webhooks could not go on.')
    }
    worker.runtime.services.webhook_clock.ticks += 1
    await pause(tickMilliseconds, worker.pausing.signal)
  }
}

async function tick(worker: Worker): Promise<void> {
  const { runtime } = worker
  const { current } = runtime.services.webhook_share
  if (current !== worker.share) {
    endQueues(worker.share, [...worker.share.queues.keys()])
    worker.share = current
  }
  const { share } = worker
  await keepShare(runtime, share)
  const { queues } = share
  if (queues.size === 0) return
  const accounts = new Set([...queues.values()].filter(({ row }) => row.enabled).map(({ row }) => row.account_id))
  const known = runtime.services.log_heads.current.webhooks
  const [heads, due] = await Promise.all([followHeads(runtime, known, accounts), listDueQueues(runtime, share)])
  worker.heads = heads
  for (const queue of due) loadDue(worker, queue)
  for (const queue of queues.values()) if (!isQuiet(queue, heads.ends.get(queue.row.account_id))) goOn(worker, queue)
  await saveQueues(runtime, share)
}

/** Reads events ahead and starts what may start. */
function goOn(worker: Worker, queue: Queue): void {
  for (const stretch of [queue.live, queue.replay]) if (stretch) fill(worker, queue, stretch)
  startNext(worker, queue)
}

function fill(worker: Worker, queue: Queue, stretch: Stretch): void {
  const { heads, runtime } = worker
  const { account_id, id } = queue.row
  const end = heads.ends.get(account_id)
  if (queue.isEnded || !wantsEvents(queue, stretch, end)) return
  stretch.isFilling = true
  readFeed(runtime, account_id, { after: stretch.read, heads, limit: readAhead })
    .then((events) => {
      stretch.isFilling = false
      if (events === undefined || queue.isEnded) return
      addEvents(queue, stretch, events, events.length < readAhead ? end : undefined)
      goOn(worker, queue)
    })
    .catch((err) => {
      stretch.isFilling = false
      runtime.log.debug(
        { err, webhook_id: id },
        'The events of a webhook could not be read. The next tick tries again.',
      )
    })
}

function loadDue(worker: Worker, queue: Queue): void {
  const { runtime } = worker
  loadDueDeliveries(runtime, queue, dueLoaded)
    .then(() => startNext(worker, queue))
    .catch((err) => {
      runtime.log.debug(
        { err, webhook_id: queue.row.id },
        'Due deliveries could not be read. The next tick tries again.',
      )
    })
}

function startNext(worker: Worker, queue: Queue): void {
  for (;;) {
    if (worker.stopping.signal.aborted || queue.isEnded || !isLeaseSafe(worker.share)) return
    const monotonic = monotonicMilliseconds()
    if (monotonic < queue.nextStart) {
      startLater(worker, queue, queue.nextStart - monotonic)
      return
    }
    const choice = chooseNext(queue, { monotonic, now: worker.heads.now })
    if (!choice) return
    const kind = isResponsive(queue) ? 'responsive' : 'others'
    if (choice.kind === 'start' && isFull(worker, kind)) {
      worker.starved[kind].add(queue)
      return
    }
    take(queue, choice, monotonic)
    if (choice.kind === 'start') void start(worker, queue, choice)
    else report(worker, queue, choice, undefined)
  }
}

function isFull({ running }: Worker, kind: keyof Worker['running']): boolean {
  return running.responsive + running.others >= runningMax || (kind === 'others' && running.others >= othersMax)
}

function startLater(worker: Worker, queue: Queue, milliseconds: number): void {
  if (queue.isTimed) return
  queue.isTimed = true
  after(Math.max(1, milliseconds), () => {
    queue.isTimed = false
    startNext(worker, queue)
  })
}

async function start(worker: Worker, queue: Queue, choice: QueueChoice): Promise<void> {
  const { runtime, heads, running, starved } = worker
  const kind = isResponsive(queue) ? 'responsive' : 'others'
  running[kind] += 1
  const wanted = { queue, job: choice.job, now: attemptTime(choice.job, heads.now) }
  const result = await attempt(runtime, worker, wanted)
  running[kind] -= 1
  adaptSlots(queue, result)
  const isPlainSuccess = isDelivered(result) && choice.entry && !queue.row.is_failing
  runtime.services.webhook_counts[isDelivered(result) ? 'delivered' : 'failed'] += 1
  if (!isPlainSuccess) report(worker, queue, choice, result)
  else {
    queue.running.delete(choice.job)
    queue.hasSucceeded = true
    settleEntry(queue, choice)
    goOn(worker, queue)
  }
  for (const waiting of [starved.responsive, starved.others]) {
    const [next] = waiting
    if (!next) continue
    waiting.delete(next)
    startNext(worker, next)
  }
}

/** Hands an outcome to the next transaction. */
function report(worker: Worker, queue: Queue, { job, entry }: QueueChoice, attempt: EndedAttempt | undefined): void {
  const after_success = queue.hasSucceeded
  if (attempt) queue.hasSucceeded = false
  worker.outbox.push({ queue, job, entry, attempt, keeps: !isSaturated(queue), after_success })
  worker.flushing ??= flush(worker).finally(() => {
    worker.flushing = undefined
  })
}

async function flush(worker: Worker): Promise<void> {
  const { outbox, runtime } = worker
  while (outbox.length > 0) {
    const outcomes = outbox.splice(0, outcomesAtOnce).filter(({ queue }) => !queue.isEnded)
    if (outcomes.length === 0) continue
    try {
      const recorded = await recordOutcomes(runtime, worker.share.worker_id ?? '', outcomes)
      for (const [index, outcome] of outcomes.entries()) settle(worker, outcome, recorded[index])
    } catch (err) {
      if (!isRefusal(err, 'unavailable')) {
        // Taken up again from the database, so that one webhook cannot stop the others.
        runtime.log.error({ err }, 'The outcomes of attempts could not be written.')
        for (const { queue } of outcomes) giveUp(worker, queue)
        continue
      }
      if (worker.stopping.signal.aborted) return
      outbox.unshift(...outcomes)
      await pause(retryMilliseconds, worker.stopping.signal)
    }
  }
}

/** Applies what became of an outcome to its queue. */
function settle(
  worker: Worker,
  { queue, job, entry, attempt, keeps }: JobOutcome,
  recorded: Recorded | undefined,
): void {
  queue.running.delete(job)
  if (queue.isEnded) return
  if (!recorded) {
    giveUp(worker, queue)
    return
  }
  const { enabled, is_failing, paused_until } = recorded.row
  const wasEnabled = queue.row.enabled
  queue.row = { ...queue.row, enabled, is_failing, paused_until }
  if (wasEnabled && !enabled) {
    // Opened again for tests and requested deliveries.
    giveUp(worker, queue)
    return
  }
  if (entry) {
    const isResolved = !attempt || isDelivered(attempt) || keeps
    if (recorded.state === 'pending') countPending(queue, job, 1)
    if (isResolved) settleEntry(queue, { job, entry })
    else {
      entry.state = 'waiting'
      queue.nextProbe = monotonicMilliseconds() + probeMilliseconds
    }
  } else if (recorded.state !== 'pending') {
    countPending(queue, job, -1)
    // The next delivery of the target may be due now.
    loadDue(worker, queue)
  }
  goOn(worker, queue)
}

function settleEntry(queue: Queue, { job, entry }: Pick<QueueChoice, 'job' | 'entry'>): void {
  const stretch = stretchOf(queue, job.origin)
  if (stretch && entry) resolve(stretch, entry)
}

/** Ends a queue. If the webhook is still this server's, the next heartbeat opens it again. */
function giveUp(worker: Worker, queue: Queue): void {
  endQueues(worker.share, [queue.row.id], queue)
  worker.share.claimsUntil = Math.max(worker.share.claimsUntil, monotonicMilliseconds() + tickMilliseconds * 10)
}

async function finish(worker: Worker): Promise<void> {
  const { runtime, share, egress } = worker
  const deadline = monotonicMilliseconds() + stopMilliseconds
  while (worker.running.responsive + worker.running.others > 0 && monotonicMilliseconds() < deadline)
    await pause(tickMilliseconds / 10)
  await worker.flushing
  await leaveShare(runtime, share).catch((err) => runtime.log.debug({ err }, 'The webhooks could not be given up.'))
  await egress.close()
}

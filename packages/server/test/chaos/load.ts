/**
 * Clients of many accounts that create and remove resources with idempotency keys, and followers of their logs. Each
 * call is recorded before it is sent and after each attempt, and is retried until it has an answer.
 */
import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { eventually, limitSeconds } from '../../../../test/eventually.ts'
import { delayBeforeRetry, type FailedAttempt } from '../../../sdk/src/retry.ts'
import { monotonicMilliseconds, wallMilliseconds } from '../../src/core/base/clock.ts'
import { createSeededRandom, pick, type Random } from '../../src/core/base/random.ts'
import { type Follower, followAccount } from '../restart/failover/follower.ts'
import type { ChaosAccount } from './setting.ts'
import { type AnswerTime, type Intent, type ListName, lists } from './verdict.ts'

/** A follower of the log of an account, and all ids that it ever received. */
export type ChaosReader = { readonly account: string; readonly follower: Follower; readonly ever: Set<string> }

export type ChaosLoad = AsyncDisposable & {
  readonly intents: readonly Intent[]
  readonly samples: readonly AnswerTime[]
  /** Answers that must never be. */
  readonly wrong: readonly string[]
  readonly readers: readonly ChaosReader[]
  /** How often attempts failed, by status and code, or without an answer. */
  readonly failed: ReadonlyMap<string, number>
  /** Forgets the samples so far: those of replicas that have only just started. */
  forgetSamples(): void
  /** Resolves when that many more calls are acknowledged. */
  more(count: number): Promise<void>
  /** Sends nothing new. Resolves when every call has an answer, or at the limit of patience. */
  stop(): Promise<void>
}

export type LoadOptions = {
  readonly seed: string
  readonly accounts: readonly ChaosAccount[]
  /** Where the clients send their requests. */
  readonly url: string
  /** Within which an attempt has an answer, in milliseconds. */
  readonly attempt_milliseconds?: number
  /** Whether acknowledged writes may be lost, so that what a client removes may be gone. */
  readonly loses_commits: boolean
  /** Without keys, for a test that must fail: a retry then has an effect of its own. */
  readonly has_keys?: boolean
}

type LoadState = LoadOptions & {
  readonly intents: Intent[]
  readonly samples: AnswerTime[]
  readonly wrong: string[]
  readonly readers: ChaosReader[]
  readonly failed: Map<string, number>
  made: number
  isOver: boolean
  isAbandoned: boolean
}

type Request = { readonly method: string; readonly path: string; readonly body?: object; readonly key?: string }
type Answer = FailedAttempt & {
  readonly body?: any
  readonly text?: string
  readonly was_replayed?: boolean
  readonly is_beyond_rate?: boolean
}

/** Of a client with its default options. */
const sdkRetries = 2
const afterSdkMilliseconds = 300
/** An attempt without an answer for so long counts as broken, as for clients with a short time limit. */
export const attemptMilliseconds = limitSeconds(0.5) * 1000
const probeMilliseconds = 200
const probesMax = 40
const readMilliseconds = 500
const hourSeconds = 3_600

/** Starts the load. The last account sends a call every 200 ms, whatever has become of the ones before. */
export function startChaosLoad(options: LoadOptions): ChaosLoad {
  const state: LoadState = {
    ...options,
    intents: [],
    samples: [],
    wrong: [],
    readers: options.accounts.map((account) => openReader(account, options.url)),
    failed: new Map(),
    made: 0,
    isOver: false,
    isAbandoned: false,
  }
  const { accounts, intents } = state
  // Nobody waits for it before the end, so an error would end the process: it is a failure of the round.
  const record = (error: unknown) => void state.wrong.push(`the load failed: ${error}`)
  const work = [
    ...accounts.map((account, index) => (index === accounts.length - 1 ? probe(state, account) : use(state, account))),
    ...state.readers.map((reader) => follow(state, reader)),
  ].map((part) => part.catch(record))
  const acknowledged = () => intents.filter(({ outcome }) => outcome === 'acknowledged').length
  const stop = async () => {
    state.isOver = true
    const areAnswered = () => intents.every(({ outcome }) => outcome !== 'open')
    // Where one has no answer, the verdict says so.
    await eventually('every call has an answer', areAnswered, { usual_seconds: 6 }).catch(() => undefined)
    state.isAbandoned = true
    await Promise.all(work)
  }
  return {
    intents,
    samples: state.samples,
    wrong: state.wrong,
    readers: state.readers,
    failed: state.failed,
    forgetSamples: () => void state.samples.splice(0),
    more: async (count) => {
      const goal = acknowledged() + count
      const message = () => `${acknowledged()} of ${goal} are; ${state.wrong.at(-1) ?? ''}`
      await eventually(
        `${count} more calls are acknowledged`,
        () => {
          assert.ok(acknowledged() >= goal, message())
          return true
        },
        { usual_seconds: 6 },
      )
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Creates and removes, one call after the other. */
async function use(state: LoadState, account: ChaosAccount): Promise<void> {
  const random = createSeededRandom(`${state.seed} ${account.id}`)
  while (!state.isOver) {
    const list = pick(random, listsOf(account))
    const made = await create(state, account, { list, random })
    const removes = list !== 'orders' && (list === 'deployments' || random.integer(2) === 0)
    if (made !== undefined && removes && !state.isOver) await remove(state, account, { list, id: made })
    await pause(300 + random.integer(400))
  }
}

/** Instances do not run in the pool of a seller. */
function listsOf({ side }: ChaosAccount): readonly ListName[] {
  return side === 'sell' ? ['firewalls', 'orders'] : ['firewalls', 'orders', 'orders', 'deployments']
}

/** Creates at a steady rate, so that an outage is measured and not avoided. */
async function probe(state: LoadState, account: ChaosAccount): Promise<void> {
  const random = createSeededRandom(`${state.seed} probe`)
  const open = new Set<Promise<unknown>>()
  while (!state.isOver) {
    if (open.size < probesMax) {
      const call: Promise<unknown> = createForAWhile(state, account, random)
        .catch((error) => state.wrong.push(`the load failed: ${error}`))
        .finally(() => open.delete(call))
      open.add(call)
    }
    await pause(probeMilliseconds)
  }
  await Promise.all(open)
}

/** Most are removed again: an account may have so many. */
async function createForAWhile(state: LoadState, account: ChaosAccount, random: Random): Promise<void> {
  const id = await create(state, account, { list: 'firewalls', random })
  if (id !== undefined && random.integer(4) > 0) await remove(state, account, { list: 'firewalls', id })
}

type NewResource = { readonly list: ListName; readonly random: Random }

async function create(
  state: LoadState,
  account: ChaosAccount,
  { list, random }: NewResource,
): Promise<string | undefined> {
  state.made += 1
  // Rounds on one database share its keys and names.
  const key = `${state.seed}-${state.made}`
  const body = bodyOf(account, { list, random, name: key })
  const sent = { method: 'POST', path: lists[list], body, ...(state.has_keys === false ? {} : { key }) }
  return carryOut(state, account, { list, removes: undefined, request: sent })
}

async function remove(state: LoadState, account: ChaosAccount, { list, id }: { list: ListName; id: string }) {
  await carryOut(state, account, { list, removes: id, request: { method: 'DELETE', path: `${lists[list]}/${id}` } })
}

function bodyOf(account: ChaosAccount, { list, random, name }: NewResource & { name: string }): object {
  const { sku, pool, side, template } = account
  if (list === 'firewalls') return { name }
  if (list === 'deployments') return { name, sku, pool, instance_template: template, target_instance_count: 1 }
  const start_at = (Math.ceil(wallMilliseconds() / 1000 / hourSeconds) + 1 + random.integer(20)) * hourSeconds
  const isLow = side === 'buy' && random.integer(2) === 0
  return {
    pool,
    sku,
    side,
    limit_price_dollars_per_node_hour: isLow ? '0.600000' : '1.200000',
    allocation_schedule_delta: [{ start_at, end_at: start_at + hourSeconds, node_count: 1 }],
    allow_standing: true,
    allow_partial: true,
  }
}

type Call = { readonly list: ListName; readonly removes: string | undefined; readonly request: Request }

/** Sends a call until it has an answer. Returns the id that it created. */
async function carryOut(state: LoadState, account: ChaosAccount, call: Call): Promise<string | undefined> {
  const intent: Intent = {
    account: account.id,
    list: call.list,
    removes: call.removes,
    began: monotonicMilliseconds(),
    attempts: 0,
    tried: 0,
    outcome: 'open',
    has_failed: false,
    was_rate_limited: false,
    was_given_up: false,
    was_replayed: false,
    resource: undefined,
    answered: undefined,
  }
  state.intents.push(intent)
  while (!state.isAbandoned) {
    intent.attempts += 1
    intent.tried = monotonicMilliseconds()
    const answer = await attempt(state, account, call.request)
    const retry = { maxRetries: sdkRetries, repeatable: true, random: Math.random() }
    const mayPass = delayBeforeRetry(answer, { ...retry, attempt: 1 }) !== undefined
    if (answer.kind === 'answer' && !mayPass) return settle(state, intent, { call, answer })
    intent.has_failed = true
    const why = answer.kind === 'broken' ? 'no answer' : `${answer.status} ${answer.codes.join(' ')}`
    state.failed.set(why, (state.failed.get(why) ?? 0) + 1)
    if (answer.kind === 'answer' && answer.is_beyond_rate) intent.was_rate_limited = true
    const delay = delayBeforeRetry(answer, { ...retry, attempt: intent.attempts })
    if (delay === undefined) intent.was_given_up = true
    await pause(delay ?? afterSdkMilliseconds)
  }
  return undefined
}

type SettledCall = { readonly call: Call; readonly answer: Extract<Answer, { kind: 'answer' }> }

function settle(state: LoadState, intent: Intent, { call, answer }: SettledCall): string | undefined {
  const { status, body, text, was_replayed = false } = answer
  intent.answered = monotonicMilliseconds()
  intent.was_replayed = was_replayed
  // If the answer to a removal was lost, its retry finds nothing. So does a removal of what was lost.
  const isGone = intent.removes !== undefined && status === 404 && (intent.attempts > 1 || state.loses_commits)
  if (status < 300 || isGone) {
    intent.outcome = 'acknowledged'
    intent.resource = intent.removes === undefined ? body.id : undefined
    return intent.resource
  }
  intent.outcome = 'refused'
  const isExpected = call.list === 'orders' && [402, 409, 422].includes(status)
  if (!isExpected) state.wrong.push(`${call.request.method} ${call.request.path}: ${status} ${text?.slice(0, 500)}`)
  return undefined
}

async function attempt(state: LoadState, { token }: ChaosAccount, request: Request): Promise<Answer> {
  const { method, path, body, key } = request
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const sent = body ? { body: JSON.stringify(body) } : {}
  const signal = AbortSignal.timeout(state.attempt_milliseconds ?? attemptMilliseconds)
  const at = monotonicMilliseconds()
  try {
    const response = await fetch(`${state.url}${path}`, { method, headers, ...sent, signal })
    const text = await response.text()
    const { status } = response
    if (status < 500) state.samples.push({ at, milliseconds: monotonicMilliseconds() - at })
    if (status === 500) state.wrong.push(`${method} ${path}: 500 ${text.slice(0, 500)}`)
    const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '')
    const shown = isJson && text ? JSON.parse(text) : undefined
    return {
      kind: 'answer',
      status,
      codes: [response.headers.get('x-error-code') ?? ''],
      retryAfter: Number(response.headers.get('retry-after') ?? 0) || undefined,
      body: shown,
      text,
      was_replayed: response.headers.get('idempotency-replayed') === 'true',
      is_beyond_rate: isBeyondRate(response),
    }
  } catch {
    // The network, a replica or the time limit has broken it. The caller retries.
    return { kind: 'broken' }
  }
}

/** Whether a response refuses an account for its rate, and not for how many requests it has open on a slow machine. */
export function isBeyondRate({ status, headers }: Response): boolean {
  return status === 429 && headers.get('ratelimit-remaining') === '0'
}

function openReader(account: ChaosAccount, url: string): ChaosReader {
  return { account: account.id, follower: followAccount(account, () => url, sendPatiently), ever: new Set() }
}

/** Follows a log until the load ends. */
async function follow(state: LoadState, reader: ChaosReader): Promise<void> {
  while (!state.isOver) {
    await reader.follower.read(1).catch((error: Error) => state.wrong.push(`${reader.account}: ${error.message}`))
    for (const id of reader.follower.received) reader.ever.add(id)
    await pause(readMilliseconds)
  }
}

/** Like fetch, but a request without an answer has the status of a server that is not available. */
export const sendPatiently: typeof fetch = async (url, init) => {
  const unavailable = () => Response.json({}, { status: 503 })
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(attemptMilliseconds) })
    const text = await response.text()
    if ([429, 502].includes(response.status)) return unavailable()
    return new Response(text, { status: response.status, headers: response.headers })
  } catch {
    return unavailable()
  }
}

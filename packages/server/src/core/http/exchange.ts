/**
 * One request from its first look to its answer: token, rate, a place to work in, faults, then the area's function.
 * Nothing is awaited that is there already: most reads of busy tokens meet no wait but the shared pulse.
 * Not this file's work: routing (http.ts), input and rendering (http-serve.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RateClass } from '@bourse/api/kit/endpoint.ts'
import { monotonicMilliseconds, wallMilliseconds } from '../base/clock.ts'
import { mintId } from '../base/ids.ts'
import { isRefusal, type RefusalData } from '../base/refusal.ts'
import { isUnavailable, unavailable } from '../db/db.ts'
import type { AgentCaller, Caller } from '../work/ctx.ts'
import { type Answer, type AnswerStream, bugAnswer, refusalAnswer, send, sendStreamHead } from './answer.ts'
import type { Disturbance, HttpOptions } from './http.ts'
import type { RateVerdict } from './rate-limits.ts'
import type { RawInput, Serving } from './serve.ts'

/** One request on its way. */
export type Exchange = {
  readonly request_id: string
  readonly started: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly serving: Serving | undefined
  /** What it is called in logs and measurements. */
  readonly operation: string | undefined
  caller: Caller | undefined
  agent: AgentCaller | undefined
  rate: RateVerdict | undefined
  release: (() => void) | undefined
  cut: Disturbance['cut']
}

/** The id of a request that brought none of its own. */
export function newRequestId(options: HttpOptions): string {
  return mintId('req', wallMilliseconds(), options.runtime.random)
}

/** Begins an exchange; nothing has been looked at but the request's id. */
export function beginExchange(
  options: HttpOptions,
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving | undefined,
  operation = serving?.endpoint.name,
): Exchange {
  const sent = request.headers['x-request-id']
  const isKept = typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent)
  return {
    request_id: isKept ? sent : newRequestId(options),
    started: monotonicMilliseconds(),
    request,
    response,
    serving,
    operation,
    caller: undefined,
    agent: undefined,
    rate: undefined,
    release: undefined,
    cut: undefined,
  }
}

/**
 * Token, rate, a place to work in, faults: everything before the input is looked at. True where the request is to be
 * served, false where it has its answer.
 */
export function admit(options: HttpOptions, exchange: Exchange): boolean | Promise<boolean> {
  const { serving } = exchange
  if (!serving || serving.endpoint.access === 'public') return true
  const held = options.hold?.(serving.endpoint)
  if (held === undefined) return admitToken(options, exchange, serving)
  return held.then(
    (refusal) => {
      if (refusal === undefined) return admitToken(options, exchange, serving)
      finish(options, exchange, refusalAnswer(refusal))
      return false
    },
    (error) => refuseThrown(options, exchange, error),
  )
}

function admitToken(options: HttpOptions, exchange: Exchange, serving: Serving): boolean | Promise<boolean> {
  try {
    const token = bearerToken(exchange.request)
    if (serving.endpoint.access === 'agent') {
      return admitAgent(options, exchange, { token, endpoint: serving.endpoint }).catch((error) =>
        refuseThrown(options, exchange, error),
      )
    }
    const known = token === undefined ? undefined : options.gate.authenticate(token)
    const admitted =
      known instanceof Promise
        ? known.then((caller) => admitCaller(options, exchange, serving, caller))
        : admitCaller(options, exchange, serving, known)
    return admitted instanceof Promise ? admitted.catch((error) => refuseThrown(options, exchange, error)) : admitted
  } catch (error) {
    return refuseThrown(options, exchange, error)
  }
}

/** Serves an admitted request. */
export function run(options: HttpOptions, exchange: Exchange, input: RawInput): void | Promise<void> {
  const { serving } = exchange
  if (!serving) return
  try {
    const answer = serving.serve(exchange, input)
    if (!(answer instanceof Promise)) return finish(options, exchange, upToDate(options, exchange, answer))
    return answer.then(
      (ready) => finish(options, exchange, upToDate(options, exchange, ready)),
      (error) => finish(options, exchange, upToDate(options, exchange, answerToThrown(options, exchange, error))),
    )
  } catch (error) {
    finish(options, exchange, upToDate(options, exchange, answerToThrown(options, exchange, error)))
  }
}

/** The answer, or a refusal where it tells of what is no more. What was done is done, and told. */
function upToDate(options: HttpOptions, { serving, started }: Exchange, answer: Answer): Answer {
  if (options.outdate === undefined || serving === undefined || serving.endpoint.access === 'public') return answer
  if (answer.status < 400 && serving.endpoint.method !== 'GET') return answer
  const refusal = options.outdate(serving.endpoint, started)
  return refusal === undefined ? answer : refusalAnswer(refusal)
}

/** Answers, unless the connection is gone or is to be cut. */
export function finish(options: HttpOptions, exchange: Exchange, answer: Answer): void {
  const { response } = exchange
  exchange.release?.()
  exchange.release = undefined
  if (response.writableEnded || response.destroyed) return
  if (exchange.cut) {
    cutOff(exchange)
    return
  }
  const cors = corsHeaders(options, exchange.request)
  const whole = cors.length > 0 ? { ...answer, headers: [...answer.headers, ...cors] } : answer
  if (whole.stream) return void openStream(options, exchange, whole, whole.stream)
  send(response, whole, exchange.request_id, exchange.rate)
  tellOf(options, exchange, answer.status)
}

/** Sends the head of a stream and serves it, unless the account has as many as it may. */
async function openStream(options: HttpOptions, exchange: Exchange, answer: Answer, stream: AnswerStream) {
  const { caller, request, response, request_id, rate } = exchange
  const { account_id } = caller as Caller
  if (stream.streams_max !== null && options.streams.count(account_id) >= stream.streams_max) {
    const message = `The account has ${stream.streams_max} streams open, its limit \`event_streams\`. Close one.`
    finish(options, exchange, refusalAnswer({ code: 'rate_limited', message, retry_after_seconds: 5 }))
    return
  }
  sendStreamHead(response, answer, request_id, rate)
  tellOf(options, exchange, answer.status)
  const token = bearerToken(request) as string
  await options.streams.open({
    account_id,
    response,
    entries: stream.entries,
    isAllowed: async () => mayStillRead(options, token, stream),
    onFailure: (err) =>
      options.runtime.log.warn({ request_id, operation: exchange.operation, err }, 'A stream broke off.'),
  })
}

async function mayStillRead(options: HttpOptions, token: string, { asked }: AnswerStream): Promise<boolean> {
  const caller = await options.gate.authenticate(token)
  if (!caller) return false
  try {
    options.gate.judge({ caller }, asked)
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Writes a request down that has been answered, and counts it. */
export function tellOf(options: HttpOptions, exchange: Exchange, status: number): void {
  const milliseconds = monotonicMilliseconds() - exchange.started
  options.observe?.(exchange.operation ?? 'none', status, milliseconds)
  logRequest(options, exchange, status, milliseconds)
}

/** The answer to a bug, which is written down with all that is known of it. */
export function reportBug(options: HttpOptions, exchange: Exchange, error: unknown): Answer {
  const { request_id, operation } = exchange
  options.runtime.log.error({ request_id, operation, err: error }, 'A request met a bug.')
  return bugAnswer()
}

const exposedHeaders =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, ' +
  'Idempotency-Replayed, ETag'
const noHeaders: readonly string[] = []

/** What a browser needs to show an answer to the console; nothing for every other origin. */
export function corsHeaders({ console_origin }: HttpOptions, request: IncomingMessage): readonly string[] {
  if (console_origin === undefined || request.headers.origin !== console_origin) return noHeaders
  return [
    'Access-Control-Allow-Origin',
    console_origin,
    'Vary',
    'Origin',
    'Access-Control-Expose-Headers',
    exposedHeaders,
  ]
}

function admitCaller(
  options: HttpOptions,
  exchange: Exchange,
  { endpoint }: Serving,
  caller: Caller | undefined,
): boolean | Promise<boolean> {
  if (!caller) {
    // Nobody may have been there to be known since the request came.
    if (options.hold?.(endpoint) !== undefined) return admit(options, exchange)
    finish(options, exchange, unauthenticated(options, exchange))
    return false
  }
  exchange.caller = caller
  const refused = takeRate(options, exchange, caller, endpoint.rate)
  if (refused) {
    finish(options, exchange, refused)
    return false
  }
  if (endpoint.rate === 'none') return disturb(options, exchange, endpoint)
  const place = options.concurrency.enter(caller.account_id)
  if (typeof place === 'function') {
    exchange.release = place
    return disturb(options, exchange, endpoint)
  }
  return place.then((release) => {
    exchange.release = release
    return disturb(options, exchange, endpoint)
  })
}

/** Agents draw from no bucket; a host has few places, and none is taken by who waits for news. */
async function admitAgent(
  options: HttpOptions,
  exchange: Exchange,
  { token, endpoint }: { token: string | undefined; endpoint: Serving['endpoint'] },
): Promise<boolean> {
  exchange.agent = token === undefined ? undefined : await options.agents?.authenticate(token)
  if (!exchange.agent) {
    finish(options, exchange, unauthenticated(options, exchange, 'the token of a host’s agent'))
    return false
  }
  if (endpoint.rate !== 'none') exchange.release = await options.agents?.places.enter(exchange.agent.host_id)
  return disturb(options, exchange, endpoint)
}

function takeRate(options: HttpOptions, exchange: Exchange, caller: Caller, rate: RateClass): Answer | undefined {
  const shown = rate === 'none' ? 'write' : rate
  const { token_id, account_id } = caller
  if (rate === 'none') {
    exchange.rate = options.rate_limits.peek({ rate: shown, token_id, account_id })
    return undefined
  }
  exchange.rate = options.rate_limits.take({ rate: shown, token_id, account_id })
  if (exchange.rate.allowed) return undefined
  const retry_after_seconds = exchange.rate.retry_after_seconds
  return refusalAnswer({
    code: 'rate_limited',
    message: `Too many requests. Try again in ${retry_after_seconds} s.`,
    retry_after_seconds,
  })
}

function disturb(options: HttpOptions, exchange: Exchange, endpoint: Serving['endpoint']): boolean | Promise<boolean> {
  const pending = options.disturb?.(endpoint)
  if (pending === undefined) return true
  return pending.then((disturbance) => applyDisturbance(options, exchange, disturbance))
}

function applyDisturbance(options: HttpOptions, exchange: Exchange, disturbance: Disturbance | undefined): boolean {
  if (disturbance?.refusal) {
    finish(options, exchange, refusalAnswer(disturbance.refusal))
    return false
  }
  exchange.cut = disturbance?.cut
  if (exchange.cut !== 'before') return true
  cutOff(exchange)
  return false
}

function cutOff(exchange: Exchange): void {
  exchange.release?.()
  exchange.release = undefined
  exchange.request.socket.destroy()
}

function refuseThrown(options: HttpOptions, exchange: Exchange, error: unknown): false {
  finish(options, exchange, answerToThrown(options, exchange, error))
  return false
}

/** The answer to what a request threw: its refusal, or that of a bug. */
export function answerToThrown(options: HttpOptions, exchange: Exchange, thrown: unknown): Answer {
  // Not everything that asks the database does so within a command or query.
  const error = !isRefusal(thrown) && isUnavailable(thrown) ? unavailable() : thrown
  if (!isRefusal(error)) return reportBug(options, exchange, error)
  const { serving } = exchange
  if (options.check_answers && serving && !serving.mayRefuse(error.code)) {
    return reportBug(options, exchange, new Error(`${serving.endpoint.name} does not list the code ${error.code}.`))
  }
  return refusalAnswer(error.data)
}

function logRequest({ runtime }: HttpOptions, exchange: Exchange, status: number, milliseconds: number): void {
  const { operation, request, caller, request_id } = exchange
  if (status === 401 || (request.method === 'GET' && status < 500)) {
    if (!runtime.log.isLevelEnabled('debug')) return
  }
  const fields = {
    request_id,
    operation,
    method: request.method,
    path: shownPath(request.url ?? ''),
    status,
    milliseconds: Math.round(milliseconds * 10) / 10,
    account_id: caller?.account_id,
    token_id: caller?.token_id,
    host_id: exchange.agent?.host_id,
  }
  // Agents report all the time, and say nothing that is not kept.
  const isUsual = request.method === 'GET' || (exchange.agent !== undefined && status < 400)
  if (status === 401 || isUsual) runtime.log.debug(fields, 'request')
  else runtime.log.info(fields, 'request')
}

// Ids and most names are shorter, tokens and keys longer: one that was put into a path by mistake is not written down.
const shownLengthMax = 40

/** A path as the log shows it: without the query, and without whatever in it is long enough to be a secret. */
function shownPath(url: string): string {
  const path = url.split('?', 1)[0] as string
  return path.slice(0, 1024).replaceAll(/[^/:]+/g, (part) => (part.length > shownLengthMax ? '(long)' : part))
}

/** The token of `Authorization: Bearer …`; undefined where there is none, or the header stands twice. */
function bearerToken(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  let seen = 0
  const { rawHeaders } = request
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') seen++
  }
  if (seen !== 1 || !/^bearer /i.test(header)) return undefined
  return header.slice(7)
}

function unauthenticated(
  { rate_limits, runtime }: HttpOptions,
  exchange: Exchange,
  wanted = 'a valid API token',
): Answer {
  const verdict = rate_limits.takeFailedAuthentication(exchange.request.socket.remoteAddress ?? 'unknown')
  const refusal: RefusalData = {
    code: 'authentication_error',
    message: `Send ${wanted} as Authorization: Bearer <token>.`,
  }
  if (!verdict.allowed) return refusalAnswer({ ...refusal, retry_after_seconds: verdict.retry_after_seconds })
  runtime.log.info(
    { request_id: exchange.request_id, address: exchange.request.socket.remoteAddress },
    'A token was refused.',
  )
  return refusalAnswer(refusal)
}

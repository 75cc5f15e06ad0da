/**
 * The HTTP edge: routes come from the contract; nothing else imports Fastify. In order: route, token, rate, input,
 * then the area's function in a command or query. Every exit uses the envelope.
 * Not this file's work: who a token is and what it may do (iam, through `gate`), what a command means (command.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { RateClass } from '@bourse/api/kit/endpoint.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { monotonicMilliseconds, wallMilliseconds } from './clock.ts'
import type { Concurrency } from './concurrency.ts'
import type { AskedRight, Caller, Ctx } from './ctx.ts'
import { type Answer, answerParserError, bugAnswer, frameworkRefusal, refusalAnswer, send } from './http-answer.ts'
import { createServing, type Serving } from './http-serve.ts'
import { mintId } from './ids.ts'
import type { RateLimits, RateVerdict } from './rate-limits.ts'
import { isRefusal, Refusal, type RefusalData } from './refusal.ts'
import type { Route } from './routes.ts'
import type { Runtime } from './runtime.ts'

/** What iam tells the edge. */
export type Gate = {
  /** Who is behind a token; undefined for 401. At once where it is cached. */
  authenticate(token: string): Caller | undefined | Promise<Caller | undefined>
  /** Refuses unless the caller now holds every right that a stored answer was given under. */
  judge(ctx: Ctx, asked: readonly AskedRight[]): void
}

/** A disturbance that the sandbox puts on a request: an answer in its place, or a cut of the connection. */
export type Disturbance = { readonly refusal?: RefusalData; readonly cut?: 'before' | 'after' }

/** How the edge is set up. */
export type HttpOptions = {
  readonly runtime: Runtime
  readonly routes: readonly Route[]
  readonly gate: Gate
  readonly rate_limits: RateLimits
  readonly concurrency: Concurrency
  readonly fingerprint_secret: Buffer
  /** Checks every answer against its schema and every code against the endpoint's list. For tests. */
  readonly check_answers?: boolean
  readonly console_origin?: string
  /** Files that are served as they are, by path: the reference page's scripts and styles. */
  readonly assets?: ReadonlyMap<string, Asset>
  /** Asked for each authenticated request; undefined at once while no fault is set. */
  readonly disturb?: (endpoint: Route['endpoint']) => Promise<Disturbance | undefined> | undefined
  /** Told of each finished request, for metrics. */
  readonly observe?: (operation: string, status: number, milliseconds: number) => void
}

/** A file that is served as it is. */
export type Asset = { readonly body: Buffer; readonly media_type: string }

/** A running edge. */
export type HttpServer = AsyncDisposable & { readonly url: string; readonly port: number; close(): Promise<void> }

/** One request on its way. */
export type Exchange = {
  readonly request_id: string
  readonly started: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly serving: Serving | undefined
  caller: Caller | undefined
  rate: RateVerdict | undefined
  release: (() => void) | undefined
  cut: Disturbance['cut']
}

const bodyBytesMax = 128 * 1024

/** Makes the edge. Call `listen` to open it. */
export function createHttp(options: HttpOptions): {
  listen(address: { host: string; port: number }): Promise<HttpServer>
} {
  const exchanges = new WeakMap<IncomingMessage, Exchange>()
  const app = Fastify({
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false },
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384 },
    clientErrorHandler: (error, socket) => answerParserError(error, socket as Socket, newRequestId(options)),
    frameworkErrors: (error, request, reply) => {
      const refusal = frameworkRefusal(error)
      finish(
        options,
        beginExchange(options, request, reply, undefined),
        refusal ? refusalAnswer(refusal.data) : bugAnswer(),
      )
    },
  })
  takeRawBodies(app)
  const methods = new Map<string, string[]>()
  for (const route of options.routes) {
    const serving = createServing(route, options)
    methods.set(route.endpoint.path, [...(methods.get(route.endpoint.path) ?? []), route.endpoint.method])
    app.route({
      method: route.endpoint.method,
      url: route.endpoint.path,
      onRequest: async (request, reply) => {
        const exchange = beginExchange(options, request, reply, serving)
        exchanges.set(request.raw, exchange)
        await admit(options, exchange)
        if (exchange.response.writableEnded || exchange.cut === 'before') return
        // Operations without a body are served before any body is read; what was sent is ignored.
        if (!serving.takesBody) await run(options, exchange, request, undefined)
      },
      handler: async (request, reply) => {
        const exchange = exchanges.get(request.raw)
        reply.hijack()
        if (exchange) await run(options, exchange, request, request.body as Buffer | undefined)
      },
    })
  }
  const table = [...methods].map(([path, allowed]) => ({ pattern: pathPattern(path), allowed }))
  app.setNotFoundHandler(async (request, reply) => {
    finish(options, beginExchange(options, request, reply, undefined), missingAnswer(options, request, table))
  })
  app.setErrorHandler(async (error: Error & { code?: string }, request, reply) => {
    const exchange = exchanges.get(request.raw) ?? beginExchange(options, request, reply, undefined)
    reply.hijack()
    const refusal = frameworkRefusal(error)
    finish(options, exchange, refusal ? refusalAnswer(refusal.data) : reportBug(options, exchange, error))
  })
  return { listen: (address) => listen(app, address) }
}

async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<HttpServer> {
  await app.listen({ host, port })
  app.server.maxConnections = 10_000
  const address = app.server.address() as AddressInfo
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const close = () => app.close()
  return { url: `http://${shown}:${address.port}`, port: address.port, close, [Symbol.asyncDispose]: close }
}

function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

function newRequestId(options: HttpOptions): string {
  return mintId('req', wallMilliseconds(), options.runtime.random)
}

function beginExchange(
  options: HttpOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  serving: Serving | undefined,
): Exchange {
  const sent = request.raw.headers['x-request-id']
  const isKept = typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent)
  if (serving === undefined || !serving.takesBody) reply.hijack()
  return {
    request_id: isKept ? sent : newRequestId(options),
    started: monotonicMilliseconds(),
    request: request.raw,
    response: reply.raw,
    serving,
    caller: undefined,
    rate: undefined,
    release: undefined,
    cut: undefined,
  }
}

/** Token, rate, a place to work in, faults: everything before the input is looked at. */
async function admit(options: HttpOptions, exchange: Exchange): Promise<void> {
  const { serving } = exchange
  if (!serving || serving.endpoint.access === 'public') return
  try {
    const token = bearerToken(exchange.request)
    const known = token === undefined ? undefined : options.gate.authenticate(token)
    exchange.caller = known instanceof Promise ? await known : known
    if (!exchange.caller) return finish(options, exchange, unauthenticated(options, exchange))
    const refused = takeRate(options, exchange, exchange.caller, serving.endpoint.rate)
    if (refused) return finish(options, exchange, refused)
    if (serving.endpoint.rate !== 'none') {
      const place = options.concurrency.enter(exchange.caller.account_id)
      exchange.release = typeof place === 'function' ? place : await place
    }
    await disturb(options, exchange, serving)
  } catch (error) {
    finish(options, exchange, answerToThrown(options, exchange, error))
  }
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

async function disturb(options: HttpOptions, exchange: Exchange, serving: Serving): Promise<void> {
  const pending = serving.isSandboxControl ? undefined : options.disturb?.(serving.endpoint)
  if (!pending) return
  const disturbance = await pending
  if (disturbance?.refusal) return finish(options, exchange, refusalAnswer(disturbance.refusal))
  exchange.cut = disturbance?.cut
  if (exchange.cut === 'before') cutOff(exchange)
}

function cutOff(exchange: Exchange): void {
  exchange.release?.()
  exchange.release = undefined
  exchange.request.socket.destroy()
}

async function run(
  options: HttpOptions,
  exchange: Exchange,
  request: FastifyRequest,
  body: Buffer | undefined,
): Promise<void> {
  const { serving } = exchange
  if (!serving || exchange.response.writableEnded || exchange.cut === 'before') return
  let answer: Answer
  try {
    const at = request.raw.url?.indexOf('?') ?? -1
    const query = at < 0 ? '' : (request.raw.url as string).slice(at + 1)
    const pending = serving.serve(exchange, { params: request.params as Record<string, unknown>, query, body })
    answer = pending instanceof Promise ? await pending : pending
  } catch (error) {
    answer = answerToThrown(options, exchange, error)
  }
  finish(options, exchange, answer)
}

function answerToThrown(options: HttpOptions, exchange: Exchange, error: unknown): Answer {
  if (!isRefusal(error)) return reportBug(options, exchange, error)
  if (options.check_answers && exchange.serving && !exchange.serving.mayRefuse(error.code)) {
    return reportBug(
      options,
      exchange,
      new Error(`${exchange.serving.endpoint.name} does not list the code ${error.code}.`),
    )
  }
  return refusalAnswer(error.data)
}

function reportBug(options: HttpOptions, exchange: Exchange, error: unknown): Answer {
  const operation = exchange.serving?.endpoint.name
  options.runtime.log.error({ request_id: exchange.request_id, operation, err: error }, 'A request met a bug.')
  return bugAnswer()
}

function finish(options: HttpOptions, exchange: Exchange, answer: Answer): void {
  const { response, serving } = exchange
  exchange.release?.()
  exchange.release = undefined
  if (response.writableEnded || response.destroyed) return
  if (exchange.cut) {
    cutOff(exchange)
    return
  }
  const cors = corsHeaders(options, exchange.request)
  const whole = cors.length > 0 ? { ...answer, headers: [...answer.headers, ...cors] } : answer
  send(response, whole, exchange.request_id, exchange.rate)
  const milliseconds = monotonicMilliseconds() - exchange.started
  options.observe?.(serving?.endpoint.name ?? 'none', answer.status, milliseconds)
  logRequest(options, exchange, answer.status, milliseconds)
}

function logRequest({ runtime }: HttpOptions, exchange: Exchange, status: number, milliseconds: number): void {
  const { serving, request, caller, request_id } = exchange
  if (status === 401 || (request.method === 'GET' && status < 500)) {
    if (!runtime.log.isLevelEnabled('debug')) return
  }
  const fields = {
    request_id,
    operation: serving?.endpoint.name,
    method: request.method,
    path: request.url?.split('?', 1)[0]?.slice(0, 1024),
    status,
    milliseconds: Math.round(milliseconds * 10) / 10,
    account_id: caller?.account_id,
    token_id: caller?.token_id,
  }
  if (status === 401 || request.method === 'GET') runtime.log.debug(fields, 'request')
  else runtime.log.info(fields, 'request')
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

function unauthenticated({ rate_limits, runtime }: HttpOptions, exchange: Exchange): Answer {
  const verdict = rate_limits.takeFailedAuthentication(exchange.request.socket.remoteAddress ?? 'unknown')
  const refusal: RefusalData = {
    code: 'authentication_error',
    message: 'Send a valid API token as Authorization: Bearer <token>.',
  }
  if (!verdict.allowed) return refusalAnswer({ ...refusal, retry_after_seconds: verdict.retry_after_seconds })
  runtime.log.info(
    { request_id: exchange.request_id, address: exchange.request.socket.remoteAddress },
    'A token was refused.',
  )
  return refusalAnswer(refusal)
}

type PathTable = readonly { readonly pattern: RegExp; readonly allowed: readonly string[] }[]

function pathPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:[a-z_]+/g, '[^/]+')
  return new RegExp(`^${escaped}$`)
}

function missingAnswer(options: HttpOptions, request: FastifyRequest, table: PathTable): Answer {
  const path = request.raw.url?.split('?', 1)[0] ?? '/'
  const asset = options.assets?.get(path)
  if (asset && ['GET', 'HEAD'].includes(request.method)) {
    return { status: 200, body: asset.body, media_type: asset.media_type, headers: ['Cache-Control', 'max-age=3600'] }
  }
  const allowed = table.find(({ pattern }) => pattern.test(path))?.allowed
  if (!allowed) return refusalAnswer({ code: 'not_found', message: 'There is nothing at this path.' })
  const methods = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])]
  const preflight = request.method === 'OPTIONS' && corsHeaders(options, request.raw).length > 0
  if (preflight) return { status: 204, body: undefined, headers: preflightHeaders(methods) }
  const refusal = new Refusal({ code: 'method_not_allowed', message: `Use ${methods.join(', ')} here.`, field: null })
  return refusalAnswer(refusal.data, ['Allow', methods.join(', ')])
}

const exposedHeaders =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, ' +
  'Idempotency-Replayed'

function corsHeaders({ console_origin }: HttpOptions, request: IncomingMessage): string[] {
  if (console_origin === undefined || request.headers.origin !== console_origin) return []
  return [
    'Access-Control-Allow-Origin',
    console_origin,
    'Vary',
    'Origin',
    'Access-Control-Expose-Headers',
    exposedHeaders,
  ]
}

function preflightHeaders(methods: readonly string[]): string[] {
  const headers = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, Last-Event-ID'
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    headers,
    'Access-Control-Max-Age',
    '600',
  ]
}

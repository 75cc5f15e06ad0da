/**
 * The HTTP edge: routes come from the contract; nothing else imports Fastify. In order: route, token, rate, input,
 * then the area's function in a command or query. Every exit uses the envelope.
 * Not this file's work: who a token is and what it may do (iam, through `gate`), what a command means (command.ts).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify'
import { every } from '../base/clock.ts'
import { createRecentCache } from '../base/recent-cache.ts'
import { Refusal, type RefusalData } from '../base/refusal.ts'
import type { Concurrency } from '../work/concurrency.ts'
import type { AgentCaller, AskedRight, Caller, Ctx } from '../work/ctx.ts'
import type { Runtime } from '../work/runtime.ts'
import { type Answer, bugAnswer, frameworkRefusal, refusalAnswer } from './answer.ts'
import { type Connections, createConnections, hostMissing, lacksHost, takeExpectations } from './connections.ts'
import type { Streams } from './event-stream.ts'
import { admit, beginExchange, corsHeaders, type Exchange, finish, newRequestId, reportBug, run } from './exchange.ts'
import { createPatience, type Patience } from './patience.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Route } from './routes.ts'
import { createServing, type RawInput, type Serving } from './serve.ts'
import { serveTransfer, type TransferRoute } from './transfer.ts'

/** What iam tells the edge. */
export type Gate = {
  /** Who is behind a token; undefined for 401. At once where it is cached. */
  authenticate(token: string): Caller | undefined | Promise<Caller | undefined>
  /** Refuses unless the caller now holds every right that a stored answer was given under. */
  judge(ctx: Pick<Ctx, 'caller'>, asked: readonly AskedRight[]): void
}

/** What fleet tells the edge of the agents of hosts. */
export type AgentGate = {
  /** The host behind a token that its agent signed; undefined for 401. */
  authenticate(token: string): Promise<AgentCaller | undefined>
  /** How many requests of one host are in work at a time. */
  readonly places: Concurrency
}

/** A disturbance that the sandbox puts on a request: an answer in its place, or a cut of the connection. */
export type Disturbance = { readonly refusal?: RefusalData; readonly cut?: 'before' | 'after' }

/** How the edge is set up. */
export type HttpOptions = {
  readonly runtime: Runtime
  readonly routes: readonly Route[]
  /** What streams bytes, past contract and token. */
  readonly transfers?: readonly TransferRoute[]
  readonly gate: Gate
  readonly agents?: AgentGate
  readonly rate_limits: RateLimits
  readonly concurrency: Concurrency
  readonly streams: Streams
  readonly fingerprint_secret: Buffer
  /** Checks every answer against its schema and every code against the endpoint's list. For tests. */
  readonly check_answers?: boolean
  readonly console_origin?: string
  /** Files that are served as they are, by path: the reference page's scripts and styles. */
  readonly assets?: ReadonlyMap<string, Asset>
  /** Asked before the token is looked at: holds a request up, or refuses it, while there is nobody to know. */
  readonly hold?: (endpoint: Route['endpoint']) => Promise<RefusalData | undefined> | undefined
  /** Asked for each answer that tells what was read, with when its request began: a refusal takes its place. */
  readonly outdate?: (endpoint: Route['endpoint'], began: number) => RefusalData | undefined
  /** Asked for each authenticated request; undefined at once while no fault is set. */
  readonly disturb?: (endpoint: Route['endpoint']) => Promise<Disturbance | undefined> | undefined
  /** Told of each finished request, for metrics. */
  readonly observe?: (operation: string, status: number, milliseconds: number) => void
}

/** A file that is served as it is. */
export type Asset = { readonly body: Buffer; readonly media_type: string }

/** A running edge. */
export type HttpServer = AsyncDisposable & { readonly url: string; readonly port: number; close(): Promise<void> }

/** Begins the exchange of a request. */
type Open = (
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving | undefined,
  transfer?: TransferRoute,
) => Exchange

/** Serves a request past the framework; false where it is for the framework. */
type ServeFirst = (request: IncomingMessage, response: ServerResponse) => boolean

const unknownBodyBytesMax = 128 * 1024
/** URLs of good requests for lists of ready bytes: as many as readers that come again. */
const urlsKept = 16_384
const urlLengthKept = 512
const noParams: Record<string, unknown> = Object.freeze({})

const frameworkOptions = {
  bodyLimit: unknownBodyBytesMax,
  exposeHeadRoutes: true,
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  // Bodies are timed by http-patience.ts: this would cut off an image that is still coming.
  requestTimeout: 0,
  keepAliveTimeout: 5_000,
  routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false },
  // Times are kept to the second: by itself Node looks for connections that are too slow twice a minute.
  http: {
    headersTimeout: 10_000,
    maxHeaderSize: 16_384,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  },
} as const

/** Makes the edge. Call `listen` to open it. */
export function createHttp(options: HttpOptions): {
  listen(address: { host: string; port: number }): Promise<HttpServer>
} {
  const exchanges = new WeakMap<IncomingMessage, Exchange>()
  const connections = createConnections({
    finish: (exchange, answer) => finish(options, exchange, answer),
    newRequestId: () => newRequestId(options),
  })
  const patience = createPatience((exchange) => connections.giveUp(exchange))
  const open: Open = (request, response, serving, transfer) => {
    const exchange = beginExchange(options, request, response, serving, transfer?.name)
    connections.begun(exchange)
    patience.follow(exchange, transfer ? 'moving' : 'whole')
    return exchange
  }
  const begin = (request: FastifyRequest, reply: FastifyReply, serving?: Serving) => {
    if (serving === undefined || !serving.takesBody) reply.hijack()
    return open(request.raw, reply.raw, serving)
  }
  const app = Fastify({
    ...frameworkOptions,
    clientErrorHandler: (error, socket) => connections.refuse(error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      const refusal = frameworkRefusal(error)
      finish(options, begin(request, reply), refusal ? refusalAnswer(refusal.data) : bugAnswer())
    },
  })
  takeRawBodies(app)
  const ready = new Map<string, Serving>()
  for (const route of options.routes) {
    const serving = createServing(route, options)
    const { path, method } = route.endpoint
    if (route.serve.kind === 'bytes') ready.set(path, serving)
    app.route({
      method,
      url: path,
      bodyLimit: route.endpoint.body_bytes_max,
      onRequest: async (request, reply) => {
        const exchange = begin(request, reply, serving)
        exchanges.set(request.raw, exchange)
        const isAdmitted = await admit(options, exchange)
        // Operations without a body are served before any body is read; what was sent is ignored.
        if (isAdmitted && !serving.takesBody) await run(options, exchange, inputOf(request, undefined))
      },
      handler: async (request, reply) => {
        const exchange = exchanges.get(request.raw)
        reply.hijack()
        // A connection that was cut off, or answered, before the body had come.
        if (!exchange || exchange.response.writableEnded || exchange.cut === 'before') return
        await run(options, exchange, inputOf(request, request.body as Buffer | undefined))
      },
    })
  }
  for (const transfer of options.transfers ?? []) app.route(transferRoute(options, open, transfer))
  const table = pathTable(options)
  app.setNotFoundHandler(async (request, reply) => {
    finish(options, begin(request, reply), missingAnswer(options, request, table))
  })
  app.setErrorHandler(async (error: Error & { code?: string }, request, reply) => {
    const exchange = exchanges.get(request.raw) ?? begin(request, reply)
    reply.hijack()
    finish(options, exchange, failureAnswer(options, exchange, error, missingAnswer(options, request, table)))
  })
  const serveFirst = createServeFirst(options, ready, open)
  return { listen: (address) => listen(app, address, { connections, patience, serveFirst, streams: options.streams }) }
}

/** A route past which no body is read by the framework. */
function transferRoute(options: HttpOptions, open: Open, transfer: TransferRoute): RouteOptions {
  return {
    method: transfer.method,
    url: transfer.path,
    onRequest: async (request, reply) => {
      reply.hijack()
      const exchange = open(request.raw, reply.raw, undefined, transfer)
      await serveTransfer(options, exchange, transfer, request.params as Record<string, string>)
    },
    handler: async (_request, reply) => void reply.hijack(),
  }
}

/** What a call gets that failed within the framework; `missing` where that only says that nothing is there. */
function failureAnswer(
  options: HttpOptions,
  exchange: Exchange,
  error: Error & { code?: string },
  missing: Answer,
): Answer {
  const refusal = frameworkRefusal(error)
  if (refusal) return refusalAnswer(refusal.data)
  // The framework wants to know what is in a QUERY before it looks whether there is such an operation, and knows
  // nothing of some methods that the parser lets through.
  if (['FST_ERR_ROUTE_MISSING_CONTENT_TYPE', 'FST_ERR_NOT_FOUND'].includes(error.code ?? '')) return missing
  // Whoever went away in the middle of a body is no bug, and gets no answer.
  const { request } = exchange
  return request.destroyed && !request.complete ? bugAnswer() : reportBug(options, exchange, error)
}

function inputOf(request: FastifyRequest, body: Buffer | undefined): RawInput {
  const { url = '' } = request.raw
  const at = url.indexOf('?')
  return { params: request.params as Record<string, unknown>, query: at < 0 ? '' : url.slice(at + 1), body }
}

/** A request for a list whose answers are ready bytes. */
type Asked = { readonly serving: Serving; readonly input: RawInput }

/**
 * Serves the lists whose answers are ready bytes past the framework, which would take a tenth of their time; all else
 * is for the framework, but for what lacks its host. Readers ask the same again and again, so URLs that were found good
 * are remembered, with what their queries say.
 */
function createServeFirst(options: HttpOptions, ready: ReadonlyMap<string, Serving>, open: Open): ServeFirst {
  const remembered = createRecentCache<string, Asked>(urlsKept)
  const serve = (exchange: Exchange, url: string, asked: Asked) => {
    const { input } = asked
    const isNew = input.known === undefined
    void run(options, exchange, input)
    if (isNew && input.known !== undefined && url.length <= urlLengthKept) remembered.set(url, asked)
  }
  return (request, response) => {
    if (lacksHost(request)) {
      finish(options, open(request, response, undefined), hostMissing())
      return true
    }
    const { url = '', method } = request
    const asked = method === 'GET' ? (remembered.get(url) ?? askedBy(url, ready)) : undefined
    if (!asked) return false
    const exchange = open(request, response, asked.serving)
    const admitted = admit(options, exchange)
    if (admitted === true) serve(exchange, url, asked)
    else if (admitted !== false) void admitted.then((isAdmitted) => isAdmitted && serve(exchange, url, asked))
    return true
  }
}

function askedBy(url: string, ready: ReadonlyMap<string, Serving>): Asked | undefined {
  const at = url.indexOf('?')
  const serving = ready.get(at < 0 ? url : url.slice(0, at))
  const input = { params: noParams, query: at < 0 ? '' : url.slice(at + 1), body: undefined }
  return serving && { serving, input }
}

type Parts = { connections: Connections; patience: Patience; serveFirst: ServeFirst; streams: Streams }

async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  { connections, patience, serveFirst, streams }: Parts,
): Promise<HttpServer> {
  await app.ready()
  let isClosing = false
  const { server, routing } = app
  server.removeListener('request', routing)
  server.on('request', (request, response) => {
    if (isClosing || !serveFirst(request, response)) routing(request, response)
  })
  takeExpectations(server as Server, connections)
  // Thousands of agents that come back at once wait in line rather than being reset.
  await app.listen({ host, port, backlog: 4096 })
  // Each agent of a host holds one for its long poll, and has another one for a while when it reports.
  server.maxConnections = 25_000
  const address = server.address() as AddressInfo
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const stopLooking = every(1_000, () => patience.look())
  const close = () => {
    stopLooking()
    // What takes hours is not waited for; who sends or reads it comes back for the rest.
    patience.breakOff()
    streams.close()
    // From now on the framework answers everything, and tells each connection that it will be closed.
    isClosing = true
    return app.close()
  }
  return { url: `http://${shown}:${address.port}`, port: address.port, close, [Symbol.asyncDispose]: close }
}

function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

type PathTable = readonly { readonly pattern: RegExp; readonly allowed: readonly string[] }[]

function pathTable({ routes, transfers = [] }: HttpOptions): PathTable {
  const methods = new Map<string, string[]>()
  for (const { path, method } of [...routes.map(({ endpoint }) => endpoint), ...transfers]) {
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  // A path that is written out stands before one whose parameter would take the same word.
  const parameters = (path: string) => path.split(':').length
  return [...methods]
    .sort(([a], [b]) => parameters(a) - parameters(b))
    .map(([path, allowed]) => ({ pattern: pathPattern(path), allowed }))
}

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

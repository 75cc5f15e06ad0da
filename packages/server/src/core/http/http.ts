/**
 * The HTTP edge: one listening server of node:http, whose requests go through the pipeline. There is no other listener.
 * Not this file's work: the stages of a request (pipeline.ts), the caller and the rights behind a token (iam).
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { every, monotonicMilliseconds } from '../base/clock.ts'
import { createDelays } from '../base/delays.ts'
import { createRequestIds } from '../base/ids.ts'
import { createRecentCache } from '../base/recent-cache.ts'
import { createProxiedConnections, type ProxiedConnections } from '../proxies/proxied-connections.ts'
import { createProxyNotes } from '../proxies/proxy-notes.ts'
import { createBodyTimeouts } from './body-timeout.ts'
import { createConnections, takeExpectations } from './connections.ts'
import { respond, serve } from './pipeline.ts'
import { createRefusalSums } from './refusal-sums.ts'
import type { Edge, EdgeOptions } from './request-context.ts'
import { createRouter, type RouterOptions } from './router.ts'
import { createUnsentResponses } from './unsent-responses.ts'

/** The options of the edge. */
export type HttpOptions = EdgeOptions & RouterOptions

/** A running edge. */
export type HttpServer = AsyncDisposable & {
  /** A URL at which programs of this machine reach the server. */
  readonly url: string
  /** The address and port that the server listens on, as a URL. */
  readonly bound_url: string
  readonly port: number
  /** From now on every response closes its connection, so clients connect to another server. */
  drain(): void
  close(): Promise<void>
}

type ListenAddress = {
  readonly host: string
  readonly port: number
  /** The name in `url`. The default is the host. */
  readonly shown_host?: string | undefined
}

/** Equal to the number of readers that reconnect. */
const readyUrlsMax = 16_384

const serverOptions = {
  headersTimeout: 10_000,
  maxHeaderSize: 16_384,
  // Node's default is to check for slow connections every 30 s. The limits here hold to the second.
  connectionsCheckingInterval: 1_000,
  requireHostHeader: false,
  // body-timeout.ts limits bodies. This limit would cut off the upload of an image.
  requestTimeout: 0,
} as const

/** Creates the edge. Call `listen` to open it. */
export function createHttp(options: HttpOptions): { listen(address: ListenAddress): Promise<HttpServer> } {
  const newRequestId = createRequestIds(options.runtime.random)
  const connections = createConnections({ respond, newRequestId })
  const edge: Edge = {
    ...options,
    router: createRouter(options),
    ready_urls: createRecentCache(readyUrlsMax),
    connections,
    newRequestId,
    delays: createDelays(),
    body_timeouts: createBodyTimeouts((context) => connections.timeOut(context)),
    unsent_responses: createUnsentResponses(),
    refusal_sums: createRefusalSums(options.runtime.log, monotonicMilliseconds),
    noteProxy: proxyNote(options),
    is_closing: false,
  }
  return { listen: (address) => listen(edge, address) }
}

/** In production a proxy that is not named makes all of its clients share the limits of one address. */
function proxyNote({ runtime, recordProxy, proxy_header: header = 'x-forwarded-for' }: HttpOptions): Edge['noteProxy'] {
  const { log, mode } = runtime
  return mode === 'production' && recordProxy ? createProxyNotes({ log, header, record: recordProxy }) : () => {}
}

/** Puts the reading of the PROXY protocol in front of the server's own reading of connections. */
function readProxied(server: Server, { runtime, trusted_proxies = [], noteProxy }: Edge): ProxiedConnections {
  const own = server.listeners('connection')
  server.removeAllListeners('connection')
  const proxied = createProxiedConnections({
    trusted: trusted_proxies,
    milliseconds: serverOptions.headersTimeout,
    log: runtime.log,
    accept: (socket) => {
      for (const listener of own) listener.call(server, socket)
    },
    note: noteProxy,
  })
  server.on('connection', proxied.open)
  return proxied
}

async function listen(edge: Edge, { host, port, shown_host }: ListenAddress): Promise<HttpServer> {
  const keepAliveTimeout = edge.keep_alive_seconds * 1000
  const server = createServer({ ...serverOptions, keepAliveTimeout }, (incoming, outgoing) =>
    serve(edge, incoming, outgoing),
  )
  const proxied = edge.proxy_header === 'proxy-protocol' ? readProxied(server, edge) : undefined
  server.on('connection', edge.connections.follow)
  server.on('clientError', (error, socket) => edge.connections.refuse(error, socket as Socket))
  takeExpectations(server, edge.connections)
  // The agent of each host uses one connection for its long poll and briefly a second one for each report.
  server.maxConnections = 25_000
  await listening(server, { host, port })
  const { address, port: boundPort } = server.address() as AddressInfo
  const urlOf = (name: string) => `http://${name.includes(':') ? `[${name}]` : name}:${boundPort}`
  const url = urlOf(shown_host ?? (host === '0.0.0.0' || host === '::' ? 'localhost' : host))
  const stopChecking = every(1_000, () => {
    edge.body_timeouts.check()
    edge.connections.check()
    edge.unsent_responses.check()
    edge.refusal_sums.check()
    proxied?.check()
    edge.runtime.services.failures.check()
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= closeServer(server, edge, stopChecking).finally(() => proxied?.flush())
    return closed
  }
  const drain = () => {
    edge.is_closing = true
  }
  return { url, bound_url: urlOf(address), port: boundPort, drain, close, [Symbol.asyncDispose]: close }
}

function listening(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // Thousands of agents that reconnect at once are queued instead of reset.
    server.listen({ host, port, backlog: 4096 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Resolves when every accepted request has its response or has timed out. */
function closeServer(server: Server, edge: Edge, stopChecking: () => void): Promise<void> {
  edge.body_timeouts.stop()
  edge.unsent_responses.stop()
  edge.delays.end()
  edge.streams.close()
  edge.is_closing = true
  return new Promise((resolve) => {
    server.close(() => {
      stopChecking()
      edge.refusal_sums.flush()
      edge.runtime.services.failures.flush()
      resolve()
    })
    server.closeIdleConnections()
    edge.connections.stop()
  })
}

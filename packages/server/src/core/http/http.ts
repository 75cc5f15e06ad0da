/**
 * The HTTP edge: one listening server of node:http, whose requests go through the pipeline. There is no other listener.
 * Not this file's work: the stages of a request (pipeline.ts), the caller and the rights behind a token (iam).
 */
import { createServer, Server as PlainServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { every, monotonicMilliseconds } from '../base/clock.ts'
import { createDelays } from '../base/delays.ts'
import { createRequestIds } from '../base/ids.ts'
import { createRecentCache } from '../base/recent-cache.ts'
import { createProxiedConnections, nameClient, type ProxiedConnections } from '../proxies/proxied-connections.ts'
import { createProxyNotes } from '../proxies/proxy-notes.ts'
import { type CertificatePair, oldestVersion } from '../tls/certificate-pair.rules.ts'
import type { Certificates } from '../tls/certificates.ts'
import { createHandshakes, type Handshakes } from '../tls/handshakes.ts'
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
  /** The certificate of a server that is reached by https. Undefined: by http. */
  readonly certificates?: Certificates | undefined
}

type WebServer = PlainServer | SecureServer

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
function readProxied(server: WebServer, { runtime, trusted_proxies = [], noteProxy }: Edge): ProxiedConnections {
  const own = server.listeners('connection')
  server.removeAllListeners('connection')
  const proxied = createProxiedConnections({
    trusted: trusted_proxies,
    milliseconds: serverOptions.headersTimeout,
    log: runtime.log,
    accept: (socket) => {
      for (const listener of own) listener.call(server, socket)
      // A handshake reads by itself. What this side read would be missing in it.
      if (server instanceof PlainServer) socket.resume()
    },
    note: noteProxy,
  })
  server.on('connection', proxied.open)
  return proxied
}

const secureOptions = (pair: CertificatePair) => ({
  cert: pair.certificate,
  key: pair.key,
  minVersion: oldestVersion,
})

/** A server whose connections begin with a handshake. New ones use the newest certificate, open ones go on. */
function openSecure(edge: Edge, certificates: Certificates, listener: RequestListener) {
  const handshakes = createHandshakes(edge.runtime.log, monotonicMilliseconds)
  const keepAliveTimeout = edge.keep_alive_seconds * 1000
  // A handshake may take as long as the headers of a request.
  const limits = { ...serverOptions, keepAliveTimeout, handshakeTimeout: serverOptions.headersTimeout }
  const server = createSecureServer({ ...limits, ...secureOptions(certificates.current()) }, listener)
  const unfollow = certificates.follow((pair) => server.setSecureContext(secureOptions(pair)))
  server.on('secureConnection', (socket: TLSSocket) => {
    nameClient(socket, handshakes.finish(socket))
    edge.connections.follow(socket)
  })
  // Node would pass a failed handshake on as an error of HTTP, which has a response.
  server.removeAllListeners('tlsClientError')
  server.on('tlsClientError', handshakes.fail)
  return { server, handshakes, unfollow }
}

function openPlain(edge: Edge, listener: RequestListener) {
  const server = createServer({ ...serverOptions, keepAliveTimeout: edge.keep_alive_seconds * 1000 }, listener)
  return { server, handshakes: undefined, unfollow: () => {} }
}

async function listen(edge: Edge, { host, port, shown_host, certificates }: ListenAddress): Promise<HttpServer> {
  const listener: RequestListener = (incoming, outgoing) => serve(edge, incoming, outgoing)
  const opened = certificates ? openSecure(edge, certificates, listener) : openPlain(edge, listener)
  const { server, handshakes, unfollow } = opened
  const proxied = edge.proxy_header === 'proxy-protocol' ? readProxied(server, edge) : undefined
  server.on('connection', handshakes?.open ?? edge.connections.follow)
  server.on('clientError', (error, socket) => edge.connections.refuse(error, socket as Socket))
  takeExpectations(server, edge.connections)
  // The agent of each host uses one connection for its long poll and briefly a second one for each report.
  server.maxConnections = 25_000
  // Of workers, one that has its share closes further connections instead of passing them on forever.
  Object.assign(server, { dropMaxConnection: true })
  await listening(server, { host, port })
  const { address, port: boundPort } = server.address() as AddressInfo
  const scheme = certificates ? 'https' : 'http'
  const urlOf = (name: string) => `${scheme}://${name.includes(':') ? `[${name}]` : name}:${boundPort}`
  const url = urlOf(shown_host ?? (host === '0.0.0.0' || host === '::' ? 'localhost' : host))
  const stopChecking = every(1_000, () => {
    edge.body_timeouts.check()
    edge.connections.check()
    edge.unsent_responses.check()
    edge.refusal_sums.check()
    handshakes?.check()
    proxied?.check()
    edge.runtime.services.failures.check()
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= closeServer(server, edge, { stopChecking, handshakes }).finally(() => {
      unfollow()
      proxied?.flush()
    })
    return closed
  }
  const drain = () => {
    edge.is_closing = true
  }
  return { url, bound_url: urlOf(address), port: boundPort, drain, close, [Symbol.asyncDispose]: close }
}

function listening(server: WebServer, { host, port }: ListenAddress): Promise<void> {
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
function closeServer(
  server: WebServer,
  edge: Edge,
  { stopChecking, handshakes }: { stopChecking: () => void; handshakes: Handshakes | undefined },
): Promise<void> {
  edge.body_timeouts.stop()
  edge.unsent_responses.stop()
  edge.delays.end()
  edge.streams.close()
  edge.is_closing = true
  return new Promise((resolve) => {
    server.close(() => {
      stopChecking()
      handshakes?.flush()
      edge.refusal_sums.flush()
      edge.runtime.services.failures.flush()
      resolve()
    })
    server.closeIdleConnections()
    handshakes?.stop()
    edge.connections.stop()
  })
}

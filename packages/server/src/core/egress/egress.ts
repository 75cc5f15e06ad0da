/**
 * Requests of the server to URLs that customers choose. The address is checked where the connection is made: the lookup
 * of the connector refuses addresses that are not public, and its result is what the socket connects to, so a name
 * cannot point elsewhere in between. Redirects are not followed. Not this file's work: which addresses are public
 * (public-address.ts), and what a request says.
 */
import { type LookupAddress, lookup as lookupBySystem, Resolver } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { after } from '../base/clock.ts'
import { isPublicAddress } from './public-address.ts'

/** Why a request got no answer. */
export type EgressError =
  | 'address_not_allowed'
  | 'dns_failed'
  | 'connection_failed'
  | 'tls_failed'
  | 'timeout'
  | 'invalid_answer'

/** The answer of a receiver, without its body; or why there is none. */
export type EgressAnswer =
  | { readonly status: number; readonly retry_after: string | undefined }
  | { readonly error: EgressError }

/** The options of the connections of one server. */
export type EgressOptions = {
  /** Whether only public addresses are allowed. */
  readonly is_public_only: boolean
  /** The URL of an HTTP proxy that makes all connections (CONNECT). It then decides which addresses are allowed. */
  readonly proxy?: string | undefined
  /** Resolves all addresses of a name. Default: DNS for public addresses, else the resolver of the system. */
  readonly resolve?: ((name: string) => Promise<LookupAddress[]>) | undefined
  /** Certificates to trust besides those of Node, in PEM. */
  readonly ca?: readonly string[] | undefined
}

/** Sends requests. */
export type Egress = {
  /** Sends a POST. Resolves within the time limit in any case. */
  post(url: string, request: { headers: Record<string, string>; body: Buffer }): Promise<EgressAnswer>
  /** The connections that are open now. */
  open(): number
  /** Closes all connections; running requests fail. */
  close(): Promise<void>
}

/** The time for a request, from DNS to the end of the answer. */
export const requestMilliseconds = 15_000
/** More of an answer is not read. */
const answerBytesMax = 64 * 1024
const connectMilliseconds = 10_000
/** Up to this number of open connections, idle ones stay open for further requests. */
const keptConnectionsMax = 400
const keepAliveMilliseconds = 4_000
const addressCode = 'ADDRESS_NOT_ALLOWED'

/** Opens the connections of a server. */
export function openEgress(options: EgressOptions): Egress {
  const sockets = new Set<Socket>()
  const dispatcher = options.proxy === undefined ? directly(options, sockets) : through(options.proxy, options, sockets)
  return {
    post: (url, request) => post(dispatcher, url, { ...request, keeps: sockets.size < keptConnectionsMax }),
    open: () => sockets.size,
    close: () => dispatcher.destroy(),
  }
}

type Sent = { readonly headers: Record<string, string>; readonly body: Buffer; readonly keeps: boolean }

async function post(dispatcher: Dispatcher, url: string, { headers, body, keeps }: Sent): Promise<EgressAnswer> {
  const { origin, pathname, search } = new URL(url)
  const limit = new AbortController()
  const stop = after(requestMilliseconds, () => limit.abort())
  try {
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers,
      body,
      signal: limit.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      reset: !keeps,
    })
    const { statusCode: status } = answer
    const retry_after = answer.headers['retry-after']?.toString()
    // The status decides. The body is read only so that the connection can be used again.
    await answer.body.dump({ limit: answerBytesMax, signal: limit.signal }).catch(() => {})
    return { status, retry_after }
  } catch (error) {
    return { error: limit.signal.aborted ? 'timeout' : kindOf(error) }
  } finally {
    stop()
  }
}

function directly(options: EgressOptions, sockets: Set<Socket>): Dispatcher {
  const { is_public_only, ca } = options
  const resolve = options.resolve ?? (is_public_only ? resolveByDns() : resolveBySystem)
  const connect = buildConnector({
    timeout: connectMilliseconds,
    allowH2: false,
    lookup: checkedLookup(resolve, is_public_only),
    autoSelectFamily: true,
    ...(ca ? { ca: [...ca] } : {}),
  } as never)
  return new Agent({
    keepAliveTimeout: keepAliveMilliseconds,
    pipelining: 1,
    connect: (wanted, callback) => {
      // A connection to an address asks no lookup.
      if (is_public_only && isIP(wanted.hostname) !== 0 && !isPublicAddress(wanted.hostname)) {
        return callback(refusal(wanted.hostname), null)
      }
      connect(wanted, (error, socket) => {
        if (error) return callback(error, null)
        const { remoteAddress = '' } = socket
        if (is_public_only && !isPublicAddress(remoteAddress)) {
          socket.destroy()
          return callback(refusal(remoteAddress), null)
        }
        callback(null, counted(socket, sockets))
      })
    },
  })
}

function through(proxy: string, { ca }: EgressOptions, sockets: Set<Socket>): Dispatcher {
  const trusted = ca ? { ca: [...ca] } : {}
  return new ProxyAgent({
    uri: proxy,
    proxyTunnel: true,
    keepAliveTimeout: keepAliveMilliseconds,
    pipelining: 1,
    requestTls: { timeout: connectMilliseconds, allowH2: false, ...trusted } as never,
    proxyTls: { timeout: connectMilliseconds, ...trusted } as never,
    clientFactory: (origin) => new Pool(origin, { connect: countingConnector(sockets, trusted) }),
  })
}

function countingConnector(sockets: Set<Socket>, trusted: object): buildConnector.connector {
  const connect = buildConnector({ timeout: connectMilliseconds, allowH2: false, ...trusted } as never)
  return (wanted, callback) =>
    connect(wanted, (error, socket) => (error ? callback(error, null) : callback(null, counted(socket, sockets))))
}

function counted(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket)
  return socket.once('close', () => sockets.delete(socket))
}

/** A lookup that fails if any address of the name is not allowed, so that no connection depends on their order. */
function checkedLookup(resolve: NonNullable<EgressOptions['resolve']>, is_public_only: boolean): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (found) => {
        const forbidden = is_public_only ? found.find(({ address }) => !isPublicAddress(address)) : undefined
        if (forbidden) return callback(refusal(forbidden.address), '')
        const [first] = found
        if (first === undefined) return callback(Object.assign(new Error('No address.'), { code: 'ENOTFOUND' }), '')
        if (all) return callback(null, found)
        callback(null, first.address, first.family)
      },
      (error) => callback(error, ''),
    )
  }
}

/** Asks DNS without the threads of the system's resolver, which a slow name server would occupy. */
function resolveByDns(): NonNullable<EgressOptions['resolve']> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([
      new Promise<string[]>((done, fail) =>
        resolver.resolve4(name, (error, found) => (error ? fail(error) : done(found))),
      ),
      new Promise<string[]>((done, fail) =>
        resolver.resolve6(name, (error, found) => (error ? fail(error) : done(found))),
      ),
    ])
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason
    return found
  }
}

function resolveBySystem(name: string): Promise<LookupAddress[]> {
  return new Promise((done, fail) => {
    lookupBySystem(name, { all: true }, (error, found) => (error ? fail(error) : done(found)))
  })
}

/** The error of a connection that is refused because of its address. */
function refusal(address: string): Error {
  return Object.assign(new Error(`The address ${address} is not public.`), { code: addressCode })
}

const dnsCodes = /^(ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|EFORMERR|ENONAME|EBADNAME|EREFUSED|ETIMEOUT|ECANCELLED)$/
const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/

type Thrown = { name?: string; code?: string; errors?: readonly unknown[]; cause?: unknown }

function kindOf(error: unknown): EgressError {
  const { name, code, errors, cause } = error as Thrown
  if (errors && errors.length > 0) return kindOf(errors[0])
  if (code === addressCode) return 'address_not_allowed'
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  if (dnsCodes.test(code ?? '')) return 'dns_failed'
  if (tlsCodes.test(code ?? '')) return 'tls_failed'
  if (name === 'HTTPParserError' || /^UND_ERR_(HEADERS_OVERFLOW|RES)/.test(code ?? '')) return 'invalid_answer'
  return cause === undefined ? 'connection_failed' : kindOf(cause)
}

/**
 * Connections of the server to URLs that customers choose: which addresses they may have, and which stay open for
 * further requests. The address is checked where the connection is made: the lookup of the connector refuses addresses
 * that are not public, and its result is what the socket connects to, so a name cannot point elsewhere in between.
 * Not this file's work: requests (egress.ts), and which addresses are public (public-address.ts).
 */
import { type LookupAddress, lookup as lookupBySystem, Resolver } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { isPublicAddress } from './public-address.ts'

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
  /** The most open connections. Beyond them, idle ones are closed for new ones. Default 1,000. */
  readonly connections_max?: number | undefined
}

/** What one request is sent over. */
export type EgressLine = {
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>
  /** Whether the connection stays open after the request. */
  readonly keeps: boolean
  /** Ends the use by the request. `isClean`: its answer was read to the end. */
  release(isClean: boolean): void
}

/** The connections of one server. */
type EgressConnections = {
  /** Takes a line to an origin. The caller releases it. */
  take(origin: string): EgressLine
  /** The number of open ones. */
  open(): number
  /** Closes all; running requests fail. */
  close(): Promise<void>
}

const connectMilliseconds = 10_000
const keepAliveMilliseconds = 4_000
const connectionsMaxDefault = 1_000
/** Through a proxy: up to this number of open connections, they stay open for further requests. */
const keptByProxyMax = 400

/** The code of the error of a connection that is refused because of its address. */
export const addressCode = 'ADDRESS_NOT_ALLOWED'

/** Opens the connections of a server, none at first. */
export function openConnections(options: EgressOptions): EgressConnections {
  return options.proxy === undefined ? openDirect(options) : openThrough(options.proxy, options)
}

/** One connection, which may be closed and opened again by its client. */
type EgressWire = { readonly origin: string; readonly client: Client; isOpen: boolean; isIdle: boolean }

function openDirect(options: EgressOptions): EgressConnections {
  const sockets = new Set<Socket>()
  const connect = directConnector(options, sockets)
  const { connections_max = connectionsMaxDefault } = options
  const all = new Set<EgressWire>()
  // The longest idle first.
  const idle = new Set<EgressWire>()
  const idleOf = new Map<string, EgressWire[]>()

  function drop(wire: EgressWire): void {
    all.delete(wire)
    if (wire.isIdle) unlist(wire)
    void wire.client.destroy()
  }

  function unlist(wire: EgressWire): void {
    wire.isIdle = false
    idle.delete(wire)
    const own = idleOf.get(wire.origin) as EgressWire[]
    if (own.length === 1) idleOf.delete(wire.origin)
    else own.splice(own.indexOf(wire), 1)
  }

  function add(origin: string): EgressWire {
    const [oldest] = idle
    if (oldest && all.size >= connections_max) drop(oldest)
    const client = new Client(origin, { connect, pipelining: 1, keepAliveTimeout: keepAliveMilliseconds })
    const wire: EgressWire = { origin, client, isOpen: false, isIdle: false }
    all.add(wire)
    client.on('connect', () => {
      wire.isOpen = true
    })
    client.on('disconnect', () => {
      wire.isOpen = false
      if (wire.isIdle) drop(wire)
    })
    return wire
  }

  function release(wire: EgressWire, isClean: boolean): void {
    if (!isClean || !wire.isOpen || !all.has(wire)) {
      drop(wire)
      return
    }
    wire.isIdle = true
    idle.add(wire)
    const own = idleOf.get(wire.origin)
    if (own) own.push(wire)
    else idleOf.set(wire.origin, [wire])
  }

  return {
    take: (origin) => {
      // The one that was used last, so that the others become idle for long enough to be closed.
      const known = idleOf.get(origin)?.at(-1)
      if (known) unlist(known)
      const wire = known ?? add(origin)
      return { dispatcher: wire.client, keeps: true, release: (isClean) => release(wire, isClean) }
    },
    open: () => sockets.size,
    close: async () => void (await Promise.all([...all].map(({ client }) => client.destroy()))),
  }
}

function directConnector(options: EgressOptions, sockets: Set<Socket>): buildConnector.connector {
  const { is_public_only, ca } = options
  const resolve = options.resolve ?? (is_public_only ? resolveByDns() : resolveBySystem)
  const connect = buildConnector({
    timeout: connectMilliseconds,
    allowH2: false,
    lookup: checkedLookup(resolve, is_public_only),
    autoSelectFamily: true,
    ...(ca ? { ca: [...ca] } : {}),
  })
  return (wanted, callback) => {
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
  }
}

function openThrough(proxy: string, { ca }: EgressOptions): EgressConnections {
  const sockets = new Set<Socket>()
  const trusted = ca ? { ca: [...ca] } : {}
  const dispatcher = new ProxyAgent({
    uri: proxy,
    proxyTunnel: true,
    keepAliveTimeout: keepAliveMilliseconds,
    pipelining: 1,
    requestTls: { timeout: connectMilliseconds, allowH2: false, ...trusted },
    proxyTls: { timeout: connectMilliseconds, ...trusted },
    clientFactory: (origin) => new Pool(origin, { connect: countingConnector(sockets, trusted) }),
  })
  return {
    take: () => ({ dispatcher, keeps: sockets.size < keptByProxyMax, release: () => {} }),
    open: () => sockets.size,
    close: () => dispatcher.destroy(),
  }
}

function countingConnector(sockets: Set<Socket>, trusted: object): buildConnector.connector {
  const connect = buildConnector({ timeout: connectMilliseconds, allowH2: false, ...trusted })
  return (wanted, callback) =>
    connect(wanted, (error, socket) => (error ? callback(error, null) : callback(null, counted(socket, sockets))))
}

function counted(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket)
  return socket.once('close', () => sockets.delete(socket))
}

/** A lookup that fails if any address of the name is not allowed, so that no connection depends on their order. */
function checkedLookup(resolve: NonNullable<EgressOptions['resolve']>, isPublicOnly: boolean): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name).then(
      (found) => {
        const forbidden = isPublicOnly ? found.find(({ address }) => !isPublicAddress(address)) : undefined
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

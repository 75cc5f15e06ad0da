/**
 * A proxy between a server and its PostgreSQL that injects network faults: connections are refused, reset, delayed or
 * black-holed, or closed at a COMMIT: before it is sent, in the middle of it, or before its response is received.
 * It parses only the frames of the protocol, to detect a COMMIT. Between other programs it parses nothing.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { pause } from '@bourse/text/time/pause.ts'
import { eventually } from '../../../../test/eventually.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'

/** The outcome of a COMMIT: passed, not sent, sent in part, sent without its response, or sent much later. */
export type ProxiedCommit = 'passes' | 'never sent' | 'half sent' | 'sent, no way back' | 'answer lost' | 'sent late'

/**
 * The state of the network. In a black hole, sent data never arrives, and one way only what the server sends arrives;
 * when it is slow, everything arrives later, in order.
 */
export type Weather = 'fair' | 'refused' | 'reset' | 'black hole' | 'one way' | 'slow'

/** Where a proxy connects to: a port, or that of PostgreSQL in the directory of its socket. */
export type ProxyTarget = Pick<DatabaseTarget, 'host' | 'port'>

export type FaultProxy<Target extends ProxyTarget = DatabaseTarget> = AsyncDisposable & {
  /** The database through the proxy. */
  readonly target: Target
  /** Chooses the outcome of each COMMIT. */
  judge: () => ProxiedCommit
  /** The number of COMMITs by outcome. */
  readonly met: Map<ProxiedCommit, number>
  /** Changes the state of the network, also for open connections. */
  turn(weather: Weather): Promise<void>
  /** Black-holes one open connection, by its position in the order of connecting. */
  lose(index: number): void
  /** The number of open connections. */
  open(): number
}

type FaultProxyState = {
  weather: Weather
  /** True once the proxy accepts no new connections. */
  isOver: boolean
  readonly pairs: Set<SocketPair>
  readonly upstream: ProxyTarget
  readonly parses: boolean
  readonly proxy: FaultProxy<ProxyTarget>
}

/** A connection of the server, and its connection to the database. */
type SocketPair = {
  readonly near: Socket
  readonly far: Socket
  /** Whether what is sent arrives no more, or has its outcome already. */
  isBroken: boolean
  /** Whether what the database sends arrives no more. */
  isOneWay: boolean
  readonly to_near: DelayedLine
  readonly to_far: DelayedLine
}

/** What is on its way in one direction. */
type DelayedLine = { last: Promise<void>; waiting: number }

const lateMilliseconds = 40
const slowMilliseconds = 300
const startupBytes = 8

/** Opens a proxy to a database on a unix socket, or, with `parses` false, to any program. */
export async function openFaultProxy<Target extends ProxyTarget>(
  upstream: Target,
  { parses = true }: { parses?: boolean } = {},
): Promise<FaultProxy<Target>> {
  const server = createServer({ noDelay: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy: FaultProxy<Target> = {
    target: { ...upstream, host: '127.0.0.1', port },
    judge: () => 'passes',
    met: new Map(),
    turn: (weather) => turn(state, server, weather),
    lose: (index) => {
      const pair = [...state.pairs][index]
      if (pair) pair.isBroken = true
    },
    open: () => state.pairs.size,
    [Symbol.asyncDispose]: async () => {
      state.isOver = true
      for (const pair of state.pairs) end(pair)
      if (server.listening) server.close()
      await eventually('all connections through the proxy are closed', () => state.pairs.size === 0)
    },
  }
  const state: FaultProxyState = { weather: 'fair', isOver: false, pairs: new Set(), upstream, parses, proxy }
  server.on('connection', (near) => receive(state, near))
  return proxy
}

async function turn(state: FaultProxyState, server: Server, weather: Weather): Promise<void> {
  const { port } = state.proxy.target
  state.weather = weather
  if (weather === 'refused' && server.listening) server.close()
  if (weather !== 'refused' && !server.listening) {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  for (const pair of state.pairs) {
    if (weather === 'refused' || weather === 'reset') pair.near.resetAndDestroy()
    // What was lost cannot be delivered later, so its connections are reset.
    if (weather === 'fair' && (pair.isBroken || pair.isOneWay)) pair.near.resetAndDestroy()
    if (weather === 'black hole') pair.isBroken = true
    if (weather === 'one way') pair.isOneWay = true
  }
}

function receive(state: FaultProxyState, near: Socket): void {
  if (state.weather === 'reset' || state.isOver) return void near.resetAndDestroy()
  const { host, port } = state.upstream
  const pair: SocketPair = {
    near,
    far: host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect({ host, port, noDelay: true }),
    isBroken: state.weather === 'black hole',
    isOneWay: state.weather === 'one way',
    to_near: { last: Promise.resolve(), waiting: 0 },
    to_far: { last: Promise.resolve(), waiting: 0 },
  }
  state.pairs.add(pair)
  let waiting: Buffer = Buffer.alloc(0)
  let isStarted = false
  near.on('data', (piece: Buffer) => {
    if (pair.isBroken) return
    if (!state.parses) return pass(state, pair.to_far, () => pair.far.write(piece))
    waiting = Buffer.concat([waiting, piece])
    const { whole, rest } = wholeFrames(waiting, isStarted)
    if (whole.length > 0) isStarted = true
    waiting = rest
    send(state, pair, whole)
  })
  pair.far.on('data', (piece: Buffer) => {
    if (!pair.isBroken && !pair.isOneWay) pass(state, pair.to_near, () => near.write(piece))
  })
  for (const socket of [near, pair.far]) {
    socket.on('error', () => {})
    socket.once('close', () => end(pair))
  }
  near.once('close', () => state.pairs.delete(pair))
}

/** Forwards frames until one is a COMMIT with another outcome than to pass. */
function send(state: FaultProxyState, pair: SocketPair, frames: readonly Buffer[]): void {
  for (const [index, frame] of frames.entries()) {
    const outcome = isCommit(frame) ? state.proxy.judge() : undefined
    if (outcome !== undefined) state.proxy.met.set(outcome, (state.proxy.met.get(outcome) ?? 0) + 1)
    if (outcome !== undefined && outcome !== 'passes') {
      befall(pair, outcome, Buffer.concat(frames.slice(index)))
      return
    }
    pass(state, pair.to_far, () => pair.far.write(frame))
  }
}

/** Passes something on: at once, or where the network is slow later, and after what came before it. */
function pass({ weather }: FaultProxyState, line: DelayedLine, write: () => void): void {
  const isSlow = weather === 'slow'
  if (!isSlow && line.waiting === 0) return void write()
  const due = performance.now() + (isSlow ? slowMilliseconds : 0)
  line.waiting += 1
  line.last = line.last.then(async () => {
    await pause(Math.max(0, due - performance.now()))
    line.waiting -= 1
    write()
  })
}

function befall(pair: SocketPair, outcome: Exclude<ProxiedCommit, 'passes'>, bytes: Buffer): void {
  const { near, far } = pair
  pair.isBroken = true
  switch (outcome) {
    case 'never sent':
      end(pair)
      return
    case 'half sent':
      far.write(bytes.subarray(0, 7), () => end(pair))
      return
    case 'sent, no way back':
      far.end(bytes)
      near.resetAndDestroy()
      return
    case 'answer lost':
      far.once('data', () => end(pair))
      far.write(bytes)
      return
    case 'sent late':
      near.resetAndDestroy()
      void pause(lateMilliseconds).then(() => far.end(bytes))
  }
}

function end({ near, far }: SocketPair): void {
  near.destroy()
  // After end(), the connection stays open until the database has read everything.
  if (!far.writableEnded) far.destroy()
}

function isCommit(frame: Buffer): boolean {
  return frame[0] === 0x51 && frame.toString('latin1', 5, frame.length - 1).toLowerCase() === 'commit'
}

/** Splits received bytes into frames: a letter and a length. The first frame has no letter. */
function wholeFrames(bytes: Buffer, isStarted: boolean): { whole: Buffer[]; rest: Buffer } {
  const whole: Buffer[] = []
  let rest = bytes
  for (;;) {
    const letter = isStarted || whole.length > 0 ? 1 : 0
    if (rest.length < (letter ? 5 : startupBytes)) return { whole, rest }
    const length = letter + rest.readUInt32BE(letter)
    if (rest.length < length) return { whole, rest }
    whole.push(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
}

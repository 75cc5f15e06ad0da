/**
 * Distinguishes an unreachable database from a slow one. Where the database's machine is down, or the network drops all
 * packets, no error arrives and a caller would wait for a quarter of an hour. A time limit for each statement would
 * also break slow statements on a busy machine. Instead, a probe runs on a separate connection. As long as data arrives
 * on any connection, all callers keep waiting. When none arrives, every connection is closed, and no connection is
 * opened until the probe succeeds (docs/decisions/008-detecting-an-unreachable-database.md).
 */
import type { Socket } from 'node:net'
import { pause } from '@bourse/text/time/pause.ts'
import pg from 'pg'
import { every, monotonicMilliseconds } from '../base/clock.ts'

const checkMilliseconds = 100
/** The most time that one check counts for: a process that was itself blocked did not listen in that time. */
const checkMillisecondsMax = 200
/** A probe starts after a waiting connection has received nothing for this long. */
const suspectMilliseconds = 600
/** The time without any data after a probe started. Together with the delay above, detection takes under 3 s. */
const unresponsiveMilliseconds = 1_400
/**
 * Statements that are sent together are answered together, and every transaction of the run-time role ends within the
 * limits of db.ts. So an answer that takes longer than this is lost.
 */
const lostMilliseconds = 11_000
const closeMilliseconds = 1_000

/** A monitored connection. */
export type MonitoredConnection = {
  /** True from sending a statement until the last answer. */
  readonly isWaiting: boolean
  /** Takes note that a statement is sent. */
  expectAnswer(): void
  /** Set where statements may take any time. Then only the failure of the whole machine closes the connection. */
  allowsLongStatements: boolean
  /** Set when the connection may be used. */
  isPrepared: boolean
  /** Closes the connection. Its running statements fail. */
  break(): void
}

/** Monitors the connections to one database. */
export type LivenessMonitor = {
  monitor(client: pg.ClientBase): MonitoredConnection
  /** Connects unless the machine is unreachable, and waits only while it responds. Gives a late connection back. */
  whileResponsive<T>(connect: () => Promise<T>, release: (late: T) => void): Promise<T>
  /** How often something was sent on a connection that had all its answers. */
  roundTrips(): number
  /** Closes all prepared connections, because their server has been replaced. */
  breakPrepared(): void
  /** Stops monitoring, and after a second destroys the connections that have not ended. */
  close(ended: Promise<unknown>): Promise<void>
}

type WatchedConnection = Omit<MonitoredConnection, 'isWaiting'> & {
  readonly socket: Socket
  bytes: number
  idle_milliseconds: number
  isWaiting: boolean
}

type LivenessState = {
  readonly config: pg.ClientConfig
  readonly whenUnresponsive: () => void
  readonly connections: Map<pg.ClientBase, WatchedConnection>
  readonly connecting: Set<{ abort(error: Error): void; idle_milliseconds: number }>
  /** The connection of the probe, opened for the first probe. */
  probe: { readonly client: pg.Client; readonly socket: Socket; isConnected: boolean } | undefined
  /** Whether a probe is outstanding, and for how long no data has arrived since it started. */
  isProbing: boolean
  unanswered_milliseconds: number
  isUnresponsive: boolean
  isClosed: boolean
  checked_at: number
  round_trips: number
}

/**
 * Starts monitoring. The settings are those of the probe's connection. `whenUnresponsive` is called before the next
 * probe, which may then go to another address.
 */
export function monitorLiveness(config: pg.ClientConfig, whenUnresponsive = () => {}): LivenessMonitor {
  const state: LivenessState = {
    config,
    whenUnresponsive,
    connections: new Map(),
    connecting: new Set(),
    probe: undefined,
    isProbing: false,
    unanswered_milliseconds: 0,
    isUnresponsive: false,
    isClosed: false,
    checked_at: monotonicMilliseconds(),
    round_trips: 0,
  }
  const stop = every(checkMilliseconds, () => check(state))
  return {
    monitor: (client) => state.connections.get(client) ?? monitorConnection(state, client),
    whileResponsive: (connect, release) => whileResponsive(state, connect, release),
    roundTrips: () => state.round_trips,
    breakPrepared: () => {
      for (const connection of state.connections.values()) if (connection.isPrepared) connection.break()
      dropProbe(state)
    },
    close: async (ended) => {
      stop()
      state.isClosed = true
      state.probe?.socket.destroy()
      const given = new AbortController()
      await Promise.race([ended, pause(closeMilliseconds, given.signal)])
      given.abort()
      for (const { socket } of state.connections.values()) socket.destroy(unresponsiveError())
    },
  }
}

function monitorConnection(state: LivenessState, client: pg.ClientBase): WatchedConnection {
  const { connections } = state
  const socket = socketOf(client)
  const connection: WatchedConnection = {
    socket,
    bytes: socket.bytesRead,
    idle_milliseconds: 0,
    isWaiting: false,
    allowsLongStatements: false,
    isPrepared: false,
    expectAnswer: () => {
      if (!connection.isWaiting) state.round_trips++
      connection.isWaiting = true
    },
    break: () => socket.destroy(unresponsiveError()),
  }
  client.on('drain', () => {
    connection.isWaiting = false
  })
  connections.set(client, connection)
  socket.once('close', () => connections.delete(client))
  return connection
}

async function whileResponsive<T>(
  state: LivenessState,
  connect: () => Promise<T>,
  release: (late: T) => void,
): Promise<T> {
  const { connecting } = state
  if (state.isUnresponsive) throw unresponsiveError()
  const pending = connect()
  const { promise: given, reject: abort } = Promise.withResolvers<never>()
  const attempt = { abort, idle_milliseconds: 0 }
  connecting.add(attempt)
  try {
    return await Promise.race([pending, given])
  } catch (error) {
    // The connection may still open, or fail, after the caller has given up.
    pending.then(release, () => {})
    throw error
  } finally {
    connecting.delete(attempt)
  }
}

function check(state: LivenessState): void {
  const now = monotonicMilliseconds()
  const elapsed = Math.min(now - state.checked_at, checkMillisecondsMax)
  state.checked_at = now
  let isActive = false
  let isSuspect = false
  for (const waiting of state.connecting) {
    waiting.idle_milliseconds += elapsed
    if (waiting.idle_milliseconds > suspectMilliseconds) isSuspect = true
  }
  for (const connection of state.connections.values()) {
    const { bytesRead } = connection.socket
    if (bytesRead !== connection.bytes) isActive = true
    connection.idle_milliseconds =
      connection.isWaiting && bytesRead === connection.bytes ? connection.idle_milliseconds + elapsed : 0
    connection.bytes = bytesRead
    if (connection.idle_milliseconds > suspectMilliseconds) isSuspect = true
    if (connection.idle_milliseconds > lostMilliseconds && !connection.allowsLongStatements) connection.break()
  }
  if (isActive) markResponsive(state)
  state.unanswered_milliseconds = state.isProbing && !isActive ? state.unanswered_milliseconds + elapsed : 0
  if (state.unanswered_milliseconds > unresponsiveMilliseconds) markUnresponsive(state)
  if ((isSuspect || state.isUnresponsive) && !state.isProbing) sendProbe(state)
}

/** Records that data arrived, so the machine is reachable. */
function markResponsive(state: LivenessState): void {
  state.isUnresponsive = false
  state.unanswered_milliseconds = 0
}

/** Closes every connection, idle ones too: their other end may be dead when the machine is reachable again. */
function markUnresponsive(state: LivenessState): void {
  state.isUnresponsive = true
  state.unanswered_milliseconds = 0
  dropProbe(state)
  state.whenUnresponsive()
  for (const connection of state.connections.values()) connection.break()
  for (const { abort } of state.connecting) abort(unresponsiveError())
}

function dropProbe(state: LivenessState): void {
  state.isProbing = false
  state.probe?.socket.destroy(unresponsiveError())
  state.probe = undefined
}

/** Starts a probe. An error also proves that the machine is reachable; the other connections get their own errors. */
function sendProbe(state: LivenessState): void {
  if (state.isClosed) return
  state.isProbing = true
  const probe = state.probe ?? open(state)
  const answered = () => {
    if (state.probe !== probe) return
    state.isProbing = false
    markResponsive(state)
  }
  const answer = probe.isConnected ? probe.client.query('select 1') : probe.client.connect()
  answer.then(
    () => {
      probe.isConnected = true
      answered()
    },
    () => {
      answered()
      if (state.probe === probe) state.probe = undefined
    },
  )
}

function open(state: LivenessState): NonNullable<LivenessState['probe']> {
  // An error of its own time limit would count as a response.
  const client = new pg.Client({ ...state.config, connectionTimeoutMillis: 0 })
  const probe = { client, socket: socketOf(client), isConnected: false }
  const forget = () => {
    if (state.probe !== probe) return
    state.probe = undefined
    state.isProbing = false
  }
  client.on('error', forget)
  client.on('end', forget)
  state.probe = probe
  return probe
}

function socketOf(client: pg.ClientBase): Socket {
  return (client as pg.Client).connection.stream as Socket
}

function unresponsiveError(): Error {
  return Object.assign(new Error('The database stopped responding.'), { code: 'ETIMEDOUT' })
}

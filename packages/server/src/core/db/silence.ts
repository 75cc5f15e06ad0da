/**
 * Distinguishes an unreachable database from a slow one. Where the database's machine is down, or the network drops all
 * packets, no error arrives and a caller would wait for a quarter of an hour. A time limit for each statement would
 * also break slow statements on a busy machine. Instead, a probe runs on a separate connection. As long as data arrives
 * on any connection, all callers keep waiting. When none arrives, every connection is closed, and no connection is
 * opened until the probe succeeds (docs/decisions/008-detecting-an-unreachable-database.md).
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { every, monotonicMilliseconds, pause } from '../base/clock.ts'

const lookMilliseconds = 100
/** The most time that one check counts for: a process that was itself blocked did not listen in that time. */
const lookMillisecondsMax = 200
/** A probe starts after a waiting connection has received nothing for this long. */
const doubtMilliseconds = 600
/** The time without any data after a probe started. Together with the delay above, detection takes under 3 s. */
const silenceMilliseconds = 1_400
/**
 * Statements that are sent together are answered together, and every transaction of the run-time role ends within the
 * limits of db.ts. So an answer that takes longer than this is lost.
 */
const lostMilliseconds = 11_000
const closeMilliseconds = 1_000

/** A monitored connection. */
export type Heard = {
  /** True from sending a statement until the last answer. */
  isWaiting: boolean
  /** Set where statements may take any time. Then only the failure of the whole machine closes the connection. */
  isPatient: boolean
  /** Closes the connection. Its running statements fail. */
  break(): void
}

/** Monitors the connections to one database. */
export type Listener = {
  hear(client: pg.ClientBase): Heard
  /** Connects unless the machine is unreachable, and waits only while it responds. Gives a late connection back. */
  whileSpeaking<T>(connect: () => Promise<T>, giveBack: (late: T) => void): Promise<T>
  /** Stops monitoring, and after a second destroys the connections that have not ended. */
  close(ended: Promise<unknown>): Promise<void>
}

type Line = Heard & { readonly socket: Socket; bytes: number; quiet_milliseconds: number }

type State = {
  readonly config: pg.ClientConfig
  readonly lines: Map<pg.ClientBase, Line>
  readonly connecting: Set<{ giveUp(error: Error): void; quiet_milliseconds: number }>
  /** The connection of the probe, opened for the first probe. */
  asking: { readonly client: pg.Client; readonly socket: Socket; isConnected: boolean } | undefined
  /** Whether a probe is outstanding, and for how long no data has arrived since it started. */
  isAsked: boolean
  unheard_milliseconds: number
  isSilent: boolean
  isClosed: boolean
  looked_at: number
}

/** Starts monitoring. The settings are those of the probe's connection. */
export function listenTo(config: pg.ClientConfig): Listener {
  const state: State = {
    config,
    lines: new Map(),
    connecting: new Set(),
    asking: undefined,
    isAsked: false,
    unheard_milliseconds: 0,
    isSilent: false,
    isClosed: false,
    looked_at: monotonicMilliseconds(),
  }
  const stop = every(lookMilliseconds, () => look(state))
  return {
    hear: (client) => state.lines.get(client) ?? hear(state, client),
    whileSpeaking: (connect, giveBack) => whileSpeaking(state, connect, giveBack),
    close: async (ended) => {
      stop()
      state.isClosed = true
      state.asking?.socket.destroy()
      const given = new AbortController()
      await Promise.race([ended, pause(closeMilliseconds, given.signal)])
      given.abort()
      for (const { socket } of state.lines.values()) socket.destroy(goneSilent())
    },
  }
}

function hear({ lines }: State, client: pg.ClientBase): Line {
  const socket = socketOf(client)
  const line: Line = {
    socket,
    bytes: socket.bytesRead,
    quiet_milliseconds: 0,
    isWaiting: false,
    isPatient: false,
    break: () => socket.destroy(goneSilent()),
  }
  client.on('drain', () => {
    line.isWaiting = false
  })
  lines.set(client, line)
  socket.once('close', () => lines.delete(client))
  return line
}

async function whileSpeaking<T>(state: State, connect: () => Promise<T>, giveBack: (late: T) => void): Promise<T> {
  const { connecting } = state
  if (state.isSilent) throw goneSilent()
  const coming = connect()
  const { promise: given, reject: giveUp } = Promise.withResolvers<never>()
  const waiting = { giveUp, quiet_milliseconds: 0 }
  connecting.add(waiting)
  try {
    return await Promise.race([coming, given])
  } catch (error) {
    // The connection may still open, or fail, after the caller has given up.
    coming.then(giveBack, () => {})
    throw error
  } finally {
    connecting.delete(waiting)
  }
}

function look(state: State): void {
  const now = monotonicMilliseconds()
  const passed = Math.min(now - state.looked_at, lookMillisecondsMax)
  state.looked_at = now
  let isHeard = false
  let isDoubtful = false
  for (const waiting of state.connecting) {
    waiting.quiet_milliseconds += passed
    if (waiting.quiet_milliseconds > doubtMilliseconds) isDoubtful = true
  }
  for (const line of state.lines.values()) {
    const { bytesRead } = line.socket
    if (bytesRead !== line.bytes) isHeard = true
    line.quiet_milliseconds = line.isWaiting && bytesRead === line.bytes ? line.quiet_milliseconds + passed : 0
    line.bytes = bytesRead
    if (line.quiet_milliseconds > doubtMilliseconds) isDoubtful = true
    if (line.quiet_milliseconds > lostMilliseconds && !line.isPatient) line.break()
  }
  if (isHeard) speaks(state)
  state.unheard_milliseconds = state.isAsked && !isHeard ? state.unheard_milliseconds + passed : 0
  if (state.unheard_milliseconds > silenceMilliseconds) fallSilent(state)
  if ((isDoubtful || state.isSilent) && !state.isAsked) ask(state)
}

/** Records that data arrived, so the machine is reachable. */
function speaks(state: State): void {
  state.isSilent = false
  state.unheard_milliseconds = 0
}

/** Closes every connection, idle ones too: their other end may be dead when the machine is reachable again. */
function fallSilent(state: State): void {
  state.isSilent = true
  state.isAsked = false
  state.unheard_milliseconds = 0
  state.asking?.socket.destroy(goneSilent())
  state.asking = undefined
  for (const line of state.lines.values()) line.break()
  for (const { giveUp } of state.connecting) giveUp(goneSilent())
}

/** Starts a probe. An error also proves that the machine is reachable; the other connections get their own errors. */
function ask(state: State): void {
  if (state.isClosed) return
  state.isAsked = true
  const asking = state.asking ?? open(state)
  const answered = () => {
    if (state.asking !== asking) return
    state.isAsked = false
    speaks(state)
  }
  const answer = asking.isConnected ? asking.client.query('select 1') : asking.client.connect()
  answer.then(
    () => {
      asking.isConnected = true
      answered()
    },
    () => {
      answered()
      if (state.asking === asking) state.asking = undefined
    },
  )
}

function open(state: State): NonNullable<State['asking']> {
  // An error of its own time limit would count as a response.
  const client = new pg.Client({ ...state.config, connectionTimeoutMillis: 0 })
  const asking = { client, socket: socketOf(client), isConnected: false }
  const drop = () => {
    if (state.asking !== asking) return
    state.asking = undefined
    state.isAsked = false
  }
  client.on('error', drop)
  client.on('end', drop)
  state.asking = asking
  return asking
}

function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

function goneSilent(): Error {
  return Object.assign(new Error('The database stopped responding.'), { code: 'ETIMEDOUT' })
}

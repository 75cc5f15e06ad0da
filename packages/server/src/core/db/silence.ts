/**
 * Tells a database that has gone silent from one that is slow. Where its machine is gone, or the network swallows
 * everything, no error ever comes: whoever waits for an answer would wait for a quarter of an hour. A limit on each
 * statement would break slow ones on a busy machine, so a question is asked beside them: as long as the machine
 * answers anything on any connection, everybody waits on; when it answers nothing at all, every connection that waits
 * is broken, and nothing more is asked of it until it speaks again
 * (docs/decisions/008-detecting-an-unreachable-database.md).
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { every, monotonicMilliseconds, pause } from '../base/clock.ts'

const lookMilliseconds = 100
/** A process that was itself held up has not listened meanwhile: no look counts for more than this. */
const lookMillisecondsMax = 200
/** So long nothing came on a connection that waits: then the machine itself is asked. */
const doubtMilliseconds = 600
/** So long nothing at all came after it was asked. With the doubt before, it is told within three seconds. */
const silenceMilliseconds = 1_400
/**
 * Statements of one flight are answered together, and every transaction of the run-time role ends within the limits of
 * db.ts; an answer this late is lost on its way.
 */
const lostMilliseconds = 11_000
const closeMilliseconds = 1_000

/** A connection that is listened to. */
export type Heard = {
  /** Set where something is sent that will be answered; ends with the last answer. */
  isWaiting: boolean
  /** Set where a statement may take as long as it needs: then only the silence of the whole machine breaks it. */
  isPatient: boolean
  /** Breaks the connection; whatever waits on it fails. */
  break(): void
}

/** Listens to the connections of one database. */
export type Listener = {
  hear(client: pg.ClientBase): Heard
  /** Asks for a connection unless the machine is silent, and waits only while it speaks; a late one is given back. */
  whileSpeaking<T>(connect: () => Promise<T>, giveBack: (late: T) => void): Promise<T>
  /** Stops listening, and breaks after a second what has not ended by then. */
  close(ended: Promise<unknown>): Promise<void>
}

type Line = Heard & { readonly socket: Socket; bytes: number; quiet_milliseconds: number }

type State = {
  readonly config: pg.ClientConfig
  readonly lines: Map<pg.ClientBase, Line>
  readonly connecting: Set<{ giveUp(error: Error): void; quiet_milliseconds: number }>
  /** The connection on which the machine itself is asked, made at the first doubt. */
  asking: { readonly client: pg.Client; readonly socket: Socket; isConnected: boolean } | undefined
  /** Whether its answer is outstanding, and for how long nothing has come since. */
  isAsked: boolean
  unheard_milliseconds: number
  isSilent: boolean
  isClosed: boolean
  looked_at: number
}

/** Begins to listen. The settings are those of the connection on which the machine itself is asked. */
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
    // It may still come, or fail, when nobody waits for it any more.
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

/** Something came, whatever it was: the machine is there. */
function speaks(state: State): void {
  state.isSilent = false
  state.unheard_milliseconds = 0
}

/** Breaks every connection, the quiet ones too, which may be dead at its other end when the machine speaks again. */
function fallSilent(state: State): void {
  state.isSilent = true
  state.isAsked = false
  state.unheard_milliseconds = 0
  state.asking?.socket.destroy(goneSilent())
  state.asking = undefined
  for (const line of state.lines.values()) line.break()
  for (const { giveUp } of state.connecting) giveUp(goneSilent())
}

/** Asks the machine. An error is an answer too: whoever refuses is there, and the others hear of it by themselves. */
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
  // Its own time limit would be taken for an answer.
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
  return Object.assign(new Error('The database has gone silent.'), { code: 'ETIMEDOUT' })
}

/**
 * Limits the requests of one connection that run at a time. Node starts every request of a pipeline as soon as it has
 * read it, and one packet holds a thousand of them: a client that reads no response could fill the memory with
 * responses. A request beyond the limit starts when the response to an earlier one has been handed over.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { soon } from '../base/clock.ts'

/** The most requests of one connection that run at a time. */
export const pipelineMax = 16
/** A connection with more unanswered requests is closed. No known client sends so many. */
const unansweredMax = 2_048

/** No further request of a connection starts while its responses hold this many bytes that the client has not taken. */
export const unsentOfConnectionMax = 2 ** 20

/** A request: where its response goes, and the function that runs it. */
type Pipelined = { readonly outgoing: ServerResponse; readonly start: () => void }
/**
 * The unanswered requests of a connection, oldest first, and how many of them have started. `is_scheduled`: the next
 * ones start in the next turn of the event loop.
 */
type RequestPipeline = { readonly unanswered: Pipelined[]; started: number; is_scheduled: boolean }

// On the socket itself: it lives as long as the connection.
const pipeline = Symbol('pipeline')
type PipelinedSocket = Socket & { [pipeline]?: RequestPipeline }

/**
 * Calls `start` at once, or later if its connection has too many running requests or too many unsent bytes. `before` is
 * the response to the request before it on the connection, undefined for the first.
 */
export function startInTurn(
  socket: PipelinedSocket,
  before: ServerResponse | undefined,
  { outgoing, start }: Pipelined,
): void {
  // Almost every client waits for a response before it sends the next request.
  if (before === undefined || before.writableFinished) {
    start()
    return
  }
  const line = pipelineOf(socket, before)
  line.unanswered.push({ outgoing, start })
  if (line.unanswered.length > unansweredMax) {
    socket.destroy()
    return
  }
  startWaiting(socket, line)
}

/** Starts the waiting requests that may start now, and stops reading from the connection while others wait. */
function startWaiting(socket: PipelinedSocket, line: RequestPipeline): void {
  if (socket.destroyed) return
  const { unanswered } = line
  const first = unanswered.findIndex(({ outgoing }) => !outgoing.writableFinished)
  const finished = first < 0 ? unanswered.length : first
  unanswered.splice(0, finished)
  line.started -= finished
  const wasWaiting = line.started < unanswered.length
  while (line.started < Math.min(unanswered.length, pipelineMax) && unsentBytes(line) < unsentOfConnectionMax) {
    const next = unanswered[line.started++] as Pipelined
    next.outgoing.once('close', () => startLater(socket, line))
    next.start()
  }
  if (line.started < unanswered.length) socket.pause()
  else if (wasWaiting) socket.resume()
}

/**
 * In the next turn of the event loop, so that other connections get theirs: responses from memory end at once, and a
 * thousand requests that one read brought would otherwise all run in one turn.
 */
function startLater(socket: PipelinedSocket, line: RequestPipeline): void {
  if (line.is_scheduled) return
  line.is_scheduled = true
  soon(() => {
    line.is_scheduled = false
    startWaiting(socket, line)
  })
}

function unsentBytes({ unanswered, started }: RequestPipeline): number {
  let bytes = 0
  for (let at = 0; at < started; at++) bytes += (unanswered[at] as Pipelined).outgoing.writableLength
  return bytes
}

/** The pipeline of a connection, which begins with the request before, if it is not in it. */
function pipelineOf(socket: PipelinedSocket, before: ServerResponse): RequestPipeline {
  const known = socket[pipeline]
  if (known?.unanswered.at(-1)?.outgoing === before) return known
  const line = { unanswered: [{ outgoing: before, start: () => {} }], started: 1, is_scheduled: false }
  before.once('close', () => startLater(socket, line))
  socket[pipeline] = line
  return line
}

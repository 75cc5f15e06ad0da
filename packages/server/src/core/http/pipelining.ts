/**
 * Limits the requests of one connection that run at a time. Node starts every request of a pipeline as soon as it has
 * read it, and one packet holds a thousand of them: a client that reads no response could fill the memory with
 * responses. A request beyond the limit starts when the response to an earlier one has been handed over.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most requests of one connection that run at a time. */
export const pipelineMax = 16
/** A connection with more unanswered requests is closed. No known client sends so many. */
const unansweredMax = 2_048

/** A request: where its response goes, and the function that runs it. */
export type Pipelined = { readonly outgoing: ServerResponse; readonly start: () => void }
/** The unanswered requests of a connection, oldest first. The first `pipelineMax` are running. */
type Pipeline = Pipelined[]

// On the socket itself: it lives as long as the connection.
const pipeline = Symbol('pipeline')
type Followed = Socket & { [pipeline]?: Pipeline }

/**
 * Calls `start` at once, or later if its connection has too many running requests. `before` is the response to the
 * request before it on the connection, undefined for the first.
 */
export function startInTurn(
  socket: Followed,
  before: ServerResponse | undefined,
  { outgoing, start }: Pipelined,
): void {
  // Almost every client waits for a response before it sends the next request.
  if (before === undefined || before.writableFinished) {
    start()
    return
  }
  const line = unansweredOf(socket, before)
  line.push({ outgoing, start })
  if (line.length > unansweredMax) {
    socket.destroy()
    return
  }
  if (line.length <= pipelineMax) {
    start()
    return
  }
  socket.pause()
  const { outgoing: earlier } = line[line.length - 1 - pipelineMax] as Pipelined
  earlier.once('close', () => {
    if (socket.destroyed) return
    start()
    if (line.at(-1)?.outgoing === outgoing) socket.resume()
  })
}

/** The pipeline of a connection without the requests whose responses have been handed over. */
function unansweredOf(socket: Followed, before: ServerResponse): Pipeline {
  const known = socket[pipeline] ?? []
  const first = known.findIndex((one) => !one.outgoing.writableFinished)
  const line = first < 0 ? [{ outgoing: before, start: () => {} }] : known
  if (first > 0) line.splice(0, first)
  socket[pipeline] = line
  return line
}

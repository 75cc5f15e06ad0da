/**
 * Responses that are sent in pieces: event streams, and bodies that are not held in memory as a whole. Also refuses
 * large responses to clients that leave others unread.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { isRefusal } from '../base/refusal.ts'
import type { Caller } from '../work/ctx.ts'
import { credentialOf } from './credentials.ts'
import { limitCodeOf, networkOf } from './rate-limits.ts'
import type { Edge, RequestContext, Response, ResponseContent, ResponseStream } from './request-context.ts'
import { refusalResponse, sendContentHead, sendStreamHead } from './response.ts'

/** Smaller responses are sent even to clients that leave others unread. */
const largeBytes = 16 * 1024

/** The refusal of a further stream, where the account has reached its limit. */
export function refuseStream({ edge, caller }: RequestContext, { streams_max }: ResponseStream): Response | undefined {
  const { account_id } = caller as Caller
  if (streams_max === null || edge.streams.count(account_id) < streams_max) return undefined
  const message = `The account has ${streams_max} streams open, its limit \`event_streams\`. Close one.`
  return refusalResponse({ code: 'rate_limited', message, retry_after_seconds: 5 })
}

/** The refusal of a large read, where its account, or its address without a token, has too many responses unread. */
export function refuseUnread(context: RequestContext, { status, body }: Response): Response | undefined {
  const { edge, incoming, caller, target } = context
  if (status !== 200 || incoming.method !== 'GET' || (body?.length ?? 0) < largeBytes) return undefined
  if (!edge.unsent_responses.isFull(ownerOf(context))) return undefined
  const message = 'Too many responses to this account or address have not been read. Read them first.'
  const code = caller === undefined ? 'unavailable' : limitCodeOf(target?.endpoint)
  return refusalResponse({ code, message, retry_after_seconds: 5 })
}

/** Whose bytes a response counts as while the client has not taken them. */
export function ownerOf(context: RequestContext): string {
  return context.caller?.account_id ?? `address ${networkOf(context.address)}`
}

/** Sends an event stream until it ends. */
export function sendStream(context: RequestContext, response: Response, { source, asked }: ResponseStream): void {
  const { edge, caller, incoming, outgoing, request_id, target } = context
  sendStreamHead(context, response)
  edge.streams.open({
    token: credentialOf(incoming, edge.runtime) as string,
    caller: caller as Caller,
    response: outgoing,
    source,
    authenticate: edge.gate.authenticate,
    mayRead: (known) => mayStillRead(edge, known, asked),
    onFailure: (err) =>
      edge.runtime.log.warn({ request_id, operation: target?.name, err }, 'A stream ended with an error.'),
  })
}

function mayStillRead({ gate }: Edge, caller: Caller, asked: ResponseStream['asked']): boolean {
  try {
    gate.recheck({ caller }, asked)
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Higher levels take twice the time and save a tenth. */
const packLevel = 3
/** A connection on which no byte moves for this long is closed: its reader has stopped. */
const stalledMilliseconds = 60_000

/** Sends a body as fast as its reader takes it. */
export function sendContent(context: RequestContext, response: Response, content: ResponseContent): void {
  sendContentHead(context, response, content)
  if (context.incoming.method !== 'HEAD') void sendPieces(context, content)
  else {
    context.outgoing.end()
    leavePlace(context)
  }
}

async function sendPieces(context: RequestContext, content: ResponseContent): Promise<void> {
  const { edge, incoming, outgoing, request_id } = context
  if (content.size_bytes === undefined) incoming.socket.setTimeout(stalledMilliseconds)
  try {
    const pieces = Readable.from(content.open(), { objectMode: false, highWaterMark: 1 })
    await (content.is_packed
      ? pipeline(pieces, createGzip({ level: packLevel }), outgoing)
      : pipeline(pieces, outgoing))
  } catch (error) {
    // The head is sent, so only closing the connection can report that the body is incomplete.
    const isReaderGone = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(
      (error as { code?: string }).code ?? '',
    )
    if (!isReaderGone) edge.runtime.log.error({ request_id, err: error }, 'A download ended with an error.')
    outgoing.destroy()
  } finally {
    leavePlace(context)
  }
}

function leavePlace(context: RequestContext): void {
  context.release?.()
  context.release = undefined
}

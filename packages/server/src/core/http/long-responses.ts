/**
 * Responses that are sent in pieces: event streams, and bodies that are not held in memory as a whole. Also refuses
 * large responses to clients that leave others unread.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { ranksAsHigh } from '../base/accept.ts'
import { isRefusal } from '../base/refusal.ts'
import type { Caller, Ctx } from '../work/ctx.ts'
import { query } from '../work/query.ts'
import type { Runtime } from '../work/runtime.ts'
import { credentialOf } from './credentials.ts'
import { limitCodeOf, networkOf } from './rate-limits.ts'
import { originOf } from './replay.ts'
import type {
  AnyEndpoint,
  Edge,
  RawInput,
  RequestContext,
  Response,
  ResponseContent,
  ResponseStream,
} from './request-context.ts'
import { refusalResponse, sendContentHead, sendStreamHead } from './response.ts'

/** The parameters of a stream besides the input. */
export type StreamRequest = {
  readonly runtime: Runtime
  /** The id of the last entry that the reader has. */
  readonly last_event_id: string | undefined
  /** The query as it was sent, without the question mark. */
  readonly query_text: string
}

/** A stream that may be read. */
export type StreamPlan = Omit<ResponseStream, 'asked'>

/** Decides within a query whether a stream may be read; undefined where nothing will ever follow: 204. */
export type StreamOpener<E> = (ctx: Ctx, input: Input<E>, request: StreamRequest) => Promise<StreamPlan | undefined>

/** A HEAD request of the list opens no stream. Its headers are those of the list. */
export function asksForStream({ also_stream }: AnyEndpoint, { incoming }: RequestContext): boolean {
  if (also_stream === undefined || incoming.method !== 'GET') return false
  return ranksAsHigh(incoming.headers.accept, 'text/event-stream')
}

/** Decides whether a stream may be read, and returns the response that opens it. */
export async function streamResponse<E extends AnyEndpoint>(
  endpoint: E,
  open: StreamOpener<E> | undefined,
  context: RequestContext,
  { input, raw }: { input: Input<E>; raw: RawInput },
): Promise<Response> {
  if (!open) throw new Error(`The contract has a stream of ${endpoint.name}, and nothing serves it.`)
  const { edge, incoming } = context
  const last = incoming.headers['last-event-id']
  const last_event_id = last === '' ? undefined : last?.toString()
  let asked: Ctx['asked'] = []
  const plan = await query(edge.runtime, originOf(context), (ctx) => {
    asked = ctx.asked
    return open(ctx, input, { runtime: edge.runtime, last_event_id, query_text: raw.query })
  })
  if (!plan) return { status: 204, body: undefined, headers: [] }
  return { status: 200, body: undefined, headers: [], stream: { ...plan, asked } }
}

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
  if (incoming.method === 'HEAD') {
    outgoing.end()
    return
  }
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

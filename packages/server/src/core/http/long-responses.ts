/** Responses that are sent in pieces: event streams, and bodies of known length. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isRefusal } from '../base/refusal.ts'
import type { Caller } from '../work/ctx.ts'
import { bearerToken } from './bearer-token.ts'
import type { Edge, RequestContext, Response, ResponseContent, ResponseStream } from './request-context.ts'
import { refusalResponse, sendContentHead, sendStreamHead } from './response.ts'

/** The refusal of a further stream, where the account has reached its limit. */
export function refuseStream({ edge, caller }: RequestContext, { streams_max }: ResponseStream): Response | undefined {
  const { account_id } = caller as Caller
  if (streams_max === null || edge.streams.count(account_id) < streams_max) return undefined
  const message = `The account has ${streams_max} streams open, its limit \`event_streams\`. Close one.`
  return refusalResponse({ code: 'rate_limited', message, retry_after_seconds: 5 })
}

/** Sends an event stream until it ends. */
export function sendStream(context: RequestContext, response: Response, { source, asked }: ResponseStream): void {
  const { edge, caller, incoming, outgoing, request_id, target } = context
  sendStreamHead(context, response)
  edge.streams.open({
    token: bearerToken(incoming) as string,
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

/** Sends a body of known length as fast as its reader takes it. */
export function sendContent(context: RequestContext, response: Response, content: ResponseContent): void {
  sendContentHead(context, response, content)
  if (context.incoming.method === 'HEAD') context.outgoing.end()
  else void sendPieces(context, content)
}

async function sendPieces(context: RequestContext, content: ResponseContent): Promise<void> {
  const { edge, outgoing, request_id } = context
  try {
    await pipeline(Readable.from(content.open(), { objectMode: false, highWaterMark: 1 }), outgoing)
  } catch (error) {
    // The head is sent, so only closing the connection can report that the body is incomplete.
    const isReaderGone = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(
      (error as { code?: string }).code ?? '',
    )
    if (!isReaderGone) edge.runtime.log.error({ request_id, err: error }, 'A download ended with an error.')
    outgoing.destroy()
  }
}

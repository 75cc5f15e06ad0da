/**
 * Bytes of any length, in or out: read as they come and written as they are taken, never held. No token: who may do it
 * is said by the URL, which the area signs. These are no operations of the contract; their URLs come out of one.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Runtime } from '../work/runtime.ts'
import { type Answer, writeHead } from './answer.ts'
import { answerToThrown, corsHeaders, type Exchange, finish, tellOf } from './exchange.ts'
import type { HttpOptions } from './http.ts'

/** What is asked for. */
export type Transfer = {
  readonly params: Readonly<Record<string, string>>
  /** The text behind the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly request_id: string
  /** What is sent. Ends with an error where the sender goes away; may be left unread. */
  readonly bytes: () => AsyncIterable<Buffer>
}

/** An answer without a body, or with one that is streamed. */
export type TransferAnswer = Omit<Answer, 'body'> & {
  readonly content?: { readonly size_bytes: number; readonly open: () => AsyncIterable<Buffer> }
}

/** One way in or out. */
export type TransferRoute = {
  readonly name: string
  readonly method: 'GET' | 'PUT'
  readonly path: string
  readonly run: (runtime: Runtime, transfer: Transfer) => Promise<TransferAnswer>
}

/** Serves a transfer. */
export async function serveTransfer(
  options: HttpOptions,
  exchange: Exchange,
  { run }: TransferRoute,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  const { request, request_id } = exchange
  const { url = '', headers } = request
  const at = url.indexOf('?')
  const query = at < 0 ? '' : url.slice(at + 1)
  // Once a request has its answer, Node no longer tells it that its connection has gone.
  const breakOff = () => void request.destroy(new Error('The connection has gone.'))
  request.socket.once('close', breakOff)
  try {
    const answer = await run(options.runtime, { params, query, headers, request_id, bytes: () => bytesOf(request) })
    await answerTransfer(options, exchange, answer)
  } catch (error) {
    // Whoever went away gets no answer, and that they did is no bug.
    if (request.destroyed && !request.complete) return
    finish(options, exchange, answerToThrown(options, exchange, error))
  } finally {
    request.socket.off('close', breakOff)
    // What is still being sent is read past, so that the sender comes to read the answer.
    request.resume()
  }
}

/** Leaving the loop early must not destroy the connection that the answer is to go over. */
function bytesOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

async function answerTransfer(options: HttpOptions, exchange: Exchange, answer: TransferAnswer): Promise<void> {
  const { content, ...plain } = answer
  if (!content) return finish(options, exchange, { ...plain, body: undefined })
  const { request, response } = exchange
  const headers = [...plain.headers, ...corsHeaders(options, request)]
  writeHead(response, { ...plain, headers, content_length: content.size_bytes }, exchange.request_id)
  tellOf(options, exchange, plain.status)
  if (request.method === 'HEAD') return void response.end()
  try {
    await pipeline(Readable.from(content.open(), { objectMode: false, highWaterMark: 1 }), response)
  } catch (error) {
    // The head is out: all that can still be said is that the rest does not come.
    const isReaderGone = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(
      (error as { code?: string }).code ?? '',
    )
    if (!isReaderGone)
      options.runtime.log.error({ request_id: exchange.request_id, err: error }, 'A download broke off.')
    response.destroy()
  }
}

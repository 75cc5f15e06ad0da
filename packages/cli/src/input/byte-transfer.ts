/** Uploads and downloads bytes by signed URLs, in pieces, and retries after interruptions. It sends no token. */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ErrorEnvelope } from '@bourse/api/kit/errors.ts'
import { ApiError, apiError, isTransient } from '@bourse/sdk/errors.ts'
import { pause } from '@bourse/text/time/pause.ts'

/** A response that means that a URL has expired, or that the store has an internal error. */
type RefusedTransfer = Error & { readonly status: number }

const quietMilliseconds = 60_000
const firstWaitMilliseconds = 500
const longestWaitMilliseconds = 10_000

/** Sends bytes of a known length; returns the response's ETag. Throws for any status but 200. */
export async function sendBytes(
  url: string,
  body: Readable,
  { length, md5, look: output }: { length: number; md5: Buffer; look: (bytes: number) => void },
): Promise<string> {
  const headers = { 'content-length': length, 'content-md5': md5.toString('base64') }
  const request = open(url, { method: 'PUT', headers })
  const answered = responseOf(request)
  body.on('data', (chunk: Buffer) => output(chunk.length))
  // An early response ends the upload. Of the response and the error of the upload, the response says more.
  const sent = pipeline(body, request).catch((error) => error as Error)
  const response = await answered.catch(async (error) => {
    throw (await sent) ?? error
  })
  // Also where the response breaks off: what a body sends after it would be counted beside the next attempt.
  const reply = await text(response).finally(() => body.destroy())
  if (response.statusCode === 200) return response.headers.etag ?? ''
  request.destroy()
  throw turned(response.statusCode ?? 0, reply)
}

/** Downloads bytes from `start` on. The returned `start` is 0 where the server sends the whole object instead. */
export async function fetchBytes(url: string, start: number): Promise<{ start: number; bytes: IncomingMessage }> {
  const request = open(url, { method: 'GET', headers: start > 0 ? { range: `bytes=${start}-` } : {} })
  request.end()
  const response = await responseOf(request)
  if (response.statusCode === 200) return { start: 0, bytes: response }
  if (response.statusCode === 206) return { start, bytes: response }
  throw turned(response.statusCode ?? 0, await text(response))
}

/**
 * Retries a transfer after an interruption, an error of the server, or an expired URL. Any other error ends it, and so
 * do `tries` attempts in a row without progress.
 */
export async function persist<T>(
  tries: number,
  attempt: () => Promise<T>,
  { hasMoved = () => false }: { hasMoved?: () => boolean } = {},
): Promise<T> {
  for (let left = tries; ; ) {
    try {
      return await attempt()
    } catch (error) {
      left = hasMoved() ? tries - 1 : left - 1
      if (left <= 0 || !mayPass(error)) throw error
      await pause(Math.min(firstWaitMilliseconds * 2 ** (tries - left - 1), longestWaitMilliseconds))
    }
  }
}

const passingCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED', 'EAI_AGAIN', 'ENOTFOUND']
const passingStatuses = [403, 408, 429, 500, 502, 503, 504]

function mayPass(error: unknown): boolean {
  if (isTransient(error)) return true
  if (error instanceof ApiError) return false
  const { status, code = '' } = error as { status?: number; code?: string }
  return status === undefined ? passingCodes.includes(code) : passingStatuses.includes(status)
}

function open(url: string, options: RequestOptions): ClientRequest {
  const request = (url.startsWith('https:') ? overHttps : overHttp)(url, options)
  request.setTimeout(quietMilliseconds, () => {
    request.destroy(Object.assign(new Error('The server sent nothing for a minute.'), { code: 'ETIMEDOUT' }))
  })
  return request
}

async function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = await once(request, 'response')
  return response as IncomingMessage
}

/** Reads the error of a server, in the API's envelope, or of an object store, in XML. */
function turned(status: number, reply: string): RefusedTransfer | ApiError {
  const envelope = readEnvelope(reply)
  const message = envelope?.message ?? /<Message>([^<]*)<\/Message>/.exec(reply)?.[1] ?? `The store answered ${status}.`
  if (passingStatuses.includes(status)) return Object.assign(new Error(message), { status })
  const { type = 'unknown', details = [] } = envelope ?? {}
  return apiError({ status, type, message, details, requestId: undefined, retryAfter: undefined })
}

function readEnvelope(reply: string): ErrorEnvelope['error'] | undefined {
  try {
    return (JSON.parse(reply) as Partial<ErrorEnvelope>).error
  } catch {
    return undefined
  }
}

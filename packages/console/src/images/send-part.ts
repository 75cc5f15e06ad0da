/**
 * Sends one part of a file to its signed URL. By XMLHttpRequest, which tells how many bytes have been sent, as `fetch`
 * does not.
 */
import type { FilePart } from '@bourse/api/images/image-parts.rules.ts'
import { ApiError, type ImageId } from '@bourse/sdk'
import { client } from '../live/client.ts'
import { mayRetry, pauseBefore, reachableUrl } from './upload.rules.ts'

const tries = 6
/** Milliseconds without a byte after which an attempt is given up. */
const quietFor = 60_000

type Sending = {
  readonly image_id: ImageId
  readonly file: Blob
  readonly part: FilePart
  readonly signal: AbortSignal
  /** Bytes that were sent, or with a minus that have to be sent again. */
  readonly onSent: (bytes: number) => void
}

/** An answer that is not success. Zero: no answer came. */
type RefusedPart = Error & { readonly status: number }

/** Sends the part, again where that may help, each time to a new URL. */
export async function sendPart(sending: Sending): Promise<void> {
  const { image_id, part, signal } = sending
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      const { url } = await client.imageParts.create(image_id, { part_id: part.part_id })
      return await putBytes(reachableUrl(url, location.origin), sending)
    } catch (error) {
      signal.throwIfAborted()
      if (!isRefused(error) || !mayRetry(error.status) || attempt >= tries) throw error
      await pause(pauseBefore(attempt), signal)
    }
  }
}

function putBytes(url: string, { file, part, signal, onSent }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let sent = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => request.abort()
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(stop, quietFor)
    }
    const count = (bytes: number) => {
      onSent(bytes - sent)
      sent = bytes
      watch()
    }
    request.upload.onprogress = ({ loaded }) => count(Math.min(loaded, part.length))
    request.onloadend = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      if (request.status === 200) {
        count(part.length)
        clearTimeout(timer)
        return resolve()
      }
      onSent(-sent)
      reject(Object.assign(new Error(messageOf(request)), { status: request.status }) satisfies RefusedPart)
    }
    signal.addEventListener('abort', stop)
    request.open('PUT', url)
    watch()
    request.send(file.slice(part.start, part.start + part.length))
  })
}

function isRefused(error: unknown): error is RefusedPart {
  return error instanceof Error && 'status' in error && !(error instanceof ApiError)
}

function messageOf({ status, responseText }: XMLHttpRequest): string {
  if (status === 0) {
    return 'The image store cannot be reached. If images are kept in a bucket, its CORS rules must allow this page.'
  }
  try {
    return JSON.parse(responseText).error.message
  } catch {
    return /<Message>([^<]*)<\/Message>/.exec(responseText)?.[1] ?? `The image store answered ${status}.`
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

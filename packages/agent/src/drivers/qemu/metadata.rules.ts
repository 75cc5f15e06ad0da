// The answers of the metadata address on QEMU's user network: when and why the machine will end.

import type { TerminationNotice } from '../driver.ts'

const terminationPath = '/bourse/v1/termination'
const endOfHead = '\r\n\r\n'
/** The longest accepted request. */
const headMax = 16_384

/** The response to the input so far, and the input that remains. */
type MetadataReply = { readonly response: string | undefined; readonly rest: string }

/** Answers one request. All connections of a machine share one stream, so a new request ends an incomplete one. */
export function answerMetadata(received: string, notice: TerminationNotice | null): MetadataReply {
  if (!received.includes(endOfHead)) return { response: undefined, rest: received.length > headMax ? '' : received }
  const [method, target = ''] = (received.split('\r\n')[0] as string).split(' ')
  const isAsked = (method === 'GET' || method === 'HEAD') && target.split('?')[0] === terminationPath
  const isFound = isAsked && notice !== null
  const body = `${JSON.stringify(isFound ? notice : { error: 'not_found' })}\n`
  const head = [
    `HTTP/1.1 ${isFound ? '200 OK' : '404 Not Found'}`,
    'content-type: application/json',
    'cache-control: no-store',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return { response: head.join('\r\n') + endOfHead + (method === 'HEAD' ? '' : body), rest: '' }
}

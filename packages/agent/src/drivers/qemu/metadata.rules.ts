// What a guest on QEMU's own network reads at the metadata address: when and why it will end
// (docs/concepts/preemption.md, "Notice").

import type { TerminationNotice } from '../driver.ts'

const terminationPath = '/bourse/v1/termination'
const endOfHead = '\r\n\r\n'
/** More than this no question needs. */
const headMax = 16_384

/** What is to be said to what has come in so far, and what of that is still to be kept. */
export type Conversation = { readonly answer: string | undefined; readonly rest: string }

/** Answers one question. All of a machine's connections come in as one stream, so a question ends all before it. */
export function converse(said: string, notice: TerminationNotice | null): Conversation {
  if (!said.includes(endOfHead)) return { answer: undefined, rest: said.length > headMax ? '' : said }
  const [method, target = ''] = (said.split('\r\n')[0] as string).split(' ')
  const isAsked = (method === 'GET' || method === 'HEAD') && target.split('?')[0] === terminationPath
  const isFound = isAsked && notice !== null
  const body = `${JSON.stringify(isFound ? notice : { error: 'not_found' })}\n`
  const head = [
    `HTTP/1.1 ${isFound ? '200 OK' : '404 Not Found'}`,
    ...['content-type: application/json', 'cache-control: no-store', 'connection: close'],
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return { answer: head.join('\r\n') + endOfHead + (method === 'HEAD' ? '' : body), rest: '' }
}

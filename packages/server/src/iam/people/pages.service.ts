/** Serves pages for people, and reads their forms. */
import type { TransferRequest, TransferResponse } from '../../core/http/transfer.ts'
import type { Caller } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { type HtmlPage, pageHeaders, pageHtml } from './pages.rules.ts'
import { personOf } from './user-places.service.ts'

/** The path of the page of all ways in, below the public URL. */
export const signInPath = '/sign_in'

/** The longest body of a form. */
const formBytesMax = 4096

/** The response that shows a page, with further headers as names and values in turn. */
export function pageResponse(
  site: Pick<Runtime, 'public_url'>,
  status: number,
  page: HtmlPage,
  headers: readonly string[] = [],
): TransferResponse {
  const body = Buffer.from(pageHtml({ ...page, base: baseOf(site) }))
  const open = async function* () {
    yield body
  }
  const content = { size_bytes: body.length, open }
  return { status, headers: [...pageHeaders(page), ...headers], media_type: 'text/html; charset=utf-8', content }
}

/** The response that sends a browser to another page of this server. */
export function goTo(location: string, headers: readonly string[] = []): TransferResponse {
  return { status: 303, headers: ['Location', location, 'Cache-Control', 'no-store', ...headers] }
}

/** The path before those of this server, where its public URL has one. */
export function baseOf({ public_url }: Pick<Runtime, 'public_url'>): string {
  return new URL(public_url()).pathname.replace(/\/+$/, '')
}

/** The page for a request that another site has caused. */
export const foreignPage: HtmlPage = {
  title: 'Nothing was done',
  lines: ['This request did not come from the page of this server. Go back and use its button.'],
}

/** The person who is signed in at the browser, on requests of this server's pages. */
export async function readPerson({ signedIn }: TransferRequest): Promise<Caller | undefined> {
  const caller = await signedIn()
  return caller && personOf(caller) ? caller : undefined
}

/** The fields of a form; undefined if the body is none, or too long. */
export async function readForm({ headers, bytes }: TransferRequest): Promise<URLSearchParams | undefined> {
  if (headers['content-type']?.split(';', 1)[0] !== 'application/x-www-form-urlencoded') return undefined
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of bytes()) {
    length += piece.length
    if (length > formBytesMax) return undefined
    pieces.push(piece)
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
}

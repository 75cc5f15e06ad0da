/** What all ways in have in common at a browser: where it goes afterwards, and who may sign in again. */
import { setSession, setStep, stepOf } from '../../core/http/credentials.ts'
import type { TransferRequest, TransferResponse } from '../../core/http/transfer.ts'
import type { Caller } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { baseOf, goTo, pageResponse, readPerson } from '../people/pages.service.ts'
import {
  readReturn,
  readReturnTo,
  returnSeconds,
  returnText,
  type SignInReturn,
} from '../people/sign-in-attempts.rules.ts'
import type { OpenedSession } from '../people/sign-in-links.service.ts'
import { personOf } from '../people/user-places.service.ts'

/** Why somebody signs in, as the address of a page or its form says. */
export function readPurpose(fields: URLSearchParams): SignInReturn {
  return { return_to: readReturnTo(fields.get('return_to')), is_step_up: fields.get('step_up') === '1' }
}

/** The provider that the address of a page or its form names. It is shown although it is not listed. */
export function readNamed({ services }: Runtime, fields: URLSearchParams): string | undefined {
  return services.providers.find(fields.get('provider') ?? '')?.name
}

/** Purpose and provider in the address of another page. */
export function purposeQuery(purpose: SignInReturn, provider?: string): string {
  const query = new URLSearchParams(
    purposeFields(purpose, provider).map(({ name, value }): [string, string] => [name, value]),
  )
  return query.size === 0 ? '' : `?${query}`
}

/** The same as the hidden fields of a form. */
export function purposeFields(
  { return_to, is_step_up }: SignInReturn,
  provider?: string,
): { name: string; value: string }[] {
  return [
    ...(return_to === undefined ? [] : [{ name: 'return_to', value: return_to }]),
    ...(is_step_up ? [{ name: 'step_up', value: '1' }] : []),
    ...(provider === undefined ? [] : [{ name: 'provider', value: provider }]),
  ]
}

/** What a browser remembers of it while somebody fetches a sign-in link. */
export function rememberedPurpose(runtime: Runtime, { headers }: TransferRequest): SignInReturn {
  return readReturn(stepOf('return', { headers }, runtime))
}

/** The headers that make a browser remember it. */
export function rememberPurpose(runtime: Runtime, purpose: SignInReturn): readonly string[] {
  const text = returnText(purpose)
  return ['Set-Cookie', setStep('return', text ?? '', text === undefined ? 0 : returnSeconds, runtime)]
}

/** Who is signed in at the browser, and the user who alone may sign in again. */
export async function readBefore(
  transfer: TransferRequest,
  { is_step_up }: SignInReturn,
): Promise<{ before: Caller | undefined; only: string | undefined }> {
  const before = await readPerson(transfer)
  return { before, only: is_step_up && before ? (personOf(before) ?? undefined) : undefined }
}

/** A new session on its way to the browser. */
type BrowserEntry = { readonly opened: OpenedSession; readonly way: string; readonly return_to: string | undefined }

/** The headers that give a session to a browser, and end what it kept while somebody signed in. */
function entryHeaders(
  runtime: Runtime,
  { request_id, sender, headers }: TransferRequest,
  { opened: { account_id, user_id, token, seconds }, way }: BrowserEntry,
): string[] {
  const { address } = sender
  runtime.log.info({ request_id, account_id, user_id, address }, `A user signed in by ${way}.`)
  const isRemembered = stepOf('return', { headers }, runtime) !== undefined
  const cookies = [setSession(token, seconds, runtime), ...(isRemembered ? [setStep('return', '', 0, runtime)] : [])]
  return cookies.flatMap((cookie) => ['Set-Cookie', cookie])
}

/** The response to a form that has signed in. */
export function enter(
  runtime: Runtime,
  transfer: TransferRequest,
  entry: BrowserEntry,
  fallback?: string,
): TransferResponse {
  const location = entry.return_to ?? fallback ?? `${baseOf(runtime)}/`
  return goTo(location, entryHeaders(runtime, transfer, entry))
}

/**
 * The response to a request that another site has led to, and that has signed in. The browser would not send the
 * cookie with a redirect, since that other site began it: a page goes on by itself.
 */
export function enterFromElsewhere(
  runtime: Runtime,
  transfer: TransferRequest,
  entry: BrowserEntry,
  headers: readonly string[],
): TransferResponse {
  const next = entry.return_to ?? `${baseOf(runtime)}/`
  const parts = [{ links: [{ href: next, label: 'Continue' }] }]
  const page = { title: 'You are signed in', lines: [], parts, next }
  return pageResponse(runtime, 200, page, [...entryHeaders(runtime, transfer, entry), ...headers])
}

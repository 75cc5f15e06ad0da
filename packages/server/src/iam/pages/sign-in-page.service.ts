/** The page of all ways in, and the pages to sign in by a recovery code and to sign out. */
import { unsetSession } from '../../core/http/credentials.ts'
import type { TransferRequest, TransferResponse } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import { type Caller, type Ctx, callerOf } from '../../core/work/ctx.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { recordOwnAct } from '../audit/acts.service.ts'
import { relyingPartyOf } from '../passkeys/passkeys.rules.ts'
import { type CodeOutcome, signInByCode } from '../passkeys/recovery-codes.service.ts'
import type { HtmlPage, PagePart } from '../people/pages.rules.ts'
import { baseOf, foreignPage, goTo, pageResponse, readForm, readPerson, signInPath } from '../people/pages.service.ts'
import type { SignInReturn } from '../people/sign-in-attempts.rules.ts'
import { renewSession } from '../people/sign-in-links.service.ts'
import { findUserPlace, nameOfAccount, nameOfUser, personOf } from '../people/user-places.service.ts'
import { shownProviders } from '../providers/provider-settings.rules.ts'
import { endSessions } from '../tokens/sessions.service.ts'
import {
  enter,
  purposeFields,
  purposeQuery,
  readBefore,
  readNamed,
  readPurpose,
  rememberPurpose,
} from './entries.service.ts'
import { greetingOf } from './sign-in-page.rules.ts'

export const recoveryPath = `${signInPath}/recovery`
export const againPath = `${signInPath}/again`
export const signOutPath = '/sign_out'

/** Shows all ways in. */
export async function showSignIn(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const fields = new URLSearchParams(transfer.query)
  const purpose = readPurpose(fields)
  const caller = await readPerson(transfer)
  const who = caller && (await nameOfCaller(runtime, transfer, caller))
  const asker = { named: readNamed(runtime, fields), account_id: caller?.account_id }
  const page = signInPage(runtime, transfer, purpose, { who, asker })
  return pageResponse(runtime, 200, page, rememberPurpose(runtime, purpose))
}

/** Signs in by a recovery code. */
export async function useRecoveryPage(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  if (!transfer.is_same_origin) return pageResponse(runtime, 403, foreignPage)
  const form = (await readForm(transfer)) ?? new URLSearchParams()
  const purpose = readPurpose(form)
  const { before, only } = await readBefore(transfer, purpose)
  const opening = { sender: transfer.sender, replaces: before, only }
  const outcome = await plainCommand(runtime, originOf(transfer), (ctx) =>
    signInByCode(ctx, form.get('recovery_code') ?? '', opening),
  )
  if (typeof outcome === 'string') {
    const query = purposeQuery(purpose, readNamed(runtime, form))
    return refuseCode(runtime, `${baseOf(runtime)}${signInPath}${query}`, outcome)
  }
  return enter(runtime, transfer, { opened: outcome, way: 'a recovery code', return_to: purpose.return_to })
}

/** Signs in again whoever is signed in, without anything to prove. Only in a sandbox: else it leads to all ways in. */
export async function signInAgain(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  if (!transfer.is_same_origin) return pageResponse(runtime, 403, foreignPage)
  const purpose = readPurpose((await readForm(transfer)) ?? new URLSearchParams())
  const caller = await readPerson(transfer)
  const user_id = caller && personOf(caller)
  const place = caller && user_id ? { account_id: caller.account_id, user_id } : undefined
  const opened =
    runtime.mode === 'sandbox' && place
      ? await plainCommand(runtime, originOf(transfer, caller), (ctx) =>
          renewSession(ctx, place, { sender: transfer.sender, replaces: caller }),
        )
      : undefined
  if (!opened) return goTo(`${baseOf(runtime)}${signInPath}${purposeQuery(purpose)}`)
  return enter(runtime, transfer, { opened, way: 'the button of a sandbox', return_to: purpose.return_to })
}

/** Shows the button that signs out. */
export async function showSignOut(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  const who = await nameOfPerson(runtime, transfer)
  if (who === undefined) return pageResponse(runtime, 200, signedOut(runtime))
  const form = { fields: [], buttons: { sign_out: 'Sign out' } }
  return pageResponse(runtime, 200, { title: 'Sign out', lines: [`You are signed in as ${who}.`], form })
}

/** Ends the session of the browser. */
export async function signOut(runtime: Runtime, transfer: TransferRequest): Promise<TransferResponse> {
  // Otherwise another site could sign people out.
  if (!transfer.is_same_origin) return pageResponse(runtime, 403, foreignPage)
  const caller = await readPerson(transfer)
  if (caller) await plainCommand(runtime, originOf(transfer, caller), (ctx) => endOwnSession(ctx, transfer))
  return pageResponse(runtime, 200, signedOut(runtime), ['Set-Cookie', unsetSession(runtime)])
}

async function endOwnSession(ctx: Ctx, { sender }: TransferRequest): Promise<void> {
  const { token_id } = callerOf(ctx)
  await endSessions(ctx, [token_id])
  recordOwnAct(ctx, { operation: 'sign_out', targets: [{ type: 'token', id: token_id }], sender })
}

/** Who is signed in at the browser, as a page says it. */
async function nameOfPerson(runtime: Runtime, transfer: TransferRequest): Promise<string | undefined> {
  const caller = await readPerson(transfer)
  return caller && nameOfCaller(runtime, transfer, caller)
}

async function nameOfCaller(runtime: Runtime, transfer: TransferRequest, caller: Caller): Promise<string | undefined> {
  const user = await query(runtime, originOf(transfer), (ctx) => findUserPlace(ctx, String(personOf(caller))))
  return user && `${nameOfUser(user)} of the account ${nameOfAccount(user)}`
}

type Asker = Parameters<typeof shownProviders>[1]
type Visitor = { readonly who: string | undefined; readonly asker: Asker }

function signInPage(
  runtime: Runtime,
  transfer: TransferRequest,
  purpose: SignInReturn,
  { who, asker }: Visitor,
): HtmlPage {
  const { kind, title, lines } = greetingOf(who, purpose.is_step_up)
  const is_step_up = kind === 'step_up'
  const asked = { ...purpose, is_step_up }
  const parts = [
    ...(kind === 'signed_in' ? [presentPart(runtime, purpose), { title: 'Sign in as somebody else' }] : []),
    ...(is_step_up ? againParts(runtime, asked, who) : []),
    ...providerParts(runtime, asked, asker),
    ...passkeyParts(runtime, transfer),
    recoveryPart(runtime, asked, asker),
    linkPart(runtime),
  ]
  const return_to = purpose.return_to ?? `${baseOf(runtime)}/`
  return { title, lines, parts, script: { return_to, is_step_up } }
}

function presentPart(runtime: Runtime, { return_to }: SignInReturn): PagePart {
  const base = baseOf(runtime)
  return {
    links: [
      { href: return_to ?? `${base}/`, label: 'Continue' },
      { href: `${base}${signInPath}/passkeys`, label: 'Passkeys and recovery codes' },
      { href: `${base}${signOutPath}`, label: 'Sign out' },
    ],
  }
}

function againParts(runtime: Runtime, purpose: SignInReturn, who: string | undefined): PagePart[] {
  if (runtime.mode !== 'sandbox') return []
  const buttons = { again: `Sign in again as ${who}` }
  const form = { fields: purposeFields(purpose), buttons, action: `${baseOf(runtime)}${againPath}` }
  return [{ lines: ['This is a sandbox: nothing has to be proven.'], forms: [form] }]
}

function providerParts(runtime: Runtime, purpose: SignInReturn, asker: Asker): PagePart[] {
  const fields = purposeFields(purpose)
  const base = baseOf(runtime)
  const forms = shownProviders(runtime.services.providers.all, asker).map(({ name }) => ({
    fields,
    buttons: { sign_in: `Continue with ${name}` },
    action: `${base}${signInPath}/oidc/${name}`,
  }))
  return forms.length === 0 ? [] : [{ forms }]
}

function passkeyParts(runtime: Runtime, { headers }: TransferRequest): PagePart[] {
  const { mode, public_url } = runtime
  const party = relyingPartyOf({ mode, public_url: public_url(), host: headers.host })
  if (party === undefined) {
    const port = new URL(public_url()).port
    const local = `http://localhost${port === '' ? '' : `:${port}`}${signInPath}`
    const remedy = mode === 'sandbox' ? `Open ${local} to use one.` : 'This server has to be reached by https.'
    return [
      { title: 'Passkey', lines: [`Passkeys belong to the name of a site, and this address has none. ${remedy}`] },
    ]
  }
  const form = { fields: [], buttons: { passkey: 'Sign in with a passkey' }, id: 'passkey' }
  return [
    { id: 'passkeys', is_hidden: true, forms: [form] },
    { id: 'no-passkeys', lines: ['To use a passkey, allow the script of this page.'] },
    { id: 'passkey-problem', is_hidden: true, lines: [''] },
  ]
}

function recoveryPart(runtime: Runtime, purpose: SignInReturn, { named }: Asker): PagePart {
  const code = { name: 'recovery_code', label: 'Recovery code', length: 64 }
  const action = `${baseOf(runtime)}${recoveryPath}`
  return {
    title: 'All passkeys lost?',
    forms: [{ fields: [code, ...purposeFields(purpose, named)], buttons: { recover: 'Use the code' }, action }],
  }
}

function linkPart({ mode }: Runtime): PagePart {
  const title = 'No other way in?'
  if (mode === 'production') {
    return { title, lines: ['Ask an admin of your account for a sign-in link, and open it in this browser.'] }
  }
  const lines = [
    'Make a sign-in link in a terminal, and open it in this browser. The first command lists the names of users.',
  ]
  return { title, lines, code: ['bourse users list', 'bourse users sign-in-link NAME'] }
}

function refuseCode(runtime: Runtime, href: string, outcome: Extract<CodeOutcome, string>): TransferResponse {
  const parts = [{ links: [{ href, label: 'All ways in' }] }]
  if (outcome === 'limited') {
    const lines = ['Try again in a minute.']
    return pageResponse(runtime, 429, { title: 'Too many wrong codes', lines, parts }, ['Retry-After', '60'])
  }
  const lines = ['Compare it with what you have written down. Each code works once.']
  return pageResponse(runtime, 403, { title: 'This code is wrong, or was used', lines, parts })
}

function signedOut(runtime: Runtime): HtmlPage {
  const links = [{ href: `${baseOf(runtime)}${signInPath}`, label: 'Sign in' }]
  return { title: 'You are signed out', lines: [], parts: [{ links }] }
}

function originOf({ request_id }: TransferRequest, caller?: Caller) {
  return { ...(caller && { caller }), actor: { type: 'system' as const }, request_id }
}

/**
 * The requests of pages about passkeys and recovery codes: they come from pages of this server, bring the cookie of
 * what has begun, and take the cookie of a session along.
 */
import type {
  finishPasskeySignIn as finishContract,
  SignedIn,
  useRecoveryCode as useContract,
} from '@bourse/api/iam/passkey-sign-in.ts'
import type { createUserPasskey as createContract, RecoveryCodes } from '@bourse/api/iam/passkeys.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Ref } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import { isSameOrigin, pageSession, setSession, setStep, stepOf } from '../../core/http/credentials.ts'
import type { OwnHeaders } from '../../core/http/handlers.ts'
import type { PlainRequest } from '../../core/http/request-context.ts'
import { senderOf } from '../../core/http/transfer.ts'
import { plainCommand } from '../../core/work/command.ts'
import type { Caller, Ctx } from '../../core/work/ctx.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { passkeySeconds } from '../people/sign-in-attempts.rules.ts'
import { openAttempt, sealAttempt } from '../people/sign-in-attempts.service.ts'
import type { OpenedSession } from '../people/sign-in-links.service.ts'
import { personOf } from '../people/user-places.service.ts'
import { wrongCodesSeconds } from '../people/wrong-codes.rules.ts'
import { readCaller } from '../tokens/gate.service.ts'
import { type RelyingParty, relyingPartyOf } from './passkeys.rules.ts'
import { addPasskey, type BegunAttempt, beginRegistration, beginSignIn, signInByPasskey } from './passkeys.service.ts'
import { countCodes, makeRecoveryCodes, replaceRecoveryCodes, signInByCode } from './recovery-codes.service.ts'

type PasskeyRequest = Pick<PlainRequest, 'incoming' | 'address' | 'request_id' | 'caller' | 'record'>

/** Begins to add a passkey. */
export function startRegistration(runtime: Runtime, _: unknown, request: PasskeyRequest, headers: OwnHeaders) {
  return begin(runtime, request, headers, beginRegistration)
}

/** Begins a sign-in. */
export function startSignIn(runtime: Runtime, _: unknown, request: PasskeyRequest, headers: OwnHeaders) {
  return begin(runtime, request, headers, beginSignIn)
}

/** Adds the passkey that a browser has made. */
export function finishRegistration(
  runtime: Runtime,
  input: Input<typeof createContract>,
  request: PasskeyRequest,
  headers: OwnHeaders,
) {
  const party = partyOf(runtime, request)
  const { incoming } = request
  const kept = stepOf('passkey', incoming, runtime)
  headers.push('Set-Cookie', setStep('passkey', '', 0, runtime))
  return plainCommand(runtime, originOf(request), async (ctx) => {
    const attempt = openAttempt(ctx, 'passkey_registration', kept)
    const added = await addPasskey(ctx, { input, attempt, party, sender: senderOf(request) }, async (user) =>
      (await countCodes(ctx, user.user_id)) > 0 ? null : makeRecoveryCodes(ctx, user),
    )
    request.record?.(ctx, added)
    return added
  })
}

/** Makes new recovery codes. */
export function createCodes(ctx: Ctx, ref: Ref<'user'>): Promise<RecoveryCodes> {
  return replaceRecoveryCodes(ctx, ref)
}

/** Signs in by a passkey. Refuses `authentication_error` whatever is wrong with it. */
export async function finishSignIn(
  runtime: Runtime,
  { body }: Input<typeof finishContract>,
  request: PasskeyRequest,
  headers: OwnHeaders,
): Promise<SignedIn> {
  const party = partyOf(runtime, request)
  const { before, only } = await readSession(runtime, request, body.is_step_up)
  const opened = await plainCommand(runtime, originOf(request), (ctx) => {
    const attempt = openAttempt(ctx, 'passkey_sign_in', stepOf('passkey', request.incoming, runtime))
    const opening = { sender: senderOf(request), replaces: before }
    return signInByPasskey(ctx, { response: body, attempt, party, only }, opening)
  })
  headers.push('Set-Cookie', setStep('passkey', '', 0, runtime))
  if (!opened)
    refuse('authentication_error', 'This passkey is not known here, or its response is not valid. Try again.')
  return signIn(runtime, request, headers, { opened, way: 'a passkey' })
}

/** Signs in by a recovery code. */
export async function useCode(
  runtime: Runtime,
  { body }: Input<typeof useContract>,
  request: PasskeyRequest,
  headers: OwnHeaders,
): Promise<SignedIn> {
  requirePage(runtime, request)
  const { before, only } = await readSession(runtime, request, body.is_step_up)
  const opening = { sender: senderOf(request), replaces: before, only }
  const outcome = await plainCommand(runtime, originOf(request), (ctx) => signInByCode(ctx, body.code, opening))
  if (outcome === 'limited') {
    const message = 'Too many wrong codes. Try again in a minute.'
    throw new Refusal({ code: 'rate_limited', message, retry_after_seconds: wrongCodesSeconds })
  }
  if (typeof outcome === 'string') refuse('authentication_error', 'This recovery code is wrong, or was used.')
  return signIn(runtime, request, headers, { opened: outcome, way: 'a recovery code' })
}

async function begin<T>(
  runtime: Runtime,
  request: PasskeyRequest,
  headers: OwnHeaders,
  start: (ctx: Ctx, party: RelyingParty) => Promise<BegunAttempt<T>>,
): Promise<T> {
  const party = partyOf(runtime, request)
  return query(runtime, originOf(request), async (ctx) => {
    const { shown, attempt } = await start(ctx, party)
    // A query that is repeated replaces the cookie.
    headers.splice(
      0,
      headers.length,
      'Set-Cookie',
      setStep('passkey', sealAttempt(ctx, attempt), passkeySeconds, runtime),
    )
    return shown
  })
}

function signIn(
  runtime: Runtime,
  request: PasskeyRequest,
  headers: OwnHeaders,
  { opened, way }: { opened: OpenedSession; way: string },
): SignedIn {
  const { account_id, user_id, token, seconds, expires_at } = opened
  const { address } = senderOf(request)
  runtime.log.info({ request_id: request.request_id, account_id, user_id, address }, `A user signed in by ${way}.`)
  headers.push('Set-Cookie', setSession(token, seconds, runtime))
  return { object: 'signed_in', account: account_id, user: user_id, expires_at }
}

/** The session that a browser has, and the user who alone may sign in again. */
async function readSession(
  runtime: Runtime,
  { incoming }: PasskeyRequest,
  isStepUp = false,
): Promise<{ before: Caller | undefined; only: string | undefined }> {
  const token = pageSession(incoming, runtime)
  const before = token === undefined ? undefined : await readCaller(runtime, token)
  const person = before && personOf(before)
  if (isStepUp && !person) refuse('authentication_error', 'Nobody is signed in here any more. Sign in.')
  return { before, only: isStepUp && person ? person : undefined }
}

function partyOf(runtime: Runtime, request: PasskeyRequest): RelyingParty {
  requirePage(runtime, request)
  const { mode, public_url } = runtime
  const party = relyingPartyOf({ mode, public_url: public_url(), host: request.incoming.headers.host })
  if (party) return party
  const remedy = mode === 'sandbox' ? 'Open this sandbox as http://localhost, with its port.' : 'They need https.'
  refuse('not_applicable', `Passkeys belong to the name of a site, and this address has none. ${remedy}`)
}

function requirePage(runtime: Runtime, { incoming }: PasskeyRequest): void {
  if (!isSameOrigin(incoming, runtime)) refuse('forbidden', 'This works only on pages of this server.')
}

function originOf({ caller, request_id }: PasskeyRequest) {
  return caller
    ? { caller, actor: { type: 'token' as const, id: caller.token_id }, request_id }
    : { actor: { type: 'system' as const }, request_id }
}

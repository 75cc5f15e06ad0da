/**
 * Passkeys: added by a person who is signed in, used to sign in without a user name. A challenge is bound to the
 * browser by a cookie, and counts once. Not this file's work: what authenticators sign (passkey-checks.service.ts).
 */
import type { PasskeyChallenge, PasskeyRegistration } from '@bourse/api/iam/passkey-sign-in.ts'
import {
  type CreatedPasskey,
  type createUserPasskey as createContract,
  type deleteUserPasskey as deleteContract,
  type Passkey,
  passkeysMax,
  type updateUserPasskey as updateContract,
} from '@bourse/api/iam/passkeys.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Ref } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { RequestSender } from '../../core/http/transfer.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { refuseWithoutAdmin } from '../access/grants.service.ts'
import { refuseNotFound } from '../access/permissions.service.ts'
import { recordFailedSignIn } from '../audit/sign-ins.service.ts'
import { lockAccount } from '../names/owners.service.ts'
import { type AttemptOf, passkeySeconds, type SignInAttempt } from '../people/sign-in-attempts.rules.ts'
import { newAttemptId, useAttempt } from '../people/sign-in-attempts.service.ts'
import {
  type OpenedSession,
  openBrowserSession,
  originByCaller,
  type SessionOpening,
} from '../people/sign-in-links.service.ts'
import { loadOneself, loadUserToRead, lockUserToWrite } from '../people/user-places.service.ts'
import { lastingOriginOf } from '../tokens/origins.rules.ts'
import { checkCreation, checkSignature, type SignatureResponse } from './passkey-checks.service.ts'
import { nameFor, type RelyingParty } from './passkeys.rules.ts'
import {
  findPasskey,
  insertPasskey,
  listPasskeys as listRows,
  type PasskeyRow,
  recordPasskeyUse,
  removePasskey,
  renamePasskey,
} from './passkeys.store.ts'

/** What begins at a browser: the public half, and the attempt that it keeps. */
export type BegunAttempt<T> = { readonly shown: T; readonly attempt: SignInAttempt }

/** Lists the passkeys of a user. */
export async function listPasskeys(ctx: Ctx, ref: Ref<'user'>) {
  const { user_id } = await loadUserToRead(ctx, ref)
  return { object: 'list' as const, data: (await listRows(ctx.db, user_id)).map(presentPasskey), has_more: false }
}

/** Begins to add a passkey to the caller. A query. */
export async function beginRegistration(ctx: Ctx, party: RelyingParty): Promise<BegunAttempt<PasskeyRegistration>> {
  const { user_id, user_name } = await loadOneself(ctx)
  const present = await listRows(ctx.db, user_id)
  refuseTooMany(present)
  const { token_id } = callerOf(ctx)
  const attempt: AttemptOf<'passkey_registration'> = { ...newAttempt(ctx), kind: 'passkey_registration', token_id }
  const { challenge, expires_at } = attempt
  return {
    attempt,
    shown: {
      object: 'passkey_registration',
      challenge,
      relying_party_id: party.id,
      user_handle: Buffer.from(user_id).toString('base64url'),
      user_name,
      excluded_credential_ids: present.map(({ credential_id }) => credential_id.toString('base64url')),
      expires_at,
    },
  }
}

/** What a browser brings to add a passkey. */
type Registration = {
  readonly input: Input<typeof createContract>
  readonly attempt: AttemptOf<'passkey_registration'> | undefined
  readonly party: RelyingParty
  readonly sender: RequestSender
}

/** Adds a passkey to the caller; with the first one, `makeCodes` makes recovery codes. */
export async function addPasskey(
  ctx: Ctx,
  { input, attempt, party, sender }: Registration,
  makeCodes: (user: Pick<PasskeyRow, 'account_id' | 'user_id'>) => Promise<string[] | null>,
): Promise<CreatedPasskey> {
  const { account_id, user_id } = await loadOneself(ctx, input.params.id)
  if (attempt === undefined || attempt.token_id !== callerOf(ctx).token_id) refuseChallenge()
  const { body } = input
  const credential = await checkCreation(body, { ...party, challenge: attempt.challenge })
  if (!credential) {
    const message = 'This is not a passkey for this challenge, this site and a user who was verified.'
    refuse('invalid_value', message, 'attestation_object')
  }
  await lockAccount(ctx, account_id)
  if (!(await useAttempt(ctx, attempt))) refuseChallenge()
  const present = await listRows(ctx.db, user_id)
  refuseTooMany(present)
  const taken = present.map((passkey) => passkey.name)
  const row: PasskeyRow = {
    ...credential,
    id: ctx.newId('passkey'),
    account_id,
    user_id,
    name: body.name ?? nameFor(sender.device, taken),
    transports: body.transports ?? [],
    created_at: ctx.now,
    last_used_at: null,
    ...lastingOriginOf(await originByCaller(ctx)),
  }
  if (!(await insertPasskey(ctx.db, row))) refuse('invalid_state', 'This passkey has been added already.')
  return { ...presentPasskey(row), recovery_codes: await makeCodes(row) }
}

/** Renames a passkey of a user. */
export async function updatePasskey(ctx: Ctx, { params, body }: Input<typeof updateContract>): Promise<Passkey> {
  const { user_id } = await lockUserToWrite(ctx, params.id)
  if (!(await renamePasskey(ctx.db, { id: params.passkey, user_id, name: body.name }))) refuseNotFound()
  const row = (await listRows(ctx.db, user_id)).find(({ id }) => id === params.passkey)
  return presentPasskey(row ?? refuseNotFound())
}

/** Removes a passkey of a user; with the last one, `endCodes` ends the recovery codes. Refuses `last_admin`. */
export async function deletePasskey(
  ctx: Ctx,
  { params }: Input<typeof deleteContract>,
  endCodes: (user_id: string) => Promise<void>,
): Promise<void> {
  const { user_id, account_id } = await lockUserToWrite(ctx, params.id)
  if (!(await removePasskey(ctx.db, { id: params.passkey, user_id }))) refuseNotFound()
  if (!(await hasPasskey(ctx, user_id))) await endCodes(user_id)
  await refuseWithoutAdmin(ctx, account_id, user_id)
}

/** Whether a user has a passkey. */
export async function hasPasskey({ db }: Ctx, user_id: string): Promise<boolean> {
  return (await listRows(db, user_id)).length > 0
}

/** Begins to sign in. A query. */
export async function beginSignIn(ctx: Ctx, party: RelyingParty): Promise<BegunAttempt<PasskeyChallenge>> {
  const attempt: AttemptOf<'passkey_sign_in'> = { ...newAttempt(ctx), kind: 'passkey_sign_in' }
  const { challenge, expires_at } = attempt
  return { attempt, shown: { object: 'passkey_challenge', challenge, relying_party_id: party.id, expires_at } }
}

/** What a browser brings to sign in. `only` is the user who may sign in again. */
type PasskeySignIn = {
  readonly response: SignatureResponse & { readonly user_handle?: string }
  readonly attempt: AttemptOf<'passkey_sign_in'> | undefined
  readonly party: RelyingParty
  readonly only: string | undefined
}

/** Signs in by a passkey; undefined if it is unknown, or its response is not valid here and now. */
export async function signInByPasskey(
  ctx: Ctx,
  { response, attempt, party, only }: PasskeySignIn,
  opening: SessionOpening,
): Promise<OpenedSession | undefined> {
  if (!attempt) {
    ctx.leaveUnrecorded('refused')
    return undefined
  }
  const row = await findPasskey(ctx.db, Buffer.from(response.credential_id, 'base64url'))
  const checked = await checkSignature(response, { ...party, challenge: attempt.challenge }, row)
  const way = 'sign_in_by_passkey'
  if (row && checked && isOf(row, response, only)) {
    await lockAccount(ctx, row.account_id)
    const isFirst = await useAttempt(ctx, attempt)
    if (isFirst && (await recordPasskeyUse(ctx.db, { id: row.id, ...checked, last_used_at: ctx.now }))) {
      return openBrowserSession(ctx, { ...row, way }, opening)
    }
  }
  return recordFailedSignIn(ctx, row, { way, sender: opening.sender })
}

/** The authenticator tells whose passkey it is (Web Authentication, 7.2, step 6). */
function isOf(row: PasskeyRow, { user_handle = '' }: PasskeySignIn['response'], only = row.user_id as string): boolean {
  return Buffer.from(user_handle, 'base64url').toString() === row.user_id && row.user_id === only
}

function newAttempt(ctx: Ctx) {
  const challenge = ctx.random.bytes(32).toString('base64url')
  return { id: newAttemptId(ctx), challenge, expires_at: ctx.now + passkeySeconds }
}

function refuseTooMany(present: readonly PasskeyRow[]): void {
  if (present.length >= passkeysMax) refuse('limit_exceeded', `A user has at most ${passkeysMax} passkeys.`)
}

function refuseChallenge(): never {
  refuse('invalid_state', 'The challenge has expired, was used, or is of another session. Begin again.')
}

function presentPasskey({ id, name, is_backed_up, created_at, last_used_at }: PasskeyRow): Passkey {
  return { object: 'passkey', id, name, is_backed_up, created_at, last_used_at }
}

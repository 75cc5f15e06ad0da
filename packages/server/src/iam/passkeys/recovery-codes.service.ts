/** Recovery codes: for a person who has lost all passkeys. Each signs its user in once. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type RecoveryCodes, recoveryCodesMax } from '@bourse/api/iam/passkeys.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import { networksOf } from '../../core/http/rate-limits.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { recordFailedSignIn } from '../audit/sign-ins.service.ts'
import { lockAccount } from '../names/owners.service.ts'
import {
  type OpenedSession,
  openBrowserSession,
  originByCaller,
  type SessionOpening,
} from '../people/sign-in-links.service.ts'
import { loadOneself } from '../people/user-places.service.ts'
import { guessersOfRecovery } from '../people/wrong-codes.rules.ts'
import { readGuesses, recordWrongCode } from '../people/wrong-codes.service.ts'
import { lastingOriginOf } from '../tokens/origins.rules.ts'
import { hasPasskey } from './passkeys.service.ts'
import { drawRecoveryCode, readRecoveryCode, recoveryCodeText } from './recovery-codes.rules.ts'
import {
  countRecoveryCodes,
  findRecoveryCode,
  insertRecoveryCodes,
  removeRecoveryCode,
  removeRecoveryCodesOf,
} from './recovery-codes.store.ts'

/** What became of a code: a session, or why there is none. */
export type CodeOutcome = OpenedSession | 'wrong' | 'limited' | 'other_user'

/** Replaces the codes of the caller. Refuses `invalid_state` without a passkey, which they are the spare of. */
export async function replaceRecoveryCodes(ctx: Ctx, ref?: Ref<'user'>): Promise<RecoveryCodes> {
  const { account_id, user_id } = await loadOneself(ctx, ref)
  await lockAccount(ctx, account_id)
  if (!(await hasPasskey(ctx, user_id))) refuse('invalid_state', 'Add a passkey first.')
  return { object: 'recovery_codes', codes: await makeRecoveryCodes(ctx, { account_id, user_id }) }
}

/** Makes ten codes of the caller in place of those before. Requires the account's lock. */
export async function makeRecoveryCodes(
  ctx: Ctx,
  { account_id, user_id }: { account_id: string; user_id: Id<'user'> },
): Promise<string[]> {
  const origin = lastingOriginOf(await originByCaller(ctx))
  await removeRecoveryCodesOf(ctx.db, user_id)
  const codes = Array.from({ length: recoveryCodesMax }, () => drawRecoveryCode((below) => ctx.random.integer(below)))
  const rows = codes.map(({ id, secret }) => ({ id, secret_hash: hashOf(secret) }))
  await insertRecoveryCodes(ctx.db, rows, { account_id, user_id, created_at: ctx.now, ...origin })
  return codes.map(recoveryCodeText)
}

/** How many codes of a user are left. */
export function countCodes({ db }: Ctx, user_id: string): Promise<number> {
  return countRecoveryCodes(db, user_id)
}

/** Ends the codes of a user. */
export async function endRecoveryCodes({ db }: Ctx, user_id: string): Promise<void> {
  await removeRecoveryCodesOf(db, user_id)
}

/**
 * Signs in by a code that a person typed. `only` is the user who may sign in again. A wrong code is recorded, so the
 * outcome is returned and not thrown. A right one counts however many wrong ones came before: its secret of 85 bits
 * cannot be guessed, and whoever types wrong codes must not shut out its holder.
 */
export async function signInByCode(
  ctx: Ctx,
  typed: string,
  { only, ...opening }: SessionOpening & { readonly only: string | undefined },
): Promise<CodeOutcome> {
  const code = readRecoveryCode(typed)
  const row = await findRecoveryCode(ctx.db, code?.id ?? '')
  // Compared in constant time, and also where there is no such code: the time of a response tells nothing of it.
  const isRight = timingSafeEqual(hashOf(code?.secret ?? ''), row?.secret_hash ?? noHash)
  const failed = { way, sender: opening.sender }
  if (!row || !isRight) {
    const guesses = await readGuesses(ctx, guessersOfRecovery(networksOf(opening.sender.address), row?.user_id))
    ctx.leaveUnrecorded('refused')
    if (guesses === 'limited') return 'limited'
    await recordWrongCode(ctx, guesses)
    await recordFailedSignIn(ctx, row, failed)
    return 'wrong'
  }
  if (only !== undefined && row.user_id !== only) {
    await recordFailedSignIn(ctx, row, failed)
    return 'other_user'
  }
  await lockAccount(ctx, row.account_id)
  const opened = (await removeRecoveryCode(ctx.db, row.id)) && (await openBrowserSession(ctx, { ...row, way }, opening))
  if (opened) return opened
  await recordFailedSignIn(ctx, row, failed)
  return 'wrong'
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

const noHash = hashOf('none')
const way = 'sign_in_by_recovery_code'

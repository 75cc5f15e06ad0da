/**
 * Sign-ins that are under way. The browser keeps each one, encrypted, in a cookie that scripts cannot read: so it is
 * bound to that browser, and whoever only begins costs no row. Success is recorded, so it counts once.
 */
import { openSecret, sealSecret } from '../../core/keys/secret-box.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { AttemptOf, SignInAttempt } from './sign-in-attempts.rules.ts'
import { insertUsedAttempt, removeExpiredAttempts } from './sign-in-attempts.store.ts'

type Sealing = Pick<Ctx, 'keys' | 'random'>

const textLengthMax = 4096

/** The text of an attempt, for a cookie. */
export function sealAttempt({ keys, random }: Sealing, attempt: SignInAttempt): string {
  const belongs_to = ['sign-in attempt', attempt.kind]
  return sealSecret(keys.master, Buffer.from(JSON.stringify(attempt)), { belongs_to, random }).toString('base64url')
}

/** Reads the attempt of a kind that a browser brings; undefined if it is none, or has expired. */
export function openAttempt<K extends SignInAttempt['kind']>(
  { keys, now }: Pick<Ctx, 'keys' | 'now'>,
  kind: K,
  text: string | undefined,
): AttemptOf<K> | undefined {
  if (text === undefined || text.length > textLengthMax) return undefined
  try {
    const opened = openSecret(keys.master, Buffer.from(text, 'base64url'), { belongs_to: ['sign-in attempt', kind] })
    const attempt = JSON.parse(opened.toString('utf8')) as AttemptOf<K>
    return attempt.expires_at > now ? attempt : undefined
  } catch {
    // Whoever sends it may have made it up.
    return undefined
  }
}

/** Uses an attempt up. False if it was used before. */
export async function useAttempt(ctx: Ctx, attempt: SignInAttempt): Promise<boolean> {
  await removeExpiredAttempts(ctx.db, ctx.now)
  return insertUsedAttempt(ctx.db, attempt)
}

/** The id of a new attempt. */
export function newAttemptId({ random }: Pick<Ctx, 'random'>): string {
  return random.bytes(16).toString('base64url')
}

/** The secrets of webhooks, which are encrypted in the database. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Id } from '@bourse/api/kit/ids.ts'
import { secretBytes } from '@bourse/text/webhook-messages.ts'
import type { Random } from '../core/base/random.ts'
import type { MasterKeys } from '../core/keys/keys.ts'
import { openSecret, sealSecret } from '../core/keys/secret-box.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { WebhookRow } from './webhooks.rules.ts'
import { lockSecretsOfOtherKeys, putSealedSecrets } from './webhooks.store.ts'

type Owner = { readonly account_id: string; readonly id: Id<'webhook'> }
type SecretColumns = Pick<WebhookRow, 'account_id' | 'id' | 'secret' | 'previous_secret' | 'previous_secret_until'>

/** A secret that signs before a business time in seconds. */
export type SigningSecret = { readonly key: KeyObject; readonly until: number }

/** Makes a secret: its bytes, and how they are stored. */
export function makeSecret(keys: MasterKeys, random: Random, { account_id, id }: Owner) {
  const secret = random.bytes(secretBytes)
  return { secret, sealed: sealSecret(keys, secret, { belongs_to: [account_id, id], random }) }
}

/** The secrets that sign for a webhook now, the present one first. `now` is the business time in seconds. */
export function secretsOf(keys: MasterKeys, row: SecretColumns, now: number): Buffer[] {
  return sealedSecretsOf(row)
    .filter(({ until }) => until > now)
    .map(({ sealed }) => openSecret(keys, sealed, { belongs_to: [row.account_id, row.id] }))
}

/** The secrets of a webhook, decrypted once for many messages. */
export function openSigningSecrets(keys: MasterKeys, row: SecretColumns): SigningSecret[] {
  return sealedSecretsOf(row).map(({ sealed, until }) => {
    return { key: createSecretKey(openSecret(keys, sealed, { belongs_to: [row.account_id, row.id] })), until }
  })
}

/**
 * Seals the secrets of webhooks after one again that are under another key than the current one, at most those of
 * `limit` webhooks. Returns the last webhook; undefined where none was left.
 */
export async function resealWebhookSecrets(ctx: Ctx, after: string, limit: number): Promise<string | undefined> {
  const { master } = ctx.keys
  const { key_id } = master.current
  const rows = await lockSecretsOfOtherKeys(ctx.db, { after, key_id, limit })
  const sealed = rows.map(({ id, account_id, secret, previous_secret }) => {
    const belongs_to = [account_id, id]
    const reseal = (old: Buffer) =>
      sealSecret(master, openSecret(master, old, { belongs_to }), { belongs_to, random: ctx.random })
    return { id, secret: reseal(secret), previous_secret: previous_secret === null ? null : reseal(previous_secret) }
  })
  if (sealed.length > 0) await putSealedSecrets(ctx.db, sealed)
  return rows.at(-1)?.id
}

function sealedSecretsOf({ secret, previous_secret, previous_secret_until }: SecretColumns) {
  const present = { sealed: secret, until: Number.POSITIVE_INFINITY }
  if (previous_secret === null) return [present]
  return [present, { sealed: previous_secret, until: previous_secret_until ?? 0 }]
}

/** The secrets of webhooks, which are encrypted in the database. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Random } from '../core/base/random.ts'
import type { MasterKeys } from '../core/keys/keys.ts'
import { openSecret, sealSecret } from '../core/keys/secret-box.ts'
import { secretBytes } from './signatures.rules.ts'
import type { WebhookRow } from './webhooks.rules.ts'

type Owner = { readonly account_id: string; readonly id: Id<'webhook'> }
type SecretColumns = Pick<WebhookRow, 'account_id' | 'id' | 'secret' | 'previous_secret' | 'previous_secret_until'>

/** Makes a secret: its bytes, and how they are stored. */
export function makeSecret(keys: MasterKeys, random: Random, { account_id, id }: Owner) {
  const secret = random.bytes(secretBytes)
  return { secret, sealed: sealSecret(keys, secret, { belongs_to: [account_id, id], random }) }
}

/** The secrets that sign for a webhook now, the present one first. `now` is the business time in seconds. */
export function secretsOf(keys: MasterKeys, row: SecretColumns, now: number): Buffer[] {
  const belongs_to = [row.account_id, row.id]
  const { previous_secret, previous_secret_until } = row
  const isOldValid = previous_secret !== null && (previous_secret_until ?? 0) > now
  return [row.secret, ...(isOldValid ? [previous_secret] : [])].map((sealed) =>
    openSecret(keys, sealed, { belongs_to }),
  )
}

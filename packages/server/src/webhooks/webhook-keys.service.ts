/**
 * The Ed25519 keys of the installation, which sign the messages of all webhooks (v1a). They are derived from the master
 * keys, so they need no file of their own and are the same on every replica.
 */

import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { WebhookKey } from '@bourse/api/webhooks/webhook-keys.ts'
import { publicKeyPrefix } from '@bourse/text/webhook-messages.ts'
import type { MasterKey, MasterKeys } from '../core/keys/keys.ts'
import type { ServerKeys } from '../core/keys/server-keys.ts'

/** A derived key and its public half as receivers know it. */
type InstallationKey = { readonly private_key: KeyObject; readonly public_key: string }

/** The present key and the one before it sign, so that a receiver may learn the new one after the rotation. */
const signingKeysMax = 2
/** The bytes of a PKCS #8 Ed25519 key before its seed (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

const derivedKeys = new WeakMap<MasterKey, InstallationKey>()

/** The private keys that sign messages, newest first. */
export function privateKeysOf(keys: MasterKeys): KeyObject[] {
  return newestFirst(keys)
    .slice(0, signingKeysMax)
    .map((key) => derive(key).private_key)
}

/** The public keys of the installation, newest first, and then those that will sign after a rotation that has begun. */
export function listPublicKeys({ master }: Pick<ServerKeys, 'master'>): WebhookKey[] {
  const own = newestFirst(master)
  return [...own, ...master.coming].map((key, index) => {
    const is_current = index < Math.min(own.length, signingKeysMax)
    return { object: 'webhook_key', public_key: derive(key).public_key, is_current }
  })
}

/** The keys that encrypt or have encrypted. */
function newestFirst({ current, all, coming }: MasterKeys): MasterKey[] {
  const others = all.filter((key) => key.key_id !== current.key_id && !coming.includes(key))
  return [current, ...others.sort((a, b) => b.key_id - a.key_id)]
}

function derive(key: MasterKey): InstallationKey {
  const known = derivedKeys.get(key)
  if (known) return known
  const seed = Buffer.from(hkdfSync('sha256', key.secret.reveal(), '', 'bourse webhook signatures', 32))
  const private_key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(private_key).export({ format: 'jwk' })
  const public_key = publicKeyPrefix + Buffer.from(x as string, 'base64url').toString('base64')
  const derived = { private_key, public_key }
  derivedKeys.set(key, derived)
  return derived
}

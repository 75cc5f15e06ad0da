/**
 * Marks a text so that nobody else can have made it: for URLs that stand in for a token. The keys are derived from the
 * master keys, so a URL that was made before these were changed still counts while its key is known.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { MasterKey, MasterKeys } from './keys.ts'

/** What goes along with a text, to show who made it. */
export type Signature = { readonly key_id: number; readonly signature: string }

const derived = new WeakMap<MasterKey, Buffer>()

/** Signs with the current key. */
export function signText({ current }: MasterKeys, text: string): Signature {
  return { key_id: current.key_id, signature: macOf(current, text).toString('base64url') }
}

/** Whether a text was signed here. */
export function isSignedText(keys: MasterKeys, text: string, { key_id, signature }: Signature): boolean {
  const key = keys.find(key_id)
  if (!key) return false
  const [own, theirs] = [macOf(key, text), Buffer.from(signature, 'base64url')]
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}

function macOf(key: MasterKey, text: string): Buffer {
  let secret = derived.get(key)
  if (!secret) {
    secret = Buffer.from(hkdfSync('sha256', key.secret.reveal(), '', 'bourse signed text', 32))
    derived.set(key, secret)
  }
  return createHmac('sha256', secret).update(text).digest()
}

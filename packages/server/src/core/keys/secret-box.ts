/**
 * Secrets at rest: AES-256-GCM under a master key, with a new nonce for each. Version 1, key id 2, nonce 12, tag 16,
 * then the ciphertext. Decryption needs the ids that the secret was encrypted for, so a row that is copied to another
 * account or instance cannot be decrypted.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from '../base/random.ts'
import type { MasterKeys } from './keys.ts'

const CIPHER = 'aes-256-gcm'
const VERSION = 1
const NONCE_AT = 3
const TAG_AT = 15
const TEXT_AT = 31

/** Encrypts under the current master key. `belongs_to`: the ids that decryption needs again, in this order. */
export function sealSecret(
  keys: MasterKeys,
  text: Buffer,
  { belongs_to, random }: { belongs_to: readonly string[]; random: Random },
): Buffer {
  const { key_id, secret } = keys.current
  const head = Buffer.alloc(NONCE_AT)
  head[0] = VERSION
  head.writeUInt16BE(key_id, 1)
  const nonce = random.bytes(TAG_AT - NONCE_AT)
  const cipher = createCipheriv(CIPHER, secret.reveal(), nonce)
  cipher.setAAD(associated(head, belongs_to))
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([head, nonce, cipher.getAuthTag(), sealed])
}

/**
 * Decrypts. Throws where the key is unknown, the ids differ or a bit has changed, which no caller can cause. The error
 * contains nothing of the contents.
 */
export function openSecret(
  keys: MasterKeys,
  sealed: Buffer,
  { belongs_to }: { belongs_to: readonly string[] },
): Buffer {
  if (sealed.length < TEXT_AT || sealed[0] !== VERSION) throw new Error('This is not a sealed secret.')
  const key_id = sealed.readUInt16BE(1)
  const key = keys.find(key_id)
  if (key === undefined) throw new Error(`Master key ${key_id}, under which a secret was encrypted, is missing.`)
  const nonce = sealed.subarray(NONCE_AT, TAG_AT)
  const decipher = createDecipheriv(CIPHER, key.secret.reveal(), nonce, { authTagLength: TEXT_AT - TAG_AT })
  decipher.setAAD(associated(sealed.subarray(0, NONCE_AT), belongs_to))
  decipher.setAuthTag(sealed.subarray(TAG_AT, TEXT_AT))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(TEXT_AT)), decipher.final()])
  } catch {
    throw new Error('A secret cannot be decrypted: its key, its ids or its contents have changed.')
  }
}

function associated(head: Buffer, belongs_to: readonly string[]): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify(belongs_to))])
}

/**
 * Secrets at rest: AES-256-GCM under a master key, with a new nonce for each. Version 1, key id 2, nonce 12, tag 16,
 * then the ciphertext. Decryption needs the ids that the secret was encrypted for, so a row that is copied to another
 * account or instance cannot be decrypted.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from '../base/random.ts'
import type { MasterKeys } from './keys.ts'

const cipherName = 'aes-256-gcm'
const version = 1
const nonceAt = 3
const tagAt = 15
const textAt = 31

/** Encrypts under the current master key. `belongsTo`: the ids that decryption needs again, in this order. */
export function sealSecret(
  keys: MasterKeys,
  text: Buffer,
  { belongs_to, random }: { belongs_to: readonly string[]; random: Random },
): Buffer {
  const { key_id, secret } = keys.current
  const head = Buffer.alloc(nonceAt)
  head[0] = version
  head.writeUInt16BE(key_id, 1)
  const nonce = random.bytes(tagAt - nonceAt)
  const cipher = createCipheriv(cipherName, secret.reveal(), nonce)
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
  if (sealed.length < textAt || sealed[0] !== version) throw new Error('This is not a sealed secret.')
  const keyId = keyIdOf(sealed)
  const key = keys.find(keyId)
  if (key === undefined) throw new Error(`Master key ${keyId}, under which a secret was encrypted, is missing.`)
  const nonce = sealed.subarray(nonceAt, tagAt)
  const decipher = createDecipheriv(cipherName, key.secret.reveal(), nonce, { authTagLength: textAt - tagAt })
  decipher.setAAD(associated(sealed.subarray(0, nonceAt), belongs_to))
  decipher.setAuthTag(sealed.subarray(tagAt, textAt))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()])
  } catch {
    throw new Error('A secret cannot be decrypted: its key, its ids or its contents have changed.')
  }
}

/** The number of the key under which a secret is sealed. */
function keyIdOf(sealed: Buffer): number {
  return sealed.readUInt16BE(1)
}

function associated(head: Buffer, belongsTo: readonly string[]): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify(belongsTo))])
}

/** SSH keys: what is stored of a line, and the line that a machine gets. Pure. */
import { createHash } from 'node:crypto'
import { isSshPublicKey, readSshPublicKey, type SshKeyType, sshKeyNameMax } from '@bourse/text/ssh/public-keys.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** What a key is, without its owner. */
export type NewSshKey = {
  readonly name: string
  readonly key_type: SshKeyType
  readonly bits: number
  /** In base64. */
  readonly public_key: string
  readonly fingerprint: string
}

/** Reads a key from a request. Its name is the one given, else the comment, else what it is. */
export function readNewSshKey(
  line: string,
  givenName: string | undefined,
): { readonly key: NewSshKey } | { readonly refusal: RefusalData } {
  const read = readSshPublicKey(line)
  if (!isSshPublicKey(read)) return { refusal: { ...read, field: 'public_key' } }
  const { type: key_type, bits, base64: public_key, comment } = read
  const fingerprint = fingerprintOf(read.blob)
  const name = givenName ?? (comment.slice(0, sshKeyNameMax).trim() || key_type)
  return { key: { name, key_type, bits, public_key, fingerprint } }
}

/** The digest of a key as `ssh-keygen -l` prints it. */
function fingerprintOf(blob: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

/**
 * The line that a machine gets. It ends in the id of the key, by which the platform finds the lines again that it has
 * written, and no others. The name is for people, in characters that no program reads as anything else.
 */
export function authorizedKeyLine({
  id,
  name,
  key_type,
  public_key,
}: Pick<NewSshKey, 'name' | 'key_type' | 'public_key'> & { readonly id: string }): string {
  return `${key_type} ${public_key} ${name.replaceAll(/[^!-~]+/g, '_')} ${id}`
}

/** Public names of keys, to tell whether key files belong to a backup. No key can be computed from them. */
import { createHash } from 'node:crypto'
import type { Keys } from './keys.ts'

/** The names of all keys of the three files. */
export type KeyNames = {
  readonly signing: readonly string[]
  readonly master: readonly string[]
  readonly cursor: readonly string[]
}

/** Names keys: signing keys by their kid, the others by number and a digest of the 256 random bits that they have. */
export function describeKeys({ signing, master, cursor_roots }: Keys): KeyNames {
  return {
    signing: signing.all.map(({ kid }) => kid),
    master: master.all.map(({ key_id, secret }) => `${key_id}:${digestOf(secret.reveal())}`),
    cursor: cursor_roots.map(({ first_key_id, secret }) => `${first_key_id}:${digestOf(secret.reveal())}`),
  }
}

/** The keys of a backup that are not among others, by their file. Keys that were added since do not matter. */
export function missingKeys(wanted: KeyNames, found: KeyNames): string[] {
  const files = ['signing', 'master', 'cursor'] as const
  return files.flatMap((file) => {
    return wanted[file].filter((name) => !found[file].includes(name)).map((name) => `${file} key ${name}`)
  })
}

function digestOf(secret: Uint8Array): string {
  return createHash('sha256').update('bourse key name').update(secret).digest('base64url').slice(0, 16)
}

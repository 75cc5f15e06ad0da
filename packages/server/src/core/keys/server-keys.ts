/** The keys of a running server: those from files, and the cursor keys, whose generations stand in the database. */
import type { CursorKeys, Keys } from './keys.ts'

/** Keys as commands, queries and hot reads use them. */
export type ServerKeys = Keys & {
  /** The cursor keys as they stand now; a sandbox reset changes them while the server runs. */
  cursors(): CursorKeys
  /** What `iss` and `aud` of API tokens say: the public URL, in the sandbox `bourse:<installation id>`. */
  readonly token_audience: string
}

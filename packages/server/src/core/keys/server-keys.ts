/** The keys of a running server: those from files, and the cursor keys, whose generations are in the database. */
import type { CursorKeys, Keys } from './keys.ts'

/** The keys for commands and queries. */
export type ServerKeys = Keys & {
  /** Returns the present cursor keys. A sandbox reset changes them while the server runs. */
  cursors(): CursorKeys
  /** The `iss` and `aud` of API tokens: the public URL, or `bourse:<installation id>` in a sandbox. */
  readonly token_audience: string
}

import type { Log } from '../base/log.ts'

/** The installation that a blob store belongs to. Installations that share a directory or a bucket stay apart. */
export type StoreOwner = {
  readonly installation_id: string
  readonly log: Log
}

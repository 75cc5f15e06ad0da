import type { Log } from '../base/log.ts'

/** The installation that a blob store belongs to. Installations may share a directory or a bucket. */
export type StoreOwner = {
  readonly installation_id: string
  readonly log: Log
}

import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

const selectKeys = statement<{ id: Id<'host'>; public_key: string }>(
  'fleet.list_host_keys',
  `select id, public_key
   from hosts
   where id = any($1) and public_key is not null and state <> 'retired'`,
)

/** The keys of some hosts. Hosts that are retired or have no key are left out. */
export async function listHostKeys(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await db.rows(selectKeys, [ids])).map(({ id, public_key }) => [id, public_key]))
}

import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** The key of a host. That of a retired host is void. */
type HostKey = { readonly public_key: string; readonly is_retired: boolean }

const selectKeys = statement<HostKey & { readonly id: Id<'host'> }>(
  'fleet.list_host_keys',
  `select id, public_key, state = 'retired' as is_retired
   from hosts
   where id = any($1) and public_key is not null`,
)

/** The keys of some hosts. Hosts that have none are left out. */
export async function listHostKeys(db: Db, ids: readonly string[]): Promise<Map<string, HostKey>> {
  return new Map((await db.rows(selectKeys, [ids])).map(({ id, ...key }) => [id, key]))
}

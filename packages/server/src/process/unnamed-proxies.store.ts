/**
 * Proxies that nobody named: addresses that say who their clients are, and are in no network of trusted proxies. A
 * server notes the first ones; `bourse doctor`, which sees no requests, reads them.
 */
import { daySeconds } from '@bourse/text/time/units.ts'
import { isInNetworks, type Network } from '../core/base/networks.rules.ts'
import { type Db, statement } from '../core/db/db.ts'

/** An address, and when it was last noted in real Unix seconds. */
type UnnamedProxy = { address: string; seen_at: number }

const keptSeconds = 30 * daySeconds

const putOne = statement<never>(
  'core.put_unnamed_proxy',
  `with old as (
     delete from unnamed_proxies
     where seen_at < floor(bourse_real_now())::bigint - ${keptSeconds} and address <> $1
   )
   insert into unnamed_proxies (address, seen_at)
   values ($1, floor(bourse_real_now())::bigint)
   on conflict (address) do update set seen_at = excluded.seen_at`,
)
const selectAll = statement<UnnamedProxy>(
  'core.list_unnamed_proxies',
  `select address, seen_at
   from unnamed_proxies
   where seen_at >= floor(bourse_real_now())::bigint - ${keptSeconds}
   order by address`,
)

/** Notes an address. */
export function putUnnamedProxy(db: Db, address: string): Promise<number> {
  return db.run(putOne, [address])
}

/** The addresses of the last 30 days that are still not named. */
export async function listUnnamedProxies(db: Db, trusted: readonly Network[]): Promise<UnnamedProxy[]> {
  return (await db.rows(selectAll)).filter(({ address }) => !isInNetworks(address, trusted))
}

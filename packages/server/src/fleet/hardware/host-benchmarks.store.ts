import type { HostBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { SuppliedBenchmark } from './host-benchmarks.rules.ts'

const updateBenchmark = statement<never>(
  'fleet.update_host_benchmark',
  `update hosts
   set benchmark = $2
   where id = $1`,
)
// Hosts that drain still run instances; one that lacks hardware is not what the SKU promises.
const selectBenchmarks = statement<SuppliedBenchmark>(
  'fleet.list_benchmarks_of_sku',
  `select account_id as supplier, benchmark
   from hosts
   where sku_id = $1
     and state <> 'retired'
     and unfit_at is null
     and (benchmark ->> 'measured_at')::bigint >= $2
   order by id`,
)

/** Writes the benchmark of a locked host. */
export async function putBenchmark(db: Db, hostId: string, benchmark: HostBenchmark): Promise<void> {
  await db.run(updateBenchmark, [hostId, JSON.stringify(benchmark)])
}

/** What was measured since a time on the hosts of a SKU that fit. */
export function listBenchmarks(db: Db, skuId: string, since: number): Promise<SuppliedBenchmark[]> {
  return db.rows(selectBenchmarks, [skuId, since])
}

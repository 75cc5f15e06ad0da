/** The benchmarks of a SKU are the sum of those of its hosts: of hosts that fit, and not too old. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { skuBenchmarksDue } from '../hosts/hosts.service.ts'
import { sumBenchmarks } from './host-benchmarks.service.ts'

export const skuBenchmarksReconciler: Reconciler = {
  kind: skuBenchmarksDue,
  step: (ctx, key) => sumBenchmarks(ctx, key as Id<'sku'>),
}

/** A SKU shows the figures that it names, over its suppliers: of hosts that fit, and not too old. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { benchmarkFiguresChanged } from '../../market/skus/sku-administration.service.ts'
import { skuBenchmarksDue } from '../hosts/hosts.service.ts'
import { sumBenchmarks } from './host-benchmarks.service.ts'

export const skuBenchmarksReconciler: Reconciler = {
  kind: skuBenchmarksDue,
  topics: [benchmarkFiguresChanged],
  step: (ctx, key) => sumBenchmarks(ctx, key as Id<'sku'>),
}

/** What operators measure on their hosts, and what buyers see of it with the SKU. */

import type { reportBenchmark as reportContract } from '@bourse/api/fleet/benchmarks.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import type { AgentCaller, Ctx } from '../../core/work/ctx.ts'
import { lockSkuBenchmarks, setSkuBenchmarks } from '../../market/skus/sku-administration.service.ts'
import { goneHost } from '../hosts/hosts.rules.ts'
import { lockHosts, readRealNow, skuBenchmarksDue } from '../hosts/hosts.service.ts'
import { countsFrom, refuseRepeated, summarizeBenchmarks } from './host-benchmarks.rules.ts'
import { listBenchmarks, putBenchmark } from './host-benchmarks.store.ts'

/** How often the figures of a SKU are summed up again: measurements grow old, and hosts lose hardware. */
const summedEverySeconds = daySeconds

/** Stores what the script of the operator has measured on a host. */
export async function recordBenchmark(
  ctx: Ctx,
  { body: { epoch, measured_at, figures } }: Input<typeof reportContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof reportContract>> {
  const [host] = await lockHosts(ctx, [host_id])
  if (!host || host.state === 'retired') throw new Refusal(goneHost(host))
  if (epoch < host.epoch) refuse('stale_epoch', 'The host has enrolled again. Use its newer epoch.')
  throwIfRefused(refuseRepeated(figures))
  const known = figures.map(({ name, value, unit }) => ({ name, value, unit }))
  const stored = { measured_at: Math.min(measured_at, await readRealNow(ctx)), figures: known }
  await putBenchmark(ctx.db, host_id, stored)
  ctx.schedule(skuBenchmarksDue, host.sku_id, ctx.now)
  return { measured_at: stored.measured_at }
}

/** Sums up the benchmarks of the hosts of a SKU. Returns when that is due again; undefined if there are none. */
export async function sumBenchmarks(ctx: Ctx, skuId: Id<'sku'>): Promise<number | undefined> {
  const figures = await lockSkuBenchmarks(ctx, skuId)
  if (!figures) return undefined
  const since = countsFrom(await readRealNow(ctx))
  const benchmarks = summarizeBenchmarks(figures, await listBenchmarks(ctx.db, skuId, since))
  await setSkuBenchmarks(ctx, skuId, benchmarks)
  return benchmarks.length === 0 ? undefined : ctx.now + summedEverySeconds
}

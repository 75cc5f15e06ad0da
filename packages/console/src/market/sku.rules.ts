/** SKUs and pools as people choose them. Pure. */
import type { Pool, Sku } from '@bourse/sdk'

/** The properties that tell SKUs apart, in one line: `8 × NVIDIA H100 · US West`. */
export function skuLine(sku: Sku): string {
  const { accelerator, num_accelerators: count, region, memory_bytes: memory, num_vcpus: cpus } = sku
  const machine = accelerator ? `${count ? `${count.display_value} × ` : ''}${accelerator.display_value}` : undefined
  const other = machine ? undefined : cpus && `${cpus.display_value} vCPUs`
  const simulated = sku.simulated ? 'simulated' : undefined
  return [machine, other, memory?.display_value, region?.display_value, simulated].filter(Boolean).join(' · ')
}

/** The name of a SKU: its alias, or its id where it has none. */
export function skuName({ alias, id }: { alias?: string | undefined; id: string }): string {
  return alias || id
}

/**
 * The properties of a SKU with their values, as the server words them, and what stands behind them: whether hosts have
 * them, who supplies the hosts, and what was measured.
 */
export function skuFacts(sku: Sku): readonly (readonly [name: string, value: string])[] {
  const properties = [
    ['Accelerator', sku.accelerator],
    ['Accelerators', sku.num_accelerators],
    ['vCPUs', sku.num_vcpus],
    ['Memory', sku.memory_bytes],
    ['Local storage', sku.local_storage_bytes],
    ['Form factor', sku.form_factor],
    ['RDMA', sku.rdma_type],
    ['Public IPv4', sku.supports_public_ipv4],
    ['Region', sku.region],
    ['Zone', sku.availability_zone],
  ] as const
  const step = sku.price_step_dollars_per_node_hour
  return [
    ...properties.flatMap(([name, value]) => (value ? [[name, value.display_value] as const] : [])),
    ...(sku.infiniband_fabric ? [['Fabric', sku.infiniband_fabric] as const] : []),
    ...(step ? [['Price step', `$${step}`] as const] : []),
    ...(sku.simulated ? [['Hardware', 'Simulated: hosts need not have it'] as const] : []),
    ...(sku.operator_hosts_only ? [['Hosts', 'Only of the operator of the platform'] as const] : []),
    ...(sku.benchmarks ?? []).map(benchmarkFact),
  ]
}

function benchmarkFact({ name, unit, lowest, median, host_count }: NonNullable<Sku['benchmarks']>[number]) {
  const hosts = host_count === 1 ? '1 host' : `${host_count} hosts`
  return [`${name.replaceAll('_', ' ')}, ${unit}`, `At least ${lowest}, median ${median} (${hosts})`] as const
}

/** The SKUs whose name, id or properties have all words of a text. */
export function fittingSkus(skus: readonly Sku[], text: string): readonly Sku[] {
  const words = text.trim().toLowerCase().split(/\s+/)
  return skus.filter((one) => words.every((word) => searchText(one).includes(word)))
}

function searchText(sku: Sku): string {
  return [skuName(sku), sku.id, ...skuFacts(sku).map(([, value]) => value)].join(' ').toLowerCase()
}

/** Finds a SKU by its id, or else by its alias. */
export function findSku(skus: readonly Sku[], given: string): Sku | undefined {
  return skus.find(({ id }) => id === given) ?? skus.find(({ alias }) => alias !== '' && alias === given)
}

/** Finds a pool by its id, its path, or else its name. */
export function findPool(pools: readonly Pool[], given: string): Pool | undefined {
  return (
    pools.find(({ id, resource_path }) => id === given || resource_path === given) ??
    pools.find(({ name }) => name === given)
  )
}

/** The pools that an order can name: those that can own the SKU come first when it sells. */
export function poolsFor(pools: readonly Pool[], side: string, sku: string): readonly Pool[] {
  const kinds = side === 'sell' ? ['market', 'originating'] : ['market']
  const fitting = pools.filter(({ kind }) => kinds.includes(kind))
  if (side !== 'sell') return fitting
  const owns = ({ allocation_schedule: { by_sku } }: Pool) => (by_sku[sku]?.length ?? 0) > 0
  return fitting.toSorted((a, b) => Number(owns(b)) - Number(owns(a)))
}

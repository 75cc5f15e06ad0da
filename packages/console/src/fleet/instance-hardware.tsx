/** What a node of an instance's SKU is made of. */
import type { Sku, SkuSummary } from '@bourse/sdk'
import type { ReactNode } from 'react'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { Facts } from '../ui/page.tsx'
import { Copyable, Size } from '../ui/values.tsx'

/** The SKU and its properties. A SKU that the catalog no longer shows keeps its name. */
export function Hardware({ sku }: { sku: SkuSummary }) {
  const { data } = useRead(['sku', 'item', sku.id], () => client.skus.get(sku.id))
  return (
    <Facts facts={[['SKU', <Copyable key="sku" text={sku.id} label={sku.alias} />], ...(data ? parts(data) : [])]} />
  )
}

function parts(sku: Sku): (readonly [string, ReactNode])[] {
  const { accelerator, num_accelerators, num_vcpus, memory_bytes, local_storage_bytes, region, rdma_type } = sku
  const all: (readonly [string, ReactNode] | undefined)[] = [
    accelerator && ['Accelerators', `${num_accelerators?.value ?? 1} × ${accelerator.display_value}`],
    num_vcpus && ['Virtual CPUs', num_vcpus.display_value],
    memory_bytes && ['Memory', <Size key="memory" bytes={memory_bytes.value} />],
    local_storage_bytes && ['Storage', <Size key="storage" bytes={local_storage_bytes.value} />],
    region && ['Region', region.display_value],
    rdma_type && ['Fabric', rdma_type.display_value],
  ]
  return all.filter((one) => one !== undefined)
}

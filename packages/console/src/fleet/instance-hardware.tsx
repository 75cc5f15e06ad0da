/** What a node of an instance's SKU is made of. */
import type { SkuSummary } from '@bourse/sdk'
import { skus } from '../generated/rows/market.ts'
import { client } from '../live/client.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { useRead } from '../live/queries.ts'
import { Facts } from '../ui/page.tsx'
import { Copyable } from '../ui/values.tsx'
import { hardwareText } from './hardware.rules.ts'

/** The SKU and its properties. A SKU that the catalog does not show keeps its name. */
export function Hardware({ sku }: { sku: SkuSummary }) {
  const { data } = useRead(['sku', 'item', sku.id], () => client.skus.get(sku.id))
  return (
    <>
      <Facts facts={[['SKU', <Copyable key="sku" text={sku.id} label={sku.alias} />]]} />
      {data ? <Details columns={parts} row={data} /> : null}
    </>
  )
}

const parts = columnsOf(skus, [
  { id: 'hardware', title: 'Hardware', value: hardwareText, isOptional: true },
  { of: 'region', isOptional: true },
  { of: 'rdma_type', title: 'Fabric', isOptional: true },
])

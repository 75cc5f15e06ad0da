/** Chooses a SKU among all of them by its properties. */
import type { Sku } from '@bourse/sdk'
import { useState } from 'react'
import { skus as skuRows } from '../../generated/rows/market.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { type MoreRows, Table } from '../../ui/table.tsx'
import { fittingSkus } from '../sku.rules.ts'

/** What the table is made of, and what a row of it does. */
export type AllSkusProps = {
  skus: readonly Sku[]
  onChoose: (id: string) => void
  more: MoreRows<Sku>
}

/** The table, with a search that its file follows too. */
export function SkuTable({ skus, onChoose, more }: AllSkusProps) {
  const [text, setText] = useState('')
  return (
    <>
      <input
        type="search"
        aria-label="Find a SKU"
        placeholder="h100 west"
        value={text}
        maxLength={100}
        onChange={({ target }) => setText(target.value)}
      />
      <Table
        name="SKUs"
        columns={columns}
        rows={fittingSkus(skus, text)}
        keyOf={({ id }) => id}
        onOpen={({ id }) => onChoose(id)}
        more={{ ...more, readAll: async (max) => fittingSkus(await more.readAll(max), text) }}
        note="Open a row to choose it."
      />
    </>
  )
}

const columns = columnsOf(skuRows, [
  'alias',
  'accelerator',
  { of: 'num_accelerators', title: 'Accelerators' },
  { of: 'num_vcpus', title: 'vCPUs' },
  'memory_bytes',
  'local_storage_bytes',
  { of: 'rdma_type', title: 'RDMA' },
  'region',
])

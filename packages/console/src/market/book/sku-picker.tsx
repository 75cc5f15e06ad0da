/** Chooses a SKU among all of them by its properties. */
import type { Sku } from '@bourse/sdk'
import { useState } from 'react'
import { skus } from '../../generated/rows/market.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { type MoreRows, Table } from '../../ui/table.tsx'
import { skuFacts, skuName } from '../sku.rules.ts'

type AllSkusProps = {
  skus: readonly Sku[]
  onChoose: (id: string) => void
  more: MoreRows<Sku>
}

/** All SKUs with their properties, behind a button. */
export function AllSkus({ skus, onChoose, more }: AllSkusProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  return (
    <details className="card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>All SKUs with their properties</summary>
      {isOpen ? (
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
            onOpen={({ id }) => {
              onChoose(id)
              setOpen(false)
            }}
            more={{ ...more, readAll: async (max) => fittingSkus(await more.readAll(max), text) }}
            note="Open a row to choose it."
          />
        </>
      ) : null}
    </details>
  )
}

/** The SKUs whose name, id or properties have all words of a text. */
export function fittingSkus(skus: readonly Sku[], text: string): readonly Sku[] {
  const words = text.trim().toLowerCase().split(/\s+/)
  return skus.filter((one) => words.every((word) => searchText(one).includes(word)))
}

function searchText(sku: Sku): string {
  return [skuName(sku), sku.id, ...skuFacts(sku).map(([, value]) => value)].join(' ').toLowerCase()
}

const columns = columnsOf(skus, [
  'alias',
  'accelerator',
  { of: 'num_accelerators', title: 'Accelerators' },
  { of: 'num_vcpus', title: 'vCPUs' },
  'memory_bytes',
  'local_storage_bytes',
  { of: 'rdma_type', title: 'RDMA' },
  'region',
])

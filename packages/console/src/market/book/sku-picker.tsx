/** Chooses a SKU by its name, or among all of them by their properties. */
import type { Sku } from '@bourse/sdk'
import { useState } from 'react'
import { skus } from '../../generated/rows/market.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { Facts } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { type MoreRows, Table } from '../../ui/table.tsx'
import { Copyable } from '../../ui/values.tsx'
import { skuFacts, skuName } from '../sku.rules.ts'
import styles from './book.module.css'

type PickerProps = {
  skus: readonly Sku[]
  sku: Sku
  onChange: (id: string) => void
  more: MoreRows<Sku>
}

/** The chosen SKU with its properties, and all others behind a button. */
export function SkuPicker({ skus, sku, onChange, more }: PickerProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const names = Object.fromEntries(skus.map((one) => [one.id, skuName(one)]))
  return (
    <section className={`card stack ${styles.picker}`} aria-label="SKU">
      <div className="row">
        <Select label="SKU" value={sku.id} onChange={onChange} options={names} />
        <Copyable text={sku.id} />
      </div>
      <Facts facts={skuFacts(sku)} />
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
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
              rows={fitting(skus, text)}
              keyOf={({ id }) => id}
              onOpen={({ id }) => {
                onChange(id)
                setOpen(false)
              }}
              more={{ ...more, readAll: async (max) => fitting(await more.readAll(max), text) }}
              note="Open a row to choose it."
            />
          </>
        ) : null}
      </details>
    </section>
  )
}

/** The SKUs whose name, id or properties have a text. */
function fitting(skus: readonly Sku[], text: string): readonly Sku[] {
  const wanted = text.trim().toLowerCase()
  return skus.filter((one) => searchText(one).includes(wanted))
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

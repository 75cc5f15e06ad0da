/** All SKUs with their properties, behind a line that opens them. */
import { lazy, Suspense, useState } from 'react'
import { Loading } from '../../ui/page.tsx'
import type { AllSkusProps } from './sku-table.tsx'

const SkuTable = lazy(() => import('./sku-table.tsx').then(({ SkuTable: table }) => ({ default: table })))

/** The line, and below it a search and the table. */
export function AllSkus({ onChoose, ...list }: AllSkusProps) {
  const [isOpen, setOpen] = useState(false)
  const choose = (id: string) => {
    onChoose(id)
    setOpen(false)
  }
  return (
    <details className="card" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>All SKUs with their properties</summary>
      {isOpen ? (
        <Suspense fallback={<Loading />}>
          <SkuTable {...list} onChoose={choose} />
        </Suspense>
      ) : null}
    </details>
  )
}

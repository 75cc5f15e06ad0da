/** The forms of SKUs: their terms and their properties. */
import type { AdministeredSku } from '@bourse/sdk'
import { type ReactNode, useState } from 'react'
import { createSku, updateSku } from '../generated/forms/operator.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { skuProperties, skuTerms } from './sku-parts.tsx'

const fields = [...skuTerms, { heading: 'What one node has' }, ...skuProperties] as const

/** Creates a SKU. */
export function CreateSkuDialog({ onClose }: { onClose: () => void }) {
  return (
    <OperationDialog
      form={createSku}
      title="Create a SKU"
      action="Create"
      cancel="Close"
      isWide
      initial={{ listed: 'true', fee_bps: '0' }}
      fields={fields}
      nouns={['sku']}
      said={({ alias }) => `Created ${alias}.`}
      onClose={onClose}
    />
  )
}

type EditSkuProps = { sku: AdministeredSku; onClose: () => void; end: ReactNode }

/** Changes a SKU. It stays open, and begins anew with what was saved. */
export function EditSkuDialog({ sku, onClose, end }: EditSkuProps) {
  const [saved, setSaved] = useState(sku)
  return (
    <OperationDialog
      key={JSON.stringify(saved)}
      form={updateSku}
      params={{ id: sku.id }}
      before={saved}
      title={saved.alias || saved.id}
      action="Save"
      cancel="Close"
      isWide
      buttons={end}
      called={[sku.alias || sku.id]}
      fields={fields}
      nouns={['sku']}
      said={({ alias }) => `Changed ${alias}.`}
      onDone={setSaved}
      onClose={onClose}
    />
  )
}

/** The forms of SKUs: their terms and their properties. */
import type { AdministeredSku } from '@bourse/sdk'
import { type ReactNode, useState } from 'react'
import { createSku, updateSku } from '../generated/forms/operator.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { skuProperties, skuTerms } from './sku-parts.tsx'

const fields = [...skuTerms, { heading: 'What one node has' }, ...skuProperties] as const

type CreateSkuProps = { onDone: (sku: AdministeredSku) => void; onClose: () => void }

/** Creates a SKU that only the operator sees: it is listed once it was looked at. */
export function CreateSkuDialog({ onDone, onClose }: CreateSkuProps) {
  return (
    <OperationDialog
      form={createSku}
      title="Create a SKU"
      action="Create"
      cancel="Close"
      isWide
      initial={{ fee_bps: '0' }}
      fixed={{ listed: false }}
      adjust={() => ({ alias: 'needed', listed: 'omitted' })}
      fields={fields}
      nouns={['sku']}
      said={({ alias }) => `Created ${alias}. Buyers do not see it until you list it.`}
      onDone={onDone}
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

/** The forms of SKUs: their terms and their properties. What the server refuses is said at its field. */
import type { AdministeredSku } from '@bourse/sdk'
import { type ReactNode, useState } from 'react'
import { createSku, updateSku } from '../generated/forms/operator.ts'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { Dialog } from '../ui/dialog.tsx'
import { say } from '../ui/toasts.tsx'
import { skuProperties, skuTerms } from './sku-parts.tsx'

/** Creates a SKU. */
export function CreateSkuDialog({ onClose }: { onClose: () => void }) {
  const form = useForm(createSku, {
    initial: { listed: 'true', fee_bps: '0' },
    nouns: ['sku'],
    onDone: ({ alias }) => {
      say(`Created ${alias}.`)
      onClose()
    },
  })
  return (
    <Dialog title="Create a SKU" isOpen isWide onClose={onClose}>
      <FormFrame form={form} action="Create" cancel="Close" onClose={onClose}>
        <div className="grid">
          <Fields of={form} names={skuTerms} />
        </div>
        <h3>What one node has</h3>
        <div className="grid">
          <Fields of={form} names={skuProperties} />
        </div>
      </FormFrame>
    </Dialog>
  )
}

type EditProps = { sku: AdministeredSku; onClose: () => void; end: ReactNode }

/** Changes a SKU. It stays open, and begins anew with what was saved. */
export function EditSkuDialog({ sku, onClose, end }: EditProps) {
  const [saved, setSaved] = useState(sku)
  return (
    <Dialog title={sku.alias || sku.id} isOpen isWide onClose={onClose}>
      <EditSku key={JSON.stringify(saved)} sku={saved} end={end} onSaved={setSaved} onClose={onClose} />
    </Dialog>
  )
}

function EditSku({ sku, end, onSaved, onClose }: EditProps & { onSaved: (sku: AdministeredSku) => void }) {
  const form = useForm(updateSku, {
    params: { id: sku.id },
    before: sku,
    nouns: ['sku'],
    onDone: (saved) => {
      say(`Changed ${saved.alias}.`)
      onSaved(saved)
    },
  })
  return (
    <FormFrame form={form} action="Save" cancel="Close" buttons={end} called={[sku.alias || sku.id]} onClose={onClose}>
      <div className="grid">
        <Fields of={form} names={skuTerms} />
      </div>
      <h3>What one node has</h3>
      <div className="grid">
        <Fields of={form} names={skuProperties} />
      </div>
    </FormFrame>
  )
}

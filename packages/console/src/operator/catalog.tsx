/** The values that properties of SKUs can have, with the texts that people read. */
import type { SkuPropertyValue } from '@bourse/sdk'
import { useState } from 'react'
import { putSkuPropertyValue } from '../generated/forms/operator.ts'
import { useNow } from '../live/clock.ts'
import { Choice } from '../live/forms/choice.tsx'
import { typedOf } from '../live/forms/form.rules.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { ownColumns } from '../live/lists/columns.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Table } from '../ui/table.tsx'
import { useCatalog } from './sku-parts.tsx'

/** The dialog: choose a property, see its values, add one or change what it says. */
export function Catalog({ onClose }: { onClose: () => void }) {
  const catalog = useCatalog()
  const [chosen, setChosen] = useState('region')
  const [opened, setOpened] = useState<SkuPropertyValue | 'new'>()
  const properties = (catalog.data ?? []).filter(({ type }) => type === 'enumeration')
  const property = properties.find(({ name }) => name === chosen)
  if (opened) {
    const value = opened === 'new' ? undefined : opened
    return <ValueDialog property={chosen} value={value} onClose={() => setOpened(undefined)} />
  }
  return (
    <Dialog title="Values of properties" isOpen onClose={onClose} isWide>
      <div className="stack">
        <p>A SKU can only have values that are listed here. A value stays for good: what was sold refers to it.</p>
        <ErrorText error={catalog.error} />
        <Field label="Property" hint={property?.description}>
          <Choice
            value={chosen}
            onChange={setChosen}
            options={properties.map(({ name, display_name }) => ({ id: name, name: display_name }))}
          />
        </Field>
        <Table
          name="Values"
          columns={columns}
          rows={property?.values ?? []}
          keyOf={({ name }) => name}
          onOpen={setOpened}
        />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" onClick={() => setOpened('new')}>
            Add a value
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

const columns = ownColumns<SkuPropertyValue>([
  { id: 'name', title: 'Value', value: ({ name }) => name, isName: true },
  { id: 'display_name', title: 'Text for people', value: ({ display_name }) => display_name },
  {
    id: 'state',
    title: 'State',
    as: 'state',
    value: ({ deprecated_at }) => (deprecated_at === null ? 'in use' : 'deprecated'),
  },
])

type ValueDialogProps = { property: string; value: SkuPropertyValue | undefined; onClose: () => void }

/** Adds a value, or replaces what one says. */
function ValueDialog({ property, value, onClose }: ValueDialogProps) {
  const [name, setName] = useState(value?.name ?? '')
  // A whole minute, so that the lines to copy do not change each second.
  const now = useNow()
  const since = value?.deprecated_at ?? now - (now % 60)
  return (
    <OperationDialog
      form={putSkuPropertyValue}
      params={{ property, name }}
      title={value ? `Change ${value.name}` : 'Add a value'}
      action={value ? 'Save' : 'Add'}
      initial={value ? typedOf(putSkuPropertyValue, value) : {}}
      about={
        value ? null : (
          <Field label="Value" hint="As programs write it, such as us-east.">
            <input required maxLength={255} value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
        )
      }
      extras={{ use: value?.deprecated_at ? 'deprecated' : 'current' }}
      fields={[
        'display_name',
        'description',
        'documentation_link',
        {
          name: 'use',
          member: 'deprecated_at',
          label: 'Use',
          words: { current: 'For anything', deprecated: 'Deprecated: for nothing new' },
          empty: null,
        },
        'deprecation_info',
      ]}
      finish={({ deprecated_at: _, ...body }, { use }) => ({
        ...body,
        ...(use === 'deprecated' ? { deprecated_at: since } : {}),
      })}
      isBlocked={name === ''}
      nouns={['sku']}
      said={() => `${name} can be used.`}
      onClose={onClose}
    />
  )
}

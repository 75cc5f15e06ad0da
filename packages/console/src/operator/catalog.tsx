/** The values that properties of SKUs can have, with the texts that people read. */
import type { SkuProperty, SkuPropertyValue } from '@bourse/sdk'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { asCli } from '../ui/requests.rules.ts'
import { say } from '../ui/toasts.tsx'
import { useCatalog } from './sku-parts.tsx'

const nothing = { name: '', display_name: '', description: '' }

/** The dialog: choose a property, see its values, add one or change its text. */
export function Catalog({ onClose }: { onClose: () => void }) {
  const catalog = useCatalog()
  const [chosen, setChosen] = useState('region')
  const [fields, setFields] = useState(nothing)
  const [saved, setSaved] = useState(0)
  const properties = (catalog.data ?? []).filter(({ type }) => type === 'enumeration')
  const property = properties.find(({ name }) => name === chosen)
  const old = property?.values?.find(({ name }) => name === fields.name)
  const open = (value: SkuPropertyValue) => {
    setFields({ name: value.name, display_name: value.display_name, description: value.description })
  }
  return (
    <Dialog title="Values of properties" isOpen onClose={onClose} isWide>
      <div className="stack">
        <p>A SKU can only have values that are listed here. A value stays for good: what was sold refers to it.</p>
        <ErrorText error={catalog.error} />
        <Field label="Property" hint={property?.description}>
          <select
            value={chosen}
            onChange={({ target }) => {
              setChosen(target.value)
              setFields(nothing)
            }}
          >
            {properties.map(({ name, display_name }) => (
              <option key={name} value={name}>
                {display_name}
              </option>
            ))}
          </select>
        </Field>
        <Values property={property} onOpen={open} />
        <ValueForm
          key={`${chosen} ${fields.name} ${saved}`}
          property={chosen}
          initial={fields}
          old={old}
          onDone={() => {
            setFields(nothing)
            setSaved(saved + 1)
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

type ValuesProps = { property: SkuProperty | undefined; onOpen: (value: SkuPropertyValue) => void }

function Values({ property, onOpen }: ValuesProps) {
  const values = property?.values ?? []
  if (values.length === 0) return <p className="quiet">It has no value yet.</p>
  return (
    <ul>
      {values.map((value) => (
        <li key={value.name}>
          <code>{value.name}</code> <bdi>{value.display_name}</bdi>{' '}
          {value.deprecated_at === null ? null : <Badge word="deprecated" />}
          <Button kind="plain" onClick={() => onOpen(value)} aria-label={`Change ${value.name}`}>
            Change
          </Button>
        </li>
      ))}
    </ul>
  )
}

type ValueFormProps = {
  property: string
  initial: typeof nothing
  old: SkuPropertyValue | undefined
  onDone: () => void
}

/** Adds a value, or replaces the texts of one. What the form does not show stays as it is. */
function ValueForm({ property, initial, old, onDone }: ValueFormProps) {
  const [fields, setFields] = useState(initial)
  const [isDeprecated, setDeprecated] = useState(old ? old.deprecated_at !== null : false)
  const { name, display_name, description } = fields
  const save = useAction(
    async () => {
      const now = (await client.account.get()).server.now
      const deprecated_at = isDeprecated ? (old?.deprecated_at ?? now) : null
      const kept = {
        documentation_link: old?.documentation_link ?? null,
        deprecation_info: old?.deprecation_info ?? null,
      }
      const body = { display_name, deprecated_at, ...(description ? { description } : {}), ...kept }
      return client.skuProperties.putValue({ property, name }, body)
    },
    {
      nouns: ['sku'],
      onDone: () => {
        say(`${name} can be used.`)
        onDone()
      },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.run(undefined)
  }
  const input = (key: keyof typeof fields, isRequired: boolean) => (
    <input
      required={isRequired}
      maxLength={255}
      readOnly={key === 'name' && old !== undefined}
      value={fields[key]}
      onChange={({ target }) => setFields({ ...fields, [key]: target.value })}
    />
  )
  const flags = { 'display-name': display_name, description }
  return (
    <form className="stack card" onSubmit={submit} aria-label={old ? `Change ${old.name}` : 'Add a value'}>
      <div className="grid">
        <Field label="Value" name="name" error={save.error} hint="As programs write it, such as us-east">
          {input('name', true)}
        </Field>
        <Field label="Text for people" name="display_name" error={save.error}>
          {input('display_name', true)}
        </Field>
        <Field label="Description" name="description" error={save.error}>
          {input('description', false)}
        </Field>
      </div>
      <label className="row">
        <input type="checkbox" checked={isDeprecated} onChange={({ target }) => setDeprecated(target.checked)} />
        Deprecated: do not use it for anything new
      </label>
      <ErrorText error={save.error} />
      <CodeLines ways={{ CLI: asCli(`sku-properties put-value ${property} ${name || 'VALUE'}`, flags) }} />
      <DialogActions>
        {old ? <Button onClick={onDone}>Add another value</Button> : null}
        <Button kind="primary" type="submit" isBusy={save.isRunning}>
          {old ? 'Save' : 'Add'}
        </Button>
      </DialogActions>
    </form>
  )
}

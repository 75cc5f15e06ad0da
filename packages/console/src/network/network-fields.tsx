/** Fields that all forms of this page have. */
import { client } from '../live/client.ts'
import { useList, useRead } from '../live/queries.ts'
import { tagsOf } from '../live/tags.rules.ts'
import { Field } from '../ui/field.tsx'

type TextProps = { value: string; onChange: (value: string) => void; error: Error | null }

/** The name of a resource. */
export function NameField({ value, onChange, error, isRequired = false }: TextProps & { isRequired?: boolean }) {
  return (
    <Field label="Name" name="name" error={error} hint={isRequired ? undefined : 'Empty: the server chooses one.'}>
      <input value={value} maxLength={255} required={isRequired} onChange={({ target }) => onChange(target.value)} />
    </Field>
  )
}

/** The tags of a resource. */
export function TagsField({ value, onChange, error }: TextProps) {
  const tags = tagsOf(value)
  const wrong = typeof tags === 'string' ? tags : undefined
  return (
    <Field label="Tags" name="tags" error={error} wrong={wrong} hint="Pairs such as team=data, tier=front.">
      <input
        value={value}
        // What cannot be read is not sent.
        ref={(input) => input?.setCustomValidity(wrong ?? '')}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}

/** The workspace of a new resource. */
export function WorkspaceField({ value, onChange, error }: TextProps) {
  const { rows } = useList('list_workspaces', {})
  return (
    <Field label="Workspace" name="workspace" error={error}>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Your own</option>
        {rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** The values that SKUs have of a property, sorted. */
export function useSkuValues(property: 'region' | 'infiniband_fabric'): readonly string[] {
  const { data } = useRead(['sku', 'values', property], async () => {
    const skus = await client.skus.list({ limit: 200 }).all({ max: 1_000 })
    return [...new Set(skus.flatMap((sku) => (sku[property] ? [wordOf(sku[property])] : [])))].sort()
  })
  return data ?? []
}

function wordOf(property: string | { readonly value: string }): string {
  return typeof property === 'string' ? property : property.value
}

/** A choice among the values of SKUs. */
export function SkuValueField({
  label,
  property,
  value,
  onChange,
  error,
}: TextProps & { label: string; property: 'region' | 'infiniband_fabric' }) {
  const values = useSkuValues(property)
  const hint = values.length === 0 ? 'No SKU that you can see has one.' : undefined
  return (
    <Field label={label} name={property} error={error} hint={hint}>
      <select required value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Choose</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </Field>
  )
}

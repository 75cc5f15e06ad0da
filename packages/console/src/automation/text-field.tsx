/** A field of one line in the forms of automations. */
import { Field } from '../ui/field.tsx'

type TextProps = {
  label: string
  value: string
  onChange: (value: string) => void
  isWhole?: boolean
  /** What the field is told about itself. */
  field: { name: string; error: Error | null; wrong?: string | undefined; hint?: string }
}

/** The field. */
export function TextField({ label, value, onChange, isWhole = false, field }: TextProps) {
  return (
    <Field label={label} {...field}>
      <input
        inputMode={isWhole ? 'numeric' : 'text'}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        autoComplete="off"
      />
    </Field>
  )
}

/** A choice of one thing in a form. */
import type { SelectHTMLAttributes } from 'react'

/** What can be chosen. */
export type ChoiceOption = { readonly id: string; readonly name: string; readonly note?: string }

type FleetChoiceProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> & {
  value: string
  onChange: (id: string) => void
  options: readonly ChoiceOption[]
  /** The text of the empty choice: "Choose a pool", "None". Without it, one of the options is always chosen. */
  empty?: string | undefined
}

/** A native select: it is typed into and walked by keys as the system does it. */
export function Choice({ value, onChange, options, empty, ...rest }: FleetChoiceProps) {
  const isKnown = value === '' || options.some(({ id }) => id === value)
  return (
    <select {...rest} value={value} onChange={({ target }) => onChange(target.value)}>
      {empty === undefined ? null : <option value="">{empty}</option>}
      {isKnown ? null : <option value={value}>{value}</option>}
      {options.map(({ id, name, note }) => (
        <option key={id} value={id}>
          {note ? `${name} · ${note}` : name}
        </option>
      ))}
    </select>
  )
}

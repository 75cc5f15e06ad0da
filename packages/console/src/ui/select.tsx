/** A choice among few values, with its label before it: for filters above a list. */

type SelectProps = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Values with their names. */
  options: Readonly<Record<string, string>>
}

/** A labelled native select. */
export function Select({ label, value, onChange, options }: SelectProps) {
  return (
    <span className="row">
      <span aria-hidden="true">{label}</span>
      <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
        {Object.entries(options).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}

/** Options of words of the API, with "All" before them. */
export function allOr(words: readonly string[]): Readonly<Record<string, string>> {
  return { '': 'All', ...Object.fromEntries(words.map((word) => [word, word.replaceAll('_', ' ')])) }
}

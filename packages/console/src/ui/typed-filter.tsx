/** A filter that is typed: it takes effect after a pause, by Enter, or when one leaves it. */
import { useEffect, useRef, useState } from 'react'

/** Milliseconds without a key after which the list is read anew. */
const pause = 300

type TypedFilterProps = {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  maxLength?: number
  /** Values to choose from, while others can be typed. */
  choices?: readonly string[]
}

/** The input. A value that comes from elsewhere, such as the address, replaces what was typed. */
export function TypedFilter({
  label,
  value,
  onChange,
  choices,
  placeholder = label,
  maxLength = 255,
}: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const take = (text: string) => {
    clearTimeout(timer.current)
    if (text.trim() !== value) onChange(text.trim())
  }
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => take(text), pause)
  }
  const list = choices && `choices-${label.replaceAll(/\W+/g, '-')}`
  return (
    <>
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        list={list}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onBlur={() => take(typed)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') take(typed)
        }}
      />
      {choices ? (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      ) : null}
    </>
  )
}

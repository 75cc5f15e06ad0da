/** Controls of filters above a list. */
import { lazy, type ReactNode, Suspense } from 'react'
import { allOr, Select } from '../../ui/select.tsx'
import { TypedFilter } from '../../ui/typed-filter.tsx'
import type { ChoiceOption } from '../forms/choice.tsx'

/** Few lists have days, and their field knows the grammar of times. */
const Day = lazy(() => import('../dates.tsx').then(({ Day: day }) => ({ default: day })))

/** A control: its value is part of the address. */
export type FilterControl = (props: { value: string; onChange: (value: string) => void }) => ReactNode

/** A choice among words of the API, or among values with their names, of which the empty one is the first. */
export function choiceFilter(
  label: string,
  options: readonly string[] | Readonly<Record<string, string>>,
): FilterControl {
  const named = Array.isArray(options) ? allOr(options) : (options as Readonly<Record<string, string>>)
  return (props) => <Select label={label} options={named} {...props} />
}

/** A choice among what a hook reads: resources by their ids. */
export function readFilter(label: string, useOptions: () => Readonly<Record<string, string>>): FilterControl {
  return function ReadFilter(props) {
    return <Select label={label} options={useOptions()} {...props} />
  }
}

/** A choice among resources by their names. */
export function resourceFilter(label: string, useOptions: () => readonly ChoiceOption[]): FilterControl {
  return readFilter(label, () => {
    const names = useOptions().map(({ id, name }) => [id, name])
    return { '': 'All', ...Object.fromEntries(names) }
  })
}

/** A text. */
export function textFilter(label: string, { placeholder = label, maxLength = 255 } = {}): FilterControl {
  return (props) => <TypedFilter label={label} placeholder={placeholder} maxLength={maxLength} {...props} />
}

/** A day in UTC. */
export function dayFilter(label: 'From' | 'To'): FilterControl {
  return (props) => (
    <Suspense fallback={<input disabled aria-label={`${label}, in UTC`} placeholder={label} />}>
      <Day label={label} {...props} />
    </Suspense>
  )
}

/** Yes or no. */
export function checkFilter(label: string): FilterControl {
  return ({ value, onChange }) => (
    <label className="row">
      <input type="checkbox" checked={value === '1'} onChange={({ target }) => onChange(target.checked ? '1' : '')} />
      {label}
    </label>
  )
}

/** Days of UTC in addresses: one, or a range of which both are included. */
import { TimeField } from '../ui/time-field.tsx'
import { useNow } from './clock.ts'
import { dateText, readDate } from './months.rules.ts'

type DayProps = { label: string; value: string; onChange: (day: string) => void }

/** One day, as addresses have it: `2026-11-28`, or nothing. */
export function Day({ label, value, onChange }: DayProps) {
  const now = useNow(60)
  return (
    <TimeField
      kind="day"
      label={`${label}, in UTC`}
      placeholder={label}
      now={now}
      value={readDate(value)}
      onChange={(at) => onChange(at === undefined ? '' : dateText(at))}
    />
  )
}

type DatesProps = { from: string; to: string; onChange: (change: { from?: string; to?: string }) => void }

/** Two days, both included. */
export function Dates({ from, to, onChange }: DatesProps) {
  return (
    <span className="row">
      <Day label="From" value={from} onChange={(day) => onChange({ from: day })} />
      to
      <Day label="To" value={to} onChange={(day) => onChange({ to: day })} />
    </span>
  )
}

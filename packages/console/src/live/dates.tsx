/** Filters by days. */

type DatesProps = { from: string; to: string; onChange: (change: { from?: string; to?: string }) => void }

/** Two days of UTC, both included. */
export function Dates({ from, to, onChange }: DatesProps) {
  return (
    <span className="row">
      <input
        type="date"
        aria-label="From, in UTC"
        value={from}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      to
      <input type="date" aria-label="To, in UTC" value={to} onChange={({ target }) => onChange({ to: target.value })} />
    </span>
  )
}

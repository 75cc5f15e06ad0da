/** How an automation does, and what it would do next. */
import type { AutomationStatus } from '@bourse/sdk'
import { Badge } from '../ui/badge.tsx'
import { statusTone } from './automation.rules.ts'
import { EstimateView, type LiveEstimate } from './estimate-view.tsx'

type Automation = { readonly status: AutomationStatus; readonly enabled: boolean }

/** The code of a status in its colour; a paused automation is paused whatever its status was. */
export function StatusBadge({ status, enabled }: Automation) {
  if (!enabled) return <Badge word="paused" />
  return <Badge word={status.code} tone={statusTone(status)} />
}

/** The column of lists of automations. */
export const statusColumn = {
  id: 'status',
  title: 'Status',
  value: ({ status, enabled }: Automation) => (enabled ? status.code : 'paused'),
  cell: (automation: Automation) => <StatusBadge {...automation} />,
}

type StatusProps = {
  status: AutomationStatus
  enabled: boolean
  /** What it would do next. */
  next: LiveEstimate
}

/** Two cards: what it says about itself, and its next step. */
export function StatusCards({ status, enabled, next }: StatusProps) {
  return (
    <div className="grid">
      <section className="card" aria-label="Status">
        <h2>Status</h2>
        <StatusBadge status={status} enabled={enabled} />
        <p>{status.message}</p>
      </section>
      <section className="card" aria-label="Next">
        <h2>What it would do now</h2>
        <EstimateView {...next} />
      </section>
    </div>
  )
}

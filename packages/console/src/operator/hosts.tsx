/** The machines: what they report, how full they are, and how another one is enrolled. */

import type { Host } from '@bourse/sdk'
import { hosts } from '../generated/rows/operator.ts'
import { useExample } from '../live/example.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { SkuFilter } from '../operator/across.tsx'
import { Badge } from '../ui/badge.tsx'
import { AccountFilter } from './across.tsx'
import { EnrolForm } from './dialogs.tsx'
import styles from './operator.module.css'

const states = ['active', 'cordoned', 'draining', 'drained', 'retired']
const healths = ['healthy', 'unreachable', 'faulted']

/** The list. */
export function Hosts() {
  return (
    <ListTab
      name="Hosts"
      operation="list_hosts"
      every={10_000}
      columns={hostColumns}
      page="/operator/hosts/$id"
      filters={filters}
      create={{ label: 'Enrol a host', dialog: (close) => <EnrolForm onClose={close} /> }}
      empty={{
        title: 'No host',
        useCommand,
        text: 'A host is a machine of yours that runs instances. Enrol one to have something to sell.',
      }}
    />
  )
}

function useCommand(): string {
  return `bourse host-enrolments create --sku ${useExample('sku')}`
}

const filters = {
  account: AccountFilter,
  state: choiceFilter('State', states),
  health: choiceFilter('Health', healths),
  sku: SkuFilter,
}

const health = {
  of: 'health',
  cell: (row: Host) => <Badge word={row.health} tone={row.health === 'healthy' ? 'good' : 'bad'} />,
} as const
const slots = {
  of: 'used_slots',
  title: 'Slots',
  isNumber: false,
  cell: (row: Host) => <SlotMap used={row.used_slots} all={row.slots} />,
} as const

/** What lists of hosts show. */
export const hostColumns = columnsOf(hosts, ['name', 'state', health, 'sku', slots, 'last_seen_at'], ['account'])

/** What the page of a host says of it. */
export const hostFacts = columnsOf(hosts, [
  health,
  'sku',
  {
    of: 'used_slots',
    title: 'Slots',
    isNumber: false,
    cell: (row: Host) => (
      <>
        <SlotMap used={row.used_slots} all={row.slots} />{' '}
        <span aria-hidden="true">{`${row.used_slots} of ${row.slots} used`}</span>
      </>
    ),
  },
  'last_seen_at',
  'agent_version',
  { of: 'agent_managed_by', title: 'Agent updated by' },
  { of: 'agent_pinned', title: 'Agent is pinned' },
  'traffic',
  { of: 'drain_deadline_at', title: 'Drained by', as: 'moment', isOptional: true },
  'id',
  { of: 'health_message', title: 'Message', isOptional: true },
])

/** Slots as squares, the used ones filled. */
export function SlotMap({ used, all }: { used: number; all: number }) {
  const shown = Math.min(all, 32)
  return (
    <span className={styles.slots} title={`${used} of ${all} slots are used`}>
      <span className="visually-hidden">
        {used} of {all}
      </span>
      {Array.from({ length: shown }, (_, index) => `slot ${index + 1}`).map((slot, index) => (
        <i key={slot} data-used={index < used} />
      ))}
      {all > shown ? ` ${used}/${all}` : ''}
    </span>
  )
}

/** The audit trail: who did what in the account, and what was refused. */

import type { AuditEntry } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { auditEntries } from '../generated/rows/access.ts'
import { columnsOf, ownColumns } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { choiceFilter, dayFilter, textFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { readDate } from '../live/months.rules.ts'
import { Actor, actorText, Things, thingsText } from '../live/names/named.tsx'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Table } from '../ui/table.tsx'

/** Entries emit no event, so they are read again at their own pace. Milliseconds. */
const pace = 10_000

const filters = {
  outcome: choiceFilter('Outcome', ['done', 'refused']),
  operation: textFilter('Operation', { maxLength: 64 }),
  actor: textFilter('Id of who did it', { maxLength: 64 }),
  target: textFilter('Id of what it was done to', { maxLength: 64 }),
  from: dayFilter('From'),
  to: dayFilter('To'),
}

/** The list with its filters, which are part of the address. */
export function AuditTab() {
  return (
    <div className="stack">
      <p>
        Each write, refused write, read of a secret and sign-in has an entry, for 400 days. Entries are sealed each
        hour: <code>bourse audit verify</code> finds what was changed in the database.{' '}
        <a href="/docs/concepts/audit">More</a>
      </p>
      <ListTab
        name="Audit trail"
        operation="list_audit_entries"
        every={pace}
        columns={columns}
        filters={filters}
        query={({ from = '', to = '', ...rest }) => ({ ...rest, from: readDate(from), to: dayAfter(to) })}
        opened={(entry, close) => <EntryDialog entry={entry} onClose={close} />}
        empty={{
          title: 'No entry',
          command: 'bourse audit list',
          text: 'Each write by a person or a program is one entry.',
        }}
      />
    </div>
  )
}

function dayAfter(date: string): number | undefined {
  const day = readDate(date)
  return day && day + daySeconds
}

const whoColumn = {
  of: 'actor',
  title: 'Who',
  value: ({ actor }: AuditEntry) => actorText(actor),
  cell: ({ actor }: AuditEntry) => <Actor {...actor} />,
} as const

const columns = columnsOf(
  auditEntries,
  [
    'occurred_at',
    whoColumn,
    { of: 'operation', title: 'What' },
    {
      of: 'targets',
      title: 'To',
      value: ({ targets }) => thingsText(targets),
      cell: ({ targets }) => <Things things={targets} />,
    },
    {
      of: 'outcome',
      cell: ({ outcome, code }) => <Badge word={code ?? outcome} tone={outcome === 'done' ? 'good' : 'bad'} />,
    },
    'address',
  ],
  [{ of: 'changes', title: 'Fields', value: fieldsOf }, { id: 'ids', title: 'Ids', value: targetsOf }, 'id'],
)

const facts = columnsOf(auditEntries, [
  'occurred_at',
  whoColumn,
  'address',
  { of: 'user_agent', title: 'With' },
  { of: 'request_id', title: 'Request', as: 'id' },
])

function targetsOf({ targets }: AuditEntry): string {
  return targets.map(({ id }) => id).join(' ')
}

function fieldsOf({ changes }: AuditEntry): string {
  return changes.map(({ field }) => field).join(' ')
}

type EntryChange = AuditEntry['changes'][number]

const changeColumns = ownColumns<EntryChange>([
  { id: 'field', title: 'Field', value: ({ field }) => field, as: 'code' },
  { id: 'from', title: 'Before', value: (change) => shown(change.old_value, change) },
  { id: 'to', title: 'After', value: (change) => shown(change.new_value, change) },
])

function shown(value: string | null, { is_secret }: EntryChange): string | null {
  return is_secret ? 'secret' : value
}

/** One entry with what it changed. Values of secrets are never kept. */
function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  return (
    <Dialog title={entry.operation} isOpen onClose={onClose} isWide>
      <Details columns={facts} row={entry} />
      {entry.changes.length === 0 ? (
        <p className="quiet">No field was changed.</p>
      ) : (
        <Table name="Changes" columns={changeColumns} rows={entry.changes} keyOf={({ field }) => field} />
      )}
    </Dialog>
  )
}

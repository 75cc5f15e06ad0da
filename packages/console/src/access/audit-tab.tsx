/** The audit trail: who did what in the account, and what was refused. */
import type { AuditEntry } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { useState } from 'react'
import { Dates } from '../live/dates.tsx'
import { ListView } from '../live/lists/list-view.tsx'
import { readDate } from '../live/months.rules.ts'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty, Facts } from '../ui/page.tsx'
import { allOr, Select } from '../ui/select.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { TypedFilter } from '../ui/typed-filter.tsx'
import { Copyable, Moment } from '../ui/values.tsx'

/** Entries emit no event, so they are read again at their own pace. Milliseconds. */
const pace = 10_000

/** The list with its filters, which are part of the address. */
export function AuditTab() {
  const [address, setAddress] = useAddress({ outcome: '', operation: '', actor: '', target: '', from: '', to: '' })
  const [opened, setOpened] = useState<AuditEntry>()
  const to = readDate(address.to)
  const filters = { ...address, from: readDate(address.from), to: to && to + daySeconds }
  const list = useList('list_audit_entries', filters, { every: pace })
  const text = (name: 'operation' | 'actor' | 'target', label: string) => (
    <TypedFilter
      label={label}
      maxLength={64}
      value={address[name]}
      onChange={(value) => setAddress({ [name]: value })}
    />
  )
  return (
    <div className="stack">
      <p>
        Each write, refused write, read of a secret and sign-in has an entry, for 400 days. Entries are sealed each
        hour: <code>bourse audit verify</code> finds what was changed in the database.{' '}
        <a href="/docs/concepts/audit">More</a>
      </p>
      <div className="row">
        <Select
          label="Outcome"
          value={address.outcome}
          onChange={(outcome) => setAddress({ outcome })}
          options={allOr(['done', 'refused'])}
        />
        {text('operation', 'Operation')}
        {text('actor', 'Id of who did it')}
        {text('target', 'Id of what it was done to')}
        <Dates from={address.from} to={address.to} onChange={setAddress} />
      </div>
      <ListView
        name="Audit trail"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={setOpened}
        empty={
          <Empty title="No entry" command="bourse audit list">
            Nothing was done that these filters show. Each write by a person or a program is one entry.
          </Empty>
        }
      />
      <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />
    </div>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  {
    id: 'occurred_at',
    title: 'When',
    value: ({ occurred_at }) => occurred_at,
    cell: ({ occurred_at }) => <Moment at={occurred_at} />,
  },
  { id: 'actor', title: 'Who', value: ({ actor }) => whoOf(actor), cell: ({ actor }) => whoOf(actor) },
  { id: 'operation', title: 'What', value: ({ operation }) => operation, cell: ({ operation }) => operation },
  { id: 'targets', title: 'To', value: targetsOf, cell: (entry) => <span className="mono">{targetsOf(entry)}</span> },
  {
    id: 'outcome',
    title: 'Outcome',
    value: ({ outcome }) => outcome,
    cell: ({ outcome, code }) => <Badge word={code ?? outcome} tone={outcome === 'done' ? 'good' : 'bad'} />,
  },
  { id: 'address', title: 'From', value: ({ address }) => address, cell: ({ address }) => address ?? '–' },
  { id: 'changes', title: 'Fields', value: fieldsOf, cell: fieldsOf, isExtra: true },
  { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
]

function whoOf({ type, id, name }: AuditEntry['actor']): string {
  return name ?? id ?? type
}

function targetsOf({ targets }: AuditEntry): string {
  return targets.map(({ id }) => id).join(' ')
}

function fieldsOf({ changes }: AuditEntry): string {
  return changes.map(({ field }) => field).join(' ')
}

type Change = AuditEntry['changes'][number]

const changeColumns: readonly Column<Change>[] = [
  { id: 'field', title: 'Field', value: ({ field }) => field, cell: ({ field }) => <code>{field}</code> },
  {
    id: 'from',
    title: 'Before',
    value: ({ old_value }) => old_value,
    cell: (change) => shown(change.old_value, change),
  },
  { id: 'to', title: 'After', value: ({ new_value }) => new_value, cell: (change) => shown(change.new_value, change) },
]

function shown(value: string | null, { is_secret }: Change): string {
  return is_secret ? 'secret' : (value ?? '–')
}

/** One entry with what it changed. Values of secrets are never kept. */
function EntryDialog({ entry, onClose }: { entry: AuditEntry | undefined; onClose: () => void }) {
  return (
    <Dialog title={entry?.operation ?? ''} isOpen={entry !== undefined} onClose={onClose} isWide>
      {entry ? (
        <>
          <Facts
            facts={[
              ['When', <Moment key="when" at={entry.occurred_at} />],
              ['Who', whoOf(entry.actor)],
              ['From', entry.address ?? '–'],
              ['With', entry.user_agent ?? '–'],
              ['Request', <Copyable key="request" text={entry.request_id} />],
            ]}
          />
          {entry.changes.length === 0 ? (
            <p className="quiet">No field was changed.</p>
          ) : (
            <Table name="Changes" columns={changeColumns} rows={entry.changes} keyOf={({ field }) => field} />
          )}
        </>
      ) : null}
    </Dialog>
  )
}

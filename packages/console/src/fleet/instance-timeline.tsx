/** What happened to an instance, oldest first. */
import type { Event, Instance } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { actionText } from './timeline.rules.ts'

/** Its events of the last seven days. */
export function InstanceTimeline({ instance }: { instance: Instance }) {
  const now = useNow()
  const { data, error } = useRead(['event', 'of', instance.id], () =>
    client.events.list({ target: instance.id, limit: 200 }).all(),
  )
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  return (
    <>
      <Table name={`Events of ${instance.name}`} columns={columnsAt(now)} rows={data} keyOf={({ id }) => id} />
      <Link to="/events" search={{ target: instance.id }}>
        Open in events
      </Link>
    </>
  )
}

function columnsAt(now: number): readonly Column<Event>[] {
  return [
    {
      id: 'occurred_at',
      title: 'When',
      value: ({ occurred_at }) => occurred_at,
      cell: ({ occurred_at }) => <Age at={occurred_at} now={now} />,
    },
    { id: 'what', title: 'What', value: ({ action }) => actionText(action), cell: ({ action }) => actionText(action) },
    {
      id: 'action',
      title: 'Action',
      value: ({ action }) => action,
      cell: ({ action }) => <span className="mono">{action}</span>,
    },
    { id: 'by', title: 'By', value: ({ actor }) => actorOf(actor), cell: ({ actor }) => actorOf(actor) },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function actorOf(actor: Event['actor']): string {
  return 'id' in actor ? String(actor.id) : 'the service'
}

/** What happened to an instance, oldest first. */
import type { Event, Instance } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { events } from '../generated/rows/events.ts'
import { client } from '../live/client.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { useRead } from '../live/queries.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { actionText } from './timeline.rules.ts'

/** Its events of the last seven days. */
export function InstanceTimeline({ instance }: { instance: Instance }) {
  const { data, error } = useRead(['event', 'of', instance.id], () =>
    client.events.list({ target: instance.id, limit: 200 }).all(),
  )
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  return (
    <>
      <Table name={`Events of ${instance.name}`} columns={columns} rows={data} keyOf={({ id }) => id} />
      <Link to="/events" search={{ target: instance.id }}>
        Open in events
      </Link>
    </>
  )
}

const columns = columnsOf(
  events,
  [
    { of: 'occurred_at', as: 'age' },
    { id: 'what', title: 'What', value: ({ action }) => actionText(action) },
    { of: 'action', as: 'code' },
    { id: 'by', title: 'By', value: ({ actor }) => actorOf(actor) },
  ],
  ['id'],
)

function actorOf(actor: Event['actor']): string {
  return 'id' in actor ? String(actor.id) : 'the service'
}

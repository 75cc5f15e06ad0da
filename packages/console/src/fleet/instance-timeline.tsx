/** What happened to an instance, oldest first. */
import type { Event, Instance } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { events } from '../generated/rows/events.ts'
import { client } from '../live/client.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { useRead } from '../live/queries.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'
import { actionText } from './timeline.rules.ts'

/** Its events of the last seven days. */
export function InstanceTimeline({ instance }: { instance: Instance }) {
  const own = useRead(['event', 'of', instance.id], () => client.events.list({ target: instance.id, limit: 200 }).all())
  return (
    <>
      <Loaded of={own}>
        {(rows) => <Table name={`Events of ${instance.name}`} columns={columns} rows={rows} keyOf={({ id }) => id} />}
      </Loaded>
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

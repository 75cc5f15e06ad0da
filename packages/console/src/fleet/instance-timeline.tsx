/** What happened to an instance, oldest first. */
import type { Event, Instance } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { events } from '../generated/rows/events.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Table } from '../ui/table.tsx'
import { actionText } from './timeline.rules.ts'
import { useActorNames, useInstanceEvents } from './use-instance-events.ts'

/** Its events of the last seven days. */
export function InstanceTimeline({ instance }: { instance: Instance }) {
  const own = useInstanceEvents(instance)
  const nameOf = useActorNames(own.data ?? [])
  return (
    <div className="stack">
      <Loaded of={own}>
        {(rows) => (
          <Table name={`Events of ${instance.name}`} columns={columnsWith(nameOf)} rows={rows} keyOf={({ id }) => id} />
        )}
      </Loaded>
      <Link to="/events" search={{ target: instance.id }}>
        Open in events
      </Link>
    </div>
  )
}

function columnsWith(nameOf: (event: Event) => string | undefined) {
  return columnsOf(
    events,
    [
      { of: 'occurred_at', as: 'age' },
      { id: 'what', title: 'What', value: ({ action }) => actionText(action) },
      { id: 'by', title: 'By', value: (event) => nameOf(event) ?? 'the service' },
    ],
    [{ of: 'action', as: 'code' }, 'id'],
  )
}

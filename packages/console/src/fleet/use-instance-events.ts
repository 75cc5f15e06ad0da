/** The events of an instance, and who caused them. */
import type { Event, Instance } from '@bourse/sdk'
import { client } from '../live/client.ts'
import { useNames } from '../live/names/names.ts'
import { useRead } from '../live/queries.ts'

/** Its events of the last seven days, oldest first. */
export function useInstanceEvents({ id }: Pick<Instance, 'id'>, { enabled = true } = {}) {
  return useRead(['event', 'of', id], () => client.events.list({ target: id, limit: 200 }).all(), { enabled })
}

/** Who caused events, by name: nobody's name is known for the service itself. */
export function useActorNames(events: readonly Event[]): (event: Event) => string | undefined {
  const nameOf = useNames(events.flatMap(({ actor }) => idOf(actor) ?? []))
  return ({ actor }) => {
    const id = idOf(actor)
    return id === undefined ? undefined : nameOf(id)
  }
}

function idOf(actor: Event['actor']): string | undefined {
  return 'id' in actor ? String(actor.id) : undefined
}

/** The events of deliveries: those of all rows in view are read together from the log. */
import type { Event, WebhookDelivery } from '@bourse/sdk'
import { useEffect, useSyncExternalStore } from 'react'
import { readNewest } from '../events/newest.ts'
import { askedTogether } from '../live/names/asked.ts'

/** Events that are looked through: those up to the newest of the deliveries. */
const most = 1_000

const events = askedTogether<Event>({
  ask: async (keys) => {
    const until = Math.max(...keys.map((key) => Number(key.split(' ')[0])))
    const found = await readNewest({}, { until, most, signal: new AbortController().signal })
    const byId = new Map(found.map((event) => [event.id as string, event]))
    return new Map(
      keys.flatMap((key) => {
        const event = byId.get(key.split(' ')[1] ?? '')
        return event ? [[key, event]] : []
      }),
    )
  },
})

/** The event of a delivery; undefined where it happened long before, as with a replay. */
export function useEventOf({ event, created_at }: WebhookDelivery): Event | undefined {
  const key = `${created_at} ${event}`
  useEffect(() => {
    if (event !== null) events.want([key])
  }, [event, key])
  return useSyncExternalStore(events.subscribe, () => events.known(key))
}

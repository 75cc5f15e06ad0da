/** The clock of the server, which a sandbox may stop or turn forward. */
import { useSyncExternalStore } from 'react'
import { client } from './client.ts'
import { useRead } from './queries.ts'

/** The account and the person of this session, and what server it is. */
export function useAccount() {
  return useRead(['account', 'own'], () => client.account.get(), { every: 60_000 })
}

let seconds = Math.floor(Date.now() / 1000)
const watchers = new Set<() => void>()
setInterval(() => {
  seconds = Math.floor(Date.now() / 1000)
  for (const watcher of watchers) watcher()
}, 1_000)

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** The seconds of this machine's clock; a component that uses it is drawn once a second. */
export function useTick(): number {
  return useSyncExternalStore(subscribe, () => seconds)
}

/** The sandbox's clock, as last read; asked only in a sandbox. One function reads it: all share one answer. */
export function useClock() {
  const { data } = useAccount()
  const enabled = data?.server.mode === 'sandbox'
  return useRead(['clock', 'state'], () => client.clock.get(), { every: 10_000, enabled })
}

/**
 * The server's time in Unix seconds, once a second. It runs at the rate of the sandbox's clock, as last read; where
 * that stands still, so does this.
 */
export function useNow(): number {
  const tick = useTick()
  const { data, dataUpdatedAt } = useAccount()
  const clock = useClock()
  if (data === undefined) return tick
  if (clock.data === undefined) return data.server.now + Math.max(0, tick - Math.floor(dataUpdatedAt / 1000))
  const passed = Math.max(0, tick - Math.floor(clock.dataUpdatedAt / 1000))
  const { now, frozen, rate } = clock.data
  return frozen ? now : now + Math.floor(passed * rate)
}

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
 * that stands still, so does this. With a step, such as 60, it is the last whole one, and the page is drawn no more
 * often.
 */
export function useNow(step = 1): number {
  const { data, dataUpdatedAt } = useAccount()
  const clock = useClock()
  const passedSince = (readAt: number) => Math.max(0, seconds - Math.floor(readAt / 1000))
  const read = () => {
    if (data === undefined) return seconds
    if (clock.data === undefined) return data.server.now + passedSince(dataUpdatedAt)
    const { now, frozen, rate } = clock.data
    return frozen ? now : now + Math.floor(passedSince(clock.dataUpdatedAt) * rate)
  }
  return useSyncExternalStore(subscribe, () => {
    const now = read()
    return now - (now % step)
  })
}

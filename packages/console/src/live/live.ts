/** Connects the event stream with the cache, and tells pages how it stands. */
import type { Event } from '@bourse/sdk'
import { useSyncExternalStore } from 'react'
import { readAtOwnPace, refresh, refreshAll } from './cache.ts'
import { hearing, type State } from './hearing.ts'
import { goToSignIn } from './session.ts'
import type { openStream } from './stream.ts'
import { touchedBy } from './touched.rules.ts'

/** Milliseconds for which events are collected, so that one burst is one refresh. */
const collecting = 40
/** Milliseconds before the stream is loaded once more. */
const loadAgain = 3_000

/** Who hears of events, and of gaps: then events are missing, and some that came may be lost. */
type Hearer = { readonly event: (event: Event) => void; readonly gap: () => void }

let state: State = 'connecting'
let isStarted = false
const watchers = new Set<() => void>()
const hearers = new Set<Hearer>()

/** Starts the stream, once for each page load. */
export function startLive(begin: { readonly account: string; readonly since: number }): void {
  if (isStarted) return
  isStarted = true
  let batch: Event[] = []
  const flush = () => {
    const events = batch
    batch = []
    refresh(touchedBy(events))
  }
  const hearEvent = (event: Event) => {
    if (batch.push(event) === 1) setTimeout(flush, collecting)
    for (const hearer of hearers) hearer.event(event)
  }
  const hearGap = () => {
    for (const { gap } of hearers) gap()
  }
  const listener = hearing({ goToSignIn, hearEvent, hearGap, refreshAll, readAtOwnPace, setState })
  // Pages are shown before: the stream begins at the time that they were read.
  void openLater(begin, listener)
}

/** Loads the stream, again where the server is away just then. */
async function openLater(...given: Parameters<typeof openStream>): Promise<void> {
  try {
    const stream = await import('./stream.ts')
    stream.openStream(...given)
  } catch {
    setState('away')
    setTimeout(() => void openLater(...given), loadAgain)
  }
}

/** Tells the hearer of each event and gap that comes. Returns how to stop that. */
export function hearEvents(hearer: Hearer): () => void {
  hearers.add(hearer)
  return () => void hearers.delete(hearer)
}

/** Whether changes that others make are shown as they happen. */
export function useConnection(): State {
  return useSyncExternalStore(subscribe, () => state)
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

function setState(next: State): void {
  state = next
  for (const watcher of watchers) watcher()
}

/** Connects the event stream with the cache, and tells pages how it stands. */
import type { Event } from '@bourse/sdk'
import { useSyncExternalStore } from 'react'
import { refresh, refreshAll } from './cache.ts'
import { goToSignIn } from './session.ts'
import { openStream } from './stream.ts'
import { touchedBy } from './touched.rules.ts'

/** Milliseconds for which events are collected, so that one burst is one refresh. */
const collecting = 40

type State = 'connecting' | 'connected' | 'away'

let state: State = 'connecting'
let isStarted = false
const watchers = new Set<() => void>()
const hearers = new Set<(event: Event) => void>()

/** Starts the stream, once for each page load. */
export function startLive(account: string): void {
  if (isStarted) return
  isStarted = true
  let batch: Event[] = []
  const flush = () => {
    const events = batch
    batch = []
    refresh(touchedBy(events))
  }
  openStream(account, (message) => {
    if (message.type === 'signed_out') return goToSignIn()
    if (message.type === 'connected' && state === 'away') refreshAll()
    if (message.type === 'gap') return refreshAll()
    if (message.type !== 'event') return setState(message.type)
    if (batch.push(message.event) === 1) setTimeout(flush, collecting)
    for (const hear of hearers) hear(message.event)
  })
}

/** Calls the hearer with each event that comes. Returns how to stop that. */
export function onEvent(hear: (event: Event) => void): () => void {
  hearers.add(hear)
  return () => void hearers.delete(hear)
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

/**
 * `--watch` of lists: reads a list again when an event of its kind arrives, and after some seconds, since not every
 * change has an event. A terminal shows the whole list each time; other output gets one line for each change.
 */
import { eventActions } from '@bourse/api/events/actions.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { isTransient } from '@bourse/sdk/errors.ts'
import type { EventFilters } from '@bourse/sdk/follow.ts'
import { pause } from '@bourse/sdk/timing.ts'
import type { Session } from '../input/session.ts'
import { type List, printList, rowPrinter, type Shape } from '../output/output.ts'

/** A list to watch. The signal ends the watch; a command is ended by Ctrl-C. */
export type WatchedList = {
  readonly endpoint: Endpoint
  readonly shape: Shape
  readonly read: () => Promise<List>
  readonly signal?: AbortSignal
}

/** Between two reads of a list, with and without events of its kind, and at least. Milliseconds. */
const intervalWithEvents = 10_000
const intervalAlone = 2_000
const shortestInterval = 200

const clearScreen = Buffer.from('\x1b[H\x1b[2J')

/** Shows a list, and then its changes, until it is stopped. */
export async function watchList(session: Session, { endpoint, shape, read, signal }: WatchedList): Promise<void> {
  const filters = filtersOf(endpoint)
  const changes = filters ? await followChanges(session, filters) : undefined
  const show = showerOf(session, shape)
  try {
    while (!signal?.aborted) {
      try {
        show(await read())
      } catch (error) {
        if (!isTransient(error)) throw error
        session.terminal.note(`${(error as Error).message} Trying again.`)
      }
      await pause(shortestInterval, signal)
      await changes?.wait(signal)
      if (!changes) await pause(intervalAlone, signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    changes?.stop()
  }
}

/** The filters of the events that tell of changes of a list; undefined where its kind has no events. */
function filtersOf({ name }: Endpoint): EventFilters | undefined {
  if (name === 'list_events') return {}
  const kind = name.replace(/^list_/, '').replace(/s$/, '')
  return Object.values(eventActions).some(({ target_type }) => target_type === kind) ? { target_type: kind } : undefined
}

type Changes = { wait(signal: AbortSignal | undefined): Promise<void>; stop(): void }

/** Follows the events from now on. Where they cannot be read, only the interval remains. */
async function followChanges({ client, lookup }: Session, filters: EventFilters): Promise<Changes> {
  const ending = new AbortController()
  const since = (await lookup.account.get()).server.now
  let hasChanged = false
  let wake = () => {}
  const follow = async () => {
    for await (const _ of client.events.follow({ filters: { ...filters, since }, signal: ending.signal })) {
      hasChanged = true
      wake()
    }
  }
  follow().catch(() => {})
  return {
    wait: async (signal) => {
      if (!hasChanged) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        const timer = new AbortController()
        const stop = () => timer.abort()
        signal?.addEventListener('abort', stop, { once: true })
        await Promise.race([woken, pause(intervalWithEvents, timer.signal).catch(() => {})])
        signal?.removeEventListener('abort', stop)
        stop()
      }
      hasChanged = false
    },
    stop: () => ending.abort(),
  }
}

/** Shows a list as it is read: whole on a terminal, else its changes since the last time. */
function showerOf({ terminal, output }: Session, shape: Shape): (list: List) => void {
  if (terminal.width !== undefined && output.format === 'table') {
    return (list) => {
      terminal.raw(clearScreen)
      printList(terminal, output, list, shape)
      terminal.note(terminal.dim(`Read at ${new Date().toISOString().slice(0, 19)}Z. Ctrl-C ends.`))
    }
  }
  const isJson = output.format === 'json' || output.format === 'jsonl'
  const print = rowPrinter(terminal, output, shape)
  let known = new Map<string, string>()
  return ({ data }) => {
    const rows = new Map(data.map((row) => [keyOf(row), JSON.stringify(row)]))
    const report = (change: 'added' | 'changed' | 'removed', text: string) => {
      if (isJson) print({ change, row: JSON.parse(text) })
      else if (change !== 'removed') print(JSON.parse(text))
    }
    for (const [key, text] of rows) {
      const before = known.get(key)
      if (before !== text) report(before === undefined ? 'added' : 'changed', text)
    }
    for (const [key, text] of known) if (!rows.has(key)) report('removed', text)
    known = rows
  }
}

function keyOf(row: unknown): string {
  return (row as { id?: string }).id ?? JSON.stringify(row)
}

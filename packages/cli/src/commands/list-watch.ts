/**
 * `--watch`: reads a list or an object again when an event of its kind arrives, and after some seconds, since not every
 * change has an event. A terminal shows the whole each time; other output gets one line for each change of a list, and
 * the object each time that it has changed.
 */
import { eventActions } from '@bourse/api/events/actions.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { isTransient } from '@bourse/sdk/errors.ts'
import type { EventFilters } from '@bourse/sdk/follow.ts'
import { pause } from '@bourse/text/time/pause.ts'
import type { Session } from '../input/session.ts'
import { type List, rowPrinter } from '../output/output.ts'
import type { RowShape } from '../output/rows/columns.ts'

type Watched = {
  readonly endpoint: Endpoint
  /** Ends the watch; a command is ended by Ctrl-C. */
  readonly signal?: AbortSignal
}

/** A list to watch. */
export type WatchedList = Watched & {
  readonly shape: RowShape
  readonly read: () => Promise<List>
  /** Shows the whole list. */
  readonly show: (list: List) => Promise<void>
  /** Chooses and orders rows. */
  readonly take: (rows: readonly unknown[]) => readonly unknown[]
}

type WatchedValues = Readonly<Record<string, unknown>>

/** An object to watch. */
export type WatchedObject = Watched & {
  readonly read: () => Promise<WatchedValues>
  readonly show: (value: WatchedValues) => Promise<void>
}

/** Between two reads, with and without events of the kind, and at least. Milliseconds. */
const intervalWithEvents = 10_000
const intervalAlone = 2_000
const shortestInterval = 200

const clearScreen = Buffer.from('\x1b[H\x1b[2J')

/** Shows a list, and then its changes, until it is stopped. */
export async function watchList(session: Session, { endpoint, shape, read, show, take, signal }: WatchedList) {
  const onChange = isDrawn(session) ? drawn(session, show) : changePrinter(session, shape, take)
  await watch(session, { filters: filtersOf(endpoint), read, show: onChange, signal })
}

/** Shows an object, and shows it again when it has changed, until it is stopped. */
export async function watchObject(session: Session, { endpoint, read, show, signal }: WatchedObject) {
  const first = await read()
  const filters = filtersOf(endpoint)
  const { id } = first
  let unread: WatchedValues | undefined = first
  await watch(session, {
    filters: filters && typeof id === 'string' ? { ...filters, target: id } : undefined,
    read: async () => {
      const value = unread ?? (await read())
      unread = undefined
      return value
    },
    show: isDrawn(session) ? drawn(session, show) : whenChanged(session, show),
    signal,
  })
}

type ListWatch<T> = {
  readonly filters: EventFilters | undefined
  readonly read: () => Promise<T>
  readonly show: (value: T) => Promise<void>
  readonly signal: AbortSignal | undefined
}

async function watch<T>(session: Session, { filters, read, show, signal }: ListWatch<T>): Promise<void> {
  const changes = filters ? await followChanges(session, filters) : undefined
  try {
    while (!signal?.aborted) {
      try {
        await show(await read())
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

/** The filters of the events that tell of changes of a kind; undefined where it has no events. */
function filtersOf({ name }: Endpoint): EventFilters | undefined {
  if (name === 'list_events') return {}
  const kind = name.replace(/^(list|get)_/, '').replace(/s$/, '')
  return Object.values(eventActions).some(({ target_type }) => target_type === kind) ? { target_type: kind } : undefined
}

type ListChanges = { wait(signal: AbortSignal | undefined): Promise<void>; stop(): void }

/** Follows the events from now on. Where they cannot be read, only the interval remains. */
async function followChanges({ client, lookup }: Session, filters: EventFilters): Promise<ListChanges> {
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
        await Promise.race([woken, pause(intervalWithEvents, timer.signal)])
        signal?.removeEventListener('abort', stop)
        stop()
      }
      hasChanged = false
    },
    stop: () => ending.abort(),
  }
}

/** Whether the whole is drawn again each time. */
function isDrawn({ terminal, output }: Session): boolean {
  return terminal.width !== undefined && output.format === 'table'
}

function drawn<T>({ terminal }: Session, show: (value: T) => Promise<void>): (value: T) => Promise<void> {
  return async (value) => {
    terminal.raw(clearScreen)
    await show(value)
    terminal.note(terminal.dim(`Read at ${new Date().toISOString().slice(0, 19)}Z. Ctrl-C ends.`))
  }
}

/** Shows an object that differs from the last one. Documents of YAML and records are separated. */
function whenChanged({ terminal, output }: Session, show: (value: WatchedValues) => Promise<void>) {
  let known: string | undefined
  return async (value: WatchedValues) => {
    const text = JSON.stringify(value)
    if (text === known) return
    if (output.format === 'yaml') terminal.data('---')
    else if (output.format === 'table' && known !== undefined) terminal.data('')
    known = text
    if (output.format === 'json' || output.format === 'jsonl') terminal.data(text)
    else await show(value)
  }
}

/** Prints what has changed since the last time. */
function changePrinter({ terminal, output }: Session, shape: RowShape, take: WatchedList['take']) {
  const withChanges = ['json', 'jsonl', 'yaml'].includes(output.format)
  const print = rowPrinter(terminal, output, shape)
  let known = new Map<string, string>()
  return async ({ data }: List) => {
    const rows = new Map(take(data).map((row) => [keyOf(row), JSON.stringify(row)]))
    const report = (change: 'added' | 'changed' | 'removed', text: string) => {
      if (withChanges) print({ change, row: JSON.parse(text) })
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

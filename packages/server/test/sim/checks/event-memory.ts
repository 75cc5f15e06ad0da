/** events.frozen: an event reads the same every time; only its cursor depends on the filters. */

/** An event of a page. */
export type ShownEvent = { readonly id: string; readonly cursor: string }

export type EventMemory = {
  /** Records an event; describes the difference if an earlier response showed it differently. */
  observe(event: ShownEvent): string | undefined
}

export function openEventMemory(): EventMemory {
  const shown = new Map<string, string>()
  return {
    observe: ({ cursor: _, ...event }) => {
      const text = JSON.stringify(event)
      const before = shown.get(event.id)
      shown.set(event.id, text)
      return before === undefined || before === text ? undefined : `events.frozen: ${before} became ${text}`
    },
  }
}

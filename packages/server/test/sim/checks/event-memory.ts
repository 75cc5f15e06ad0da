/** events.frozen: an event reads the same every time, whoever reads it; only its cursor depends on the filters. */

/** An event as a page shows it. */
export type ShownEvent = { readonly id: string; readonly cursor: string }

export type EventMemory = {
  /** Takes an event as it was shown; says what is wrong where it was shown otherwise before. */
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

/** The event log up to a gap. */
import type { Client, Event } from '@bourse/sdk'

/** A place in the log. `since`: the filter, without which the cursor `after` is not valid. */
export type LogPosition = { readonly after: string | undefined; readonly since: number }

/** What is done with what comes. `onGap` gets the time of the server. */
export type LogReader = { readonly onEvent: (event: Event) => void; readonly onGap: (now: number) => void }

/**
 * Follows the log until it fails, or until a gap: then it returns true. What the log still has is not read once more,
 * because everything that is shown is.
 */
export async function followUntilGap(
  { events }: Pick<Client, 'events'>,
  { after, since }: LogPosition,
  { onEvent, onGap }: LogReader,
): Promise<boolean> {
  const gap = new AbortController()
  const followed = events.follow({
    ...(after === undefined ? {} : { after }),
    filters: { since },
    signal: gap.signal,
    onGap: ({ now }) => {
      gap.abort()
      onGap(now)
    },
  })
  for await (const event of followed) {
    // It came together with the gap, and would be the place to go on from.
    if (gap.signal.aborted) break
    onEvent(event)
  }
  return gap.signal.aborted
}

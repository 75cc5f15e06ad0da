/**
 * One event stream for all tabs of a browser: the tab that holds a lock reads it and passes events on; when that tab
 * closes, the next one gets the lock and goes on after the last event that it saw.
 */
import { AuthenticationError, type Event } from '@bourse/sdk'
import { client } from './client.ts'

/** The state of the stream as tabs know it. `gap`: events are missing, so everything has to be read again. */
export type StreamMessage =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'connected' }
  | { readonly type: 'away' }
  | { readonly type: 'gap' }
  | { readonly type: 'signed_out' }

/** What a tab does with messages. */
export type StreamListener = (message: StreamMessage) => void

const lockName = 'bourse-events'
/** Milliseconds until a broken stream counts as away: shorter breaks are not worth a word. */
const awayAfter = 3_000
/** Milliseconds before another attempt after an error that the SDK does not retry. */
const pauseAfterFailure = 5_000

/** Listens to the stream for as long as the page lives. `account` keeps accounts apart in one browser. */
export function openStream(account: string, onMessage: StreamListener): void {
  const channel = new BroadcastChannel(`${lockName}-${account}`)
  let after: string | undefined
  let since: number | undefined
  channel.onmessage = ({ data }: MessageEvent<StreamMessage>) => {
    if (data.type === 'event') after = data.event.cursor
    onMessage(data)
  }
  const pass: StreamListener = (message) => {
    channel.postMessage(message)
    onMessage(message)
  }
  void navigator.locks.request(`${lockName}-${account}`, async () => {
    for (;;) {
      try {
        since ??= (await client.account.get()).server.now
        await readEvents(
          { after, since },
          (event) => {
            after = event.cursor
            pass({ type: 'event', event })
          },
          pass,
        )
      } catch (error) {
        if (error instanceof AuthenticationError) return pass({ type: 'signed_out' })
        // Whatever else is wrong, the next request of a page shows it; the stream only tries again.
        pass({ type: 'away' })
      }
      await new Promise((resolve) => setTimeout(resolve, pauseAfterFailure))
    }
  })
}

type Place = { readonly after: string | undefined; readonly since: number }

/** Follows the log until it fails. */
async function readEvents(
  { after, since }: Place,
  onEvent: (event: Event) => void,
  pass: StreamListener,
): Promise<void> {
  const watch = watchConnection(pass)
  const events = client.events.follow({
    ...(after === undefined ? {} : { after }),
    filters: { since },
    onGap: () => pass({ type: 'gap' }),
  })
  try {
    for await (const event of events) onEvent(event)
  } finally {
    watch.stop()
  }
}

/** Tells when the server cannot be reached and when it can again, by the liveness endpoint. */
function watchConnection(pass: StreamListener): { stop(): void } {
  let isAway = false
  let failing_since: number | undefined
  pass({ type: 'connected' })
  const timer = setInterval(async () => {
    const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    const now = performance.now()
    failing_since = isThere ? undefined : (failing_since ?? now)
    const next = failing_since !== undefined && now - failing_since >= awayAfter
    if (next !== isAway) pass({ type: next ? 'away' : 'connected' })
    isAway = next
  }, 2_000)
  return { stop: () => clearInterval(timer) }
}

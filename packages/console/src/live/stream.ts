/**
 * One event stream for all tabs of a browser: the tab that holds a lock reads it and passes events on; when that tab
 * closes, the next one gets the lock and goes on after the last event that it saw.
 */
import { AuthenticationError, type Event } from '@bourse/sdk'
import { client } from './client.ts'
import { streamClient } from './stream-client.ts'
import { followUntilGap, type LogPosition } from './until-gap.ts'

/**
 * The state of the stream as tabs know it. `since`: the filter of the stream, without which the cursor of the event is
 * not valid. `gap`: events are missing, so everything has to be read again; the stream goes on from a second before.
 */
export type StreamMessage =
  | { readonly type: 'event'; readonly event: Event; readonly since: number }
  | { readonly type: 'connected' }
  | { readonly type: 'away' }
  | { readonly type: 'gap'; readonly since: number }
  | { readonly type: 'signed_out' }
  /** Whoever is signed in may not read events. */
  | { readonly type: 'unavailable' }

/** What tabs send each other. `opened`: a tab that knows nothing yet; the one that reads the stream answers. */
type TabMessage = StreamMessage | { readonly type: 'opened' }

/** What a tab does with messages. */
export type StreamListener = (message: StreamMessage) => void

const lockName = 'bourse-events'
/** Milliseconds until a broken stream counts as away: shorter breaks are not worth a word. */
const awayAfter = 3_000
/** Milliseconds before another attempt after an error that the SDK does not retry. */
const pauseAfterFailure = 5_000

/**
 * Listens to the stream for as long as the page lives. `account` keeps accounts apart in one browser. `since`: a time
 * of the server at which the page had read nothing yet.
 */
export function openStream({ account, since }: { account: string; since: number }, onMessage: StreamListener): void {
  const channel = new BroadcastChannel(`${lockName}-${account}`)
  let place: LogPosition = { after: undefined, since }
  /** How the stream stands, in the tab that reads it. */
  let standing: StreamMessage | undefined
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'opened') return standing && channel.postMessage(standing)
    place = placeAfter(data) ?? place
    onMessage(data)
  }
  channel.postMessage({ type: 'opened' } satisfies TabMessage)
  const pass: StreamListener = (message) => {
    if (message.type === 'connected' || message.type === 'away') standing = message
    place = placeAfter(message) ?? place
    channel.postMessage(message)
    onMessage(message)
  }
  void navigator.locks.request(`${lockName}-${account}`, async () => {
    for (;;) {
      try {
        if (!(await mayReadEvents())) return pass({ type: 'unavailable' })
        // After a gap it goes on at once.
        if (await readEvents(place, pass)) continue
      } catch (error) {
        if (error instanceof AuthenticationError) return pass({ type: 'signed_out' })
        // Whatever else is wrong, the next request of a page shows it; the stream only tries again.
        pass({ type: 'away' })
      }
      await new Promise((resolve) => setTimeout(resolve, pauseAfterFailure))
    }
  })
}

/** Whether there is a right to any event. Without one the server keeps a stream open that stays silent. */
async function mayReadEvents(): Promise<boolean> {
  const { account, workspaces } = await client.permissions.get()
  const all = [account, ...workspaces.map(({ actions }) => actions)]
  return all.some((actions) => actions.event?.includes('list'))
}

/** Where the stream goes on after a message, in whatever tab. */
function placeAfter(message: StreamMessage): LogPosition | undefined {
  if (message.type === 'event') return { after: message.event.cursor, since: message.since }
  return message.type === 'gap' ? { after: undefined, since: message.since } : undefined
}

/** Passes the events of the log on until it fails, or until a gap: then it returns true. */
async function readEvents(place: LogPosition, pass: StreamListener): Promise<boolean> {
  const watch = watchConnection(pass)
  try {
    return await followUntilGap(streamClient, place, {
      onEvent: (event) => pass({ type: 'event', event, since: place.since }),
      onGap: (now) => pass({ type: 'gap', since: now }),
    })
  } finally {
    watch.stop()
  }
}

/** Tells when the server cannot be reached and when it can again, by the liveness endpoint. */
function watchConnection(pass: StreamListener): { stop(): void } {
  let isAway = false
  let failingSince: number | undefined
  pass({ type: 'connected' })
  const timer = setInterval(async () => {
    const isThere = await fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    )
    const now = performance.now()
    failingSince = isThere ? undefined : (failingSince ?? now)
    const next = failingSince !== undefined && now - failingSince >= awayAfter
    if (next !== isAway) pass({ type: next ? 'away' : 'connected' })
    isAway = next
  }, 2_000)
  return { stop: () => clearInterval(timer) }
}

/** What a tab does with the messages of the event stream. */
import type { Event } from '@bourse/sdk'
import type { StreamListener } from './stream.ts'

/** `unavailable`: who is signed in may not read events, so lists are read at their own pace. */
export type State = 'connecting' | 'connected' | 'away' | 'unavailable'

type Hearing = {
  readonly goToSignIn: () => void
  readonly hearEvent: (event: Event) => void
  /** Events are missing, and some that came may be lost. */
  readonly hearGap: () => void
  readonly refreshAll: () => void
  readonly readAtOwnPace: () => void
  readonly setState: (state: State) => void
}

/** The listener of a stream. */
export function hearing(tab: Hearing): StreamListener {
  let isAway = false
  return (message) => {
    if (message.type === 'signed_out') return tab.goToSignIn()
    if (message.type === 'event') return tab.hearEvent(message.event)
    if (message.type === 'gap') {
      tab.hearGap()
      return tab.refreshAll()
    }
    if (message.type === 'connected' && isAway) tab.refreshAll()
    if (message.type === 'unavailable') tab.readAtOwnPace()
    isAway = message.type === 'away'
    tab.setState(message.type)
  }
}

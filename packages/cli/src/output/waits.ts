/**
 * Says what a command waits for, so that it is never silent for long: what, since when, and what Ctrl-C ends. A
 * terminal shows the time that passes in one line.
 */

import { monotonic, wallSeconds } from '@bourse/sdk/timing.ts'
import { clockOf } from '@bourse/text/formats/amounts.ts'
import { lengthOf } from '@bourse/text/formats/durations.ts'
import { printable } from '@bourse/text/plain-text.ts'
import type { Terminal } from './terminal.ts'

/** The longest silence of a command that waits. Milliseconds. */
const longestSilence = 4_000

type Screen = Pick<Terminal, 'note' | 'progress'>

type WaitOptions = {
  /** What Ctrl-C does: `Ctrl-C stops waiting, not the order.` */
  readonly on_stop: string
  /** Whether the wait is announced at once, and not only when it becomes long. */
  readonly at_once?: boolean
  /** Milliseconds between two lines. */
  readonly interval?: number
}

/** Begins to say what is waited for, until the wait is ended. */
export function beginWait(
  screen: Screen,
  what: string | (() => string),
  { on_stop, at_once = false, interval = longestSilence }: WaitOptions,
): { end(): void } {
  const [since, began] = [clockOf(wallSeconds()), monotonic()]
  let isShown = false
  const say = () => {
    const passed = Math.round((monotonic() - began) / 1000)
    const time = passed === 0 ? since : `${since} (${lengthOf(passed)})`
    const text = `${printable(typeof what === 'string' ? what : what())} Since ${time}. ${on_stop}`
    if (screen.progress) screen.progress(text)
    else screen.note(text)
    isShown = true
  }
  if (at_once) say()
  const timer = setInterval(say, interval)
  // The work that is waited for keeps the program alive, not the message about it.
  timer.unref()
  return {
    end: () => {
      clearInterval(timer)
      if (isShown) screen.progress?.('')
      isShown = false
    },
  }
}

/** Does work that takes time, and says meanwhile what is waited for. `stays` is what goes on after Ctrl-C. */
export async function whileWaiting<T>(
  screen: Screen,
  { what, stays }: { readonly what: string | (() => string); readonly stays: string },
  work: () => Promise<T>,
): Promise<T> {
  const wait = beginWait(screen, what, { on_stop: `Ctrl-C stops waiting, not ${stays}.`, at_once: true })
  try {
    return await work()
  } finally {
    wait.end()
  }
}

/** The waits of the calls of a client: for answers that take long, and between two attempts. */
export function callWaits(screen: Screen, send: typeof fetch = fetch, interval = longestSilence) {
  let between: { end(): void } | undefined
  const spoken: typeof fetch = async (input, init) => {
    between?.end()
    const { host, pathname } = new URL(String(input))
    const wait = beginWait(screen, `Waiting for the answer of ${host}.`, { on_stop: stopOf(pathname, init), interval })
    try {
      return await send(input, init)
    } finally {
      wait.end()
    }
  }
  /** Says why a call is sent again, and when. */
  const retry = (_: string, { delay, reason }: Readonly<Record<string, unknown>>) => {
    const seconds = Math.max(1, Math.round(Number(delay) / 1000))
    const what = `${reason} Trying again in ${lengthOf(seconds)}.`
    between = beginWait(screen, what, { on_stop: 'Ctrl-C stops trying.', at_once: true, interval })
  }
  return { fetch: spoken, retry }
}

/** What Ctrl-C leaves as it is while a request is under way. */
function stopOf(path: string, { method = 'GET' }: RequestInit = {}): string {
  if (method === 'GET') return 'Ctrl-C stops waiting.'
  return `Ctrl-C stops waiting, not ${path.endsWith('/orders') ? 'the order' : 'the request'}.`
}

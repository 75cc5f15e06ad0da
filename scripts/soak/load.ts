/** Sends requests at a rate, as many users together do. */
import { monotonicMilliseconds } from '../../packages/server/src/core/base/clock.ts'
import { createSeededRandom } from '../../packages/server/src/core/base/random.ts'
import type { TestServer } from '../../packages/server/test/support/server.ts'
import { pause } from '../../packages/text/src/time/pause.ts'
import { chooseUse, type Using, uses } from './uses.ts'
import type { SoakWorld } from './world.ts'

/** The answers to a kind of request, by status. Status 0 is a request without an answer. */
export type Answers = Readonly<Record<string, Readonly<Record<number, number>>>>

export type SoakLoad = AsyncDisposable & {
  responses(): Answers
  /** How many uses had an answer, a second since the load began. */
  rate(): number
  /** Events that came over the stream. */
  streamed(): number
  /** The first bugs of the server. Requests without an answer are counted only: a slow machine has some. */
  wrong(): readonly string[]
}

/** So many requests wait at most. Where the machine is too slow for the rate, the rest is not sent. */
const openMax = 64
const tickMilliseconds = 20
/** A stream is opened again after this time, as by a client whose connection breaks now and then. */
const streamMilliseconds = 300_000
const wrongMax = 20

type Counts = { [kind: string]: { [status: number]: number } }
type State = { readonly counts: Counts; readonly wrong: string[]; answered: number; streamed: number }

/** Starts a load on a server, in so many uses a second. */
export function startSoakLoad(server: TestServer, world: SoakWorld, per_second: number): SoakLoad {
  const using: Using = { server, world, random: createSeededRandom('soak'), cursors: new Map(), made: new Map() }
  const state: State = { counts: {}, wrong: [], answered: 0, streamed: 0 }
  const ended = new AbortController()
  const began = monotonicMilliseconds()
  const work = Promise.all([
    sendAll(using, state, { per_second, ended: ended.signal }),
    readStream(using, state, ended.signal),
  ])
  return {
    responses: () => state.counts,
    rate: () => (state.answered * 1000) / (monotonicMilliseconds() - began),
    streamed: () => state.streamed,
    wrong: () => state.wrong,
    [Symbol.asyncDispose]: async () => {
      ended.abort()
      await work
    },
  }
}

type LoadPace = { readonly per_second: number; readonly ended: AbortSignal }

async function sendAll(using: Using, state: State, { per_second, ended }: LoadPace): Promise<void> {
  const open = new Set<Promise<void>>()
  let last = monotonicMilliseconds()
  let due = 0
  while (!ended.aborted) {
    await pause(tickMilliseconds, ended)
    const now = monotonicMilliseconds()
    due = Math.min(due + ((now - last) * per_second) / 1000, openMax)
    last = now
    for (; due >= 1 && open.size < openMax && !ended.aborted; due--) {
      const use = sendOne(using, state).finally(() => open.delete(use))
      open.add(use)
    }
  }
  await Promise.all(open)
}

async function sendOne(using: Using, state: State): Promise<void> {
  const kind = chooseUse(using.random)
  try {
    const { status, text } = await (uses[kind] as (typeof uses)[string]).send(using)
    count(state, kind, status)
    if (status === 500 && state.wrong.length < wrongMax) state.wrong.push(`${kind}: ${text.slice(0, 500)}`)
    state.answered += 1
  } catch {
    count(state, kind, 0)
  }
}

async function readStream({ server, world }: Using, state: State, ended: AbortSignal): Promise<void> {
  const [, { token }] = world.traders as [unknown, { token: string }]
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  while (!ended.aborted) {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(streamMilliseconds)])
    try {
      const response = await fetch(`${server.url}/preview/v2/events`, { headers, signal })
      count(state, 'stream', response.status)
      for await (const piece of response.body ?? []) {
        state.streamed += Buffer.from(piece).toString().split('\nid: ').length - 1
      }
    } catch {
      if (!signal.aborted) count(state, 'stream', 0)
    }
    if (!signal.aborted) await pause(1_000, ended)
  }
}

function count({ counts }: State, kind: string, status: number): void {
  const own = counts[kind] ?? {}
  counts[kind] = own
  own[status] = (own[status] ?? 0) + 1
}

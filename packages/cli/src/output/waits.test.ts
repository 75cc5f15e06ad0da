import assert from 'node:assert/strict'
import { createClient } from '@bourse/sdk/client.ts'
import { test } from 'vitest'
import { beginWait, callWaits, whileWaiting } from './waits.ts'

/** A screen that resolves `lines(n)` when n lines stand on it. */
function createScreen({ isTerminal = false } = {}) {
  const shown: string[] = []
  let grown = () => {}
  const add = (text: string) => {
    shown.push(text)
    grown()
  }
  const lines = async (count: number) => {
    while (shown.length < count) {
      await new Promise<void>((resolve) => {
        grown = resolve
      })
    }
    return shown
  }
  return { shown, lines, note: add, ...(isTerminal ? { progress: add } : {}) }
}

test('a wait says what it waits for, since when, and what Ctrl-C does, again and again', async () => {
  const screen = createScreen()
  const wait = beginWait(screen, 'Waiting for rain.', { on_stop: 'Ctrl-C stops waiting.', at_once: true, interval: 5 })
  const lines = await screen.lines(3)
  wait.end()
  for (const line of lines)
    assert.match(line, /^Waiting for rain\. Since \d\d:\d\d:\d\d( \(\d+ s\))?\. Ctrl-C stops waiting\.$/)
  const count = screen.shown.length
  assert.equal(await whileWaiting(screen, { what: 'Waiting.', stays: 'the work' }, async () => 7), 7)
  assert.match(screen.shown[count] as string, /Ctrl-C stops waiting, not the work\.$/)
})

test('on a terminal a wait is one line, which its end clears', async () => {
  const screen = createScreen({ isTerminal: true })
  const wait = beginWait(screen, 'Waiting.', { on_stop: '', at_once: true })
  wait.end()
  wait.end()
  assert.deepEqual(screen.shown.slice(1), [''])
  beginWait(screen, 'Never shown.', { on_stop: '' }).end()
  assert.equal(screen.shown.length, 2)
})

test('a refusal for a moment and a slow answer are said, and what Ctrl-C leaves as it is', async () => {
  const screen = createScreen()
  const answers = [
    () => Response.json({ error: { type: 'api_error', message: 'The server is busy.' } }, { status: 503 }),
    () => Response.json({ object: 'order' }, { status: 201 }),
  ]
  const slow: typeof fetch = async () => {
    const answer = answers.shift() as () => Response
    const isSaid = () => screen.shown.some((line) => line.startsWith('Waiting for the answer of market.test.'))
    while (answers.length === 0 && !isSaid()) await screen.lines(screen.shown.length + 1)
    return answer()
  }
  const waits = callWaits(screen, slow, 5)
  const client = createClient({
    baseUrl: 'http://market.test',
    token: 'token',
    fetch: waits.fetch,
    logger: { warn: waits.retry },
  })
  await client.orders.create({} as never)
  const [why] = screen.shown
  assert.match(why as string, /^The server is busy\. Trying again in 1 s\. Since [\d:]+\. Ctrl-C stops trying\.$/)
  const answer = screen.shown.find((line) => line.startsWith('Waiting for the answer of market.test.'))
  assert.match(answer as string, /Ctrl-C stops waiting, not the order\.$/)
})

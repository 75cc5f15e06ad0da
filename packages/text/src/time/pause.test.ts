import assert from 'node:assert/strict'
import { test } from 'vitest'
import { pause, waitFor } from './pause.ts'

test('a pause ends early when its signal is aborted, and leaves no listener', async () => {
  const controller = new AbortController()
  const paused = pause(2 ** 40, controller.signal)
  controller.abort(new Error('no reason to throw'))
  await paused
  await pause(2 ** 40, controller.signal)
})

test('a pause that is longer than a timer can be does not end at once', async () => {
  const controller = new AbortController()
  const first = await Promise.race([
    pause(2 ** 40, controller.signal).then(() => 'long'),
    pause(20).then(() => 'short'),
  ])
  controller.abort()
  assert.equal(first, 'short')
})

test('an answer that is neither undefined nor false ends the wait, and 0 is one', async () => {
  const answers = [undefined, false, 0, 1]
  assert.equal(await waitFor(() => answers.shift(), { every: 0, at_most: 60_000 }), 0)
})

test('at its limit, or after an abort, a wait has no answer', async () => {
  assert.equal(await waitFor(() => false, { at_most: 0 }), undefined)
  assert.equal(await waitFor(() => undefined, { at_most: 60_000, signal: AbortSignal.abort() }), undefined)
})

import assert from 'node:assert/strict'
import { afterEach, test, vi } from 'vitest'
import { eventually, limitSeconds, pauseAfter } from './eventually.ts'

afterEach(() => void vi.unstubAllEnvs())

/** Waits that end a moment after the first answer: a tenth of a millisecond is usual. */
const short = { usual_seconds: 0.000_1, every_milliseconds: 1 }

test('the answer is the first that is neither undefined nor null nor false', async () => {
  const answers = [undefined, null, false, 0]
  assert.equal(await eventually('there is an answer', () => answers.shift()), 0)
  assert.deepEqual(answers, [])
})

test('an assertion that fails means not yet, any other error is thrown at once', async () => {
  let asked = 0
  await eventually('it was asked three times', () => assert.equal(++asked, 3) ?? true)
  assert.equal(asked, 3)
  await assert.rejects(
    eventually('it does not throw', () => {
      throw new TypeError('wrong')
    }),
    { name: 'TypeError', message: 'wrong' },
  )
})

test('at the limit the sentence and the last answer are named', async () => {
  vi.stubEnv('BOURSE_MACHINE_FACTOR', '1')
  await assert.rejects(
    eventually('the order is filled', () => false, short),
    /^Error: Not within 1 s: the order is filled\. The last answer was false\.$/,
  )
  await assert.rejects(
    eventually('both are equal', () => assert.equal(1, 2), short),
    /both are equal\..*1 !== 2/s,
  )
})

test('a limit is ten times what is usual, and more on a slow machine', () => {
  vi.stubEnv('BOURSE_MACHINE_FACTOR', '1')
  assert.equal(limitSeconds(2), 20)
  vi.stubEnv('BOURSE_MACHINE_FACTOR', '2.5')
  assert.equal(limitSeconds(2), 50)
})

test('pauses grow with the time that has passed, up to a quarter of a second', () => {
  assert.deepEqual([0, 200, 1000, 60_000].map(pauseAfter), [20, 20, 100, 250])
})

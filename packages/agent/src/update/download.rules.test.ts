import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { attemptsMax, downloadMilliseconds, firstPauseMilliseconds, isPassing, pauseAfter } from './download.rules.ts'

const first = { attempt: 1, status: 0, spent_milliseconds: 0 }

test('what a server could not answer is tried again, and what it refuses is not', () => {
  for (const status of [0, 408, 429, 500, 502, 503, 504]) {
    assert.equal(isPassing(status), true, `${status}`)
    assert.equal(pauseAfter({ ...first, status }, 10), 10, `${status}`)
  }
  for (const status of [301, 400, 401, 403, 404, 410, 421]) {
    assert.equal(isPassing(status), false, `${status}`)
    assert.equal(pauseAfter({ ...first, status }, 10), undefined, `${status}`)
  }
})

test('each pause is twice as long as the one before, up to a longest one, and the last attempt has none', () => {
  const pauses = Array.from({ length: attemptsMax }, (_, index) => pauseAfter({ ...first, attempt: index + 1 }, 10))
  assert.deepEqual(pauses, [10, 20, 40, 80, 160, 320, 320, undefined])
})

test('no attempt begins after the time of the download', () => {
  const pause = firstPauseMilliseconds
  const last = downloadMilliseconds - pause
  assert.equal(pauseAfter({ ...first, spent_milliseconds: last - 1 }, pause), pause)
  assert.equal(pauseAfter({ ...first, spent_milliseconds: last }, pause), undefined)
})

test('whatever the attempts take, the download ends', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60_000), { minLength: attemptsMax, maxLength: attemptsMax }), (durations) => {
      let spent_milliseconds = 0
      for (const [index, duration] of durations.entries()) {
        spent_milliseconds += duration
        const pause = pauseAfter({ attempt: index + 1, status: 503, spent_milliseconds }, firstPauseMilliseconds)
        if (pause === undefined) return index + 1 === attemptsMax || spent_milliseconds > downloadMilliseconds / 2
        spent_milliseconds += pause
        assert.ok(spent_milliseconds < downloadMilliseconds)
      }
      return false
    }),
  )
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { isRefusal } from '../base/refusal.ts'
import { createConcurrency, type ReleasePlace } from './concurrency.ts'

// Manual timers: a callback runs when the test calls it.
function createTimers() {
  const set = new Map<number, () => void>()
  let made = 0
  const after = (_milliseconds: number, work: () => void) => {
    const id = made++
    set.set(id, work)
    return () => void set.delete(id)
  }
  const runFirst = () => {
    const [first] = set
    if (first === undefined) return
    set.delete(first[0])
    first[1]()
  }
  return { after, runFirst, count: () => set.size }
}

function enterNow(place: ReleasePlace | Promise<ReleasePlace>): ReleasePlace {
  assert.ok(typeof place === 'function', 'there is a place at once')
  return place
}

test('each account has its own limit of running requests', () => {
  const concurrency = createConcurrency({ max: 2 })
  enterNow(concurrency.enter('a'))
  enterNow(concurrency.enter('a'))
  const waiting = concurrency.enter('a')
  assert.ok(waiting instanceof Promise)
  waiting.catch(() => {})
  enterNow(concurrency.enter('b'))
})

test('waiting requests run in the order of arrival, before later ones', async () => {
  const timers = createTimers()
  const concurrency = createConcurrency({ max: 1, after: timers.after })
  const served: number[] = []
  const release = enterNow(concurrency.enter('a'))
  const waiting = [1, 2, 3].map(async (name) => {
    const leave = await concurrency.enter('a')
    served.push(name)
    leave()
  })
  release()
  assert.ok(concurrency.enter('a') instanceof Promise)
  await Promise.all(waiting)
  assert.deepEqual(served, [1, 2, 3])
})

test('a request that waited too long is refused with a retry time, and leaves the queue', async () => {
  const timers = createTimers()
  const concurrency = createConcurrency({ max: 1, after: timers.after })
  const release = enterNow(concurrency.enter('a'))
  const late = concurrency.enter('a')
  const second = concurrency.enter('a')
  timers.runFirst()
  await assert.rejects(
    async () => await late,
    (error) => {
      return isRefusal(error, 'rate_limited') && error.data.retry_after_seconds === 1
    },
  )
  release()
  const leave = await second
  assert.equal(timers.count(), 0)
  leave()
  enterNow(concurrency.enter('a'))
})

test('a request is refused at once if the queue is full', async () => {
  const concurrency = createConcurrency({ max: 1, waiting_max: 2, after: createTimers().after })
  enterNow(concurrency.enter('a'))
  void concurrency.enter('a')
  void concurrency.enter('a')
  await assert.rejects(
    async () => await concurrency.enter('a'),
    (error) => isRefusal(error, 'rate_limited'),
  )
})

test('a place that is released twice is free once', () => {
  const concurrency = createConcurrency({ max: 1, after: createTimers().after })
  const release = enterNow(concurrency.enter('a'))
  release()
  release()
  const again = enterNow(concurrency.enter('a'))
  release()
  assert.ok(concurrency.enter('a') instanceof Promise)
  again()
})

test('running requests never exceed the limit, and no place is lost', async () => {
  const action = fc.constantFrom('enter', 'enter', 'leave', 'time')
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(action, { maxLength: 60 }), async (max, actions) => {
      const timers = createTimers()
      const concurrency = createConcurrency({ max, after: timers.after })
      const releases: ReleasePlace[] = []
      let asked = 0
      let refused = 0
      const open: Promise<void>[] = []
      for (const step of actions) {
        if (step === 'enter') {
          asked++
          const place = concurrency.enter('a')
          if (typeof place === 'function') releases.push(place)
          else open.push(place.then((release) => void releases.push(release)).catch(() => void refused++))
        } else if (step === 'leave') {
          releases.shift()?.()
        } else {
          timers.runFirst()
        }
        await new Promise(setImmediate)
        assert.ok(releases.length <= max)
      }
      while (releases.length > 0) {
        releases.shift()?.()
        await new Promise(setImmediate)
      }
      await Promise.all(open)
      assert.ok(refused <= asked)
      assert.equal(timers.count(), 0)
      for (let i = 0; i < max; i++) enterNow(concurrency.enter('a'))
    }),
    { numRuns: 60 },
  )
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { isRefusal } from '../base/refusal.ts'
import type { ReleasePlace } from './concurrency.ts'
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts'

type QueuedRequest = { readonly key: string; readonly at: number; readonly cost: number }
type Served = QueuedRequest & { readonly began: number; readonly ended: number }

/** Runs requests on a clock of its own. Each uses its turn for its cost. Returns them in the order of their turns. */
async function serve(requests: readonly QueuedRequest[], options: FairQueueOptions): Promise<Served[]> {
  let now = 0
  const queue = createFairQueue({ ...options, now: () => now, after: () => () => {} })
  const arrivals = requests.toSorted((a, b) => a.at - b.at)
  const running: { served: Served; release: ReleasePlace }[] = []
  const all: Served[] = []
  const start = (request: QueuedRequest, release: ReleasePlace) => {
    const served = { ...request, began: now, ended: now + request.cost }
    all.push(served)
    running.push({ served, release })
  }
  const isPending = () => arrivals.length > 0 || running.length > 0
  while (isPending()) {
    running.sort((a, b) => a.served.ended - b.served.ended)
    const next = Math.min(
      arrivals[0]?.at ?? Number.POSITIVE_INFINITY,
      running[0]?.served.ended ?? Number.POSITIVE_INFINITY,
    )
    now = next
    if (running[0]?.served.ended === next) running.shift()?.release()
    else {
      const request = arrivals.shift() as QueuedRequest
      const entered = queue.enter(request.key)
      if (entered instanceof Promise) void entered.then((release) => start(request, release))
      else start(request, entered)
    }
    // The queue starts requests by resolving promises.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return all
}

const key = fc.constantFrom('a', 'b', 'c', 'd')
const request = fc.record({ key, at: fc.integer({ min: 0, max: 60 }), cost: fc.integer({ min: 1, max: 12 }) })
const limits = fc.record({
  running_max: fc.integer({ min: 1, max: 5 }),
  running_of_one_max: fc.integer({ min: 1, max: 3 }),
})

function runningAt(served: readonly Served[], at: number): Served[] {
  return served.filter(({ began, ended }) => began <= at && at < ended)
}

test('the time of all who waited is added up, also of those who were refused', async () => {
  let now = 0
  let refuse = () => {}
  const later = (_: number, work: () => void) => {
    refuse = work
    return () => {}
  }
  const queue = createFairQueue({ running_max: 1, running_of_one_max: 1, now: () => now, after: later })
  const release = (await queue.enter('a')) as ReleasePlace
  const second = queue.enter('b')
  now = 30
  release()
  await second
  const third = Promise.resolve(queue.enter('c')).catch((error) => isRefusal(error, 'unavailable'))
  now = 42
  refuse()
  assert.equal(await third, true)
  assert.deepEqual(queue.load(), { running: 1, waiting: 0, waited_milliseconds: 42 })
})

test('no more turns are taken than there are, in all and by one account, and everything is served', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 40 }), limits, async (requests, options) => {
      const served = await serve(requests, options)
      assert.equal(served.length, requests.length)
      for (const { began } of served) {
        const now = runningAt(served, began)
        assert.ok(now.length <= options.running_max)
        for (const name of 'abcd') {
          assert.ok(now.filter((one) => one.key === name).length <= options.running_of_one_max)
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('requests wait only while all turns are taken, or all of their account, and in the order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 40 }), limits, async (requests, options) => {
      const served = await serve(requests, options)
      for (const { key: own, at, began } of served) {
        for (let moment = at; moment < began; moment++) {
          const now = runningAt(served, moment)
          const isFull = now.length === options.running_max
          assert.ok(isFull || now.filter((one) => one.key === own).length === options.running_of_one_max)
        }
        const later = served.filter((one) => one.key === own && one.at > at)
        assert.ok(later.every((one) => one.began >= began))
      }
    }),
    { numRuns: 100 },
  )
})

test('accounts that always wait get equal time, whatever their requests cost', async () => {
  const costs = fc.record({ a: fc.integer({ min: 1, max: 30 }), b: fc.integer({ min: 1, max: 30 }) })
  await fc.assert(
    fc.asyncProperty(costs, fc.integer({ min: 1, max: 2 }), async (cost, running_of_one_max) => {
      const whole = 600
      const backlog = (name: 'a' | 'b') =>
        Array.from({ length: whole / cost[name] }, () => ({ key: name, at: 0, cost: cost[name] }))
      const options = { running_max: 2, running_of_one_max, waiting_of_one_max: 1000, quantum: 5 }
      const served = await serve([...backlog('a'), ...backlog('b')], options)
      const used = (name: string) =>
        served
          .filter((one) => one.key === name && one.began < whole / 2)
          .reduce((sum, one) => sum + Math.min(one.ended, whole / 2) - one.began, 0)
      const most = options.quantum + 2 * running_of_one_max * Math.max(cost.a, cost.b)
      assert.ok(Math.abs(used('a') - used('b')) <= most, `${used('a')} and ${used('b')}`)
    }),
    { numRuns: 30 },
  )
})

test('an account without requests in work waits for one turn at most, however many wait before it', async () => {
  const flood = Array.from({ length: 300 }, () => ({ key: 'a', at: 0, cost: 10 }))
  const quiet = [25, 107, 333].map((at) => ({ key: 'b', at, cost: 10 }))
  const options = { running_max: 2, running_of_one_max: 2 }
  for (const { key: own, at, began } of await serve([...flood, ...quiet], options)) {
    if (own === 'b') assert.ok(began - at <= 10, `${began - at} ms`)
  }
  // Where an account may not have all turns, the others do not wait at all.
  for (const { key: own, at, began } of await serve([...flood, ...quiet], { ...options, running_of_one_max: 1 })) {
    if (own === 'b') assert.equal(began, at)
  }
})

test('a request is refused that waited too long, or that found too many waiting', async () => {
  const timers: (() => void)[] = []
  const queue = createFairQueue({
    running_max: 1,
    running_of_one_max: 1,
    waiting_of_one_max: 2,
    after: (_milliseconds, work) => {
      timers.push(work)
      return () => {}
    },
  })
  const refusalOf = (entered: ReleasePlace | Promise<ReleasePlace>) =>
    Promise.resolve(entered).then(
      () => undefined,
      (error) => isRefusal(error) && { code: error.data.code, wait: error.data.retry_after_seconds },
    )
  const first = queue.enter('a') as ReleasePlace
  const [late, patient, extra] = [queue.enter('a'), queue.enter('a'), queue.enter('a')]
  assert.deepEqual(await refusalOf(extra), { code: 'rate_limited', wait: 1 })
  assert.deepEqual(await refusalOf(queue.enter('a', 'unavailable')), { code: 'unavailable', wait: 1 })
  timers[0]?.()
  assert.deepEqual(await refusalOf(late), { code: 'rate_limited', wait: 1 })
  const other = queue.enter('b')
  timers[2]?.()
  assert.deepEqual(await refusalOf(other), { code: 'unavailable', wait: 1 }, 'the other account has all turns')
  first()
  first()
  const second = await patient
  assert.ok(queue.enter('b') instanceof Promise, 'the turn was released only once')
  second()
})

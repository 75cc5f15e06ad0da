import assert from 'node:assert/strict'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { test } from 'vitest'
import { outdating } from './outdated.ts'

/** Far more turns of the queue of microtasks than a read needs to begin. */
const turnsMax = 1_000

test('a read that is slower than events ends, and is followed by one more', async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always', gcTime: 0 } } })
  const outdate = outdating(cache)
  const responses: PromiseWithResolvers<string>[] = []
  let cancelled = 0
  const observer = new QueryObserver(cache, {
    queryKey: ['order', 'list'],
    queryFn: ({ signal }) => {
      signal.addEventListener('abort', () => (cancelled += 1))
      const response = Promise.withResolvers<string>()
      responses.push(response)
      return response.promise
    },
  })
  const shown = (text: string) =>
    new Promise<void>((resolve) => {
      const stop = observer.subscribe(({ data }) => {
        if (data !== text) return
        stop()
        resolve()
      })
    })
  const asked = async (count: number) => {
    for (let turns = 0; responses.length < count && turns < turnsMax; turns++) await Promise.resolve()
    assert.equal(responses.length, count)
  }
  const leave = observer.subscribe(() => undefined)
  for (let events = 0; events < 5; events++) outdate('order')
  assert.equal(responses.length, 1)
  const first = shown('old')
  responses[0]?.resolve('old')
  await first
  const second = shown('new')
  // The one read that follows all five events.
  await asked(2)
  // Also one that has something to show already.
  for (let events = 0; events < 5; events++) outdate('order')
  assert.deepEqual([responses.length, cancelled], [2, 0])
  responses[1]?.resolve('new')
  await second
  await asked(3)
  const third = shown('newest')
  responses[2]?.resolve('newest')
  await third
  outdate('pool')
  assert.deepEqual([responses.length, cancelled], [3, 0])
  leave()
  cache.clear()
})

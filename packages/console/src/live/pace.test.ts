import assert from 'node:assert/strict'
import { environmentManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { onTestFinished, test, vi } from 'vitest'
import { readEvery } from './pace.ts'

// Only browsers read at intervals.
environmentManager.setIsServer(() => false)

test('what is shown already is read again as well, unless it has an interval of its own', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always', gcTime: 0 } } })
  const reads: string[] = []
  const show = async (noun: string, options: { refetchInterval?: number } = {}) => {
    const queryFn = () => reads.push(noun)
    const observer = new QueryObserver(cache, { queryKey: [noun], queryFn, ...options })
    onTestFinished(observer.subscribe(() => undefined))
    await cache.ensureQueryData({ queryKey: [noun], queryFn })
  }
  await show('order')
  await show('pool', { refetchInterval: 60_000 })
  readEvery(cache, 15_000)
  await show('image')
  reads.length = 0
  vi.advanceTimersByTime(15_000)
  assert.deepEqual(reads, ['order', 'image'])
})

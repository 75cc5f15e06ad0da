import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Refusal } from '../base/refusal.ts'
import type { BatchEntry } from './batch-command.ts'
import { type BatchQueueOptions, createBatchQueue, createKeyedBatchQueue } from './batch-queue.ts'

/** A queue whose transactions end when the test ends them. */
function openQueue(running_max: number, entries_max: number, more: Partial<BatchQueueOptions<string, string>> = {}) {
  const batches: { readonly inputs: string[]; readonly end: (error?: Error) => void }[] = []
  const enqueue = createBatchQueue<string, string>({
    running_max,
    entries_max,
    ...more,
    namesOf: ({ input }) => [input.slice(0, 1)],
    run: (entries) =>
      new Promise((resolve, reject) => {
        const inputs = entries.map(({ input }) => input)
        const outcomes = inputs.map((input) => ({ replayed: false as const, result: input.toUpperCase() }))
        batches.push({ inputs, end: (error) => (error ? reject(error) : resolve(outcomes)) })
      }),
  })
  return { batches, ask: (input: string, key?: string) => enqueue(entryOf(input, key)) }
}

function entryOf(input: string, key: string | undefined): BatchEntry<string> {
  const origin = { actor: { type: 'system' as const }, request_id: input }
  const claim = key === undefined ? undefined : { account_id: 'a', operation: 'o', key, fingerprint: Buffer.alloc(0) }
  return { origin, input, claim, asked: [] }
}

async function turn(): Promise<void> {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

test('requests that arrive during a transaction share the next one', async () => {
  const { batches, ask } = openQueue(2, 3)
  const responses = [ask('a'), ask('b')]
  await turn()
  responses.push(ask('c'))
  await turn()
  responses.push(ask('d'), ask('e'), ask('f'), ask('g'))
  await turn()
  assert.deepEqual(
    batches.map(({ inputs }) => inputs),
    [['a', 'b'], ['c']],
  )
  batches[0]?.end()
  await turn()
  assert.deepEqual(batches[2]?.inputs, ['d', 'e', 'f'])
  for (const { end } of batches) end()
  await turn()
  for (const { end } of batches) end()
  const results = (await Promise.all(responses)).map((outcome) => 'result' in outcome && outcome.result)
  assert.deepEqual(results, ['A', 'B', 'C', 'D', 'E', 'F', 'G'])
})

test('requests with a common name or key are never in one batch, and keep their order', async () => {
  const { batches, ask } = openQueue(1, 8)
  const responses = [ask('a1'), ask('a2'), ask('b'), ask('c', 'key'), ask('d', 'key')]
  await turn()
  assert.deepEqual(batches[0]?.inputs, ['a1', 'b', 'c'])
  batches[0]?.end()
  await turn()
  assert.deepEqual(batches[1]?.inputs, ['a2', 'd'])
  batches[1]?.end()
  await Promise.all(responses)
})

test('a failed batch fails for its own requests only', async () => {
  const { batches, ask } = openQueue(1, 8)
  const failing = assert.rejects(ask('a'), /away/)
  await turn()
  const next = ask('b')
  batches[0]?.end(new Error('away'))
  await failing
  await turn()
  batches[1]?.end()
  assert.deepEqual(await next, { replayed: false, result: 'B' })
})

test('a queue with a linger time waits for more requests before each batch', async () => {
  const timers: (() => void)[] = []
  const after = (_milliseconds: number, work: () => void) => void timers.push(work)
  const { batches, ask } = openQueue(1, 8, { linger_milliseconds: 20, after })
  const responses = [ask('a')]
  await turn()
  responses.push(ask('b'))
  assert.deepEqual([batches.length, timers.length], [0, 1])
  timers[0]?.()
  assert.deepEqual(batches[0]?.inputs, ['a', 'b'])
  responses.push(ask('c'))
  batches[0]?.end()
  await turn()
  responses.push(ask('d'))
  assert.deepEqual([batches.length, timers.length], [1, 2])
  timers[1]?.()
  assert.deepEqual(batches[1]?.inputs, ['c', 'd'])
  batches[1]?.end()
  await Promise.all(responses)
})

test('a request beyond the queue limit is refused at once, with a retry time', async () => {
  const { batches, ask } = openQueue(1, 1, { waiting_max: 2 })
  const responses = [ask('a')]
  await turn()
  responses.push(ask('b'), ask('c'))
  await assert.rejects(
    ask('d'),
    (error: Refusal) => error.code === 'unavailable' && error.data.retry_after_seconds === 5,
  )
  for (const end of [0, 1, 2]) {
    batches[end]?.end()
    await turn()
  }
  await Promise.all(responses)
})

test('a keyed queue batches requests of each key separately, and serves a key again after it was idle', async () => {
  const batches: { readonly inputs: string[]; readonly end: () => void }[] = []
  const enqueue = createKeyedBatchQueue<string, string>({
    running_max: 1,
    entries_max: 8,
    namesOf: () => [],
    keyOf: ({ input }) => input.slice(0, 1),
    run: (entries) =>
      new Promise((resolve) => {
        const inputs = entries.map(({ input }) => input)
        const outcomes = inputs.map((input) => ({ replayed: false as const, result: input.toUpperCase() }))
        batches.push({ inputs, end: () => resolve(outcomes) })
      }),
  })
  const ask = (input: string) => enqueue(entryOf(input, undefined))
  const started = () => batches.map(({ inputs }) => inputs)
  const responses = [ask('a1'), ask('b1'), ask('a2')]
  await turn()
  assert.deepEqual(started(), [['a1', 'a2'], ['b1']])
  responses.push(ask('a3'), ask('b2'))
  await turn()
  assert.equal(batches.length, 2)
  batches[1]?.end()
  await turn()
  assert.deepEqual(started()[2], ['b2'])
  batches[0]?.end()
  await turn()
  assert.deepEqual(started()[3], ['a3'])
  for (const { end } of batches) end()
  await Promise.all(responses)
  const again = ask('a4')
  await turn()
  batches[4]?.end()
  assert.deepEqual(await again, { replayed: false, result: 'A4' })
})

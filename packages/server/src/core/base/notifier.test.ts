import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createNotifier } from './notifier.ts'

test('one query serves all waiters, and each is notified when its key has changed', async () => {
  const questions: [string, number][][] = []
  const state = new Map([
    ['a', 1],
    ['b', 1],
  ])
  const notifier = createNotifier({
    findChanged: async (waiting) => {
      const all = [...waiting.all()]
      questions.push(all)
      assert.deepEqual(
        all.map(([key]) => waiting.sinceOf(key)),
        all.map(([, seen]) => seen),
      )
      assert.equal(waiting.sinceOf('absent'), undefined)
      const changed = all.filter(([key, seen]) => (state.get(key) ?? 0) > seen).map(([key]) => key)
      state.set('b', 2)
      return changed
    },
    onFailure: () => {},
  })
  const { signal } = new AbortController()
  await Promise.all([notifier.wait('a', 0, signal), notifier.wait('a', 1, signal), notifier.wait('b', 1, signal)])
  assert.deepEqual(questions, [
    [
      ['a', 0],
      ['b', 1],
    ],
    [['b', 1]],
  ])
})

test('an aborted wait leaves the query, and a failed query is repeated', async () => {
  let asked = 0
  const failures: unknown[] = []
  const notifier = createNotifier({
    findChanged: async (waiting) => {
      asked += 1
      assert.deepEqual([...waiting.all().keys()], ['stays'])
      if (asked === 1) throw new Error('away')
      return ['stays']
    },
    onFailure: (error) => failures.push(error),
  })
  const leaving = new AbortController()
  const { signal } = new AbortController()
  const waits = [notifier.wait('leaves', 0, leaving.signal), notifier.wait('stays', 0, signal)]
  leaving.abort()
  await Promise.all([...waits, notifier.wait('late', 0, leaving.signal)])
  assert.deepEqual([asked, failures.length], [2, 1])
})

test('a wait beyond the limit of a key resolves the oldest, and closing resolves all', async () => {
  const notifier = createNotifier({ findChanged: async () => [], onFailure: () => {}, waitersOfKeyMax: 2 })
  const { signal } = new AbortController()
  const ended: string[] = []
  const wait = (name: string, key: string) => notifier.wait(key, 0, signal).then(() => ended.push(name))
  const waits = [wait('first', 'a'), wait('second', 'a'), wait('of another', 'b')]
  const third = wait('third', 'a')
  await waits[0]
  assert.deepEqual(ended, ['first'])
  notifier.close()
  await Promise.all([...waits, third, wait('late', 'a')])
  assert.deepEqual(ended.toSorted(), ['first', 'late', 'of another', 'second', 'third'])
})

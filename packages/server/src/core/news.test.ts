import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNews } from './news.ts'

test('all who wait are asked for at once, and told when what they wait for has changed', async () => {
  const questions: [string, number][][] = []
  const state = new Map([
    ['a', 1],
    ['b', 1],
  ])
  const news = createNews(
    async (waiting) => {
      questions.push([...waiting])
      const changed = [...waiting].filter(([key, seen]) => (state.get(key) ?? 0) > seen).map(([key]) => key)
      state.set('b', 2)
      return changed
    },
    () => {},
  )
  const { signal } = new AbortController()
  await Promise.all([news.wait('a', 0, signal), news.wait('a', 1, signal), news.wait('b', 1, signal)])
  assert.deepEqual(questions, [
    [
      ['a', 0],
      ['b', 1],
    ],
    [['b', 1]],
  ])
})

test('who goes away is not asked for any more, and a question that fails is asked again', async () => {
  let asked = 0
  const failures: unknown[] = []
  const news = createNews(
    async (waiting) => {
      asked += 1
      assert.deepEqual([...waiting.keys()], ['stays'])
      if (asked === 1) throw new Error('away')
      return ['stays']
    },
    (error) => failures.push(error),
  )
  const leaving = new AbortController()
  const { signal } = new AbortController()
  const waits = [news.wait('leaves', 0, leaving.signal), news.wait('stays', 0, signal)]
  leaving.abort()
  await Promise.all([...waits, news.wait('late', 0, leaving.signal)])
  assert.deepEqual([asked, failures.length], [2, 1])
})

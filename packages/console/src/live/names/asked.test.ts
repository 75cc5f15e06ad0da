import assert from 'node:assert/strict'
import { test } from 'vitest'
import { askedTogether } from './asked.ts'

type Question = { readonly keys: readonly string[]; readonly answer: PromiseWithResolvers<Map<string, string>> }

/** A store whose questions are recorded, and whose answers a test gives. */
function openStore() {
  const asked: Question[] = []
  const clock = { now: 0 }
  const waiting: (() => void)[] = []
  const store = askedTogether<string>({
    ask: (keys) => {
      const answer = Promise.withResolvers<Map<string, string>>()
      asked.push({ keys, answer })
      return answer.promise
    },
    later: (run) => waiting.push(run),
    fresh: 60,
    now: () => clock.now,
  })
  const drawn = { times: 0, next: Promise.withResolvers<void>() }
  store.subscribe(() => {
    drawn.times += 1
    drawn.next.resolve()
    drawn.next = Promise.withResolvers<void>()
  })
  return {
    store,
    asked,
    clock,
    drawn,
    collect: () => {
      for (const run of waiting.splice(0)) run()
    },
  }
}

test('what several places want at once is one question, and is not asked again while it is fresh', async () => {
  const { store, asked, clock, drawn, collect } = openStore()
  store.want(['a', 'b'])
  store.want(['b', 'c'])
  collect()
  store.want(['a'])
  collect()
  assert.deepEqual(
    asked.map(({ keys }) => keys),
    [['a', 'b', 'c']],
  )
  const { promise } = drawn.next
  asked[0]?.answer.resolve(new Map([['a', 'Alice']]))
  await promise
  assert.deepEqual([drawn.times, store.known('a'), store.known('b')], [1, 'Alice', undefined])
  store.want(['a', 'b'])
  collect()
  assert.equal(asked.length, 1)
  clock.now = 60
  store.want(['a'])
  collect()
  assert.deepEqual(asked[1]?.keys, ['a'])
})

test('where the question fails, what was known stays, and it is asked again', async () => {
  const { store, asked, clock, drawn, collect } = openStore()
  for (const [index, answer] of ['Alice', undefined].entries()) {
    clock.now = index * 60
    store.want(['a'])
    collect()
    const { promise } = drawn.next
    if (answer) asked[index]?.answer.resolve(new Map([['a', answer]]))
    else asked[index]?.answer.reject(new Error('away'))
    await promise
  }
  assert.equal(store.known('a'), 'Alice')
  store.want(['a'])
  collect()
  assert.equal(asked.length, 3)
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { commandOf, kindOf, minimalSubset, parseSteps, printSteps } from './minimize.ts'

test('the result has exactly the needed elements of a list, in order', async () => {
  const lists = fc.uniqueArray(fc.nat(200), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(lists, fc.func(fc.boolean()), async (list, isNeeded) => {
      const wanted = list.filter(isNeeded)
      const holds = async (some: readonly number[]) => wanted.every((one) => some.includes(one))
      assert.deepEqual(await minimalSubset(list, holds, { left: 10_000 }), wanted)
    }),
  )
})

test('when the budget is used up, the result still fails, and no further attempt is made', async () => {
  const list = Array.from({ length: 64 }, (_, n) => n)
  for (const left of [0, 1, 5, 20]) {
    let tries = 0
    const holds = async (some: readonly number[]) => {
      tries += 1
      return some.includes(11) && some.includes(60)
    }
    const kept = await minimalSubset(list, holds, { left })
    assert.ok(tries <= left, `${tries} of ${left}`)
    assert.ok(kept.includes(11) && kept.includes(60))
  }
})

test('printed steps are parsed to the same steps', () => {
  assert.equal(printSteps(new Set([52, 3, 4, 5, 7])), '3-5,7,52')
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 300 })), (steps) => {
      assert.deepEqual(parseSteps(printSteps(new Set(steps))), new Set(steps.toSorted((a, b) => a - b)))
    }),
  )
  assert.equal(
    commandOf(7, { steps: 31, without: new Set([1, 2, 9]), left_out: ['kill', 'images'], items: ['order-life'] }),
    'npm run sim -- --seed 7 --steps 31 --without 1-2,9 --leave-out kill,images --items order-life',
  )
})

test('two violations are of one kind if only their step, ids and numbers differ', () => {
  const gone = (step: number, id: string) => `step ${step}: ${id} was acknowledged and does not exist`
  assert.equal(kindOf(gone(3, 'frwl_QdVrc9VJINlddJPoQTiwq')), kindOf(gone(170, 'frwl_OhqqeV-CAVciKSxjWiQj4')))
  assert.notEqual(kindOf(gone(3, 'frwl_QdVrc9VJINlddJPoQTiwq')), kindOf('step 3: money.sum: 7'))
  assert.equal(kindOf('step 9: life.due: {"key":"a"}'), kindOf('step 12: life.due: {"key":"b"}'))
})

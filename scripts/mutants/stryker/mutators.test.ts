import assert from 'node:assert/strict'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { test } from 'vitest'
import { addMutators } from './mutators.ts'

test('a call whose result nobody uses is left out', async () => {
  assert.deepEqual(
    await replacementsIn('async function f() { lock(); await emit(1); const a = read(); }', 'LeftOutCall'),
    [
      ['lock();', ';'],
      ['await emit(1);', ';'],
    ],
  )
})

test('an assignment is left out', async () => {
  assert.deepEqual(await replacementsIn('a.b = c; a.d += 1', 'LeftOutAssignment'), [['a.b = c;', ';']])
})

test('a call in a list is left out, also one that is awaited', async () => {
  assert.deepEqual(await replacementsIn('const all = [a, one(), await two()]', 'LeftOutCall'), [
    ['[a, one(), await two()]', '[a, await two()]'],
    ['[a, one(), await two()]', '[a, one()]'],
  ])
  assert.deepEqual(await replacementsIn('const only = [one()]', 'LeftOutCall'), [])
})

test('a condition of a query is left out', async () => {
  const source = "const where = conditions().add('a = $', a).addIf('b = $', b)"
  assert.deepEqual(await replacementsIn(source, 'LeftOutCall'), [
    ["conditions().add('a = $', a).addIf('b = $', b)", "conditions().add('a = $', a)"],
    ["conditions().add('a = $', a)", 'conditions()'],
  ])
})

test('a side of a condition is left out, unless it is a comparison', async () => {
  assert.deepEqual(await replacementsIn('const a = isOpen && b', 'LeftOutOperand'), [
    ['isOpen && b', 'isOpen'],
    ['isOpen && b', 'b'],
  ])
  assert.deepEqual(await replacementsIn('const a = b > 1 || isOpen', 'LeftOutOperand'), [['b > 1 || isOpen', 'b > 1']])
})

test('a choice takes one side, where its condition is no comparison', async () => {
  assert.deepEqual(await replacementsIn('const a = isOpen ? b : c', 'Choice'), [
    ['isOpen ? b : c', 'b'],
    ['isOpen ? b : c', 'c'],
  ])
  assert.deepEqual(await replacementsIn('const a = b > 1 ? b : c', 'Choice'), [])
})

/** What StrykerJS replaces in a line of source with one mutator, and by what. */
async function replacementsIn(content: string, mutator: string): Promise<[string, string][]> {
  await addMutators()
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true }
  const files = [{ name: 'source.ts', mutate: true, content }]
  const { mutants } = await new Instrumenter(silent).instrument(files, options)
  return mutants
    .filter(({ mutatorName }) => mutatorName === mutator)
    .map(({ location: { start, end }, replacement }) => [content.slice(start.column, end.column), replacement])
}

const no = () => false
const nothing = () => {}
const silent = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
}

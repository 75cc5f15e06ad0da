import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'vitest'
import { bench, measureRows } from './bench.ts'
import { groups } from './groups.ts'
import { rowOf } from './row.ts'

const plainRow = (name: string) => rowOf({ name, ours: 1, against: 1, better: 'more', goal: null })

function benchOf(measured: readonly string[], failure?: string) {
  return bench({
    rows: ['one', 'two'],
    sizes: { usual: {}, tiny: {} },
    measure: async function* () {
      for (const name of measured) yield plainRow(name)
      if (failure !== undefined) throw new Error(failure)
    },
  })
}

async function namesOf(measured: ReturnType<typeof benchOf>, wanted = (_name: string) => true): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of measureRows(measured, 'tiny', wanted)) names.push(name)
  return names
}

test('only the rows that are asked for come out, in the order of their measurement', async () => {
  assert.deepEqual(await namesOf(benchOf(['two', 'one'])), ['two', 'one'])
  assert.deepEqual(await namesOf(benchOf(['two', 'one']), (name) => name === 'one'), ['one'])
  assert.deepEqual(await namesOf(benchOf([], 'never measured'), () => false), [])
})

test('a row that does not come out is named, and so is one that nobody declared', async () => {
  await assert.rejects(namesOf(benchOf(['one'])), /^Error: Not measured: two\. The bench ended without an error\./)
  await assert.rejects(namesOf(benchOf(['one'], 'no column')), /^Error: Not measured: two\. no column/)
  await assert.rejects(namesOf(benchOf(['one', 'three'])), /The row three is not declared\./)
})

test('no two benches of a group measure the same row', () => {
  for (const benches of Object.values(groups)) {
    const rows = benches.flatMap((one) => one.rows)
    assert.deepEqual(rows.toSorted(), [...new Set(rows)].toSorted())
  }
})

test('every group has a test file that measures its rows at the tiny size', () => {
  const tested = globSync('test/bench/*.test.ts').flatMap(
    (path) => /testGroup\('(\w+)'\)/.exec(readFileSync(path, 'utf8'))?.[1] ?? [],
  )
  assert.deepEqual(tested.toSorted(), Object.keys(groups).toSorted())
})

import assert from 'node:assert/strict'
import { printDollars } from '@bourse/text/money.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { readParquet } from '../../../test/api/parquet.ts'
import type { Column, ExportRow } from './columns.rules.ts'
import { parquetFile, rowsOfGroup } from './export-parquet.rules.ts'

const columns: readonly Column[] = [
  { name: 'text', type: 'text' },
  { name: 'dollars', type: 'decimal' },
  { name: 'at', type: 'time' },
  { name: 'seconds', type: 'seconds' },
]

function write(rows: readonly ExportRow[]): Uint8Array {
  const file = parquetFile(columns)
  const parts = rows.flatMap((row) => file.add(row) ?? [])
  return Buffer.concat([...parts, file.end()])
}

const iso = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
const seconds = fc.integer({ min: 0, max: 4_102_444_800 })
const row = fc.record({
  text: fc.option(fc.string({ unit: 'grapheme', minLength: 1 })),
  dollars: fc.option(fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }).map(printDollars)),
  at: fc.option(seconds.map(iso)),
  seconds: fc.option(seconds.map(String)),
})

test('a reader finds every value as it was, nulls and all digits of amounts included', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
      const expected = rows.map((one) => ({ ...one, seconds: one.seconds === null ? null : iso(Number(one.seconds)) }))
      const found = await readParquet(write(rows))
      assert.deepEqual(found.rows, expected)
    }),
    { numRuns: 60 },
  )
})

test('rows are divided into groups, whose number does not change them', async () => {
  const rows = Array.from({ length: 2 * rowsOfGroup + 1 }, (_, n) => ({ text: `row ${n}`, dollars: `${n % 7}.000001` }))
  const found = await readParquet(write(rows))
  assert.equal(found.groups, 3)
  assert.equal((await readParquet(write(rows.slice(0, rowsOfGroup)))).groups, 1)
  assert.deepEqual(
    found.rows,
    rows.map((one) => ({ ...one, at: null, seconds: null })),
  )
})

test('columns have types, without rows too', async () => {
  const { groups, rows, types } = await readParquet(write([]))
  assert.deepEqual([groups, rows], [0, []])
  const expected = { text: 'UTF8', dollars: 'DECIMAL(18, 6)', at: 'TIMESTAMP_MILLIS', seconds: 'TIMESTAMP_MILLIS' }
  assert.deepEqual(types, expected)
})

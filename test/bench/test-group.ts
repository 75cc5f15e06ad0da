import assert from 'node:assert/strict'
import { test } from 'vitest'
import { measureRows } from '../../scripts/bench/bench.ts'
import { type GroupName, groups } from '../../scripts/bench/groups.ts'
import { leftOut } from '../left-out.ts'

/** Tests that each row of a group of `npm run bench` comes out with figures. What they are does not matter here. */
export async function testGroup(name: GroupName): Promise<void> {
  for (const bench of groups[name]) {
    const title = `npm run bench -- ${name} ${bench.rows.join(' ')}`
    test(title, leftOut(await bench.missing()), async () => {
      for await (const row of measureRows(bench, 'tiny', () => true)) {
        for (const figure of ['ours', 'against', 'ratio'] as const) {
          const value = row[figure]
          assert.ok(value === null || Number.isFinite(value), `${row.name}: ${figure} is ${value}`)
        }
        assert.equal(row.ratio === null, row.against === null, `${row.name} has a ratio to nothing, or none`)
      }
    })
  }
}

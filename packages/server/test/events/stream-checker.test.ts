import assert from 'node:assert/strict'
import { test } from 'vitest'
import { byBareSequence, byEarlyCounter } from './numbering.ts'
import { openStreams } from './stream-run.ts'

const streams = await openStreams()

for (const [name, append] of [
  ['bare-sequence', byBareSequence],
  ['early-counter', byEarlyCounter],
] as const) {
  test(`the checker finds the mutated numbering ${name}`, async () => {
    const pages = { contended: 0, of_each_filter: 0 }
    const { violations, gone } = await streams.run(append, { name, events: 3_000, pages, holds_one_back: true })
    assert.ok(violations.length + gone > 0, `seed ${streams.seed}: nothing was found`)
  })
}

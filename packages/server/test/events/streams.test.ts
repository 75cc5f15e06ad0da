import assert from 'node:assert/strict'
import { test } from 'vitest'
import { sized } from '../support/size.ts'
import { byCounter } from './numbering.ts'
import { openStreams } from './stream-run.ts'

const streams = await openStreams()

test('readers of a log with 16 concurrent writers miss, repeat and reorder no event', async () => {
  const events = sized(20_000)
  const pages = { contended: events / 20, of_each_filter: 20 }
  const { violations, ...measured } = await streams.run(byCounter, {
    name: 'counter',
    events,
    pages,
    holds_one_back: false,
  })
  const line = `seed ${streams.seed}: ${JSON.stringify(measured)}`
  console.log(line)
  assert.deepEqual(violations.slice(0, 5), [], line)
  assert.equal(measured.gone, 0, line)
})

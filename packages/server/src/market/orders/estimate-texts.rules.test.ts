import assert from 'node:assert/strict'
import { test } from 'vitest'
import { unavailableText } from './estimate-texts.rules.ts'

const at = (text: string) => Date.parse(`${text}Z`) / 60_000
const window = { from: at('2026-01-31T12:00'), to: at('2026-01-31T14:00') }
const later = { from: at('2026-01-31T23:00'), to: at('2026-02-01T01:00') }

test('a missed order is explained by numbers and times', () => {
  const buy = { side: 'buy', window } as const
  assert.equal(
    unavailableText({ ...buy, node_count: 4, free_node_count: 1, windows: [later] }),
    'Only 1 of 4 nodes is offered for the whole window (2026-01-31 12:00 – 14:00 UTC). ' +
      'All 4 are: 2026-01-31 23:00 – 2026-02-01 01:00.',
  )
  assert.equal(
    unavailableText({ ...buy, node_count: 1, free_node_count: 0, windows: [] }),
    'No node is offered for the whole window (2026-01-31 12:00 – 14:00 UTC). ' +
      'No other window of this length in the 14 days after it has one.',
  )
  assert.equal(
    unavailableText({ side: 'sell', window, node_count: 3, free_node_count: 0, windows: [window, later] }),
    'No node is wanted for the whole window (2026-01-31 12:00 – 14:00 UTC). ' +
      'All 3 are: 2026-01-31 12:00 – 14:00; 2026-01-31 23:00 – 2026-02-01 01:00.',
  )
  assert.equal(
    unavailableText({ side: 'sell', node_count: 2, limit: '9.000000', best_price: '8.500000' }),
    '2 nodes are not wanted at 9.000000 dollars per node-hour, only at prices down to 8.500000.',
  )
})

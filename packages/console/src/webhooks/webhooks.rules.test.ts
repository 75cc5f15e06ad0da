import assert from 'node:assert/strict'
import type { Event } from '@bourse/sdk'
import { test } from 'vitest'
import { bodyText, filterText } from './webhooks.rules.ts'

test('filters read as a sentence, with names in the place of ids', () => {
  assert.equal(filterText({ actions: [], target_types: [], targets: [] }), 'every event')
  const filter = { actions: ['order.filled'], target_types: ['order'], targets: ['ordr_1'] }
  assert.equal(filterText(filter), 'order.filled about order of ordr_1')
  assert.equal(
    filterText(filter, () => 'Buy 2 × h100'),
    'order.filled about order of Buy 2 × h100',
  )
})

test('the body of a delivery is that of its event, and a test has one of its own', () => {
  const to = { account: 'acme', webhook: 'whk_1' }
  const event: Event = {
    object: 'event',
    id: 'evt_1',
    action: 'order.filled',
    occurred_at: 1_800_000_000,
    actor: { type: 'system' },
    targets: [{ type: 'order', id: 'ordr_1' }],
    cursor: 'evtc_1',
  }
  const sent = JSON.parse(bodyText(to, event, 0))
  assert.deepEqual(
    [sent.type, sent.timestamp, sent.webhook, sent.data],
    ['order.filled', '2027-01-15T08:00:00Z', 'whk_1', event],
  )
  assert.equal(JSON.parse(bodyText(to, undefined, 1_800_000_000)).type, 'webhook.test')
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { idleReasonOf } from './automation-estimates.rules.ts'

const trading = {
  never_buys: false,
  is_enabled: true,
  is_sku_retired: false,
  order_count: 1,
  traded_node_minutes: 60,
  refusal: null,
}

test('the reason why nothing would be traded is the first one that holds', () => {
  const refusal = { code: 'payment_required', message: 'Money is missing.' }
  const nothing = { ...trading, traded_node_minutes: 0 }
  const halted = { ...nothing, order_count: 0, refusal: { code: 'unavailable', message: 'Repair.' } }
  const cases = [
    [trading, undefined],
    [{ ...trading, refusal }, undefined],
    [{ ...trading, never_buys: true, is_enabled: false }, 'never_buys'],
    [{ ...trading, is_enabled: false, is_sku_retired: true }, 'disabled'],
    [{ ...trading, is_sku_retired: true }, 'sku_not_available'],
    [{ ...nothing, refusal }, 'refused'],
    [halted, 'market_halted'],
    [{ ...nothing, order_count: 0 }, 'nothing_missing'],
    [nothing, 'no_offer_at_price'],
  ] as const
  for (const [view, code] of cases) assert.equal(idleReasonOf(view)?.code, code, JSON.stringify(view))
  assert.equal(idleReasonOf({ ...nothing, refusal })?.message, refusal.message)
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../test/support/size.ts'
import {
  atTime,
  type BudgetRow,
  budgetName,
  forecastMicros,
  newlyReached,
  type RecentSpending,
  recentOf,
  refuseByBudget,
  refuseThresholds,
  spanOf,
  withReached,
  withRecent,
} from './budgets.rules.ts'
import { holdMoney, openMoneyLedger, releaseMoney, settleFill } from './money.rules.ts'

test('a budget without a name is called by its amount and period', () => {
  const of = (changes: Partial<BudgetRow>) =>
    budgetName({ name: null, amount_micros: 500_000_000n, period: 'month', ...changes })
  assert.deepEqual(
    [of({}), of({ period: 'day' }), of({ period: 'total' }), of({ name: 'research' })],
    ['$500.00 each month', '$500.00 each day', '$500.00 in all', 'research'],
  )
})

const second = (text: string) => Date.parse(text) / 1000

function budgetOf(changes: Partial<BudgetRow> = {}): BudgetRow {
  return {
    id: 'bdgt_1',
    account_id: 'buyer',
    workspace_id: null,
    name: null,
    period: 'day',
    amount_micros: 1_000n,
    thresholds_percent: [50, 80, 100],
    threshold_basis: 'actual',
    hard_stop: true,
    period_start: 0,
    spent_micros: 0n,
    reached_percent: [],
    held_micros: 0n,
    recent: [],
    created_at: 0,
    updated_at: 0,
    ...changes,
  }
}

describe('the period of a budget', () => {
  const cases: [BudgetRow['period'], string, string, string][] = [
    ['day', '2026-02-28T23:59:59Z', '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['day', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'],
    ['month', '2026-02-28T23:59:59Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['month', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    ['month', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ]
  for (const [period, now, start, end] of cases) {
    test(`${period} at ${now}`, () => {
      assert.deepEqual(spanOf(period, second(now)), { start: second(start), end: second(end) })
    })
  }

  test('total has neither start nor end', () => assert.deepEqual(spanOf('total', 5_000), { start: 0, end: null }))

  test('periods follow each other without a gap', () => {
    const times = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(times, fc.constantFrom('day', 'month'), (now, period) => {
        const { start, end } = spanOf(period as 'day', now)
        assert.ok(start <= now && end !== null && now < end)
        assert.equal(spanOf(period as 'day', end).start, end)
        assert.deepEqual(spanOf(period as 'day', end - 1), { start, end })
      }),
    )
  })

  test('a new one begins with nothing spent and nothing reached, and keeps what is held', () => {
    const used = budgetOf({ spent_micros: 900n, reached_percent: [50, 80], held_micros: 7n })
    assert.deepEqual(atTime(used, 86_399), used)
    assert.deepEqual(atTime(used, 86_400), budgetOf({ period_start: 86_400, held_micros: 7n }))
    // A transaction that began before the period does not take it back.
    const next = atTime(used, 86_400)
    assert.deepEqual(atTime(next, 86_399), next)
  })
})

test('a hard stop refuses what exceeds the amount by a micro-dollar', () => {
  const budget = budgetOf({ spent_micros: 300n, held_micros: 200n })
  assert.equal(refuseByBudget([budget], 500n), undefined)
  assert.equal(refuseByBudget([budget], 501n)?.code, 'budget_exceeded')
  assert.equal(refuseByBudget([{ ...budget, hard_stop: false }], 501n), undefined)
  assert.match(refuseByBudget([budgetOf({ spent_micros: 2_000n })], 1n)?.message ?? '', /has \$0\.00 left/)
  assert.match(refuseByBudget([budgetOf({ spent_micros: 900n })], 101n)?.message ?? '', /has \$0\.0001 left/)
})

test('a threshold is reached at its percentage exactly, and once', () => {
  const budget = budgetOf({ amount_micros: 3n, thresholds_percent: [33, 34, 100] })
  assert.deepEqual(newlyReached(budget, 0n), [])
  assert.deepEqual(newlyReached(budget, 1n), [33])
  assert.deepEqual(newlyReached(withReached(budget, [33]), 3n), [34, 100])
  assert.deepEqual(withReached(withReached(budget, [100]), [33]).reached_percent, [33, 100])
})

test('a forecast adds what is held, and the pace of the last day until the end of the period', () => {
  const budget = budgetOf({
    spent_micros: 100n,
    held_micros: 10n,
    recent: [
      [11, '20'],
      [12, '30'],
    ],
  })
  assert.equal(forecastMicros(budget, 43_200), 135n)
  assert.equal(forecastMicros({ ...budget, period: 'total' }, 43_200), null)
  // Hour 11 is the 23rd before hour 34, and the 24th before hour 35.
  assert.equal(forecastMicros(budget, 34 * 3_600), 110n + (50n * 14n) / 24n)
  assert.equal(forecastMicros(budget, 35 * 3_600), 110n + (30n * 13n) / 24n)
})

test('recent spending is that of the running hour and the 23 before it, however it was added up', () => {
  const spending = fc.record({
    at: fc.integer({ min: 0, max: 40 * 3_600 }),
    micros: fc.bigInt({ min: 1n, max: 2n ** 62n }),
  })
  fc.assert(
    fc.property(fc.array(spending, { minLength: 1, maxLength: 40 }), (unsorted) => {
      const fills = unsorted.toSorted((a, b) => a.at - b.at)
      const now = (fills.at(-1) as { at: number }).at
      const oldest = Math.floor(now / 3_600) - 23
      const exact = fills.filter(({ at }) => at >= oldest * 3_600).reduce((sum, { micros }) => sum + micros, 0n)
      const added = fills.reduce<RecentSpending>((recent, { at, micros }) => withRecent(recent, at, micros), [])
      const summed = recentOf(
        fills.map(({ at, micros }) => ({ hour: Math.floor(at / 3_600), spent_micros: micros })),
        now,
      )
      const paid = (recent: RecentSpending) => recent.reduce((sum, [, micros]) => sum + BigInt(micros), 0n)
      assert.deepEqual([paid(added), paid(summed)], [exact, exact])
      assert.ok(added.length <= 24)
    }),
  )
})

test('recent spending has its hours in order, and none that is too old', () => {
  const late = withRecent([], 30 * 3_600, 3n)
  assert.deepEqual(withRecent(late, 29 * 3_600, 2n), [
    [29, '2'],
    [30, '3'],
  ])
  const hours = [30, 5, 6, 29].map((hour) => ({ hour, spent_micros: BigInt(hour) }))
  for (const now of [29 * 3_600, 30 * 3_600]) {
    assert.deepEqual(recentOf(hours, now), [
      [29, '29'],
      [30, '30'],
    ])
  }
})

test('thresholds that fall or repeat, and the forecast of a total, are refused', () => {
  const refusal = (changes: Partial<BudgetRow>) => refuseThresholds(budgetOf(changes))
  const falling = (field: string, message: string) => ({ code: 'invalid_value', field, message })
  for (const thresholds_percent of [[], [0], [1, 2, 1_000]]) assert.equal(refusal({ thresholds_percent }), undefined)
  assert.deepEqual(
    refusal({ thresholds_percent: [80, 50] }),
    falling('thresholds_percent.1', 'Thresholds rise: 50 follows 80.'),
  )
  assert.deepEqual(
    refusal({ thresholds_percent: [10, 50, 50] }),
    falling('thresholds_percent.2', 'Thresholds rise: 50 follows 50.'),
  )
  const ofTotal = refusal({ period: 'total', threshold_basis: 'forecast' })
  assert.deepEqual([ofTotal?.code, ofTotal?.field], ['not_applicable', 'threshold_basis'])
  assert.equal(refusal({ period: 'total', threshold_basis: 'actual' }), undefined)
  assert.equal(refusal({ period: 'day', threshold_basis: 'forecast' }), undefined)
})

test('holds, fills and releases of its workspace count, and spending never passes a hard stop', () => {
  const amount = fc.bigInt({ min: 1n, max: 400n })
  const steps = fc.array(
    fc.record({ kind: fc.constantFrom('hold', 'fill', 'release'), elsewhere: fc.boolean(), amount }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(steps, (moves) => {
      const balances = ['buyer', 'seller'].map((account_id) => {
        return {
          account_id,
          credit_micros: 10n ** 9n,
          held_micros: 0n,
          credit_limit_micros: 0n,
          low_at_micros: null,
          is_low: false,
        }
      })
      const budgets = [budgetOf({ amount_micros: 2_000n }), budgetOf({ id: 'bdgt_2', workspace_id: 'wksp_1' })]
      const ledger = openMoneyLedger(balances, [], { budgets, now: 5 })
      const spent = new Map<string, bigint>()
      for (const [n, move] of moves.entries()) {
        const workspace_id = move.elsewhere ? 'wksp_2' : 'wksp_1'
        const buyer = { account_id: 'buyer', order_id: `ordr_${n}`, workspace_id }
        if (move.kind === 'hold') holdMoney(ledger, { ...buyer, amount_micros: move.amount })
        const open = [...ledger.holds.values()].find((hold) => hold.amount_micros > 0n)
        if (!open || move.kind === 'hold') continue
        const part = move.amount < open.amount_micros ? move.amount : open.amount_micros
        if (move.kind === 'release') releaseMoney(ledger, open.order_id, { amount_micros: part, part: n })
        else {
          const seller = { account_id: 'seller', order_id: 'ordr_s', workspace_id: 'wksp_3' }
          const money = { value_micros: part, saved_micros: 0n, fee_micros: 0n }
          settleFill(ledger, { fill_id: `fill_${n}`, buyer: open, seller, ...money })
          spent.set(open.workspace_id, (spent.get(open.workspace_id) ?? 0n) + part)
        }
      }
      for (const budget of ledger.budgets.get('buyer') ?? []) {
        const counts = (workspace: string) => budget.workspace_id === null || budget.workspace_id === workspace
        const holds = [...ledger.holds.values()].filter(({ workspace_id }) => counts(workspace_id))
        const held = holds.reduce((sum, { amount_micros }) => sum + amount_micros, 0n)
        const paid = [...spent].reduce((sum, [workspace, part]) => (counts(workspace) ? sum + part : sum), 0n)
        assert.deepEqual([budget.held_micros, budget.spent_micros], [held, paid])
        assert.ok(held + paid <= budget.amount_micros)
      }
    }),
    { numRuns: sized(500) },
  )
})

test('a fill of a transaction from before the period is not spent in it, one of its first second is', () => {
  const buyer = { account_id: 'buyer', order_id: 'ordr_b', workspace_id: 'wksp_1' }
  const balances = ['buyer', 'seller'].map((account_id) => {
    return {
      account_id,
      credit_micros: 0n,
      held_micros: 100n,
      credit_limit_micros: 0n,
      low_at_micros: null,
      is_low: false,
    }
  })
  const budgets = [budgetOf({ period_start: 86_400, held_micros: 100n })]
  const seller = { account_id: 'seller', order_id: 'ordr_s', workspace_id: 'wksp_2' }
  const budgetAfterFill = (now: number) => {
    const ledger = openMoneyLedger(balances, [{ ...buyer, amount_micros: 100n }], { budgets, now })
    settleFill(ledger, { fill_id: 'fill_1', buyer, seller, value_micros: 60n, saved_micros: 40n, fee_micros: 0n })
    return ledger.budgets.get('buyer')?.[0]
  }
  const before = budgetAfterFill(86_399)
  assert.deepEqual([before?.spent_micros, before?.held_micros, before?.recent], [0n, 0n, [[23, '60']]])
  const after = budgetAfterFill(86_400)
  assert.deepEqual([after?.spent_micros, after?.held_micros, after?.recent], [60n, 0n, [[24, '60']]])
})

test('a hold that a budget refuses moves nothing', () => {
  const balance = {
    account_id: 'buyer',
    credit_micros: 5_000n,
    held_micros: 0n,
    credit_limit_micros: 0n,
    low_at_micros: null,
    is_low: false,
  }
  const ledger = openMoneyLedger([balance], [], { budgets: [budgetOf()], now: 5 })
  const hold = { account_id: 'buyer', order_id: 'ordr_b', workspace_id: 'wksp_1', amount_micros: 1_001n }
  assert.equal(holdMoney(ledger, hold)?.code, 'budget_exceeded')
  assert.deepEqual([ledger.legs, ledger.holds.size, ledger.touched_budgets.size], [[], 0, 0])
  assert.equal(holdMoney(ledger, { ...hold, amount_micros: 1_000n }), undefined)
})

test('a hold and a release change what a budget holds, not what was spent in recent hours', () => {
  const balance = {
    account_id: 'buyer',
    credit_micros: 100n,
    held_micros: 0n,
    credit_limit_micros: 0n,
    low_at_micros: null,
    is_low: false,
  }
  const ledger = openMoneyLedger([balance], [], { budgets: [budgetOf()], now: 5 })
  holdMoney(ledger, { account_id: 'buyer', order_id: 'ordr_b', workspace_id: 'wksp_1', amount_micros: 100n })
  releaseMoney(ledger, 'ordr_b', { amount_micros: 30n, part: 0 })
  assert.deepEqual([...ledger.touched_budgets], [budgetOf({ held_micros: 70n })])
})

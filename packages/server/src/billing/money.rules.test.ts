import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../test/support/size.ts'
import {
  holdMoney,
  isLow,
  type MoneyLedger,
  openMoneyLedger,
  postMoney,
  releaseMoney,
  settleFill,
  withLowAt,
} from './money.rules.ts'

function ledgerOf(credits: Record<string, bigint>, credit_limit_micros = 0n): MoneyLedger {
  const balances = Object.entries(credits).map(([account_id, credit_micros]) => ({
    account_id,
    credit_micros,
    held_micros: 0n,
    credit_limit_micros,
    low_at_micros: null,
    is_low: false,
  }))
  return openMoneyLedger(balances, [])
}

const buyer = { account_id: 'buyer', order_id: 'ordr_b', workspace_id: 'wksp_b' }
const seller = { account_id: 'seller', order_id: 'ordr_s', workspace_id: 'wksp_s' }

test('a hold above the available balance is refused with the missing amount, and moves nothing', () => {
  const ledger = ledgerOf({ buyer: 1_000_000n })
  const refusal = holdMoney(ledger, { ...buyer, amount_micros: 1_500_000n })
  assert.equal(refusal?.code, 'payment_required')
  assert.match(refusal?.message ?? '', /\$0\.50 is missing/)
  assert.equal(ledger.legs.length, 0)
  assert.equal(ledger.holds.size, 0)
})

test('a credit limit can be spent to the last micro-dollar but not exceeded', () => {
  const ledger = ledgerOf({ buyer: 0n }, 100n)
  assert.equal(holdMoney(ledger, { ...buyer, amount_micros: 100n }), undefined)
  assert.equal(holdMoney(ledger, { ...buyer, order_id: 'ordr_2', amount_micros: 1n })?.code, 'payment_required')
})

test('a fill pays the seller the price less the fee, and refunds the buyer the difference to the limit', () => {
  const ledger = ledgerOf({ buyer: 1_000n, seller: 0n })
  holdMoney(ledger, { ...buyer, amount_micros: 800n })
  settleFill(ledger, { fill_id: 'fill_1', buyer, seller, value_micros: 500n, saved_micros: 100n, fee_micros: 7n })
  assert.deepEqual(
    [ledger.balances.get('buyer')?.credit_micros, ledger.balances.get('buyer')?.held_micros],
    [300n, 200n],
  )
  const saved = ledger.legs.filter(({ cause_kind, account_id }) => cause_kind === 'fill' && account_id === 'buyer')
  assert.deepEqual(
    saved.map(({ book, amount_micros, balance_after_micros }) => [book, amount_micros, balance_after_micros]),
    [
      ['held', -600n, 200n],
      ['credit', 100n, 300n],
    ],
  )
  assert.equal(ledger.balances.get('seller')?.credit_micros, 493n)
  assert.equal(ledger.holds.get('ordr_b')?.amount_micros, 200n)
  assert.deepEqual(
    ledger.transactions.map(({ type, amount_micros, fee_micros, balance_after_micros }) => [
      type,
      amount_micros,
      fee_micros,
      balance_after_micros,
    ]),
    [
      ['buy_fill', -500n, 0n, 500n],
      ['sell_fill', 493n, 7n, 493n],
    ],
  )
})

test('a fill beyond the hold is a bug and creates no debt', () => {
  const ledger = ledgerOf({ buyer: 1_000n, seller: 0n })
  const fill = { fill_id: 'fill_1', buyer, seller, value_micros: 51n, saved_micros: 50n, fee_micros: 0n }
  assert.throws(() => settleFill(ledger, fill), /does not cover/)
  holdMoney(ledger, { ...buyer, amount_micros: 100n })
  assert.throws(() => settleFill(ledger, fill), /does not cover/)
  settleFill(ledger, { ...fill, value_micros: 50n })
  assert.equal(ledger.holds.get('ordr_b')?.amount_micros, 0n)
})

test('a hold, a fill and a release are entries of the ledger, without those of nothing', () => {
  const ledger = ledgerOf({ buyer: 1_000n, seller: 0n })
  assert.deepEqual([ledger.legs, ledger.transactions, ledger.budgets.size], [[], [], 0])
  holdMoney(ledger, { ...buyer, amount_micros: 800n })
  settleFill(ledger, { fill_id: 'fill_1', buyer, seller, value_micros: 500n, saved_micros: 0n, fee_micros: 7n })
  releaseMoney(ledger, 'ordr_b', { amount_micros: 300n, part: 2 })
  releaseMoney(ledger, 'ordr_b', { amount_micros: 0n, part: 3 })
  const admission = { cause_kind: 'admission', cause_id: 'ordr_b', part: 0 }
  const cause = { cause_kind: 'fill', cause_id: 'fill_1', part: 0 }
  const release = { cause_kind: 'release', cause_id: 'ordr_b', part: 2 }
  const credit = { account_id: 'buyer', book: 'credit' }
  const held = { account_id: 'buyer', book: 'held' }
  const income = { account_id: 'seller', book: 'credit' }
  assert.deepEqual(ledger.legs, [
    { ...admission, leg: 0, ...credit, amount_micros: -800n, balance_after_micros: 200n },
    { ...admission, leg: 1, ...held, amount_micros: 800n, balance_after_micros: 800n },
    { ...cause, leg: 0, ...held, amount_micros: -500n, balance_after_micros: 300n },
    { ...cause, leg: 1, ...income, amount_micros: 500n, balance_after_micros: 500n },
    { ...cause, leg: 2, ...income, amount_micros: -7n, balance_after_micros: 493n },
    { ...cause, leg: 3, account_id: null, book: 'fees', amount_micros: 7n, balance_after_micros: null },
    { ...release, leg: 0, ...held, amount_micros: -300n, balance_after_micros: 0n },
    { ...release, leg: 1, ...credit, amount_micros: 300n, balance_after_micros: 500n },
  ])
  const common = { fill_id: 'fill_1', description: null }
  assert.deepEqual(ledger.transactions, [
    { ...common, ...buyer, type: 'buy_fill', amount_micros: -500n, fee_micros: 0n, balance_after_micros: 500n },
    { ...common, ...seller, type: 'sell_fill', amount_micros: 493n, fee_micros: 7n, balance_after_micros: 493n },
  ])
  assert.deepEqual(ledger.touched, new Set(['buyer', 'seller']))
})

test('a release beyond the hold is a bug and pays nothing back', () => {
  const ledger = ledgerOf({ buyer: 1_000n })
  const release = () => releaseMoney(ledger, 'ordr_b', { amount_micros: 101n, part: 0 })
  assert.throws(release, /The release of ordr_b exceeds its hold/)
  holdMoney(ledger, { ...buyer, amount_micros: 100n })
  assert.throws(release, /The release of ordr_b exceeds its hold/)
  assert.equal(ledger.balances.get('buyer')?.credit_micros, 900n)
})

test('balances that do not fit their holds or limits, or are not known, stop a movement', () => {
  const balance = {
    account_id: 'buyer',
    credit_micros: -200n,
    held_micros: 0n,
    credit_limit_micros: 100n,
    low_at_micros: null,
    is_low: false,
  }
  const ledger = openMoneyLedger([balance, { ...balance, account_id: 'seller' }], [{ ...buyer, amount_micros: 100n }])
  const fill = { fill_id: 'fill_1', buyer, seller, value_micros: 100n, saved_micros: 0n, fee_micros: 0n }
  assert.throws(() => settleFill(ledger, fill), /The held balance of buyer would fall below zero/)
  const posting = { id: 'txn_1', type: 'refund' as const, amount_micros: 50n, description: null }
  assert.throws(() => postMoney(ledger, { ...posting, account_id: 'seller' }), /seller would fall below its credit/)
  assert.throws(() => postMoney(ledger, { ...posting, account_id: 'other' }), /other is not in the money book/)
})

test('a posting comes out of the funding of the operator', () => {
  const ledger = ledgerOf({ buyer: 100n })
  const posting = { account_id: 'buyer', type: 'adjustment' as const, amount_micros: 40n, description: 'test' }
  assert.equal(postMoney(ledger, { ...posting, id: 'txn_1' }), undefined)
  const cause = { cause_kind: 'posting', cause_id: 'txn_1', part: 0 }
  assert.deepEqual(ledger.legs, [
    { ...cause, leg: 0, account_id: null, book: 'funding', amount_micros: -40n, balance_after_micros: null },
    { ...cause, leg: 1, account_id: 'buyer', book: 'credit', amount_micros: 40n, balance_after_micros: 140n },
  ])
  const none = { fee_micros: 0n, order_id: null, fill_id: null, workspace_id: null }
  assert.deepEqual(ledger.transactions, [{ ...posting, ...none, posting_id: 'txn_1', balance_after_micros: 140n }])
})

test('a posting cannot take more than the available balance', () => {
  const ledger = ledgerOf({ buyer: 100n }, 50n)
  const posting = { account_id: 'buyer', type: 'adjustment' as const, description: 'test' }
  const refusal = postMoney(ledger, { ...posting, id: 'txn_1', amount_micros: -151n })
  assert.deepEqual([refusal?.code, refusal?.field], ['insufficient_funds', 'amount_dollars'])
  assert.match(refusal?.message ?? '', /^Only 0\.000150 dollars/)
  assert.equal(postMoney(ledger, { ...posting, id: 'txn_2', amount_micros: -150n }), undefined)
})

test('for any holds, fills, releases and postings, each transfer sums to zero and each balance to its entries', () => {
  const step = fc.record({ kind: fc.constantFrom('hold', 'fill', 'release', 'post'), amount: fc.bigInt(0n, 500n) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ledger = ledgerOf({ buyer: 2_000n, seller: 0n })
      for (const [n, { kind, amount }] of steps.entries()) {
        const order_id = `ordr_${n % 5}`
        const held = ledger.holds.get(order_id)?.amount_micros ?? 0n
        if (kind === 'hold' && !ledger.holds.has(order_id))
          holdMoney(ledger, { ...buyer, order_id, amount_micros: amount })
        if (kind === 'release' && ledger.holds.has(order_id))
          releaseMoney(ledger, order_id, { amount_micros: amount <= held ? amount : held, part: n })
        if (kind === 'post')
          postMoney(ledger, {
            id: `txn_${n}`,
            account_id: 'buyer',
            type: 'refund',
            amount_micros: amount,
            description: null,
          })
        if (kind === 'fill' && ledger.holds.has(order_id) && amount <= held) {
          const party = { ...buyer, order_id }
          const fill = {
            fill_id: `fill_${n}`,
            buyer: party,
            seller,
            value_micros: amount,
            saved_micros: 0n,
            fee_micros: amount / 3n,
          }
          settleFill(ledger, fill)
        }
      }
      assert.equal(
        ledger.legs.reduce((sum, { amount_micros }) => sum + amount_micros, 0n),
        0n,
      )
      const folded = { buyer: { credit: 2_000n, held: 0n }, seller: { credit: 0n, held: 0n } }
      for (const { account_id, book: side, amount_micros } of ledger.legs) {
        if (account_id !== null) folded[account_id as 'buyer'][side as 'credit'] += amount_micros
      }
      for (const { account_id, credit_micros, held_micros } of ledger.balances.values()) {
        assert.deepEqual(folded[account_id as 'buyer'], { credit: credit_micros, held: held_micros })
        const holds = [...ledger.holds.values()].filter((hold) => hold.account_id === account_id)
        assert.equal(
          holds.reduce((sum, { amount_micros }) => sum + amount_micros, 0n),
          held_micros,
        )
      }
    }),
    { numRuns: sized(500) },
  )
})

test('a balance becomes low at its threshold, and is low until it has risen a tenth above it', () => {
  const at = (credit_micros: bigint, is_low: boolean, low_at_micros: bigint | null = 1_000n) =>
    isLow({ account_id: 'buyer', credit_micros, held_micros: 5_000n, credit_limit_micros: 100n, low_at_micros, is_low })
  assert.deepEqual([at(901n, false), at(900n, false), at(-100n, false)], [false, true, true])
  assert.deepEqual([at(901n, true), at(999n, true), at(1_000n, true)], [true, true, false])
  assert.deepEqual([at(0n, false, null), at(0n, true, null)], [false, false])
})

test('another threshold decides anew whether a balance is low, the same one does not', () => {
  const low = { account_id: 'buyer', credit_micros: 480n, held_micros: 0n, credit_limit_micros: 0n, is_low: true }
  const at = (low_at_micros: bigint | null) => withLowAt({ ...low, low_at_micros: 500n }, low_at_micros)
  assert.deepEqual(at(500n), { ...low, low_at_micros: 500n })
  assert.deepEqual(at(450n), { ...low, low_at_micros: 450n, is_low: false })
  assert.equal(isLow(at(450n)), false, 'though it has not risen a tenth above it')
  assert.deepEqual([isLow(at(600n)), at(600n).is_low, at(null).is_low], [true, false, false])
})

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import {
  addToSide,
  type BookSide,
  emptySide,
  removeFromSide,
  type Search,
  walkSide,
  walkWhole,
} from './book-index.rules.ts'
import { addToExpiryQueue, type ExpiryQueue, removeFromExpiryQueue, updateInExpiryQueue } from './expiry.rules.ts'
import { emptyLadder, joinLadder, leaveLadder, nextInLadder } from './price-ladder.rules.ts'
import { type Ladder, nodeOf, type Order, type RestingOrder } from './resting-order.rules.ts'

type OrderShape = { price: number; start: number; minutes: number; partial: boolean }

/** From a minute to years, so that all tiers are used; near each other, so that windows meet. */
const anyMinutes = fc.oneof(
  fc.integer({ min: 1, max: 6 }),
  fc.integer({ min: 1, max: 70 }),
  fc.integer({ min: 1, max: 5_000 }),
  fc.integer({ min: 1, max: 2 ** 21 }),
)
const anyShape: fc.Arbitrary<OrderShape> = fc.record({
  price: fc.integer({ min: 0, max: 20 }),
  start: fc.oneof(
    fc.integer({ min: 60, max: 70 }),
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 1_500_000 }),
  ),
  minutes: anyMinutes,
  partial: fc.boolean(),
})

function resting(seq: number, shape: OrderShape): RestingOrder<Order> {
  return nodeOf({
    id: `o${seq}`,
    account_id: 'ann',
    side: 'sell',
    price_micros: BigInt(shape.price),
    seq,
    start_minute: shape.start,
    end_minute: shape.start + shape.minutes,
    node_count: 1,
    allow_standing: true,
    allow_partial: shape.partial,
  })
}

function byPriority(a: RestingOrder<Order>, b: RestingOrder<Order>): number {
  return a.rank - b.rank || a.seq - b.seq
}

describe('a side of the book', () => {
  const walked = (walk: typeof walkSide, side: BookSide<Order>, search: Search): RestingOrder<Order>[] => {
    const visited: RestingOrder<Order>[] = []
    walk(side, search, (node) => visited.push(node) > 0)
    return visited
  }

  test('yields exactly the orders that overlap the window, by price, then age', () => {
    fc.assert(
      fc.property(
        fc.array(anyShape, { maxLength: 40 }),
        fc.array(fc.nat({ max: 39 }), { maxLength: 20 }),
        anyShape,
        (shapes, removed, asked) => {
          const side = emptySide<Order>()
          const nodes = shapes.map((shape, index) => resting(index + 1, shape))
          for (const node of nodes) addToSide(side, node)
          const gone = new Set(removed.flatMap((index) => nodes[index] ?? []))
          for (const node of gone) removeFromSide(side, node)
          const search = { from: asked.start, to: asked.start + asked.minutes, worst: asked.price }
          const expected = nodes
            .filter((node) => !gone.has(node) && node.rank <= search.worst)
            .filter((node) => node.first < search.to && node.end > search.from)
            .sort(byPriority)
          assert.deepEqual(walked(walkSide, side, search), expected)
          assert.deepEqual(
            walked(walkWhole, side, search),
            expected.filter(({ whole }) => whole),
          )
        },
      ),
      { numRuns: sized(3_000) },
    )
  })

  test('finds an order for windows with only its first or last minute, at any cell boundary', () => {
    for (const minutes of [1, 64, 65, 100, 129, 1_000, 5_000]) {
      for (let start = 10_000; start < 10_000 + 260; start++) {
        const side = emptySide<Order>()
        const node = resting(1, { price: 1, start, minutes, partial: true })
        addToSide(side, node)
        const found = (from: number, to: number) => walked(walkSide, side, { from, to, worst: 1 }).length
        const end = start + minutes
        const around = [
          found(start - 9, start),
          found(start - 9, start + 1),
          found(end - 1, end + 9),
          found(end, end + 9),
        ]
        assert.deepEqual(around, [0, 1, 1, 0], `${minutes} minutes from ${start} on`)
      }
    }
  })

  test('is empty again when all orders have left', () => {
    const side = emptySide<Order>()
    const nodes = [1, 70, 5_000, 2 ** 21].map((minutes, index) => {
      return resting(index + 1, { price: 1, start: 63, minutes, partial: index % 2 === 0 })
    })
    for (const node of nodes) addToSide(side, node)
    for (const node of nodes) removeFromSide(side, node)
    for (const { size, tiers } of [side.partial, side.whole]) {
      assert.equal(size, 0)
      assert.ok(tiers.every(({ cells }) => cells.size === 0))
    }
  })
})

test('a price ladder keeps any number of prices in order while orders come and go', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), fc.nat({ max: 9 })), { maxLength: 900, size: 'max' }),
      (steps) => {
        const ladder: Ladder<Order> = emptyLadder(new Map(), 0)
        const standing: RestingOrder<Order>[] = []
        for (const [index, [price, drawn]] of steps.entries()) {
          if (drawn < 3 && standing.length > 0) {
            const [leaving] = standing.splice(price % standing.length, 1)
            leaveLadder(leaving as RestingOrder<Order>)
          } else {
            const node = resting(index + 1, { price, start: 0, minutes: 1, partial: true })
            joinLadder(ladder, node)
            standing.push(node)
          }
        }
        const walked: RestingOrder<Order>[] = []
        for (let node = ladder.best?.oldest; node !== undefined; node = nextInLadder(node)) walked.push(node)
        assert.deepEqual(
          walked.map(({ seq }) => seq),
          standing.sort(byPriority).map(({ seq }) => seq),
        )
      },
    ),
    { numRuns: sized(200) },
  )
})

test('the expiry queue always returns the order that loses a minute next', () => {
  const anyStep = fc.tuple(fc.constantFrom('enter', 'leave', 'move'), fc.nat({ max: 50 }), fc.nat({ max: 1_000 }))
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
      const expiryQueue: ExpiryQueue<Order> = []
      const entered: RestingOrder<Order>[] = []
      for (const [index, [kind, first, drawn]] of steps.entries()) {
        const node = entered[drawn % Math.max(1, entered.length)]
        if (kind === 'enter' || node === undefined) {
          entered.push(resting(index + 1, { price: 1, start: first, minutes: 1, partial: true }))
          addToExpiryQueue(expiryQueue, entered.at(-1) as RestingOrder<Order>)
        } else if (kind === 'leave') {
          removeFromExpiryQueue(expiryQueue, node)
          entered.splice(entered.indexOf(node), 1)
          assert.equal(node.expiry_index, -1)
        } else {
          node.first = first
          updateInExpiryQueue(expiryQueue, node)
        }
        const earliest = entered.length === 0 ? undefined : Math.min(...entered.map((each) => each.first))
        assert.equal(expiryQueue[0]?.first, earliest)
        assert.equal(expiryQueue.length, entered.length)
        assert.ok(expiryQueue.every((each, place) => each.expiry_index === place))
        const before = (place: number) => expiryQueue[Math.max(0, (place - 1) >> 1)]?.first ?? 0
        assert.ok(expiryQueue.every((each, place) => before(place) <= each.first))
      }
    }),
    { numRuns: sized(500) },
  )
})

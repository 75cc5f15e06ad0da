import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { nodeMinutes, rectangle, type Schedule, sum } from '../../market/schedule/schedule.rules.ts'
import type { Lot } from './cost-lots.rules.ts'
import { costByHour, costWithin, floorSum, minutesOf, wholeBoxes } from './cost-spread.rules.ts'
import { countLot, dayEnd, type Fold, foldMove, openFold, type UsageCell, type UsageMove } from './usage-fold.rules.ts'

const always = { from: 0, to: Number.POSITIVE_INFINITY }
const sku_id = 'sku_a'

/** A node-minute that was paid for: who holds it is the reference model's map. */
type Unit = { purchase: number; node: number; minute: number; micros: bigint; came: readonly number[] }

/** Units of one purchase leave a pool in the order in which they came to it. */
function byCame(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return (a[i] ?? -1) - (b[i] ?? -1)
  return 0
}

/** The reference model: every node-minute by itself. */
function referenceOf(moves: readonly UsageMove[]) {
  const held = new Map<string, Unit[]>()
  let sold = 0n
  const at = (pool: string) => held.get(pool) ?? held.set(pool, []).get(pool) ?? []
  const take = (pool: string, schedule: Schedule): Unit[] => {
    const taken: Unit[] = []
    for (let i = 0; i + 2 < schedule.length; i += 2) {
      for (let minute = schedule[i] as number; minute < (schedule[i + 2] as number); minute++) {
        const units = at(pool)
          .filter((unit) => unit.minute === minute)
          .sort((a, b) => a.purchase - b.purchase || byCame(a.came, b.came) || b.node - a.node)
        taken.push(...units.slice(0, schedule[i + 1]))
      }
    }
    held.set(
      pool,
      at(pool).filter((unit) => !taken.includes(unit)),
    )
    return taken
  }
  for (const move of moves) {
    if (move.kind === 'bought') at(move.pool_id).push(...unitsOf(move))
    if (move.kind === 'sold') for (const { micros } of take(move.pool_id, move.schedule)) sold += micros
    if (move.kind === 'transfer') {
      const moved = take(move.pool_id, move.schedule)
      at(move.to_pool_id).push(...moved.map((unit) => ({ ...unit, came: [move.position, ...unit.came] })))
    }
  }
  return { held, sold }
}

function unitsOf({ position, schedule, node_minutes, amount_micros }: UsageMove & { kind: 'bought' }): Unit[] {
  const units: Unit[] = []
  let paid = 0n
  for (let i = 0; i + 2 < schedule.length; i += 2) {
    for (let minute = schedule[i] as number; minute < (schedule[i + 2] as number); minute++) {
      for (let node = 0; node < (schedule[i + 1] as number); node++) {
        const upTo = (amount_micros * BigInt(units.length + 1)) / BigInt(node_minutes)
        units.push({ purchase: position, node, minute, micros: upTo - paid, came: [] })
        paid = upTo
      }
    }
  }
  return units
}

const base = 30_000_000
const rectangles = fc
  .array(fc.tuple(fc.nat(150), fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 4 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => sum(parts.map(([start, length, count]) => rectangle(base + start, base + start + length, count))))
const pools = fc.constantFrom('pool_a', 'pool_b')
const acts = fc.record({
  kind: fc.constantFrom('bought' as const, 'bought' as const, 'sold' as const, 'transfer' as const),
  pool: pools,
  schedule: rectangles,
  amount: fc.oneof(fc.bigInt(0n, 400n), fc.bigInt(2n ** 54n, 2n ** 60n)),
})
const histories = fc.array(acts, { minLength: 1, maxLength: 10 }).map((list) =>
  list.map(({ kind, pool, schedule, amount }, n): UsageMove => {
    const common = { position: n + 1, pool_id: pool, sku_id, schedule }
    const traded = { ...common, fill_id: `fill_${n}`, filled_at: base * 60 + n }
    if (kind === 'transfer') return { ...common, kind, to_pool_id: pool === 'pool_a' ? 'pool_b' : 'pool_a' }
    if (kind === 'sold') return { ...traded, kind, amount_micros: amount, fee_micros: 0n }
    return { ...traded, kind, amount_micros: amount, node_minutes: Number(nodeMinutes(schedule)) }
  }),
)

function foldAll(moves: readonly UsageMove[], countedUntil: number): Fold {
  const fold = openFold([], countedUntil)
  for (const move of moves) foldMove(fold, move)
  return fold
}

function lotsOf(fold: Fold): Lot[] {
  return [...fold.lots.values()].flat()
}

/** The sums of a fold: by pool and hour, without those that are zero. */
function sumsOf(folds: readonly Fold[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { cells } of folds) {
    for (const { pool_id, hours } of cells.values()) {
      for (const [hour, { cost_micros, owned_minutes, owned_nodes, bought_micros, sold_micros }] of hours) {
        const values = { cost_micros, owned_minutes, owned_nodes, bought_micros, sold_micros }
        for (const [name, value] of Object.entries(values)) {
          const key = `${pool_id} ${hour} ${name}`
          sums.set(key, (sums.get(key) ?? 0n) + BigInt(value))
        }
      }
    }
  }
  return new Map([...sums].filter(([, value]) => value !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)))
}

test('a floor sum is the sum of the floors', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.integer({ min: 1, max: 99 }), fc.nat(500), fc.nat(500), (n, m, a, b) => {
      let sum = 0n
      for (let i = 0; i < n; i++) sum += BigInt(Math.floor((a * i + b) / m))
      assert.equal(floorSum(BigInt(n), BigInt(m), BigInt(a), BigInt(b)), sum)
    }),
  )
})

test('however the minutes of a purchase are divided, the parts add up to its value and none is negative', () => {
  fc.assert(
    fc.property(rectangles, fc.bigInt(0n, 2n ** 61n), fc.array(fc.nat(250), { maxLength: 6 }), (shape, value, cuts) => {
      const purchase = { value_micros: value, node_minutes: Number(nodeMinutes(shape)), shape }
      const edges = [base, ...cuts.map((cut) => base + cut).sort((a, b) => a - b), base + 400]
      let micros = 0n
      let minutes = 0
      for (const [index, from] of edges.slice(0, -1).entries()) {
        const part = costWithin(purchase, wholeBoxes(shape), { from, to: edges[index + 1] as number })
        assert.ok(part.micros >= 0n)
        micros += part.micros
        minutes += part.minutes
      }
      assert.equal(micros, value)
      assert.equal(minutes, purchase.node_minutes)
      let hourly = 0n
      costByHour(purchase, wholeBoxes(shape), always, (_, cost) => {
        hourly += cost
      })
      assert.equal(hourly, value)
    }),
    { numRuns: sized(300) },
  )
})

test('lots hold what a model of single node-minutes holds: oldest purchase first out, costs carried along', () => {
  fc.assert(
    fc.property(histories, (moves) => {
      const fold = foldAll(moves, base + 1000)
      const { held, sold } = referenceOf(moves)
      for (const pool of ['pool_a', 'pool_b']) {
        const lots = lotsOf(fold).filter(({ pool_id }) => pool_id === pool)
        const units = held.get(pool) ?? []
        for (let minute = base; minute < base + 250; minute++) {
          const range = { from: minute, to: minute + 1 }
          const expected = units.filter((unit) => unit.minute === minute)
          const parts = lots.map((lot) => costWithin(lot, lot.boxes, range))
          assert.equal(
            parts.reduce((all, { minutes }) => all + minutes, 0),
            expected.length,
          )
          assert.equal(
            parts.reduce((all, { micros }) => all + micros, 0n),
            expected.reduce((all, { micros }) => all + micros, 0n),
          )
        }
      }
      assert.equal(
        lotsOf(fold).reduce((all, { sold_micros }) => all + sold_micros, 0n),
        sold,
      )
    }),
    { numRuns: sized(150) },
  )
})

test('what each purchase cost is what its lots still cost and what was sold of it', () => {
  fc.assert(
    fc.property(histories, fc.nat(300), (moves, counted) => {
      const fold = foldAll(moves, base + counted)
      const paid = moves.filter((move) => move.kind === 'bought')
      for (const { position, amount_micros } of paid) {
        const lots = lotsOf(fold).filter(({ purchase }) => purchase === position)
        const total = lots.reduce((all, { cost_micros, sold_micros }) => all + cost_micros + sold_micros, 0n)
        assert.equal(total, amount_micros)
      }
      for (const lot of lotsOf(fold)) {
        assert.ok(lot.cost_micros >= 0n && lot.left_minutes >= 0)
        assert.deepEqual(costWithin(lot, lot.boxes, always), { minutes: lot.left_minutes, micros: lot.cost_micros })
        assert.equal(minutesOf(lot.boxes), lot.left_minutes)
      }
      // The sums by hour hold exactly what was counted of the lots.
      const countedMicros = lotsOf(fold).reduce(
        (all, lot) => all + costWithin(lot, lot.boxes, { from: 0, to: lot.counted_minute }).micros,
        0n,
      )
      const sums = [...sumsOf([fold])].filter(([key]) => key.endsWith('cost_micros'))
      assert.equal(
        sums.reduce((all, [, value]) => all + value, 0n),
        countedMicros,
      )
      assert.ok(sums.every(([, value]) => value >= 0n))
    }),
    { numRuns: sized(300) },
  )
})

test('the result does not depend on how the moves are divided into folds', () => {
  fc.assert(
    fc.property(histories, fc.nat(10), fc.nat(300), (moves, cut, counted) => {
      const whole = foldAll(moves, base + counted)
      const first = foldAll(moves.slice(0, cut), base + counted)
      const stored = lotsOf(first).map((lot, index) => ({ ...lot, id: index + 1 }))
      const second = openFold(stored, base + counted)
      for (const move of moves.slice(cut)) foldMove(second, move)
      assert.deepEqual(sumsOf([first, second]), sumsOf([whole]))
      const plain = (fold: Fold) =>
        lotsOf(fold)
          .filter(({ left_minutes }) => left_minutes > 0)
          .map(({ id: _, ...lot }) => lot)
      const byPlace = (lots: ReturnType<typeof plain>) =>
        lots.sort((a, b) => (a.pool_id < b.pool_id ? -1 : a.pool_id > b.pool_id ? 1 : a.purchase - b.purchase))
      assert.deepEqual(byPlace(plain(second)), byPlace(plain(whole)))
    }),
    { numRuns: sized(300) },
  )
})

const hour = base / 60
const window = rectangle(base + 30, base + 90, 2)
const place = { pool_id: 'pool_a', sku_id }
const purchase: UsageMove = {
  ...place,
  kind: 'bought',
  position: 1,
  fill_id: 'fill_1',
  schedule: window,
  filled_at: base * 60 + 3_599,
  node_minutes: 120,
  amount_micros: 1_200n,
}

/** The cells of a fold by pool and hour, and in each what is not zero. */
function cellsOf(fold: Fold) {
  return Object.fromEntries(
    [...fold.cells.values()].flatMap(({ pool_id, hours }) =>
      [...hours].map(([number, cell]) => [
        `${pool_id} ${number - hour}`,
        Object.fromEntries(Object.entries(cell as UsageCell).filter(([, value]) => BigInt(value) !== 0n)),
      ]),
    ),
  )
}

test('each move changes the sums of its hours', () => {
  const fold = foldAll([purchase], base + 70)
  const first = { bought_micros: 1_200n, cost_micros: 600n, owned_minutes: 60, owned_nodes: 2 }
  const second = { cost_micros: 200n, owned_minutes: -60, owned_nodes: -2 }
  assert.deepEqual(cellsOf(fold), { 'pool_a 0': first, 'pool_a 1': second })
  const traded = { ...place, position: 2, fill_id: 'fill_2', filled_at: base * 60 + 3_600 }
  const half = rectangle(base + 30, base + 90, 1)
  foldMove(fold, { ...traded, kind: 'sold', schedule: half, amount_micros: 900n, fee_micros: 9n })
  const afterSale = { ...first, cost_micros: 300n, owned_minutes: 30, owned_nodes: 1 }
  const sale = { sold_micros: 900n, fee_micros: 9n, cost_micros: 100n, owned_minutes: -30, owned_nodes: -1 }
  assert.deepEqual(cellsOf(fold), { 'pool_a 0': afterSale, 'pool_a 1': sale })
  foldMove(fold, { ...place, kind: 'transfer', position: 3, to_pool_id: 'pool_b', schedule: half })
  assert.deepEqual(cellsOf(fold), {
    'pool_a 0': { bought_micros: 1_200n },
    'pool_a 1': { sold_micros: 900n, fee_micros: 9n },
    'pool_b 0': { cost_micros: 300n, owned_minutes: 30, owned_nodes: 1 },
    'pool_b 1': { cost_micros: 100n, owned_minutes: -30, owned_nodes: -1 },
  })
  assert.equal(fold.changed.size, 2)
})

test('hosts and instances change the nodes of the hours after theirs', () => {
  const fold = openFold([], base)
  foldMove(fold, { ...place, kind: 'owned', minute: base + 45, delta: 2 })
  foldMove(fold, { ...place, kind: 'running', minute: base + 50, delta: 3 })
  assert.deepEqual(cellsOf(fold), {
    'pool_a 0': { owned_minutes: 30, owned_nodes: 2, run_minutes: 30, run_nodes: 3 },
  })
})

test('an older purchase that comes to a pool leaves it before the newer one there', () => {
  const newer = { ...purchase, position: 2, fill_id: 'fill_2' }
  const moves: UsageMove[] = [
    { ...purchase, pool_id: 'pool_b' },
    newer,
    { ...place, pool_id: 'pool_b', kind: 'transfer', position: 3, to_pool_id: 'pool_a', schedule: window },
  ]
  const fold = foldAll(moves, base)
  fold.changed.clear()
  const traded = { ...place, position: 4, fill_id: 'fill_4', filled_at: base * 60 }
  const half = rectangle(base + 30, base + 90, 1)
  foldMove(fold, { ...traded, kind: 'sold', schedule: half, amount_micros: 900n, fee_micros: 0n })
  const sold = (lots: Iterable<Lot>) => [...lots].map((lot) => [lot.pool_id, lot.fill_id, lot.sold_micros])
  assert.deepEqual(sold(lotsOf(fold).filter(({ pool_id }) => pool_id === 'pool_a')), [
    ['pool_a', 'fill_1', 600n],
    ['pool_a', 'fill_2', 0n],
  ])
  assert.deepEqual(sold(fold.changed), [['pool_a', 'fill_1', 600n]])
})

test('a lot is counted once, up to its end', () => {
  const fold = foldAll([purchase], base)
  const [lot] = lotsOf(fold)
  assert.ok(lot)
  const countTo = (minute: number) => {
    fold.changed.clear()
    countLot(fold, lot, minute)
    return [lot.counted_minute - base, fold.changed.has(lot)]
  }
  assert.deepEqual(countTo(base + 30), [30, false])
  assert.deepEqual(countTo(base + 40), [40, true])
  assert.deepEqual(countTo(base + 40), [40, false])
  assert.deepEqual(countTo(base + 35), [40, false])
  assert.deepEqual(countTo(base + 1_000), [90, true])
  assert.deepEqual(countTo(base + 1_000), [90, false])
  const costs = Object.values(cellsOf(fold)).map(({ cost_micros }) => cost_micros)
  assert.deepEqual(costs, [600n, 600n])
})

test('lots are opened with the oldest purchase first, and of one purchase with the oldest lot first', () => {
  const [lot] = lotsOf(foldAll([purchase], base))
  assert.ok(lot)
  const stored = [
    { ...lot, purchase: 2, id: 4 },
    { ...lot, purchase: 1, id: undefined },
    { ...lot, purchase: 1, id: 9 },
    { ...lot, purchase: 1, id: 5 },
  ]
  const ids = (lots: readonly Lot[]) => lotsOf(openFold(lots, base)).map(({ id }) => id)
  assert.deepEqual(ids(stored), [5, 9, undefined, 4])
  assert.deepEqual(ids(stored.toReversed()), [5, 9, undefined, 4])
})

test('a day ends with its last minute', () => {
  assert.deepEqual([dayEnd(86_399, 0), dayEnd(86_400, 0), dayEnd(86_400, 3)], [1_440, 2_880, 7_200])
})

/**
 * Folds moves of capacity into sums by pool, SKU and hour, and into lots. The result does not depend on how the moves
 * are divided into batches: each one is decided by the lots that those before it left.
 */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { type Lot, lotOf, movedLot, type TakenLot, takeInOrder } from './cost-lots.rules.ts'
import { type Box, costByHour, type Purchase } from './cost-spread.rules.ts'
import { changesOf, type Steps } from './steps.rules.ts'

/** A pool and a SKU in it. */
export type PoolAndSku = { readonly pool_id: string; readonly sku_id: string }

type Traded = PoolAndSku & {
  readonly position: number
  readonly fill_id: string
  readonly schedule: Steps
  /** Seconds. */
  readonly filled_at: number
}

/** What changes usage. Amounts are what the ledger moved: a purchase without fee, a sale less the fee. */
export type UsageMove =
  | (Traded & { readonly kind: 'bought'; readonly node_minutes: number; readonly amount_micros: bigint })
  | (Traded & { readonly kind: 'sold'; readonly amount_micros: bigint; readonly fee_micros: bigint })
  | (PoolAndSku & {
      readonly kind: 'transfer'
      readonly position: number
      readonly to_pool_id: string
      readonly schedule: Steps
    })
  | (PoolAndSku & { readonly kind: 'owned' | 'running'; readonly minute: number; readonly delta: number })

/** Sums of one hour. `…_minutes` are those of the hour itself, `…_nodes` what every later hour has more. */
export type UsageCell = {
  bought_micros: bigint
  sold_micros: bigint
  fee_micros: bigint
  cost_micros: bigint
  owned_minutes: number
  owned_nodes: number
  run_minutes: number
  run_nodes: number
}

/** Sums to add, by place and hour. */
export type Cells = Map<string, PoolAndSku & { readonly hours: Map<number, UsageCell> }>

/** Sums of one place and hour. */
export type HourRow = PoolAndSku & UsageCell & { readonly hour: number }

/** What a fold works on: lots by place, oldest purchase first, and what it adds. */
export type Fold = {
  readonly lots: Map<string, Lot[]>
  readonly cells: Cells
  /** Lots that differ from what is stored. */
  readonly changed: Set<Lot>
  /** The cost of new lots is counted by hour up to, not including, this minute. */
  readonly counted_until: number
}

const minutesOfHour = 60

/** Opens a fold over lots: of every place that a move takes capacity from, those that overlap it. */
export function openFold(lots: readonly Lot[], counted_until: number): Fold {
  const fold: Fold = { lots: new Map(), cells: new Map(), changed: new Set(), counted_until }
  for (const lot of lots) lotsAt(fold, lot).push(lot)
  for (const list of fold.lots.values()) list.sort(byAge)
  return fold
}

/** The key of a place. */
export function placeKey({ pool_id, sku_id }: PoolAndSku): string {
  return `${pool_id}/${sku_id}`
}

/** The first minute after a UTC day that begins `days` days after the one of `now`, in seconds. */
export function dayEnd(now: number, days: number): number {
  return (Math.floor(now / daySeconds) + 1 + days) * 1440
}

/** Folds one move. Moves of one SKU come in the order of their positions. */
export function foldMove(fold: Fold, move: UsageMove): void {
  switch (move.kind) {
    case 'bought':
      buy(fold, move)
      break
    case 'sold':
      sell(fold, move)
      break
    case 'transfer':
      transfer(fold, move)
      break
    case 'owned':
    case 'running':
      addLevel(fold, move, { minute: move.minute, delta: move.delta, of: move.kind })
      break
  }
}

/** Adds the cost of a lot from its counted minute up to, not including, `until`, to the sums by hour. */
export function countLot(fold: Fold, lot: Lot, until: number): void {
  const to = Math.min(lot.end_minute, until)
  if (to <= lot.counted_minute) return
  addCost(fold, lot, { boxes: lot.boxes, from: lot.counted_minute, to, sign: 1n })
  lot.counted_minute = to
  fold.changed.add(lot)
}

function buy(fold: Fold, move: UsageMove & { kind: 'bought' }): void {
  const { pool_id, sku_id, position, fill_id, schedule, node_minutes, amount_micros } = move
  cellOf(fold.cells, move, hourOf(move.filled_at)).bought_micros += amount_micros
  addSteps(fold, move, schedule, 1)
  const purchase: Purchase = { value_micros: amount_micros, node_minutes, shape: schedule }
  insert(fold, lotOf({ ...purchase, pool_id, sku_id, purchase: position, fill_id }))
}

function sell(fold: Fold, move: UsageMove & { kind: 'sold' }): void {
  const cell = cellOf(fold.cells, move, hourOf(move.filled_at))
  cell.sold_micros += move.amount_micros
  cell.fee_micros += move.fee_micros
  addSteps(fold, move, move.schedule, -1)
  takeInOrder(lotsAt(fold, move), move.schedule, (lot, taken) => {
    uncount(fold, lot, taken)
    lot.sold_micros += taken.cost_micros
  })
}

function transfer(fold: Fold, move: UsageMove & { kind: 'transfer' }): void {
  const to = { pool_id: move.to_pool_id, sku_id: move.sku_id }
  addSteps(fold, move, move.schedule, -1)
  addSteps(fold, to, move.schedule, 1)
  const moved: Lot[] = []
  takeInOrder(lotsAt(fold, move), move.schedule, (lot, taken) => {
    uncount(fold, lot, taken)
    moved.push(movedLot(lot, to.pool_id, taken))
  })
  for (const lot of moved) {
    addCost(fold, lot, { boxes: lot.boxes, from: lot.start_minute, to: lot.counted_minute, sign: 1n })
    insert(fold, lot)
  }
}

/** Takes the cost of boxes that left a lot out of the sums by hour, where it was counted. */
function uncount(fold: Fold, lot: Lot, { boxes }: TakenLot): void {
  fold.changed.add(lot)
  addCost(fold, lot, { boxes, from: lot.start_minute, to: lot.counted_minute, sign: -1n })
}

function insert(fold: Fold, lot: Lot): void {
  const lots = lotsAt(fold, lot)
  let index = lots.length
  while (index > 0 && (lots[index - 1] as Lot).purchase > lot.purchase) index--
  lots.splice(index, 0, lot)
  fold.changed.add(lot)
  countLot(fold, lot, fold.counted_until)
}

function lotsAt(fold: Fold, place: PoolAndSku): Lot[] {
  const key = placeKey(place)
  const known = fold.lots.get(key)
  if (known) return known
  const made: Lot[] = []
  fold.lots.set(key, made)
  return made
}

/** Lots of one purchase are in the order in which they came to be: a stored one before a new one. */
function byAge(a: Lot, b: Lot): number {
  return a.purchase - b.purchase || (a.id ?? Number.MAX_SAFE_INTEGER) - (b.id ?? Number.MAX_SAFE_INTEGER)
}

type Costed = { readonly boxes: readonly Box[]; readonly from: number; readonly to: number; readonly sign: bigint }

function addCost({ cells }: Fold, lot: Lot, { boxes, sign, ...range }: Costed): void {
  costByHour(lot, boxes, range, (hour, micros) => {
    cellOf(cells, lot, hour).cost_micros += sign * micros
  })
}

function addSteps(fold: Fold, place: PoolAndSku, schedule: Steps, sign: 1 | -1): void {
  for (const { minute, delta } of changesOf(schedule))
    addLevel(fold, place, { minute, delta: sign * delta, of: 'owned' })
}

function addLevel(
  { cells }: Fold,
  place: PoolAndSku,
  { minute, delta, of }: { minute: number; delta: number; of: 'owned' | 'running' },
): void {
  const hour = Math.floor(minute / minutesOfHour)
  const cell = cellOf(cells, place, hour)
  const minutes = delta * ((hour + 1) * minutesOfHour - minute)
  if (of === 'owned') {
    cell.owned_minutes += minutes
    cell.owned_nodes += delta
  } else {
    cell.run_minutes += minutes
    cell.run_nodes += delta
  }
}

/** The sums of an hour, made where there are none. */
function cellOf(cells: Cells, { pool_id, sku_id }: PoolAndSku, hour: number): UsageCell {
  const key = `${pool_id}/${sku_id}`
  let place = cells.get(key)
  if (!place) {
    place = { pool_id, sku_id, hours: new Map() }
    cells.set(key, place)
  }
  const known = place.hours.get(hour)
  if (known) return known
  const made = emptyCell()
  place.hours.set(hour, made)
  return made
}

function emptyCell(): UsageCell {
  return {
    bought_micros: 0n,
    sold_micros: 0n,
    fee_micros: 0n,
    cost_micros: 0n,
    owned_minutes: 0,
    owned_nodes: 0,
    run_minutes: 0,
    run_nodes: 0,
  }
}

function hourOf(seconds: number): number {
  return Math.floor(seconds / hourSeconds)
}

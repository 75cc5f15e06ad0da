// Finds the resting orders that overlap a window, best first, without walking those that do not.
//
// Orders are stored in tiers by length; each tier is twice as long as the one before. The time of a tier is divided
// into cells of a quarter of its length. An order is stored once, in the cell of its start. So a search visits only the
// cells that its window overlaps and the few before, and nearly all orders in them overlap the window. Storing an order
// in every cell that it spans would need one entry for each cell, and a check for orders that were visited before. Each
// cell has one price ladder. A walk merges the ladders of the cells that it visits.

import { emptyLadder, joinLadder, leaveLadder, nextInLadder } from './price-ladder.rules.ts'
import type { Ladder, Order, RestingOrder } from './resting-order.rules.ts'

/** Windows of up to 2^6 minutes share a tier, and no cell is narrower. */
const windowBitsMin = 6
const windowBitsMax = 21

/** The longest window that an order may have: 2^21 minutes, just under four years. */
export const windowMinutesMax = 2 ** windowBitsMax

type Tier<O extends Order> = {
  /** Cells are 2^shift minutes wide. */
  readonly shift: number
  readonly cells: Map<number, Ladder<O>>
  /** The length of the longest window ever stored here: how far before a window its search begins. */
  longest: number
}

/** Resting orders over time. `size` is their number. `tiers` holds the tiers that were ever used. */
type TimeGrid<O extends Order> = {
  readonly tiers: Tier<O>[]
  readonly tierOfBits: (Tier<O> | undefined)[]
  size: number
}

/** One side of a book. All-or-nothing orders have a grid of their own, because they are also searched alone. */
export type BookSide<O extends Order> = { readonly partial: TimeGrid<O>; readonly whole: TimeGrid<O> }

/** An empty side. */
export function emptySide<O extends Order>(): BookSide<O> {
  return { partial: emptyGrid(), whole: emptyGrid() }
}

/** Adds an order to its side, by price and age. */
export function addToSide<O extends Order>(side: BookSide<O>, resting: RestingOrder<O>): void {
  const grid = resting.whole ? side.whole : side.partial
  const { start_minute, end_minute } = resting.order
  const minutes = end_minute - start_minute
  const tier = tierFor(grid, minutes)
  const cell = start_minute >> tier.shift
  let ladder = tier.cells.get(cell)
  if (ladder === undefined) {
    ladder = emptyLadder(tier.cells, cell)
    tier.cells.set(cell, ladder)
  }
  joinLadder(ladder, resting)
  if (minutes > tier.longest) tier.longest = minutes
  grid.size += 1
}

/** Removes an order from its side. It takes constant time, except for the last order of a price. */
export function removeFromSide<O extends Order>(side: BookSide<O>, resting: RestingOrder<O>): void {
  const ladder = resting.level?.ladder as Ladder<O>
  leaveLadder(resting)
  if (ladder.best === undefined) ladder.cells.delete(ladder.cell)
  const grid = resting.whole ? side.whole : side.partial
  grid.size -= 1
}

/** A search for orders that overlap minutes `[from, to)` and rank no worse than `worst`. */
export type Search = { readonly from: number; readonly to: number; readonly worst: number }

/** Visits the orders of a search by price, then age, until `visit` returns false. `visit` must not change the side. */
export function walkSide<O extends Order>(
  side: BookSide<O>,
  search: Search,
  visit: (resting: RestingOrder<O>) => boolean,
): void {
  walk(openGrid(openGrid(undefined, side.partial, search), side.whole, search), search, visit)
}

/** The same for all-or-nothing orders only. */
export function walkWhole<O extends Order>(
  side: BookSide<O>,
  search: Search,
  visit: (resting: RestingOrder<O>) => boolean,
): void {
  walk(openGrid(undefined, side.whole, search), search, visit)
}

/** The next order of each visited ladder; undefined where no ladder is visited, as for most orders that rest. */
type Frontier<O extends Order> = RestingOrder<O>[] | undefined

/**
 * Merges the ladders with the frontier as a heap. An order costs the logarithm of the number of ladders. Whether an
 * order overlaps the window is checked only when it is next, so no ladder is read further than the walk needs.
 */
function walk<O extends Order>(
  frontier: Frontier<O>,
  search: Search,
  visit: (resting: RestingOrder<O>) => boolean,
): void {
  if (frontier === undefined) return
  const { from, to, worst } = search
  for (let i = (frontier.length >> 1) - 1; i >= 0; i -= 1) sink(frontier, i)
  for (let best = frontier[0]; best !== undefined; best = frontier[0]) {
    if (best.first < to && best.end > from && !visit(best)) return
    const next = nextInLadder(best)
    if (next !== undefined && next.rank <= worst) frontier[0] = next
    else {
      const last = frontier.pop() as RestingOrder<O>
      if (frontier.length === 0) return
      frontier[0] = last
    }
    sink(frontier, 0)
  }
}

function openGrid<O extends Order>(opened: Frontier<O>, grid: TimeGrid<O>, search: Search): Frontier<O> {
  if (grid.size === 0) return opened
  let frontier = opened
  for (const { shift, cells, longest } of grid.tiers) {
    if (cells.size === 0) continue
    const first = (search.from - longest + 1) >> shift
    const last = (search.to - 1) >> shift
    if (last - first < cells.size) {
      for (let cell = first; cell <= last; cell += 1) frontier = openLadder(frontier, cells.get(cell), search)
    } else {
      for (const [cell, ladder] of cells) {
        if (cell >= first && cell <= last) frontier = openLadder(frontier, ladder, search)
      }
    }
  }
  return frontier
}

function openLadder<O extends Order>(
  frontier: Frontier<O>,
  ladder: Ladder<O> | undefined,
  search: Search,
): Frontier<O> {
  if (ladder === undefined || ladder.earliest >= search.to || ladder.latest <= search.from) return frontier
  const best = ladder.best?.oldest
  if (best === undefined || best.rank > search.worst) return frontier
  if (frontier === undefined) return [best]
  frontier.push(best)
  return frontier
}

function sink<O extends Order>(frontier: RestingOrder<O>[], start: number): void {
  const length = frontier.length
  let index = start
  const resting = frontier[start] as RestingOrder<O>
  for (let child = 2 * index + 1; child < length; child = 2 * index + 1) {
    if (child + 1 < length && goesBefore(frontier[child + 1] as RestingOrder<O>, frontier[child] as RestingOrder<O>))
      child += 1
    if (!goesBefore(frontier[child] as RestingOrder<O>, resting)) break
    frontier[index] = frontier[child] as RestingOrder<O>
    index = child
  }
  frontier[index] = resting
}

/** Priority: better price, then earlier order (docs/concepts/market.md, "Matching"). */
function goesBefore<O extends Order>(a: RestingOrder<O>, b: RestingOrder<O>): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.seq < b.seq)
}

function emptyGrid<O extends Order>(): TimeGrid<O> {
  return { tiers: [], tierOfBits: new Array(windowBitsMax + 1).fill(undefined), size: 0 }
}

/** The tier for windows of this length: up to 2^bits minutes, and more than half of that. */
function tierFor<O extends Order>(grid: TimeGrid<O>, minutes: number): Tier<O> {
  const bits = Math.max(windowBitsMin, 32 - Math.clz32(minutes - 1))
  const known = grid.tierOfBits[bits]
  if (known !== undefined) return known
  const shift = Math.max(windowBitsMin, bits - 2)
  const tier: Tier<O> = { shift, cells: new Map(), longest: 0 }
  grid.tierOfBits[bits] = tier
  grid.tiers.push(tier)
  return tier
}

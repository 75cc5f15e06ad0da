/**
 * Lots: what is left of a purchase in one pool. What leaves a pool, by a sale or a transfer, takes the oldest purchase
 * first; nodes that nobody paid for, such as those of own hosts, leave last. Within a purchase the highest nodes of a
 * minute leave first, so what is left of a lot in a minute is always one range of nodes.
 */
import { type Box, costWithin, minutesOf, type Purchase, wholeBoxes } from './cost-spread.rules.ts'
import { addStep, less, type Steps, stepAt } from './steps.rules.ts'

/** What is left of a purchase in one pool. */
export type Lot = Purchase & {
  /** Undefined until it is stored. */
  readonly id: number | undefined
  readonly pool_id: string
  readonly sku_id: string
  /** The position of the purchase among all moves: smaller is older. */
  readonly purchase: number
  readonly fill_id: string
  readonly start_minute: number
  readonly end_minute: number
  boxes: readonly Box[]
  left_minutes: number
  cost_micros: bigint
  sold_micros: bigint
  /** The first minute whose cost is not yet part of the sums by hour; between the start and the end. */
  counted_minute: number
}

/** A lot as it is stored. Null boxes are all node-minutes of the purchase. */
export type LotRow = Omit<Lot, 'boxes' | 'shape' | 'id'> & {
  readonly id: number
  readonly shape: number[]
  readonly boxes: Box[] | null
}

/** What left a lot: its boxes, their cost, and how many nodes in which minutes. */
export type TakenLot = { readonly boxes: readonly Box[]; readonly cost_micros: bigint; readonly nodes: Steps }

const always = { from: 0, to: Number.POSITIVE_INFINITY }

/** The lot of a new purchase. */
export function lotOf(bought: Purchase & Pick<Lot, 'pool_id' | 'sku_id' | 'purchase' | 'fill_id'>): Lot {
  const boxes = wholeBoxes(bought.shape)
  const { start, end } = spanOf(boxes)
  return {
    ...bought,
    id: undefined,
    boxes,
    start_minute: start,
    end_minute: end,
    left_minutes: bought.node_minutes,
    cost_micros: bought.value_micros,
    sold_micros: 0n,
    counted_minute: start,
  }
}

/** The lot in another pool that takes over boxes of a lot. */
export function movedLot(lot: Lot, pool_id: string, { boxes, cost_micros }: TakenLot): Lot {
  const { start, end } = spanOf(boxes)
  return {
    ...lot,
    id: undefined,
    pool_id,
    boxes,
    start_minute: start,
    end_minute: end,
    left_minutes: minutesOf(boxes),
    cost_micros,
    sold_micros: 0n,
    counted_minute: Math.min(Math.max(lot.counted_minute, start), end),
  }
}

/** Takes nodes out of a lot: in each minute as many as are wanted, or what is left. Undefined where nothing is. */
function takeFrom(lot: Lot, wanted: Steps): TakenLot | undefined {
  const { kept, taken } = split(lot.boxes, wanted)
  if (taken.length === 0) return undefined
  const { minutes, micros } = costWithin(lot, taken, always)
  lot.boxes = kept
  lot.left_minutes -= minutes
  lot.cost_micros -= micros
  return { boxes: taken, cost_micros: micros, nodes: nodesOf(taken) }
}

/**
 * Takes nodes out of lots, the first one first; calls `visit` for each lot that gave some. Returns what none of them
 * had.
 */
export function takeInOrder(lots: readonly Lot[], wanted: Steps, visit: (lot: Lot, taken: TakenLot) => void): Steps {
  let open = wanted
  for (const lot of lots) {
    if (open.length === 0) break
    if (lot.left_minutes === 0 || lot.end_minute <= (open[0] as number)) continue
    const taken = takeFrom(lot, open)
    if (!taken) continue
    open = less(open, taken.nodes)
    visit(lot, taken)
  }
  return open
}

function split(boxes: readonly Box[], wanted: Steps): { kept: Box[]; taken: Box[] } {
  const kept: Box[] = []
  const taken: Box[] = []
  for (const [start, end, low, high] of boxes) {
    for (let from = start; from < end; ) {
      const { count, until } = stepAt(wanted, from)
      const to = Math.min(end, until)
      const edge = high - Math.min(Math.max(count, 0), high - low)
      if (low < edge) append(kept, [from, to, low, edge])
      if (edge < high) append(taken, [from, to, edge, high])
      from = to
    }
  }
  return { kept, taken }
}

function append(boxes: Box[], box: Box): void {
  const last = boxes.at(-1)
  if (last && last[1] === box[0] && last[2] === box[2] && last[3] === box[3]) {
    boxes[boxes.length - 1] = [last[0], box[1], box[2], box[3]]
  } else boxes.push(box)
}

function nodesOf(boxes: readonly Box[]): Steps {
  const edges: number[] = []
  for (const [index, [start, end, low, high]] of boxes.entries()) {
    addStep(edges, start, high - low)
    if (boxes[index + 1]?.[0] !== end) addStep(edges, end, 0)
  }
  return edges
}

function spanOf(boxes: readonly Box[]): { start: number; end: number } {
  const [first] = boxes
  const last = boxes.at(-1)
  if (!first || !last) throw new Error('A lot without node-minutes was made.')
  return { start: first[0], end: last[1] }
}

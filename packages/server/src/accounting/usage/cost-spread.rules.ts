/**
 * What each node-minute of a purchase costs (docs/concepts/usage.md, "Effective cost"). The node-minutes of a fill are
 * numbered minute by minute and, within a minute, node by node. The first n of N cost floor(value × n / N), so any
 * split of them adds up to the value of the fill, to the micro-dollar.
 */
import type { Steps } from './steps.rules.ts'

/** The minutes `start` up to, not including, `end`; in each of them the nodes `low` up to, not including, `high`. */
export type Box = readonly [start: number, end: number, low: number, high: number]

/** A purchase: its value, its node-minutes and their schedule. */
export type Purchase = {
  readonly value_micros: bigint
  readonly node_minutes: number
  readonly shape: Steps
}

/** All node-minutes of a purchase. */
export function wholeBoxes(shape: Steps): Box[] {
  const boxes: Box[] = []
  for (let i = 0; i + 2 < shape.length; i += 2) {
    const count = shape[i + 1] as number
    if (count > 0) boxes.push([shape[i] as number, shape[i + 2] as number, 0, count])
  }
  return boxes
}

/** The number of node-minutes in boxes. */
export function minutesOf(boxes: readonly Box[]): number {
  let minutes = 0
  for (const [start, end, low, high] of boxes) minutes += (end - start) * (high - low)
  return minutes
}

/** The node-minutes and their cost, within the minutes `[from, to)`. */
export function costWithin(
  purchase: Purchase,
  boxes: readonly Box[],
  { from, to }: { readonly from: number; readonly to: number },
): { minutes: number; micros: bigint } {
  const prices = pricesOf(purchase)
  let minutes = 0
  let micros = 0n
  eachPiece(purchase.shape, boxes, { from, to }, (piece) => {
    minutes += (piece.end - piece.start) * (piece.high - piece.low)
    micros += prices(piece)
  })
  return { minutes, micros }
}

/** The cost of each hour within the minutes `[from, to)`, by rising hour. Hours that cost nothing may be left out. */
export function costByHour(
  purchase: Purchase,
  boxes: readonly Box[],
  { from, to }: { readonly from: number; readonly to: number },
  visit: (hour: number, micros: bigint) => void,
): void {
  const prices = pricesOf(purchase)
  eachPiece(purchase.shape, boxes, { from, to }, (piece) => {
    for (let start = piece.start; start < piece.end; ) {
      const hour = Math.floor(start / 60)
      const end = Math.min(piece.end, (hour + 1) * 60)
      const micros = prices({ ...piece, start, end })
      if (micros !== 0n) visit(hour, micros)
      start = end
    }
  })
}

/** Part of a box in which the purchase has one node count. `before`: node-minutes of the purchase before `start`. */
type CostPiece = {
  readonly start: number
  readonly end: number
  readonly low: number
  readonly high: number
  readonly count: number
  /** Number of the first node-minute of minute 0, if the count held since then. */
  readonly origin: number
}

function eachPiece(
  shape: Steps,
  boxes: readonly Box[],
  { from, to }: { readonly from: number; readonly to: number },
  visit: (piece: CostPiece) => void,
): void {
  let before = 0
  let next = 0
  for (let i = 0; i + 2 < shape.length; i += 2) {
    const first = shape[i] as number
    const count = shape[i + 1] as number
    const last = shape[i + 2] as number
    const origin = before - first * count
    while (next < boxes.length && (boxes[next] as Box)[1] <= first) next++
    for (let b = next; b < boxes.length && (boxes[b] as Box)[0] < last; b++) {
      const [boxStart, boxEnd, low, high] = boxes[b] as Box
      const start = Math.max(first, boxStart, from)
      const end = Math.min(last, boxEnd, to)
      if (start < end) visit({ start, end, low, high, count, origin })
    }
    before += (last - first) * count
  }
}

/** Returns the function that prices pieces. It counts with numbers where their products are exact. */
function pricesOf({ value_micros, node_minutes }: Purchase): (piece: CostPiece) => bigint {
  const total = BigInt(node_minutes)
  const isSmall = value_micros * total < BigInt(Number.MAX_SAFE_INTEGER)
  const value = Number(value_micros)
  const first = (n: number): bigint =>
    isSmall ? BigInt(Math.floor((value * n) / node_minutes)) : (value_micros * BigInt(n)) / total
  return ({ start, end, low, high, count, origin }) => {
    const at = origin + start * count
    // All nodes of the minutes follow each other, so only both ends count.
    if (low === 0 && high === count) return first(at + (end - start) * count) - first(at)
    const upTo = (node: number) =>
      floorSum(BigInt(end - start), total, value_micros * BigInt(count), value_micros * BigInt(at + node))
    return upTo(high) - upTo(low)
  }
}

/** The sum of floor((a × i + b) / m) for i from 0 to n - 1, in a number of steps that grows with the digits of m. */
export function floorSum(n: bigint, m: bigint, a: bigint, b: bigint): bigint {
  let sum = 0n
  let [count, modulus, slope, offset] = [n, m, a, b]
  for (;;) {
    sum += ((count * (count - 1n)) / 2n) * (slope / modulus) + count * (offset / modulus)
    slope %= modulus
    offset %= modulus
    const top = slope * count + offset
    if (top < modulus) return sum
    count = top / modulus
    offset = top % modulus
    ;[modulus, slope] = [slope, modulus]
  }
}

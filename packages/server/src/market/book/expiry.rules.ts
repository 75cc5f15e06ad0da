// The expiry queue of a book: its resting orders by the first minute of their remaining schedule, which expires next.
// It is a binary heap that stores the position of each order, so any order is removed in logarithmic time.

import type { Order, RestingOrder } from './resting-order.rules.ts'

export type ExpiryQueue<O extends Order> = RestingOrder<O>[]

/** Adds an order. */
export function addToExpiryQueue<O extends Order>(queue: ExpiryQueue<O>, resting: RestingOrder<O>): void {
  queue.push(resting)
  rise(queue, resting, queue.length - 1)
}

/** Removes an order. */
export function removeFromExpiryQueue<O extends Order>(queue: ExpiryQueue<O>, resting: RestingOrder<O>): void {
  const index = resting.expiry_index
  const last = queue.pop() as RestingOrder<O>
  resting.expiry_index = -1
  if (last !== resting) sift(queue, last, index)
}

/** Moves an order after its first minute has changed. */
export function updateInExpiryQueue<O extends Order>(queue: ExpiryQueue<O>, resting: RestingOrder<O>): void {
  sift(queue, resting, resting.expiry_index)
}

function sift<O extends Order>(queue: ExpiryQueue<O>, resting: RestingOrder<O>, index: number): void {
  const parent = queue[(index - 1) >> 1]
  if (index > 0 && parent !== undefined && resting.first < parent.first) rise(queue, resting, index)
  else sink(queue, resting, index)
}

function rise<O extends Order>(queue: ExpiryQueue<O>, resting: RestingOrder<O>, start: number): void {
  let index = start
  while (index > 0) {
    const parentIndex = (index - 1) >> 1
    const parent = queue[parentIndex] as RestingOrder<O>
    if (parent.first <= resting.first) break
    put(queue, parent, index)
    index = parentIndex
  }
  put(queue, resting, index)
}

function sink<O extends Order>(queue: ExpiryQueue<O>, resting: RestingOrder<O>, start: number): void {
  let index = start
  for (let child = 2 * index + 1; child < queue.length; child = 2 * index + 1) {
    const other = queue[child + 1]
    if (other !== undefined && other.first < (queue[child] as RestingOrder<O>).first) child += 1
    const earlier = queue[child] as RestingOrder<O>
    if (earlier.first >= resting.first) break
    put(queue, earlier, index)
    index = child
  }
  put(queue, resting, index)
}

function put<O extends Order>(queue: ExpiryQueue<O>, resting: RestingOrder<O>, index: number): void {
  queue[index] = resting
  resting.expiry_index = index
}

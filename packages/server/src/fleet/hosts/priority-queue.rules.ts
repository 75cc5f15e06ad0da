// A binary heap that is filled once and then emptied from the top. A plan needs a handful of 100,000 instances; sorting
// all of them costs ten times as much as finding the first few.

/** A queue of items in the order of `compare`. Only the functions of this file access its fields. */
export type PriorityQueue<T> = { readonly heap: T[]; readonly compare: (a: T, b: T) => number }

/** Fills a queue in linear time. It takes over the array. `compare` is as for `sort`. */
export function queueOf<T>(items: T[], compare: (a: T, b: T) => number): PriorityQueue<T> {
  const queue = { heap: items, compare }
  for (let i = (items.length >> 1) - 1; i >= 0; i--) sink(queue, i)
  return queue
}

/** The first item, without removing it; `undefined` if the queue is empty. */
export function peek<T>(queue: PriorityQueue<T>): T | undefined {
  return queue.heap[0]
}

/** Removes and returns the first item; `undefined` if the queue is empty. */
export function take<T>(queue: PriorityQueue<T>): T | undefined {
  const { heap } = queue
  const first = heap[0]
  const last = heap.pop()
  if (heap.length > 0) {
    heap[0] = last as T
    sink(queue, 0)
  }
  return first
}

/** Adds an item. */
export function put<T>({ heap, compare }: PriorityQueue<T>, item: T): void {
  let i = heap.push(item) - 1
  while (i > 0) {
    const parent = (i - 1) >> 1
    if (compare(heap[parent] as T, item) <= 0) break
    heap[i] = heap[parent] as T
    i = parent
  }
  heap[i] = item
}

function sink<T>({ heap, compare }: PriorityQueue<T>, start: number): void {
  const item = heap[start] as T
  let i = start
  for (let child = 2 * i + 1; child < heap.length; child = 2 * i + 1) {
    const right = child + 1
    if (right < heap.length && compare(heap[right] as T, heap[child] as T) < 0) child = right
    if (compare(item, heap[child] as T) <= 0) break
    heap[i] = heap[child] as T
    i = child
  }
  heap[i] = item
}

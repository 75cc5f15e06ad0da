/**
 * Time for the naive book in spans instead of minutes, because an order for years has more than a million minutes. Time
 * is cut at every start and end of an order or a change, so that the minutes of a span do not differ.
 */
import type { Minutes } from '../../market/naive-book.ts'

/** Time in spans, each of which represents its minutes by its index. */
export type Spans = {
  /** The span that begins at a cut. */
  at(minute: number): number
  /** A schedule, given by its edges: minute, count, minute, count, … */
  of(edges: readonly number[]): Minutes
  print(counts: Minutes): string
}

/** Cuts time into spans at these minutes. */
export function cutAt(minutes: Iterable<number>): Spans {
  const cuts = [...new Set(minutes)].sort((a, b) => a - b)
  const places = new Map(cuts.map((minute, place) => [minute, place]))
  const at = (minute: number): number => {
    const place = places.get(minute)
    if (place === undefined) throw new Error(`Time was not cut at the minute ${minute}.`)
    return place
  }
  return {
    at,
    of: (edges) => {
      const counts: Minutes = new Map()
      for (let edge = 0; edge + 2 < edges.length; edge += 2) {
        const count = edges[edge + 1] as number
        if (count === 0) continue
        const end = at(edges[edge + 2] as number)
        for (let place = at(edges[edge] as number); place < end; place++) counts.set(place, count)
      }
      return counts
    },
    print: (counts) => {
      const inOrder = [...counts].sort(([a], [b]) => a - b)
      return inOrder.map(([place, count]) => `${cuts[place]}-${cuts[place + 1]}: ${count}`).join(', ')
    },
  }
}

/** The minutes of a schedule's edges. */
export function* minutesAmong(edges: readonly number[]): Iterable<number> {
  for (let edge = 0; edge < edges.length; edge += 2) yield edges[edge] as number
}

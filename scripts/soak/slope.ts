/** How steep a line of figures is. */

/** A figure at a time, in minutes. */
export type Point = { readonly minute: number; readonly value: number }

/** The slope of the figures of a span of minutes. `points` is how many there are. */
export type WindowSlope = {
  readonly from: number
  readonly until: number
  readonly points: number
  readonly slope: number
}

/** Above this many points, means of neighbours stand for them: each pair of points is looked at. */
const pointsMax = 1_500

/**
 * The slope of a line through points, in units a minute: the median of the slopes between all pairs (Theil and Sen).
 * Up to a quarter of the points may be far off, such as those just before a collection, without moving it much.
 * Undefined where no two points have different times.
 */
export function slopeOf(points: readonly Point[]): number | undefined {
  const thinned = thin(points)
  const slopes = thinned.flatMap((a, index) =>
    thinned
      .slice(index + 1)
      .filter((b) => b.minute !== a.minute)
      .map((b) => (b.value - a.value) / (b.minute - a.minute)),
  )
  return medianOf(slopes)
}

/** The slopes of consecutive spans of so many minutes. A span with fewer than two points has none. */
export function windowSlopes(points: readonly Point[], minutes: number): WindowSlope[] {
  const groups = Map.groupBy(points, ({ minute }) => Math.floor(minute / minutes))
  return [...groups].flatMap(([number, own]) => {
    const slope = slopeOf(own)
    return slope === undefined
      ? []
      : [{ from: number * minutes, until: (number + 1) * minutes, points: own.length, slope }]
  })
}

function thin(points: readonly Point[]): readonly Point[] {
  const size = Math.ceil(points.length / pointsMax)
  if (size <= 1) return points
  const groups = Map.groupBy(points, (_, index) => Math.floor(index / size))
  return [...groups.values()].map((group) => ({
    minute: meanOf(group.map(({ minute }) => minute)),
    value: meanOf(group.map(({ value }) => value)),
  }))
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function medianOf(numbers: number[]): number | undefined {
  const sorted = Float64Array.from(numbers).sort()
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/** Numbers that change over time in steps, such as nodes of a schedule. Pure. */

/** A value from each moment on, ascending. Before the first step there is none. */
export type Steps = readonly (readonly [at: number, value: number])[]

/** A range of a schedule; null is without end. */
export type Range = { readonly start_at: number; readonly end_at: number | null; readonly node_count: number }

/** A schedule, ascending and without overlap, as steps: zero outside of its ranges. */
export function stepsOf(schedule: readonly Range[]): Steps {
  const steps: [number, number][] = []
  for (const { start_at, end_at, node_count } of schedule) {
    if (steps.at(-1)?.[0] === start_at) steps.pop()
    steps.push([start_at, node_count])
    if (end_at !== null) steps.push([end_at, 0])
  }
  return steps
}

/** The value at a moment: nothing before the first step. */
export function valueAt(steps: Steps, at: number): number | null {
  let low = 0
  let high = steps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[middle]?.[0] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return steps[low - 1]?.[1] ?? null
}

/**
 * The value of a function of several steps, where each counts as zero before its first one. Equal neighbours are one.
 */
export function combined(all: readonly Steps[], value: (...values: number[]) => number): Steps {
  const times = [...new Set(all.flatMap((steps) => steps.map(([at]) => at)))].toSorted((a, b) => a - b)
  const places = all.map(() => 0)
  const joined: [number, number][] = []
  for (const at of times) {
    const values = all.map((steps, index) => {
      let place = places[index] ?? 0
      while (place < steps.length && (steps[place]?.[0] ?? 0) <= at) place += 1
      places[index] = place
      return steps[place - 1]?.[1] ?? 0
    })
    const next = value(...values)
    if (joined.at(-1)?.[1] !== next) joined.push([at, next])
  }
  return joined
}

/** The sum of steps. */
export function summed(all: readonly Steps[]): Steps {
  return combined(all, (...values) => values.reduce((sum, value) => sum + value, 0))
}

/** What is left of an order's schedule after its fills. */
export function restOf(asked: readonly Range[], filled: readonly Range[]): Steps {
  return combined([stepsOf(asked), stepsOf(filled)], (all = 0, done = 0) => Math.max(0, all - done))
}

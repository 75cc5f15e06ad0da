/** Node counts over minutes as the market stores them: `[minute, count, …]`, zero before the first minute. */
export type Steps = readonly number[]

/** The count that holds in a minute, and the first minute in which another one may hold. */
export function stepAt(steps: Steps, minute: number): { count: number; until: number } {
  let low = 0
  let high = steps.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((steps[2 * middle] as number) <= minute) low = middle + 1
    else high = middle
  }
  const count = low === 0 ? 0 : (steps[2 * low - 1] as number)
  return { count, until: steps[2 * low] ?? Number.POSITIVE_INFINITY }
}

/** The difference of each minute. */
export function less(a: Steps, b: Steps): Steps {
  const edges: number[] = []
  let i = 0
  let j = 0
  let [x, y] = [0, 0]
  while (i < a.length || j < b.length) {
    const minute = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY)
    if (a[i] === minute) {
      x = a[i + 1] as number
      i += 2
    }
    if (b[j] === minute) {
      y = b[j + 1] as number
      j += 2
    }
    addStep(edges, minute, x - y)
  }
  return edges
}

/** Where the count changes, and by how much. */
export function changesOf(steps: Steps): { readonly minute: number; readonly delta: number }[] {
  const changes: { minute: number; delta: number }[] = []
  for (let i = 0; i < steps.length; i += 2) {
    changes.push({
      minute: steps[i] as number,
      delta: (steps[i + 1] as number) - (i === 0 ? 0 : (steps[i - 1] as number)),
    })
  }
  return changes
}

/** Appends a step to steps under construction, if the count changes. */
export function addStep(edges: number[], minute: number, count: number): void {
  if (count !== (edges.at(-1) ?? 0)) edges.push(minute, count)
}

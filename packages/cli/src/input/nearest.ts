/** Finds the names that somebody most likely meant. */

const suggestionsMax = 3
const lengthMax = 64

/** The names that differ from a text by few letters, or begin with it, nearest first. */
export function nearest(text: string, names: readonly string[]): string[] {
  const wanted = lastPart(text)
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(wanted, lastPart(name)) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, suggestionsMax)
    .map(({ name }) => name)
}

function lastPart(text: string): string {
  return text
    .slice(text.lastIndexOf('/') + 1)
    .toLowerCase()
    .slice(0, lengthMax)
}

/** How many letters must be inserted, removed, replaced or swapped with a neighbour; 1 for a beginning. */
function distanceOf(from: string, to: string): number {
  if (from.length >= 3 && to.startsWith(from)) return Math.min(1, to.length - from.length)
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const costs = [
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      ]
      if (isSwapped) costs.push((before[column - 2] as number) + 1)
      next.push(Math.min(...costs))
    }
    before = last
    last = next
  }
  return last[to.length] as number
}

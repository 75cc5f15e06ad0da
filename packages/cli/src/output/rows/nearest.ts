/** Finds the names that somebody most likely meant. */
import leven from 'leven'

const suggestionsMax = 3
const lengthMax = 64

/** The names that differ from a text by few letters, or begin with it, nearest first. */
export function nearest(text: string, names: readonly string[]): string[] {
  const wanted = lastPart(text)
  // Two letters that are swapped are two changes.
  const limit = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3))
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

/** How many letters must be inserted, removed or replaced; 1 for a beginning. */
function distanceOf(from: string, to: string): number {
  return from.length >= 3 && to.startsWith(from) ? Math.min(1, to.length - from.length) : leven(from, to)
}

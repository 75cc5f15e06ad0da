/** Findings of rounds as lines, in bounded number and length. Pure. */

/** No line of a report is longer, in characters. */
const charactersMax = 1_000

/** The first of some lines, each cut to a length, and how many were left out. */
export function boundLines(
  lines: readonly string[],
  max: number,
): { readonly lines: readonly string[]; readonly left_out: number } {
  return { lines: lines.slice(0, max).map(cutLine), left_out: Math.max(0, lines.length - max) }
}

/** A line of at most 1,000 characters. */
export function cutLine(line: string): string {
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax - 1)}…`
}

/**
 * Lines that differ only in ids and numbers as one, with their count, in the order of their first. If there are more
 * than `max`, the last one says how many lines of how many kinds are not shown.
 */
export function groupLines(lines: readonly string[], max: number): readonly string[] {
  const groups = new Map<string, { readonly first: string; count: number }>()
  for (const line of lines) {
    const kind = kindOf(line)
    const group = groups.get(kind) ?? { first: line, count: 0 }
    group.count += 1
    groups.set(kind, group)
  }
  const all = [...groups.values()]
  const shown = all.length > max ? all.slice(0, max - 1) : all
  const rest = all.slice(shown.length)
  const printed = shown.map(({ first, count }) => (count === 1 ? first : `${count} × ${first}`))
  if (rest.length === 0) return printed
  const count = rest.reduce((sum, group) => sum + group.count, 0)
  return [...printed, `and ${count} more lines of ${rest.length} kinds`]
}

/** An id starts with letters and an underscore, and has 21 characters more. */
function kindOf(line: string): string {
  return line.replaceAll(/\b[a-z]+_[\w-]{21}/g, '…').replaceAll(/\d+/g, '…')
}

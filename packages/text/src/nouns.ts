/** The singular of a noun in paths and in names of operations: entry of entries, address of addresses. */
export function singular(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`
  return plural.replace(/(?<=ss|sh|ch|x)es$|s$/, '')
}

/** The file `meta-data` of the NoCloud volume, which cloud-init reads as YAML. Pure. */

/**
 * Writes values and lists by their names. Each value is a text in double quotes, or YAML would read names such as 007,
 * no and 2026-01-01 as a number, a truth value and a date, which cloud-init does not expect. A JSON string is such a
 * text in YAML 1.1 and 1.2, and a JSON array a list.
 */
export function metaData(values: Readonly<Record<string, string | readonly string[]>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')
}

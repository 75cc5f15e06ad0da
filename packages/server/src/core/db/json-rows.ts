/**
 * Rows as the JSON text that a statement takes apart with `jsonb_to_recordset`: bigints become text, which PostgreSQL
 * reads into bigint columns exactly. Their fields alone are looked at: a replacer would be asked about every element of
 * every list within.
 */
export function jsonRows(rows: readonly object[]): string {
  return JSON.stringify(rows.map(plain))
}

function plain(row: object): object {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) result[name] = typeof value === 'bigint' ? String(value) : value
  return result
}

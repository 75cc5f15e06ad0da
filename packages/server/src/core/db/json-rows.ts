/**
 * Rows as JSON text for `jsonb_to_recordset`. Bigints become strings, which PostgreSQL reads into bigint columns
 * exactly. Only top-level fields are converted: a replacer function would run for every element of every nested list.
 */
export function jsonRows(rows: readonly object[]): string {
  return JSON.stringify(rows.map(plain))
}

function plain(row: object): object {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) result[name] = typeof value === 'bigint' ? String(value) : value
  return result
}

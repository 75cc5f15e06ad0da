/** Columns and rows of exports, before they are written as CSV, JSON or Parquet. */

/**
 * A column. Decimals have six decimal places, times are those of {@link printTime}, and seconds are whole numbers since
 * 1970. All values are text.
 */
export type Column = { readonly name: string; readonly type: 'text' | 'decimal' | 'time' | 'seconds' }

/** The values of a row by column; a column that is missing is null. */
export type ExportRow = Readonly<Record<string, string | null | undefined>>

/** Converts the values of one column and remembers the last one. Most rows repeat most values of the row before. */
export function remembering<T>(convert: (value: string) => T): (value: string) => T {
  let last: string | undefined
  let converted: T
  return (value) => {
    if (value !== last) {
      converted = convert(value)
      last = value
    }
    return converted
  }
}

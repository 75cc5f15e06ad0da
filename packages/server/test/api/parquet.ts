/** Reads Parquet files of exports as the rows that the other encodings have. */
import { parquetMetadata, parquetReadObjects } from 'hyparquet'

/** A file with its rows; numbers and times as the text that CSV has. */
export type ParquetRows = {
  readonly groups: number
  /** What readers are told of each column. */
  readonly types: Readonly<Record<string, string>>
  readonly rows: readonly Readonly<Record<string, string | null>>[]
}

/** Reads a file. Decimals are read as the whole numbers that are stored: the reader's own conversion rounds them. */
export async function readParquet(bytes: Uint8Array): Promise<ParquetRows> {
  const file = Uint8Array.from(bytes).buffer
  const metadata = parquetMetadata(file)
  const columns = metadata.schema.slice(1)
  const types = columns.map(({ name, converted_type, precision, scale }) => {
    return [name, converted_type === 'DECIMAL' ? `DECIMAL(${precision}, ${scale})` : String(converted_type)]
  })
  for (const column of columns) {
    if (column.converted_type !== 'DECIMAL') continue
    delete column.converted_type
    delete column.logical_type
  }
  const rows = await parquetReadObjects({ file, metadata })
  return {
    groups: metadata.row_groups.length,
    types: Object.fromEntries(types),
    rows: rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)]))),
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return `${value.toISOString().slice(0, 19)}Z`
  if (typeof value !== 'bigint') return String(value)
  const digits = String(value < 0n ? -value : value).padStart(7, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/**
 * Writes rows of exports as Apache Parquet, a group of rows at a time, so that a file of any length takes the memory of
 * a group. Every column may be null.
 */
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { type Column, type ExportRow, remembering } from './columns.rules.ts'

/**
 * Rows of a group. The process does nothing else while it writes one, about 30 ms with the columns of FOCUS; larger
 * groups are hardly smaller in the file.
 */
export const rowsOfGroup = 5_000

/** Takes rows, and returns bytes of the file as soon as a group is full. */
type ParquetFile = {
  add(row: ExportRow): Uint8Array | undefined
  /** The last group and the footer. */
  end(): Uint8Array
}

/** Opens a file with some columns. */
export function parquetFile(columns: readonly Column[]): ParquetFile {
  const bytes = new ByteWriter()
  const root: SchemaElement = { name: 'root', num_children: columns.length }
  const schema = [root, ...columns.map((column) => ({ name: column.name, ...elements[column.type] }))]
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'Bourse' })
  const open = columns.map(({ name, type }) => ({ name, convert: remembering(conversions[type]), data: emptyData() }))
  let rows = 0
  const writeGroup = () => {
    // Into memory, so there is nothing to wait for.
    void file.write({ columnData: open.map(({ name, data }) => ({ name, data })), rowGroupSize: rowsOfGroup })
    for (const column of open) column.data = emptyData()
    rows = 0
  }
  // The writer counts offsets of the file by itself, so its buffer begins anew.
  const take = () => {
    const taken = bytes.getBytes().slice()
    bytes.index = 0
    return taken
  }
  return {
    add: (row) => {
      for (const { name, convert, data } of open) {
        const value = row[name]
        data.push(value === null || value === undefined ? null : convert(value))
      }
      if (++rows < rowsOfGroup) return undefined
      writeGroup()
      return take()
    },
    end: () => {
      if (rows > 0) writeGroup()
      void file.finish()
      return take()
    },
  }
}

type Value = string | bigint | null

function emptyData(): Value[] {
  return []
}

const time = {
  type: 'INT64',
  repetition_type: 'OPTIONAL',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const

const elements: Readonly<Record<Column['type'], Omit<SchemaElement, 'name'>>> = {
  text: {
    type: 'BYTE_ARRAY',
    repetition_type: 'OPTIONAL',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
  },
  // The most digits that fit into 64 bits: whole micro-dollars, so that no amount is rounded.
  decimal: {
    type: 'INT64',
    repetition_type: 'OPTIONAL',
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision: 18, scale: 6 },
    precision: 18,
    scale: 6,
  },
  time,
  seconds: time,
}

const conversions: Readonly<Record<Column['type'], (value: string) => Value>> = {
  text: (value) => value,
  // Six decimal places: without the point it is the number of millionths.
  decimal: (value) => BigInt(value.replace('.', '')),
  time: (value) => BigInt(Date.parse(value)),
  seconds: (value) => BigInt(value) * 1000n,
}

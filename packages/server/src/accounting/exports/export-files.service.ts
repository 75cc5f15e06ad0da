/** Exports as files: rows become parts of a download while its reader takes them. */
import type { exportEncodings } from '@bourse/api/billing/exports.ts'
import type { Download } from '../../core/http/handlers.ts'
import type { Column, ExportRow } from './columns.rules.ts'
import { csvWriter, jsonWriter, type LineWriter } from './export-lines.rules.ts'
import { parquetFile } from './export-parquet.rules.ts'

type ExportEncoding = (typeof exportEncodings)[number]

/** What an export contains. */
type ExportContent = {
  /** The name of the file, without its ending. */
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: AsyncIterable<ExportRow[]>
}

/** Lines that are sent together. */
const linesAtOnce = 500

const files: Readonly<Record<ExportEncoding, (content: ExportContent) => Omit<Download, 'file_name'>>> = {
  csv: ({ columns, rows }) => ({
    media_type: 'text/csv; charset=utf-8; header=present',
    parts: linesOf(csvWriter(columns), rows),
  }),
  jsonl: ({ columns, rows }) => ({
    media_type: 'application/jsonl; charset=utf-8',
    parts: linesOf(jsonWriter(columns), rows),
  }),
  parquet: ({ columns, rows }) => ({
    media_type: 'application/vnd.apache.parquet',
    is_compressed: true,
    parts: groupsOf(columns, rows),
  }),
}

/** The download of an export. */
export function fileOf(encoding: ExportEncoding, content: ExportContent): Download {
  return { ...files[encoding](content), file_name: `${content.name}.${encoding}` }
}

/** The name of an export of some days. */
export function nameOf(what: string, { from, to }: { readonly from: number; readonly to: number }): string {
  return `${what}-${printDay(from)}-${printDay(to - 1)}`
}

/** Writes rows as they are read, several lines at a time. */
async function* linesOf(writer: LineWriter, rows: AsyncIterable<ExportRow[]>): AsyncGenerator<string> {
  let text = writer.head
  let count = 0
  for await (const page of rows) {
    for (const row of page) {
      text += writer.line(row)
      if (++count % linesAtOnce !== 0) continue
      yield text
      text = ''
    }
  }
  if (text !== '') yield text
}

async function* groupsOf(columns: readonly Column[], rows: AsyncIterable<ExportRow[]>): AsyncGenerator<Uint8Array> {
  const file = parquetFile(columns)
  for await (const page of rows) {
    for (const row of page) {
      const group = file.add(row)
      if (group) yield group
    }
  }
  yield file.end()
}

function printDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll('-', '')
}

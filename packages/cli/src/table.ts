/** Lays out tables and records: as wide as they need to be, never wider than the terminal. */
import { cellOf, valueAt } from './cells.ts'

/** How a table is shown. `width` is undefined where the output is no terminal: then nothing is cut. */
export type Look = {
  readonly header: boolean
  readonly width: number | undefined
  readonly dim: (text: string) => string
}

/** Rows under a header, columns two spaces apart. */
export function tableOf(rows: readonly unknown[], columns: readonly string[], { header, width, dim }: Look): string {
  const names = columns.map((column) => column.replaceAll('_preview_', '').replaceAll('_', ' ').toUpperCase())
  const cells = rows.map((row) => columns.map((column) => cellOf(valueAt(row, column), lastName(column))))
  const all = header ? [names, ...cells] : cells
  const widest = columns.map((_, index) => Math.max(0, ...all.map((line) => lengthOf(line[index] ?? ''))))
  const widths = width === undefined ? widest : fit(widest, width)
  const lines = all.map((line) =>
    line
      .map((cell, index) => pad(cell, widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line, index) => (header && index === 0 ? dim(line) : line)).join('\n')
}

/** One object, a line for each member. */
export function recordOf(value: Readonly<Record<string, unknown>>, columns: readonly string[], { dim }: Look): string {
  const widest = Math.max(...columns.map(lengthOf))
  return columns
    .map((column) => `${dim(column.padEnd(widest))}  ${cellOf(valueAt(value, column), lastName(column))}`)
    .join('\n')
}

/** Takes from the widest columns until all fit, and leaves each at least room for a word. */
function fit(widest: readonly number[], room: number): number[] {
  const widths = [...widest]
  const least = 8
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2)
  while (total() > room) {
    const index = widths.indexOf(Math.max(...widths))
    const width = widths[index] ?? 0
    if (width <= least) break
    widths[index] = Math.max(least, width - (total() - room))
  }
  return widths
}

function pad(cell: string, width: number): string {
  const letters = [...cell]
  if (letters.length > width) return `${letters.slice(0, Math.max(0, width - 1)).join('')}…`
  return cell + ' '.repeat(width - letters.length)
}

function lengthOf(text: string): number {
  return [...text].length
}

function lastName(column: string): string {
  return column.split('.').at(-1) as string
}

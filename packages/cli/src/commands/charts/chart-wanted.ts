/** When commands draw a chart in place of many rows. */
import type { CommandContext, GlobalOptions } from '../../input/session.ts'

type ChartOptions = GlobalOptions & Readonly<Record<string, unknown>>

const widthMax = 100

/** The width of a chart; undefined where the output is for a program, or where rows or exact values are asked for. */
export function chartWidth({ terminal: { width } }: CommandContext, options: ChartOptions): number | undefined {
  if (width === undefined || options.curl || options.json || options.columns !== undefined) return undefined
  if ((options.output ?? options.usualOutput ?? 'table') !== 'table') return undefined
  if (options.filter || options.sort || options.watch || options.exact) return undefined
  return Math.min(width, widthMax)
}

/** Draws effective costs as bars. Sums are floating-point numbers, for display only. */
import type { Canvas } from './plot.ts'

/** The cost of a period and group. */
export type CostBar = { readonly label: string; readonly dollars: string }

/** A line for each cost, with a bar as long as its part of the greatest one. */
export function costPlot(bars: readonly CostBar[], { width, dim, bidColour }: Canvas): string[] {
  if (bars.length === 0) return ['There was no usage.']
  const most = Math.max(...bars.map(({ dollars }) => Number(dollars)))
  const amounts = bars.map(({ dollars }) => Number(dollars).toFixed(2))
  const labelWidth = Math.max(...bars.map(({ label }) => label.length))
  const amountWidth = Math.max(...amounts.map((text) => text.length))
  const room = Math.max(1, width - labelWidth - amountWidth - 4)
  return bars.map(({ label, dollars }, index) => {
    const bar = '█'.repeat(most === 0 ? 0 : Math.round((Number(dollars) / most) * room))
    const amount = (amounts[index] as string).padStart(amountWidth)
    return `${dim(label.padEnd(labelWidth))}  ${amount}  ${bidColour(bar)}`.trimEnd()
  })
}

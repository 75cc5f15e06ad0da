// Reads the output of a benchmark script: one JSON object from names to values with units.

import type { BenchmarkFigure } from '@bourse/api/fleet/benchmarks.ts'
import { figureName, figuresMax, figureUnit } from '@bourse/api/market/skus.ts'

const valueBelow = 1e15
const form = 'Print one JSON object such as {"memory_bandwidth": {"value": 312.5, "unit": "GB/s"}}.'

/** The figures in the output of a script; text: what is wrong with it, in a sentence. */
export function readFigures(output: string): BenchmarkFigure[] | string {
  const parsed = parse(output)
  if (!isObject(parsed)) return `The output is no JSON object. ${form}`
  const entries = Object.entries(parsed)
  if (entries.length === 0) return `The output has no figures. ${form}`
  if (entries.length > figuresMax) return `The output has ${entries.length} figures; at most ${figuresMax} are shown.`
  const figures: BenchmarkFigure[] = []
  for (const [name, figure] of entries) {
    const read = readFigure(name, figure)
    if (typeof read === 'string') return read
    figures.push(read)
  }
  return figures
}

/** Figures in one line, for people. */
export function figuresLine(figures: readonly BenchmarkFigure[]): string {
  return figures.map(({ name, value, unit }) => `${name} ${value} ${unit}`).join('; ')
}

function readFigure(name: string, figure: unknown): BenchmarkFigure | string {
  if (!isText(name, figureName)) {
    return 'A name of a figure has other characters than a-z, 0-9 and _, or more than 48, or begins with no letter.'
  }
  if (!isObject(figure)) return `The figure ${name} has no value and unit. ${form}`
  const unknown = Object.keys(figure).find((member) => member !== 'value' && member !== 'unit')
  if (unknown !== undefined) return `The figure ${name} has more than a value and a unit.`
  const { value, unit } = figure
  if (typeof value !== 'number' || !(value >= 0 && value < valueBelow)) {
    return `The value of ${name} is no number from 0 to 999999999999999.`
  }
  if (typeof unit !== 'string' || !isText(unit, figureUnit)) {
    return `The unit of ${name} is no text of 1 to 16 printable ASCII characters.`
  }
  return { name, value: value.toFixed(6).replace(/\.?0+$/, ''), unit }
}

type PlainFigures = Readonly<Record<string, unknown>>

function isText(text: string, schema: unknown): boolean {
  const { pattern, maxLength } = schema as { pattern: string; maxLength: number }
  return text.length <= maxLength && new RegExp(pattern).test(text)
}

function isObject(value: unknown): value is PlainFigures {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

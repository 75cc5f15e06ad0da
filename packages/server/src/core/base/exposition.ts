/**
 * The text format of Prometheus, version 0.0.4: families of samples, each with its help and its type.
 * Not this file's work: what is measured, and the histogram of requests (core/http/request-times.ts).
 */

/** A family of series. It has at most one label, so that the number of its series is easy to bound. */
export type Family = {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly label?: string
  /** Values of the label that are shown in any case, with 0 where no sample has them. */
  readonly shown?: readonly string[]
  /** Samples with other values than those of `shown` are added up under this one. */
  readonly rest?: string
}

/** One value, with the value of the family's label if it has one. */
export type Sample = { readonly label?: string | null; readonly value: number }

/** The lines of families, in their order. A family without samples and without `shown` has only its help and type. */
export function printFamilies(families: readonly (readonly [Family, readonly Sample[]])[]): string {
  return families.map(([family, samples]) => printFamily(family, samples)).join('')
}

function printFamily(family: Family, samples: readonly Sample[]): string {
  const { name, type, help, label } = family
  const lines = [`# HELP ${name} ${escapeText(help)}`, `# TYPE ${name} ${type}`]
  for (const [of, value] of seriesOf(family, samples)) {
    lines.push(`${name}${label === undefined ? '' : `{${label}="${escapeLabel(of)}"}`} ${value}`)
  }
  return `${lines.join('\n')}\n`
}

/** One value for each value of the label: two lines of one series would make the whole page invalid. */
function seriesOf({ shown = [], rest }: Family, samples: readonly Sample[]): Map<string, number> {
  const series = new Map(shown.map((value) => [value, 0]))
  const known = new Set(shown)
  for (const { label, value } of samples) {
    const own = label ?? ''
    const of = rest === undefined || known.has(own) ? own : rest
    series.set(of, (series.get(of) ?? 0) + value)
  }
  return series
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeText(text).replaceAll('"', '\\"')
}

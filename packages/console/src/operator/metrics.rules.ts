/** Figures of the server's metrics, which are text in the format of Prometheus. Pure. */

/** One sample: its labels and its value. */
export type MetricSample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** The samples of a metric, in their order. */
export function samplesOf(text: string, name: string): MetricSample[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line)
    if (!match || match[1] !== name) return []
    return [{ labels: labelsOf(match[2] ?? ''), value: Number(match[3]) }]
  })
}

/** The sum of the samples of a metric; undefined where it has none. */
export function sumOf(text: string, name: string): number | undefined {
  const samples = samplesOf(text, name)
  return samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0)
}

function labelsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]))
}

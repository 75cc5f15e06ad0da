/**
 * A histogram of request durations in Prometheus' text format. It is our own, because a general histogram took a
 * twentieth of the time of a short response.
 */

/** The histogram of one process. */
type RequestTimes = {
  observe(operation: string, status: number, milliseconds: number): void
  /** Help, type and all series. */
  text(): string
}

type Series = { readonly operation: string; readonly status: number; readonly counts: Float64Array; sum: number }

const name = 'bourse_http_request_seconds'
const help = 'Time from the first look at a request to its response.'
/** The upper ends of the buckets, in milliseconds. */
const bounds = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000]

/** Creates an empty histogram. */
export function createRequestTimes(): RequestTimes {
  const operations = new Map<string, Series[]>()

  function seriesOf(operation: string, status: number): Series {
    let all = operations.get(operation)
    if (!all) {
      all = []
      operations.set(operation, all)
    }
    for (const series of all) if (series.status === status) return series
    const made = { operation, status, counts: new Float64Array(bounds.length + 1), sum: 0 }
    all.push(made)
    return made
  }

  return {
    observe: (operation, status, milliseconds) => {
      const series = seriesOf(operation, status)
      let bucket = 0
      while (bucket < bounds.length && milliseconds > (bounds[bucket] as number)) bucket++
      ;(series.counts[bucket] as number) += 1
      series.sum += milliseconds
    },
    text: () => {
      const lines = [...operations.values()].flat().flatMap(linesOf)
      return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n')
    },
  }
}

function linesOf({ operation, status, counts, sum }: Series): string[] {
  const labels = `operation="${operation}",status="${status}"`
  const lines: string[] = []
  let count = 0
  for (const [bucket, own] of counts.entries()) {
    count += own
    const bound = bounds[bucket]
    lines.push(`${name}_bucket{le="${bound === undefined ? '+Inf' : bound / 1000}",${labels}} ${count}`)
  }
  return [...lines, `${name}_sum{${labels}} ${sum / 1000}`, `${name}_count{${labels}} ${count}`]
}

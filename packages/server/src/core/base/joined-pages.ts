/**
 * One page of metrics of several processes. Counters and histograms are added up, also those of processes that have
 * ended, so that a sum never falls. Gauges stay apart, with a label that names their process. Pure: the pages are text.
 */
import type { Family } from './exposition.ts'

/** What the process that starts the workers knows of them. */
export const workerFamilies = {
  workers: { type: 'gauge', name: 'bourse_workers', help: 'Workers of the replica, by state.', label: 'state' },
  deaths: {
    type: 'counter',
    name: 'bourse_worker_deaths_total',
    help: 'Workers that ended although nobody stopped them.',
  },
  memory: {
    type: 'gauge',
    name: 'bourse_worker_parent_memory_bytes',
    help: 'Memory of the process that starts workers.',
  },
} as const satisfies Readonly<Record<string, Family>>

/** The pages of the processes of one replica. */
type JoinedPages = {
  /** The newest page of a process. */
  take(process: string, page: string): void
  /** A process has ended: its counters stay. */
  end(process: string): void
  /** The page of all: gauges of those processes only that `present` names. */
  print(present: ReadonlySet<string>): string
}

type PageFamily = { readonly head: readonly string[]; readonly type: string; readonly samples: Map<string, string> }
type ProcessPage = ReadonlyMap<string, PageFamily>

const samplePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const added = new Set(['counter', 'histogram', 'summary'])

/** Creates the pages, of no process. */
export function createJoinedPages(): JoinedPages {
  const pages = new Map<string, ProcessPage>()
  const ended = new Map<string, number>()
  return {
    take: (process, page) => void pages.set(process, parsePage(page)),
    end: (process) => {
      for (const { type, samples } of pages.get(process)?.values() ?? []) {
        if (added.has(type)) for (const [series, value] of samples) addTo(ended, series, value)
      }
      pages.delete(process)
    },
    print: (present) => {
      const families = new Map([...pages.values()].flatMap((page) => [...page]))
      return [...families].map(([name, family]) => printFamily(name, family, { pages, ended, present })).join('')
    },
  }
}

/** The families of a page. Lines that are no sample of a family before them are left out. */
function parsePage(text: string): ProcessPage {
  const families = new Map<string, PageFamily>()
  let head: string[] = []
  let current: PageFamily | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('# HELP ')) head = [line]
    else if (line.startsWith('# TYPE ')) {
      const [, , name = '', type = ''] = line.split(' ')
      current = { head: [...head, line], type, samples: new Map() }
      families.set(name, current)
    } else {
      const [, name, labels, value] = samplePattern.exec(line) ?? []
      if (name !== undefined && value !== undefined) current?.samples.set(seriesOf(name, labels), value)
    }
  }
  return families
}

type JoinedState = {
  readonly pages: ReadonlyMap<string, ProcessPage>
  readonly ended: ReadonlyMap<string, number>
  readonly present: ReadonlySet<string>
}

function printFamily(name: string, { head, type }: PageFamily, { pages, ended, present }: JoinedState): string {
  const lines = added.has(type) ? sumsOf(name, { pages, ended }) : apart(name, pages, present)
  return `${[...head, ...lines].join('\n')}\n`
}

function sumsOf(name: string, { pages, ended }: Pick<JoinedState, 'pages' | 'ended'>): string[] {
  const sums = new Map<string, number>()
  for (const page of pages.values()) {
    for (const [series, value] of page.get(name)?.samples ?? []) addTo(sums, series, value)
  }
  const ofFamily = new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{|$)`)
  for (const [series, value] of ended) if (ofFamily.test(series)) addTo(sums, series, value)
  return [...sums].map(([series, value]) => `${series} ${value}`)
}

function apart(name: string, pages: JoinedState['pages'], present: ReadonlySet<string>): string[] {
  return [...pages].flatMap(([process, page]) => {
    const samples = present.has(process) ? [...(page.get(name)?.samples ?? [])] : []
    return samples.map(([series, value]) => `${withLabel(series, process)} ${value}`)
  })
}

function withLabel(series: string, process: string): string {
  const label = `worker="${process}"`
  return series.endsWith('}') ? `${series.slice(0, -1)},${label}}` : `${series}{${label}}`
}

function seriesOf(name: string, labels: string | undefined): string {
  return labels ? `${name}{${labels}}` : name
}

function addTo(sums: Map<string, number>, series: string, value: string | number): void {
  sums.set(series, (sums.get(series) ?? 0) + Number(value))
}

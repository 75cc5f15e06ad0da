/** What is published for operators: alerts, runbooks, dashboards, and the metrics that they name. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'

export const root = join(import.meta.dirname, '../..')

/** An alert of ops/alerts.yaml. */
export type AlertRule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>
}

/** A dashboard, as far as tests read it. */
export type Dashboard = {
  readonly uid: string
  readonly title: string
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] }
  readonly panels: readonly DashboardPanel[]
}

type DashboardPanel = {
  readonly title: string
  readonly type: string
  readonly gridPos: Readonly<Record<'h' | 'w' | 'x' | 'y', number>>
  readonly targets?: readonly { readonly expr: string }[]
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')

export function readAlerts(): AlertRule[] {
  const { groups } = parse(read('ops/alerts.yaml')) as { groups: { rules: AlertRule[] }[] }
  return groups.flatMap(({ rules }) => rules)
}

/** The pages of docs/runbooks by their names, without the index. */
export function readRunbooks(): Map<string, string> {
  const files = globSync('docs/runbooks/*.md', { cwd: root }).filter((file) => basename(file) !== 'README.md')
  return new Map(files.map((file) => [basename(file, '.md'), read(file)]))
}

export function readDashboards(): Dashboard[] {
  return globSync('ops/dashboards/*.json', { cwd: root }).map((file) => JSON.parse(read(file)) as Dashboard)
}

/** The queries of a dashboard, with the titles of their panels. */
export function queriesOf({ panels }: Dashboard): { readonly title: string; readonly expr: string }[] {
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
}

/** The name of the page of an alert: BourseNotReady has the page not-ready. */
export function pageNameOf(alert: string): string {
  return alert
    .slice('Bourse'.length)
    .replaceAll(/(?!^)[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase()
}

/** The families of docs/metrics.md with their types, which a test holds equal to the page `/metrics`. */
export function readFamilies(): Map<string, string> {
  const rows = read('docs/metrics.md').matchAll(/^\| `([a-z0-9_]+)` \| (counter|gauge|histogram) \|/gm)
  return new Map([...rows].map(([, name = '', type = '']) => [name, type]))
}

const notMetrics = new Set(['bourse_app', 'bourse_now', 'bourse_url'])

/** The metrics that a text names, without those that the page does not have. */
export function unknownMetrics(text: string, families: ReadonlyMap<string, string>): string[] {
  const names = text.match(/\b(?:bourse|nodejs|process)_[a-z0-9_]+\b/g) ?? []
  const familyOf = (name: string) => {
    const base = name.replace(/_(?:bucket|sum|count)$/, '')
    return families.get(base) === 'histogram' ? base : name
  }
  return [...new Set(names)].filter((name) => !notMetrics.has(name) && !families.has(familyOf(name)))
}

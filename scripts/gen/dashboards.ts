/** Prints the dashboards for Grafana, from the panels of dashboard-panels.ts. */
import { dashboards, type PanelGroup, type PanelSpec } from './dashboard-panels.ts'

const columns = 24
const panelHeight = 8
const source = { type: 'prometheus', uid: '$datasource' }

/** The dashboards by their paths. */
export function printDashboards(): Map<string, string> {
  return new Map(
    dashboards.map(({ name, title, description, groups }) => {
      const dashboard = {
        uid: `bourse-${name}`,
        title: `Bourse: ${title}`,
        description,
        tags: ['bourse'],
        schemaVersion: 39,
        editable: true,
        refresh: '30s',
        time: { from: 'now-3h', to: 'now' },
        templating: { list: variables },
        links: [{ type: 'dashboards', title: 'Bourse', tags: ['bourse'], asDropdown: true, keepTime: true }],
        panels: placed(groups),
      }
      return [`ops/dashboards/${name}.json`, `${JSON.stringify(dashboard, undefined, 2)}\n`]
    }),
  )
}

const variables = [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  {
    name: 'job',
    label: 'Installation',
    type: 'query',
    datasource: source,
    query: { query: 'label_values(bourse_build_info, job)', refId: 'job' },
    refresh: 2,
    multi: false,
    includeAll: false,
  },
]

/** Rows of panels, from the left to the right and from the top to the bottom. */
function placed(groups: readonly PanelGroup[]): object[] {
  let y = 0
  let id = 0
  const shown: object[] = []
  for (const { title, width, panels } of groups) {
    shown.push({ id: ++id, type: 'row', title, collapsed: false, gridPos: { h: 1, w: columns, x: 0, y: y++ } })
    const inRow = columns / width
    for (const [index, panel] of panels.entries()) {
      const gridPos = {
        h: panelHeight,
        w: width,
        x: (index % inRow) * width,
        y: y + Math.floor(index / inRow) * panelHeight,
      }
      shown.push({ id: ++id, ...panelOf(panel), gridPos })
    }
    y += Math.ceil(panels.length / inRow) * panelHeight
  }
  return shown
}

function panelOf({ title, description, unit, kind = 'timeseries', queries, limit }: PanelSpec): object {
  const steps = [{ color: 'green', value: null }, ...(limit === undefined ? [] : [{ color: 'red', value: limit }])]
  const targets = Object.entries(queries).map(([legendFormat, expr], index) => ({
    refId: String.fromCharCode(65 + index),
    datasource: source,
    expr,
    legendFormat,
  }))
  const common = { title, description, datasource: source, targets }
  if (kind === 'stat') {
    return {
      ...common,
      type: 'stat',
      fieldConfig: { defaults: { unit, thresholds: { mode: 'absolute', steps } }, overrides: [] },
      options: { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', textMode: 'value_and_name' },
    }
  }
  const custom = {
    fillOpacity: 10,
    showPoints: 'never',
    ...(limit === undefined ? {} : { thresholdsStyle: { mode: 'line' } }),
  }
  return {
    ...common,
    type: 'timeseries',
    fieldConfig: { defaults: { unit, min: 0, custom, thresholds: { mode: 'absolute', steps } }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  }
}

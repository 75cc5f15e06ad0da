/** Usage and cost by workspace, SKU, pool or tag, as a chart and a table. */

import type { Usage } from '@bourse/sdk'
import { countText, moneyText } from '@bourse/text/formats/short.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { useMemo, useState } from 'react'
import { usage } from '../generated/rows/money.ts'
import { useSkuNames, useWorkspaceNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { dayStart, monthOf, monthStart, periodsOf } from '../live/months.rules.ts'
import { useNames } from '../live/names/names.ts'
import { useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { CodeLines } from '../ui/code-lines.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Empty, Loading } from '../ui/page.tsx'
import { asCurl, asSdk } from '../ui/requests.rules.ts'
import { Select } from '../ui/select.tsx'
import { Table } from '../ui/table.tsx'
import { TimeChart } from '../ui/time-chart.tsx'
import type { Series } from '../ui/time-series.ts'
import { Money } from '../ui/values.tsx'
import { groupName, type Measure, sumOf, usageSeries } from './sums.rules.ts'

const spans: Readonly<Record<string, string>> = { '7': '7 days', '30': '30 days', '90': '90 days', '365': '12 months' }
const groups = { '': 'Nothing', workspace: 'Workspace', sku: 'SKU', pool: 'Pool', tag: 'Tag' }
const measures: Readonly<Record<Measure, string>> = {
  effective_cost_dollars: 'Spend',
  bought_dollars: 'Bought',
  sold_dollars: 'Sold, after fees',
  used_node_minutes: 'Used node-hours',
}
const colors = ['accent', 'good', 'warn', 'bad', 'quiet'] as const
/** So many rows are read at most. */
const rowsMax = 10_000

/** The tab. */
export function UsageTab() {
  const [address, setAddress] = useAddress({ span: '30', by: 'workspace', tag: '', measure: 'effective_cost_dollars' })
  const measure = (address.measure in measures ? address.measure : 'effective_cost_dollars') as Measure
  const query = useUsageQuery(address)
  const usage = useRead(['usage', query], () => client.usage.list({ ...query, limit: 200 }).all({ max: rowsMax }), {
    keepsLast: true,
    every: 60_000,
  })
  const rows = useNamedRows(usage.data)
  return (
    <div className="stack">
      <div className="row no-print">
        <Select label="Time" value={address.span} onChange={(span) => setAddress({ span })} options={spans} />
        <Select label="By" value={address.by} onChange={(by) => setAddress({ by })} options={groups} />
        {address.by === 'tag' ? <TagKey value={address.tag} onChange={(tag) => setAddress({ tag })} /> : null}
        <Select label="Show" value={measure} onChange={(next) => setAddress({ measure: next })} options={measures} />
      </div>
      <ErrorText error={usage.error} />
      {usage.isPending && !usage.error ? <Loading /> : null}
      {usage.data && rows.length === 0 ? (
        <Empty title="No usage" command="bourse billing usage --from -30d --group-by workspace">
          Nothing was owned, bought or sold in this time. Usage counts node-hours that a pool owns, used or not.
        </Empty>
      ) : null}
      {rows.length === rowsMax ? (
        <p className="warn" role="status">
          Only the first {countText(rowsMax)} rows are read and summed. Choose a shorter time, or another grouping.
        </p>
      ) : null}
      {rows.length > 0 ? <UsageShown rows={rows} measure={measure} query={query} /> : null}
      <CodeLines
        ways={{
          curl: asCurl({ method: 'GET', path: `/preview/v2/billing/usage?${asQuery(query)}` }, location.origin),
          SDK: asSdk('usage.list', query),
        }}
      />
    </div>
  )
}

type UsageSelection = { span: string; by: string; tag: string }

/** The question to the server. It stays the same all day, so that it is not asked anew each second. */
function useUsageQuery({ span, by, tag }: UsageSelection) {
  const today = dayStart(useNow())
  const days = Math.min(400, Math.max(1, Number.parseInt(span, 10) || 30))
  const isByMonth = days > 100
  const from = isByMonth ? monthStart(monthOf(today - days * daySeconds)) : today - (days - 1) * daySeconds
  // Usage by month ends with a month.
  const to = isByMonth ? monthStart(monthOf(monthStart(monthOf(today)) + 32 * daySeconds)) : today + daySeconds
  const group = by === 'tag' ? (tag === '' ? undefined : `tag:${tag}`) : by || undefined
  const granularity = isByMonth ? ('month' as const) : ('day' as const)
  return { from, to, granularity, ...(group ? { group_by: [group] } : {}) }
}

function asQuery({ group_by, ...rest }: ReturnType<typeof useUsageQuery>): string {
  const pairs = Object.entries(rest).map(([name, value]) => [name, String(value)])
  return String(new URLSearchParams([...pairs, ...(group_by ?? []).map((value) => ['group_by', value])]))
}

/** Rows with names in the place of ids. */
function useNamedRows(rows: readonly Usage[] | undefined): readonly Usage[] {
  const workspaces = useWorkspaceNames()
  const skus = useSkuNames()
  const pools = useNames([...new Set((rows ?? []).flatMap(({ group: { pool } }) => pool ?? []))])
  return (rows ?? []).map((row) => {
    const named = Object.entries(row.group).map(([kind, value]) => [
      kind,
      kind === 'workspace'
        ? workspaces(value)
        : kind === 'sku'
          ? skus(value)
          : kind === 'pool' && value
            ? pools(value)
            : value,
    ])
    return { ...row, group: Object.fromEntries(named) }
  })
}

function TagKey({ value, onChange }: { value: string; onChange: (tag: string) => void }) {
  const [typed, setTyped] = useState(value)
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(typed.trim())
      }}
    >
      <input
        aria-label="Key of the tag"
        placeholder="team"
        maxLength={128}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => onChange(typed.trim())}
      />
    </form>
  )
}

type ShownProps = { rows: readonly Usage[]; measure: Measure; query: ReturnType<typeof useUsageQuery> }

function UsageShown({ rows, measure, query: { from, to, granularity } }: ShownProps) {
  const [{ sort }, setAddress] = useAddress({ sort: '' })
  // The chart is drawn anew only where something in it has changed.
  const key = JSON.stringify(rows)
  const { times, series } = useMemo(() => {
    const periods = periodsOf(from, to, granularity)
    const found = usageSeries(JSON.parse(key) as Usage[], measure, periods)
    const lines = found.map(
      ({ name, values }, index): Series => ({
        name,
        values,
        kind: 'bars',
        color: colors[index % colors.length] ?? 'quiet',
      }),
    )
    return { times: periods, series: lines }
  }, [key, measure, from, to, granularity])
  return (
    <>
      <TimeChart
        name={measures[measure]}
        times={times}
        series={series}
        format={measure === 'used_node_minutes' ? hoursText : dollarsText}
      />
      <p>
        <span title={spendMeaning}>Spend</span>:{' '}
        <Money dollars={sumOf(rows.map((row) => row.effective_cost_dollars))} />. Bought:{' '}
        <Money dollars={sumOf(rows.map((row) => row.bought_dollars))} />. Sold:{' '}
        <Money dollars={sumOf(rows.map((row) => row.sold_dollars))} />.
      </p>
      <Table
        name="Usage"
        columns={columns}
        rows={rows}
        keyOf={(row) => `${row.period_start} ${JSON.stringify(row.group)}`}
        sort={sort}
        onSort={(next) => setAddress({ sort: next })}
      />
    </>
  )
}

/** What is bought ahead counts when its time comes, and what is sold again does not count. */
const spendMeaning = 'What the node-hours of this time cost that were kept.'
const hoursText = (hours: number) => `${countText(Math.round(hours))} h`
const dollarsText = (dollars: number) => moneyText(dollars.toFixed(2))

const columns = columnsOf(usage, [
  'period_start',
  { id: 'group', title: 'Group', value: ({ group }) => groupName(group) },
  { of: 'allocated_node_minutes', title: 'Owned node-hours' },
  { of: 'used_node_minutes', title: 'Used node-hours' },
  { of: 'effective_cost_dollars', title: measures.effective_cost_dollars },
  'bought_dollars',
  { of: 'sold_dollars', title: measures.sold_dollars },
])

/** `bourse billing usage` on a terminal: a bar of the effective cost for each period and group. */
import type { Usage } from '@bourse/api/billing/usage.ts'
import type { Query } from '@bourse/sdk/client-types.ts'
import { readPeriod } from '../../input/periods.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../../input/session.ts'
import { costPlot } from '../../output/usage-plot.ts'
import { chartWidth } from './chart-wanted.ts'

type BillingUsageOptions = GlobalOptions & {
  readonly from?: string
  readonly to?: string
  readonly granularity?: 'hour' | 'day' | 'month'
  readonly groupBy?: string | string[]
  readonly filter?: readonly string[]
  readonly sort?: string
  readonly watch?: boolean
}

const lengths = { hour: 13, day: 10, month: 7 } as const

/** Draws the usage; undefined where a table, or data for a program, is wanted. */
export function drawUsage(context: CommandContext, options: BillingUsageOptions): Promise<void> | undefined {
  const width = chartWidth(context, options)
  return width === undefined ? undefined : draw(openSession(context, options), options, width)
}

/** The options with the periods that contain the given moments, because the operation takes whole ones. */
export async function alignUsage(context: CommandContext, options: BillingUsageOptions): Promise<BillingUsageOptions> {
  return { ...options, ...(await edgesOf(openSession(context, options), options)) }
}

async function edgesOf(session: Session, { granularity = 'day', ...typed }: BillingUsageOptions) {
  const { from, to } = await readPeriod(session, typed, granularity)
  return { from: String(from), to: String(to) }
}

async function draw(session: Session, options: BillingUsageOptions, width: number): Promise<void> {
  const { client, terminal } = session
  const { granularity = 'day', groupBy: group_by = [] } = options
  const { from, to } = await edgesOf(session, options)
  const rows: Usage[] = []
  const query = { from: Number(from), to: Number(to), granularity, group_by, limit: 200 } as Query<'list_usage'>
  for await (const row of client.usage.list(query)) rows.push(row)
  const { dim, bidColour, askColour } = terminal
  terminal.data(dim(`Effective cost in dollars, by ${granularity} (UTC)`))
  const bars = rows.map((row) => ({ label: labelOf(row, granularity), dollars: row.effective_cost_dollars }))
  for (const line of costPlot(bars, { width, dim, bidColour, askColour })) terminal.data(line)
}

function labelOf({ period_start, group }: Usage, granularity: keyof typeof lengths): string {
  const moment = new Date(period_start * 1000).toISOString().slice(0, lengths[granularity]).replace('T', ' ')
  return [moment, ...Object.values(group).map((value) => value ?? '-')].join(' ')
}

/** Counts the transitions that the database shows: events, ends of instances, sales, releases. */
import { type Database, type Statement, statement } from '../../../src/core/db/db.ts'

type Count = { readonly count: number }

const countActions = statement<{ action: string; count: number }>(
  'sim.count_actions',
  'select action, count(*) as count from events group by action',
)
const countEnds = statement<{ reason: string; count: number }>(
  'sim.count_ends',
  `select termination_reason as reason, count(*) as count from instances
   where termination_reason is not null group by termination_reason`,
)
const countPreempted = statement<Count>(
  'sim.count_preempted',
  `select count(*) as count from instances where termination_reason in ('allocation_ended', 'sold', 'transferred')`,
)
// Instances that lost their place in a minute that their pool sold.
const countSoldUnder = statement<Count>(
  'sim.count_sold_under',
  `select count(*) as count from instances i where i.termination_reason = 'sold' and exists (
     select from fills f join orders s on s.id = f.sell_order_id
     where s.pool_id = i.pool_id and f.sku_id = i.sku_id
       and i.terminated_at / 60 between f.start_minute and f.end_minute)`,
)
// A market pool sells only nodes that it has bought or received.
const countResales = statement<Count>(
  'sim.count_resales',
  `select count(*) as count from fills f join orders s on s.id = f.sell_order_id
   join pools p on p.id = s.pool_id where p.kind = 'market'`,
)
const countFolded = statement<Count>('sim.count_folded', 'select count(*) from pool_allocation where minute = 0')
// Orders that the sandbox placed for a pool, without a token.
const countSoldOff = statement<Count>(
  'sim.count_sold_off',
  `select count(*) from orders o where o.side = 'sell' and o.created_by_token_id is null and o.managed_by is null`,
)
const countReleases = statement<Count>(
  'sim.count_releases',
  `select count(*) as count from (select distinct cause_id, part from ledger where cause_kind = 'release') r`,
)

const counted = {
  preempted: countPreempted,
  'preempted by a sale': countSoldUnder,
  resales: countResales,
  'sold off': countSoldOff,
  'folded schedules': countFolded,
  releases: countReleases,
} as const satisfies Record<string, Statement<Count>>

/** Transitions that the database shows, in addition to the actions of events. */
export const storedTransitions = Object.keys(counted) as (keyof typeof counted)[]

/** Transitions of the market, which the reference books count. */
export const marketTransitions = [
  'fills',
  'partial fills',
  'related fills',
  'partly filled orders',
  'reference transactions',
] as const

const derived: readonly string[] = [...storedTransitions, ...marketTransitions]

/** Whether a count is read from the database or the reference books. */
export function isDerived(target: string): boolean {
  return /^(action|ended|cancelled) /.test(target) || derived.includes(target)
}

/** Counts of all transitions that the database shows, by their name in the coverage list. */
export async function readTransitions({ reader }: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { action, count } of await reader.rows(countActions)) counts.set(`action ${action}`, count)
  for (const { reason, count } of await reader.rows(countEnds)) counts.set(`ended ${reason}`, count)
  for (const [what, text] of Object.entries(counted)) counts.set(what, (await reader.row(text))?.count ?? 0)
  return counts
}

/** The convergence check (life.converge): half an hour after the last fault none of these queries finds a row. */
import { type Database, type Statement, statement } from '../../../src/core/db/db.ts'

type Stuck = Readonly<Record<string, unknown>>

const fleets = statement<Stuck>(
  null,
  `select d.id, d.target_instance_count as target, d.status_code, d.status_message, l.living
   from deployments d, lateral (
     select count(*) as living from instances i where i.deployment_id = d.id and i.state <> 'terminated'
   ) l
   where d.deleted_at is null and d.enabled and l.living <> d.target_instance_count
     and (l.living > d.target_instance_count or d.status_code in ('ok', 'waiting_for_allocation'))`,
)

const overdue = statement<Stuck>(
  null,
  'select kind, key, due_at, attempt, last_error from due where due_at <= bourse_now() or attempt > 0',
)

const hosts = statement<Stuck>(
  null,
  `select id, state, health from hosts where state <> 'retired' and health <> 'healthy'`,
)

// Allocation also begins and ends without faults, so a recent change may wait for the next report of the host.
const machines = statement<Stuck>(
  null,
  `select m.instance_id, m.action, m.state as reported, i.state, i.connection_lost_at
   from machines m join instances i on i.id = m.instance_id
   where i.connection_lost_at is not null or i.updated_at <= bourse_now() - 120 and (
     m.action = 'stop' or i.state = 'running' and m.state <> 'running' or i.state = 'awaiting_allocation')`,
)

const leftovers = statement<Stuck>(
  null,
  `select s.host_id, s.instance_id, s.state from sandbox_machines s
   left join machines m on m.instance_id = s.instance_id and m.host_id = s.host_id where m.instance_id is null`,
)

// An instance waits only if no allocation or no fitting slot is left.
const waiting = statement<Stuck>(
  null,
  `select * from (
     select i.pool_id, i.sku_id, count(m.instance_id) as placed,
       count(*) filter (where m.instance_id is null and i.infiniband_partition_id is null) as waiting,
       coalesce((select sum(a.delta)::bigint from pool_allocation a
         where a.pool_id = i.pool_id and a.sku_id = i.sku_id and a.minute <= bourse_now() / 60), 0) as owned
     from instances i left join machines m on m.instance_id = i.id
     where i.state <> 'terminated' group by i.pool_id, i.sku_id
   ) w
   where waiting > 0 and placed < owned and exists (select from hosts h
     where h.sku_id = w.sku_id and h.state = 'active' and h.health = 'healthy' and h.used_slots < h.slots)`,
)

const isOpen = "o.state in ('standing', 'partially_filled')"
/** Open nodes of one side's orders in the next minute, for the pool and SKU of `r`. */
const openNext = (side: 'buy' | 'sell') => `(
  select coalesce(sum((o.remaining ->> (2 * i + 1))::bigint), 0)
  from orders o cross join generate_series(0, jsonb_array_length(o.remaining) / 2 - 2) as i
  where o.pool_id = r.pool_id and o.sku_id = r.sku_id and o.side = '${side}' and ${isOpen}
    and (o.remaining ->> (2 * i))::bigint <= r.minute and (o.remaining ->> (2 * i + 2))::bigint > r.minute)`

// A procurement that may trade has bid for the missing nodes of the next minute, and offers its surplus.
const procurements = statement<Stuck>(
  null,
  `select * from (
     select r.id, r.minute, r.max_buy_hourly_micros, r.status_code, r.wanted, ${openNext('buy')} as buys,
       ${openNext('sell')} as sells, coalesce((select sum(a.delta) from pool_allocation a
         where a.pool_id = r.pool_id and a.sku_id = r.sku_id and a.minute <= r.minute), 0) as owned
     from (
       select p.*, bourse_now() / 60 + 1 as minute, coalesce(p.target, (select count(*) from instances i
         where i.pool_id = p.pool_id and i.sku_id = p.sku_id and i.state <> 'terminated')) as wanted
       from procurements p join accounts c on c.id = p.account_id join skus s on s.id = p.sku_id
       where p.deleted_at is null and p.enabled and p.retry_at is null and not c.is_frozen and s.deleted_at is null
     ) r
   ) n
   where max_buy_hourly_micros is not null and owned + buys - sells < wanted or owned - sells > wanted`,
)

const questions: Readonly<Record<string, Statement<Stuck>>> = {
  'fleets at target': fleets,
  'nothing overdue': overdue,
  'hosts healthy': hosts,
  'machines as wanted': machines,
  'no machine without its instance': leftovers,
  'no slot free for those who wait': waiting,
  'pools as their procurements want them': procurements,
}

/** What has not converged, one line each. */
export async function findStuck({ reader }: Database): Promise<string[]> {
  const stuck: string[] = []
  for (const [question, text] of Object.entries(questions)) {
    const rows = await reader.rows(text)
    if (rows.length > 0) stuck.push(`life.converge (${question}): ${JSON.stringify(rows.slice(0, 5))}`)
  }
  return stuck
}

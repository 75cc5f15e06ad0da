import { defineAudit } from '../../core/work/auditor.ts'

/** Before this minute steps of pools can be folded into one at minute 0. The program folds them a day later or more. */
const mayBeFolded = '(select bourse_now() / 60 - 7 * 1440)'
/** The greatest value of an order, in micro-dollars (docs/concepts/market.md, "Admission"). */
const valueMax = 2n ** 62n

const isOpen = "o.state in ('standing', 'partially_filled')"

/** The steps of a schedule that is stored as edges: `nodes` from minute `start` until minute `until`. */
const steps = (edges: string) =>
  `(
       select (${edges} ->> (2 * i))::bigint as start,
         (${edges} ->> (2 * i + 1))::bigint as nodes,
         (${edges} ->> (2 * i + 2))::bigint as until
       from generate_series(0, jsonb_array_length(${edges}) / 2 - 1) as i
     )`

/** Whether a schedule is a single step and its end. Most are, and expanding one costs ten times as much as this. */
const isSimple = (edges: string) => `(jsonb_array_length(${edges}) = 4 and ${edges} ->> 3 = '0')`

/** The node-minutes of a schedule that ends. */
const areaOf = (edges: string) =>
  `case
       when ${edges} = '[]' then 0
       when ${isSimple(edges)}
         then (${edges} ->> 1)::numeric * ((${edges} ->> 2)::bigint - (${edges} ->> 0)::bigint)
       else (
         select coalesce(sum(a.nodes * (a.until - a.start)), 0)::numeric
         from ${steps(edges)} a
         where a.until is not null
       )
     end`

/**
 * A schedule as differences: `delta` more nodes from `minute` on. The first step has no step before it, and a negative
 * index would count from the end of the array.
 */
const deltasOf = (edges: string) =>
  `(
       select (${edges} ->> (2 * i))::bigint as minute,
         (${edges} ->> (2 * i + 1))::bigint
           - case when i = 0 then 0 else (${edges} ->> (2 * i - 1))::bigint end as delta
       from generate_series(0, jsonb_array_length(${edges}) / 2 - 1) as i
     )`

/** What an order asks for: all of its rectangle, unless it continues one that was filled in part. */
const asked = 'coalesce(o.requested, jsonb_build_array(o.start_minute, o.node_count, o.end_minute, 0))'
/** Whether minutes of an order may be missing: false where it is filled, or rests, exactly as requested. */
const changed = `not (
       o.remaining = '[]' and o.filled = ${asked}
       or o.filled = '[]' and o.remaining = ${asked}
     )`
/** Whole hours of an amount per minute. `div` is exact; a quotient of numerics would be rounded. */
const floorHour = (amount: string) => `div((${amount})::numeric, 60)`
const ceilHour = (amount: string) => `div((${amount})::numeric + 59, 60)`
const requested = `case
       when o.requested is null then ((o.end_minute - o.start_minute) * o.node_count)::numeric
       else ${areaOf('o.requested')}
     end`
const bothSides = `fills f
     join orders b on b.id = f.buy_order_id
     join orders s on s.id = f.sell_order_id`
const exactHold = ceilHour(`o.price_micros * ${areaOf('o.remaining')}`)
const holdOf = `case when o.side = 'buy' and ${isOpen} then ${exactHold} else 0 end`

const moneyOfOrders = [
  // The hold of an open buy is its limit × its remaining node-minutes, rounded up. An order that has ended has none.
  defineAudit(
    'money.held-exact',
    `select coalesce(o.id, h.order_id) as order_id, h.amount_micros, ${holdOf} as exact
     from orders o
     full join holds h on h.order_id = o.id
     where coalesce(h.amount_micros, 0) <> ${holdOf} or o.account_id <> h.account_id`,
  ),
  // The ledger gives the same hold: admissions less fills less releases.
  defineAudit(
    'money.release-exact',
    `select o.id as order_id, m.held, ${holdOf} as exact
     from orders o
     left join (
       select order_id, sum(amount_micros) as held
       from (
         select l.cause_id as order_id, l.amount_micros
         from ledger l
         where l.cause_kind in ('admission', 'release') and l.book = 'held'
         union all
         select f.buy_order_id, l.amount_micros
         from ledger l
         join fills f on f.id = l.cause_id
         where l.cause_kind = 'fill' and l.book = 'held'
       ) every
       group by order_id
     ) m on m.order_id = o.id
     where coalesce(m.held, 0) <> ${holdOf}`,
  ),
  // What a fill takes out of a hold depends on what was open before. Rounding moves it by less than a micro-dollar, and
  // money.release-exact checks that it adds up.
  defineAudit(
    'money.fill-priced',
    `select id as fill_id, value_micros, fee_micros, held, saved, earned, fee
     from (
       select f.id, f.value_micros, f.fee_micros, f.price_micros, f.node_minutes, b.price_micros as limit_micros,
         coalesce(sum(l.amount_micros) filter (where l.book = 'held' and l.account_id = b.account_id), 0) as held,
         coalesce(sum(l.amount_micros) filter (where l.book = 'credit' and l.account_id = b.account_id), 0) as saved,
         coalesce(sum(l.amount_micros) filter (where l.book = 'credit' and l.account_id = s.account_id), 0) as earned,
         coalesce(sum(l.amount_micros) filter (where l.book = 'fees'), 0) as fee
       from ${bothSides}
       left join ledger l on l.cause_kind = 'fill' and l.cause_id = f.id
       group by f.id, b.id
     ) priced
     where value_micros <> ${floorHour('price_micros::numeric * node_minutes')}
       or fee_micros not between 0 and value_micros
       or -held not between ${floorHour('limit_micros::numeric * node_minutes')}
         and ${ceilHour('limit_micros::numeric * node_minutes')}
       or saved <> -held - value_micros
       or earned <> value_micros - fee_micros
       or fee <> fee_micros`,
  ),
  // A unique key ensures that a cause moves money once. This checks that every cause exists and that every fill has a
  // transaction for each of its sides.
  defineAudit(
    'money.once',
    `select l.cause_kind, l.cause_id
     from ledger l
     left join fills f on l.cause_kind = 'fill' and f.id = l.cause_id
     left join ledger_transactions t on l.cause_kind = 'posting' and t.id = l.cause_id
     left join orders o on l.cause_kind in ('admission', 'release') and o.id = l.cause_id
     where f.id is null and t.id is null and o.id is null
     union all
     select 'fill', f.id
     from ${bothSides}
     left join ledger_transactions bought
       on bought.fill_id = f.id and bought.order_id = b.id and bought.account_id = b.account_id
       and bought.type = 'buy_fill'
     left join ledger_transactions sold
       on sold.fill_id = f.id and sold.order_id = s.id and sold.account_id = s.account_id and sold.type = 'sell_fill'
     where bought.id is null or sold.id is null`,
  ),
]

const value = defineAudit(
  'money.integer',
  `select o.id as order_id
   from orders o
   where ${ceilHour(`o.price_micros * (${requested})`)} > ${valueMax}`,
)

const capacityOfPools = [
  defineAudit(
    'capacity.free',
    `select pool_id, sku_id, minute, owned, promised
     from (
       select pool_id, sku_id, minute, sum(owned) over w as owned, sum(promised) over w as promised
       from (
         select pool_id, sku_id, minute, sum(owned) as owned, sum(promised) as promised
         from (
           select pool_id, sku_id, minute, delta as owned, 0 as promised
           from pool_allocation
           union all
           select pool_id, sku_id, minute, 0, delta
           from pool_promise
         ) every
         group by pool_id, sku_id, minute
       ) summed
       window w as (partition by pool_id, sku_id order by minute)
     ) running
     where owned < 0 or promised < 0 or owned < promised`,
  ),
  defineAudit(
    'capacity.promised-exact',
    `select coalesce(p.pool_id, o.pool_id) as pool_id, coalesce(p.sku_id, o.sku_id) as sku_id,
       coalesce(p.minute, o.minute) as minute, p.delta as stored, o.delta as exact
     from pool_promise p
     full join (
       select o.pool_id, o.sku_id, d.minute, sum(d.delta) as delta
       from orders o
       cross join lateral ${deltasOf('o.remaining')} d
       where ${isOpen} and o.side = 'sell'
       group by o.pool_id, o.sku_id, d.minute
     ) o on o.pool_id = p.pool_id and o.sku_id = p.sku_id and o.minute = p.minute
     where coalesce(p.delta, 0) <> coalesce(o.delta, 0)`,
  ),
  // The allocation of a pool is the sum of its causes: postings of hosts, grants and preemptions, fills and transfers
  // in both directions. Where its history is folded, the row at minute 0 stands for all causes before the first step
  // that is kept.
  defineAudit(
    'capacity.moved-whole',
    `select coalesce(a.pool_id, m.pool_id) as pool_id, coalesce(a.sku_id, m.sku_id) as sku_id,
       coalesce(a.minute, m.minute) as minute, a.delta as owned, m.delta as moved
     from pool_allocation a
     full join (
       select m.pool_id, m.sku_id, case when m.minute < f.kept_from then 0 else m.minute end as minute,
         sum(m.delta) as delta
       from (
         select pool_id, sku_id, minute, delta
         from capacity_postings
         union all
         select p.pool_id, f.sku_id, d.minute, p.sign * d.delta
         from ${bothSides}
         cross join lateral ${deltasOf('f.schedule')} d
         cross join lateral (values (b.pool_id, 1), (s.pool_id, -1)) as p (pool_id, sign)
         union all
         select p.pool_id, t.sku_id, d.minute, p.sign * d.delta
         from pool_transfers t
         cross join lateral ${deltasOf('t.schedule')} d
         cross join lateral (values (t.to_pool_id, 1), (t.from_pool_id, -1)) as p (pool_id, sign)
       ) m
       left join (
         select pool_id, sku_id, least(min(minute) filter (where minute > 0), ${mayBeFolded}) as kept_from
         from pool_allocation
         group by pool_id, sku_id
         having min(minute) = 0
       ) f on f.pool_id = m.pool_id and f.sku_id = m.sku_id
       group by 1, 2, 3
     ) m on m.pool_id = a.pool_id and m.sku_id = a.sku_id and m.minute = a.minute
     where coalesce(a.delta, 0) <> coalesce(m.delta, 0)
     union all
     select null, sku_id, minute, null, sum(delta)
     from capacity_postings
     where cause in ('grant', 'preemption')
     group by sku_id, minute
     having sum(delta) <> 0`,
  ),
  defineAudit(
    'capacity.future-only',
    `select 'fill' as kind, f.id
     from fills f
     where f.start_minute < f.filled_at / 60
     union all
     select 'order', o.id
     from orders o
     where o.start_minute < o.created_at / 60
     union all
     select 'pool_transfer', t.id
     from pool_transfers t
     where (t.schedule ->> 0)::bigint < t.created_at / 60
     union all
     select 'order', o.id
     from orders o
     join books b on b.sku_id = o.sku_id
     where ${isOpen} and (o.remaining ->> 0)::bigint < b.decided_at / 60`,
  ),
]

const market = [
  defineAudit(
    'market.price',
    `select f.id as fill_id, f.price_micros, b.price_micros as buy_micros, s.price_micros as sell_micros
     from ${bothSides}
     where f.price_micros not between s.price_micros and b.price_micros
       or f.price_micros <> case
         when coalesce(b.priority_seq, b.seq) < coalesce(s.priority_seq, s.seq) then b.price_micros
         else s.price_micros
       end`,
  ),
  // In each minute filled plus remaining never exceeds what was requested, and nothing is lost unless minutes passed.
  defineAudit(
    'market.vector',
    `select o.id as order_id, r.minute, r.lost
     from orders o
     cross join lateral (
       select minute, sum(sum(delta)) over (order by minute) as lost
       from (
         select minute, delta
         from ${deltasOf(asked)} asked
         union all
         select minute, -delta
         from ${deltasOf('o.filled')} filled
         union all
         select minute, -delta
         from ${deltasOf('o.remaining')} remaining
       ) every
       group by minute
     ) r
     where ${changed} and (r.lost < 0 or (${isOpen} and not o.lapsed and r.lost <> 0))
     union all
     select o.id, null, null
     from orders o
     left join (
       select order_id, sum(node_minutes) as node_minutes, sum(value_micros) as value_micros,
         sum(price_micros::numeric * node_minutes) as exact_sixtieths
       from (
         select buy_order_id as order_id, price_micros, node_minutes, value_micros
         from fills
         union all
         select sell_order_id, price_micros, node_minutes, value_micros
         from fills
       ) every
       group by order_id
     ) f on f.order_id = o.id
     where o.filled_node_minutes <> coalesce(f.node_minutes, 0)
       or o.filled_value_micros <> coalesce(f.value_micros, 0)
       or 60 * o.filled_value_micros::numeric + o.filled_cut_sixtieths <> coalesce(f.exact_sixtieths, 0)
       or o.filled_node_minutes <> ${areaOf('o.filled')}`,
  ),
  defineAudit(
    'market.pair',
    `select f.id as fill_id
     from ${bothSides}
     where b.side <> 'buy' or s.side <> 'sell' or b.sku_id <> f.sku_id or s.sku_id <> f.sku_id
       or b.account_id = s.account_id
       or f.start_minute < greatest(b.start_minute, s.start_minute) or f.end_minute > least(b.end_minute, s.end_minute)
       or f.node_minutes <> ${areaOf('f.schedule')}
       or case
         when ${isSimple('f.schedule')}
           then (f.schedule ->> 1)::bigint not between 0 and least(b.node_count, s.node_count)
             or (f.schedule ->> 0)::bigint < f.start_minute or (f.schedule ->> 2)::bigint > f.end_minute
         else exists (
           select
           from ${steps('f.schedule')} x
           where x.nodes not between 0 and least(b.node_count, s.node_count)
             or x.nodes > 0 and (x.start < f.start_minute or x.until > f.end_minute)
         )
       end`,
  ),
  defineAudit(
    'market.whole',
    `select o.id as order_id
     from orders o
     where not o.allow_partial and o.filled_node_minutes <> 0 and o.filled_node_minutes <> (${requested})`,
  ),
  defineAudit(
    'market.status',
    `select o.id as order_id, o.state
     from orders o
     where not case o.state
       when 'filled' then o.remaining = '[]' and o.filled_node_minutes = (${requested}) and o.filled_at is not null
         and o.cancelled_at is null and o.cancel_reason is null
       when 'cancelled' then o.remaining = '[]' and o.filled_node_minutes < (${requested}) and o.filled_at is null
         and o.cancelled_at is not null and o.cancel_reason is not null
       else o.remaining <> '[]' and o.allow_standing and o.filled_at is null and o.cancelled_at is null
         and o.cancel_reason is null and (o.state = 'partially_filled') = (o.filled_node_minutes > 0)
     end`,
  ),
  defineAudit(
    'market.version',
    `select o.id as order_id, o.book_version, o.seq, b.version, b.last_seq
     from orders o
     left join books b on b.sku_id = o.sku_id
     where o.book_version > coalesce(b.version, 0) or o.seq > coalesce(b.last_seq, 0)`,
  ),
  // An amended order and the one that continues it name each other, are of one side, pool and SKU, and what all orders
  // before had filled is known, so that none of it is ordered again.
  defineAudit(
    'market.amended',
    `select o.id as order_id, o.amended_by
     from orders o
     left join orders n on n.amends = o.id
     where (coalesce(o.cancel_reason, '') = 'amended') <> (o.amended_by is not null)
       or o.amended_by is distinct from n.id
     union all
     select n.id, n.amends
     from orders n
     join orders o on o.id = n.amends
     where n.side <> o.side or n.account_id <> o.account_id or n.pool_id <> o.pool_id or n.sku_id <> o.sku_id
       or n.created_at <> o.cancelled_at
       or n.priority_seq <> coalesce(o.priority_seq, o.seq)
       or ${areaOf('n.filled_before')} <> ${areaOf('o.filled_before')} + o.filled_node_minutes
     union all
     select n.id, n.amends
     from orders n
     where n.amends is not null and not exists (select from orders o where o.id = n.amends)
       or n.amends is null and (n.priority_seq is not null or n.requested is not null or n.filled_before <> '[]')`,
  ),
  // The usage that the limits read is the sum over open orders.
  defineAudit(
    'market.usage',
    `select coalesce(u.account_id, o.account_id) as account_id, u.open_orders, o.orders, u.open_buy_node_minutes,
       o.node_minutes
     from market_usage u
     full join (
       select o.account_id, count(*) as orders,
         coalesce(sum(${areaOf('o.remaining')}) filter (where o.side = 'buy'), 0) as node_minutes
       from orders o
       where ${isOpen}
       group by o.account_id
     ) o on o.account_id = u.account_id
     where coalesce(u.open_orders, 0) <> coalesce(o.orders, 0)
       or coalesce(u.open_buy_node_minutes, 0) <> coalesce(o.node_minutes, 0)`,
  ),
  defineAudit(
    'life.parent',
    `select o.id as order_id, o.pool_id
     from orders o
     left join pools p on p.id = o.pool_id and p.deleted_at is null
     where ${isOpen} and p.id is null
     union all
     select o.id, o.workspace_id
     from orders o
     left join workspaces w on w.id = o.workspace_id and w.deleted_at is null
     where ${isOpen} and w.id is null`,
  ),
]

/** The invariants of orders and fills, and of the money and capacity that they move. */
export const orderAudits = [...moneyOfOrders, value, ...capacityOfPools, ...market]

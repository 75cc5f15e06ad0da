import { daySeconds } from '@bourse/text/time/units.ts'
import { defineAudit } from '../../core/work/auditor.ts'

/** Seconds of the past in which every change of an order must have its event. Events are kept a day longer. */
const eventsSeconds = 6 * daySeconds
const recent = `(select bourse_now() - ${eventsSeconds})`

/** The invariants of the events of orders. */
export const orderEventAudits = [
  // The events of an order begin with order.created and end at most once, with the last of them.
  defineAudit(
    'events.orders',
    `select account_id, target_id, string_agg(action, ' ' order by position) as actions
     from events
     where target_type = 'order'
     group by account_id, target_id
     having count(*) filter (where action = 'order.created') > 1
       or count(*) filter (where action in ('order.filled', 'order.cancelled', 'order.rejected')) > 1
       or min(position) < min(position) filter (where action = 'order.created')
       or max(position) > min(position) filter (where action in ('order.filled', 'order.cancelled', 'order.rejected'))`,
  ),
  // Each moment in the life of an order has exactly one event, and each event of an order its moment.
  defineAudit(
    'events.paired',
    `select coalesce(o.id, e.target_id) as order_id, o.state, e.created, e.filled, e.cancelled
     from orders o
     full join (
       select account_id, target_id,
         count(*) filter (where action = 'order.created') as created,
         count(*) filter (where action = 'order.filled') as filled,
         count(*) filter (where action = 'order.cancelled') as cancelled
       from events
       where target_type = 'order'
       group by account_id, target_id
     ) e on e.account_id = o.account_id and e.target_id = o.id
     where o.id is null
       or e.filled > 0 and o.state <> 'filled'
       or e.cancelled > 0 and o.state <> 'cancelled'
       or o.created_at > ${recent} and coalesce(e.created, 0) <> 1
       or o.filled_at > ${recent} and coalesce(e.filled, 0) <> 1
       or o.cancelled_at > ${recent} and coalesce(e.cancelled, 0) <> 1`,
  ),
  // Each event of a fill in the log is the only one of its fill and order, and shows its price and what the ledger
  // moved for it. Each recent fill has one for each of its orders. Fills of an older version have none. Neither part
  // reads fills older than the log: the limit makes the first a lookup for each event, and the second reads one range
  // of an index for each SKU. A body ends before the cursor.
  defineAudit(
    'events.fills',
    `with shown as (
       select target_id as order_id, fill ->> 'id' as fill_id, count(*) as events,
         min(fill ->> 'price_dollars_per_node_hour')::numeric as price,
         sum((fill ->> 'total_dollars')::numeric) as total, sum((fill ->> 'fee_dollars')::numeric) as fee
       from (
         select target_id, case when strpos(body, '"fill":') > 0 then (body || '"}')::jsonb -> 'fill' end as fill
         from events
         where action in ('order.partially_filled', 'order.filled')
       ) e
       where fill is not null
       group by target_id, fill ->> 'id'
     )
     select s.order_id, s.fill_id, s.events
     from shown s
     left join lateral (
       select f.id, f.price_micros, f.value_micros,
         case when s.order_id = f.sell_order_id then f.fee_micros else 0 end as fee_micros
       from fills f
       where f.id = s.fill_id
         and f.has_events
         and s.order_id in (f.buy_order_id, f.sell_order_id)
       limit 1
     ) m on true
     where m.id is null
       or s.events <> 1
       or s.price <> m.price_micros / 1000000.0
       or s.total <> m.value_micros / 1000000.0
       or s.fee <> m.fee_micros / 1000000.0
     union all
     select order_id, fill_id, 0
     from (
       select o.order_id, m.id
       from skus k
       cross join lateral (
         select f.id, f.buy_order_id, f.sell_order_id
         from fills f
         where f.sku_id = k.id
           and f.filled_at > ${recent}
           and f.has_events
       ) m
       cross join lateral unnest(array[m.buy_order_id, m.sell_order_id]) as o(order_id)
       except
       select order_id, fill_id
       from shown
     ) as missing(order_id, fill_id)`,
  ),
  defineAudit(
    'events.actor',
    `select o.id as order_id, o.created_by_token_id, e.actor_token_id
     from orders o
     join events e on e.account_id = o.account_id and e.target_id = o.id and e.action = 'order.created'
     where e.actor_token_id is distinct from o.created_by_token_id`,
  ),
  // The actor of order.filled is the sender where the order was filled at once, and the system where it rested. An
  // order that met a younger one rested. An order that met only older ones may have rested or not, which no row shows;
  // the simulation checks those.
  defineAudit(
    'events.actor',
    `select o.id as order_id, o.created_by_token_id, e.actor_token_id
     from orders o
     join events e on e.account_id = o.account_id and e.target_id = o.id and e.action = 'order.filled'
     left join (
       select distinct case when b.seq < s.seq then b.id else s.id end as order_id
       from fills f
       join orders b on b.id = f.buy_order_id
       join orders s on s.id = f.sell_order_id
     ) older on older.order_id = o.id
     where case when e.actor_token_id is null then o.created_by_token_id is not null and not o.allow_standing
       else e.actor_token_id is distinct from o.created_by_token_id
         or o.filled_at > o.created_at
         or older.order_id is not null
     end`,
  ),
]

import { defineAudit } from '../../core/work/auditor.ts'

/**
 * Comparing each buy with each sell would take hours on a large book. Instead, each step of an order is divided
 * into aligned spans of 2^level minutes, at most two of a level. Two steps overlap where a span of one contains a
 * span of the other. For each span the best price of a side suffices, and that of a second account, because the
 * orders of one account do not match. `worth` is the price of a buy and the negative price of a sell.
 */
const uncrossed = defineAudit(
  'market.uncrossed',
  `with steps as materialized (
     select o.sku_id, o.side, o.account_id, x.start, x.until,
       max(case o.side when 'buy' then o.price_micros else -o.price_micros end) as worth
     from orders o
     cross join lateral (
       select (o.remaining ->> (2 * i))::bigint as start, (o.remaining ->> (2 * i + 1))::bigint as nodes,
         (o.remaining ->> (2 * i + 2))::bigint as until
       from generate_series(0, jsonb_array_length(o.remaining) / 2 - 1) as i
     ) x
     where o.state in ('standing', 'partially_filled') and o.allow_partial and x.nodes > 0
     group by o.sku_id, o.side, o.account_id, x.start, x.until
   ),
   spans as materialized (
     select x.sku_id, x.side, x.account_id, level, n.number, max(x.worth) as worth
     from steps x
     cross join lateral generate_series(0, floor(log(2, (x.until - x.start)::numeric))::integer) as level
     cross join lateral (
       values ((x.start + (1::bigint << level) - 1) >> level, x.until >> level)
     ) as r (lowest, above)
     cross join lateral (values (r.lowest, r.lowest & 1), (r.above - 1, r.above & 1)) as n (number, is_own)
     where r.lowest < r.above and n.is_own = 1
     group by x.sku_id, x.side, x.account_id, level, n.number
   ),
   best as materialized (
     select sku_id, side, account_id, level, number, worth
     from (
       select *, row_number() over (partition by sku_id, side, level, number order by worth desc) as rank
       from spans
     ) ranked
     where rank <= 2
   ),
   containing as materialized (
     select b.*, above_level, b.number >> (above_level - b.level) as above_number
     from best b
     cross join lateral generate_series(b.level, (select max(level) from best)) as above_level
   )
   select c.sku_id, c.number << c.level as minute, c.side, c.account_id, abs(c.worth) as price_micros,
     array(
       select o.id
       from orders o
       where o.sku_id = c.sku_id
         and o.side = c.side
         and o.account_id = c.account_id
         and o.price_micros = abs(c.worth)
         and o.state in ('standing', 'partially_filled')
         and o.allow_partial
       order by o.id
       limit 20) as order_ids,
     b.account_id as other_account_id, abs(b.worth) as other_price_micros
   from containing c
   join best b on b.sku_id = c.sku_id and b.level = c.above_level and b.number = c.above_number
   where b.side <> c.side and b.account_id <> c.account_id and b.worth + c.worth >= 0`,
)

/** The invariant that no order of a book meets another one. */
export const crossedBookAudits = [uncrossed]

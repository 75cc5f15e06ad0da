/**
 * Inserts the rows of a long history directly, as commands would have left them: orders, fills, ledger rows, events,
 * instances and machines. All audits pass on the result. The numbers of rows grow with one number, so that tests and
 * benchmarks can compare the work of the audits on a short and on a long history.
 */
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import { createAdminToken, makeAccount } from '../../src/iam/accounts/accounts.service.ts'

/** The size of a history. */
export type HistorySize = {
  /** Orders that were filled: half of them buys, each with one sell. */
  readonly filled: number
  /** Orders that rest in the book: half of them buys below all sells of the same hours. */
  readonly resting: number
  /** Instances: half of them run, half are terminated. */
  readonly instances: number
}

/** The names of a history: several may be in one database. */
type Names = {
  readonly history: string
  readonly buyer: string
  readonly seller: string
  readonly sku: string
  /** The seconds in which everything happened, and the first minute of the traded hours. */
  readonly at: number
  readonly start: number
}

type LongHistory = HistorySize & Names

/** An order trades one node for an hour. */
const minutes = 60
const [bid, price, ask] = [600_000, 1_200_000, 1_800_000] as const
const value = (price * minutes) / 60
const held = (bid * minutes) / 60
const fee = value / 100
const slots = 64
/** A longer history has more hours with equally many trades. */
const tradesOfHour = 10
const restingOfHour = 20

/** Adds a history. Its name distinguishes it from others in the database. */
export async function addHistory(runtime: Runtime, history: string, size: HistorySize): Promise<void> {
  const [buyer, seller] = [`${history}-buyer`, `${history}-seller`]
  for (const id of [buyer, seller]) {
    await systemCommand(runtime, async (ctx) => {
      const { workspace_id } = await makeAccount(ctx, { id, trust_level: 'partner' })
      await createAdminToken(ctx, { account_id: id, workspace_id, name: 'admin' })
    })
  }
  await runtime.database.asOwner(async (db) => {
    const { now } = (await db.row(statement<{ now: number }>(null, 'select bourse_now() as now'))) as { now: number }
    const start = (Math.floor(now / 3600) + 48) * 60
    const all = { ...size, history, buyer, seller, sku: `sku_${history}`, at: now - 3600, start }
    // The rows are consistent, and checking each reference would take half of the time.
    await db.run(statement(null, "set session_replication_role = 'replica'"))
    await db.run(statement(null, 'alter table fills enable always trigger add_to_price_buckets'))
    for (const text of [...marketOf(all), ...capacityOf(all), ...moneyOf(all), ...fleetOf(all), ...eventsOf(all)]) {
      await db.run(statement(null, text))
    }
  })
}

/** Replaces the statistics of all tables by those of the present rows. */
export async function analyze(runtime: Runtime): Promise<void> {
  await runtime.database.asOwner((db) => db.run(statement(null, 'analyze')))
}

const workspaceOf = (account: string) => `(select id from workspaces where account_id = '${account}')`

function idsOf(history: string): (kind: string, number: string) => string {
  return (kind, number) => `'${kind}_${history}' || lpad((${number})::text, 12, '0')`
}

const hourOf = (start: number, number: string, perHour: number) => `${start} + (${number}) / ${perHour} * ${minutes}`

/** The orders of one side that were filled, or that rest. */
function ordersOf(history: LongHistory, side: 'buy' | 'sell', kind: 'filled' | 'resting'): string {
  const { history: name, sku, at, start, filled, resting } = history
  const id = idsOf(name)
  const party = side === 'buy' ? 'buyer' : 'seller'
  const account = history[party]
  const isFilled = kind === 'filled'
  const count = (isFilled ? filled : resting) / 2
  const first = isFilled ? hourOf(start, 't', tradesOfHour) : hourOf(start, 't', restingOfHour / 2)
  const schedule = `jsonb_build_array(${first}, 1, ${first} + ${minutes}, 0)`
  const seq = `${isFilled ? 0 : filled} + 2 * t + ${side === 'sell' ? 1 : 2}`
  const limit = isFilled ? price : side === 'buy' ? bid : ask
  return `insert into orders (id, account_id, workspace_id, pool_id, sku_id, side, state, allow_standing,
         allow_partial, start_minute, end_minute, node_count, price_micros, seq, remaining, filled,
         filled_node_minutes, filled_value_micros, book_version, created_at, filled_at)
       select ${id(`ordr_${kind}_${side}`, 't')}, '${account}', ${workspaceOf(account)},
         'pool_${name}_${party}', '${sku}',
         '${side}', '${isFilled ? 'filled' : 'standing'}', true, true, ${first}, ${first} + ${minutes}, 1, ${limit},
         ${seq}, ${isFilled ? "'[]'" : schedule}, ${isFilled ? schedule : "'[]'"}, ${isFilled ? minutes : 0},
         ${isFilled ? value : 0}, ${seq}, ${at}, ${isFilled ? at : 'null'}
       from generate_series(0, ${count - 1}) as t`
}

/** The SKU, its book, the pools, the orders and their fills. */
function marketOf(all: LongHistory): string[] {
  const { history, buyer, seller, sku, at, start, filled, resting } = all
  const id = idsOf(history)
  const [trades, pairs] = [filled / 2, resting / 2]
  const pool = (name: string, account: string) =>
    `insert into pools (id, account_id, workspace_id, kind, created_at)
     values ('pool_${history}_${name}', '${account}', ${workspaceOf(account)}, 'market', ${at})`
  return [
    `insert into skus (id, alias, properties, listed, hourly_fee_micros, fee_bps, created_at, updated_at)
     values ('${sku}', '${history}', '{}', true, 0, 100, ${at}, ${at})`,
    `insert into books (sku_id, born, version, last_seq)
     values ('${sku}', 1, ${filled + resting + 2}, ${filled + resting + 2})`,
    pool('buyer', buyer),
    pool('seller', seller),
    pool('fleet', buyer),
    ordersOf(all, 'buy', 'filled'),
    ordersOf(all, 'sell', 'filled'),
    ordersOf(all, 'buy', 'resting'),
    ordersOf(all, 'sell', 'resting'),
    `insert into fills (id, sku_id, buy_order_id, sell_order_id, price_micros, schedule, start_minute, end_minute,
       node_minutes, value_micros, fee_micros, filled_at, has_events)
     select ${id('fill', 't')}, '${sku}', ${id('ordr_filled_buy', 't')}, ${id('ordr_filled_sell', 't')}, ${price},
       jsonb_build_array(${hourOf(start, 't', tradesOfHour)}, 1, ${hourOf(start, 't', tradesOfHour)} + ${minutes}, 0),
       ${hourOf(start, 't', tradesOfHour)}, ${hourOf(start, 't', tradesOfHour)} + ${minutes},
       ${minutes}, ${value}, ${fee}, ${at} - t * 60 % ${365 * 86_400}, true
     from generate_series(0, ${trades - 1}) as t`,
    `insert into market_usage (account_id, open_orders, open_buy_node_minutes)
     values ('${buyer}', ${pairs}, ${pairs * minutes}), ('${seller}', ${pairs}, 0)`,
  ]
}

/** The allocation of the pools: what hosts supply, and what trades moved. */
function capacityOf({ history, sku, at, start, filled, instances }: LongHistory): string[] {
  const [trades, running] = [filled / 2, instances / 2]
  const supply = Math.ceil((tradesOfHour + restingOfHour) / slots) * slots
  const posting = (name: string, nodes: number) =>
    `insert into capacity_postings (cause, pool_id, sku_id, minute, delta, created_at)
     values ('host', 'pool_${history}_${name}', '${sku}', ${Math.floor(at / 60)}, ${nodes}, ${at})`
  const steps = (source: string, sign: string) =>
    `select ${start} + h * ${minutes} as minute, ${sign}${source} as delta
     from generate_series(0, ${Math.ceil(trades / tradesOfHour) - 1}) as h
     union all
     select ${start} + (h + 1) * ${minutes}, -(${sign}${source})
     from generate_series(0, ${Math.ceil(trades / tradesOfHour) - 1}) as h`
  const inHour = `least(${tradesOfHour}, ${trades} - h * ${tradesOfHour})`
  const allocation = (name: string, sign: string) =>
    `insert into pool_allocation (pool_id, sku_id, minute, delta)
     select 'pool_${history}_${name}', '${sku}', minute, sum(delta)
     from (${steps(inHour, sign)}) steps
     group by minute
     having sum(delta) <> 0`
  return [
    posting('seller', supply),
    posting('fleet', Math.ceil(running / slots) * slots),
    `insert into pool_allocation (pool_id, sku_id, minute, delta)
     select pool_id, sku_id, minute, delta
     from capacity_postings
     where sku_id = '${sku}'`,
    allocation('seller', '-'),
    allocation('buyer', ''),
    `insert into pool_promise (pool_id, sku_id, minute, delta)
     select pool_id, sku_id, minute, sum(delta)
     from (
       select pool_id, sku_id, start_minute as minute, 1 as delta
       from orders
       where state = 'standing' and side = 'sell' and sku_id = '${sku}'
       union all
       select pool_id, sku_id, end_minute, -1
       from orders
       where state = 'standing' and side = 'sell' and sku_id = '${sku}'
     ) steps
     group by pool_id, sku_id, minute
     having sum(delta) <> 0`,
  ]
}

/** The ledger in the order of trading: a credit, an admission and a fill for each trade, then the open holds. */
function moneyOf({ history, buyer, seller, at, filled, resting }: LongHistory): string[] {
  const id = idsOf(history)
  const [trades, pairs] = [filled / 2, resting / 2]
  const credit = trades * value + pairs * held + value
  const of = (number: string) => ({
    buy: id('ordr_filled_buy', number),
    fill: id('fill', number),
    open: id('ordr_resting_buy', number),
  })
  const { buy, fill, open } = of('t')
  const legs = (turn: string, cause: string, count: number, parts: readonly string[]) =>
    `select ${turn} as turn, c.cause_kind, c.cause_id, l.leg, l.account_id, l.book, l.amount
     from generate_series(0, ${count - 1}) as t
     cross join lateral (values (${cause})) as c (cause_kind, cause_id)
     cross join (values ${parts.join(', ')}) as l (leg, account_id, book, amount)`
  const ledger = [
    legs('0', `'posting', 'txn_${history}'`, 1, [
      `(0, '${buyer}', 'credit', ${credit}::bigint)`,
      `(1, null, 'funding', ${-credit})`,
    ]),
    legs('2 * t + 1', `'admission', ${buy}`, trades, [
      `(0, '${buyer}', 'credit', ${-value}::bigint)`,
      `(1, '${buyer}', 'held', ${value})`,
    ]),
    legs('2 * t + 2', `'fill', ${fill}`, trades, [
      `(0, '${buyer}', 'held', ${-value}::bigint)`,
      `(1, '${seller}', 'credit', ${value - fee})`,
      `(2, null, 'fees', ${fee})`,
    ]),
    legs(`2 * ${trades} + t + 1`, `'admission', ${open}`, pairs, [
      `(0, '${buyer}', 'credit', ${-held}::bigint)`,
      `(1, '${buyer}', 'held', ${held})`,
    ]),
  ]
  const balance = (book: string) => `coalesce((
         select sum(amount_micros)
         from ledger l
         where l.account_id = a.id and l.book = '${book}'
       ), 0)`
  const transaction = (side: 'buy' | 'sell', account: string, amount: number) =>
    `insert into ledger_transactions (id, account_id, type, amount_micros, balance_after_micros, order_id, fill_id,
       created_at)
     select ${id(`txn_${side}`, 't')}, '${account}', '${side}_fill', ${amount}, 0, ${id(`ordr_filled_${side}`, 't')},
       ${fill}, ${at}
     from generate_series(0, ${trades - 1}) as t`
  return [
    `insert into ledger (cause_kind, cause_id, part, leg, account_id, book, amount_micros, balance_after_micros,
       created_at)
     select cause_kind, cause_id, 0, leg, account_id, book, amount,
       case when account_id is not null
         then sum(amount) over (partition by account_id, book order by turn, leg rows unbounded preceding)
       end, ${at}
     from (${ledger.join(' union all ')}) legs
     order by turn, leg`,
    `insert into ledger_transactions (id, account_id, type, amount_micros, balance_after_micros, created_at)
     values ('txn_${history}', '${buyer}', 'credit', ${credit}, ${credit}, ${at})`,
    transaction('buy', buyer, -value),
    transaction('sell', seller, value - fee),
    `insert into holds (id, order_id, account_id, workspace_id, amount_micros, created_at)
     select ${id('hold', 't')}, ${open}, '${buyer}', ${workspaceOf(buyer)}, ${held}, ${at}
     from generate_series(0, ${pairs - 1}) as t`,
    `insert into money_accounts (account_id, credit_micros, held_micros, updated_at)
     select a.id, ${balance('credit')}, ${balance('held')}, ${at}
     from accounts a
     where a.id in ('${buyer}', '${seller}')`,
  ]
}

/** Hosts that supply what the postings of the market gave to the pools, and instances with their machines. */
function fleetOf({ history, buyer, seller, sku, at, instances }: LongHistory): string[] {
  const id = idsOf(history)
  const running = instances / 2
  const hosts = Math.ceil((tradesOfHour + restingOfHour) / slots) + Math.ceil(running / slots)
  const isRunning = `n < ${running}`
  return [
    `insert into hosts (id, account_id, workspace_id, sku_id, pool_id, state, health, slots, used_slots, created_at)
     select ${id('host', 'h')}, '${seller}', ${workspaceOf(seller)}, '${sku}', 'pool_${history}_seller', 'active',
       'healthy', ${slots}, greatest(0, least(${slots}, ${running} - h * ${slots})), ${at}
     from generate_series(0, ${hosts - 1}) as h`,
    `insert into host_supply (host_id, sku_id, minute, delta)
     select id, sku_id, ${Math.floor(at / 60)}, ${slots}
     from hosts
     where sku_id = '${sku}'`,
    `insert into instances (id, account_id, workspace_id, pool_id, sku_id, image_id, state, priority_level, mac,
       running_at, terminated_at, termination_reason, created_at, updated_at)
     select ${id('inst', 'n')}, '${buyer}', ${workspaceOf(buyer)}, 'pool_${history}_fleet', '${sku}', 'image_history',
       case when ${isRunning} then 'running' else 'terminated' end, 'normal', '02:00:00:00:00:01', ${at},
       case when ${isRunning} then null else ${at} end, case when ${isRunning} then null else 'user' end,
       ${at}, ${at}
     from generate_series(0, ${instances - 1}) as n`,
    `insert into machines (instance_id, host_id, slot, generation, action, state, claimed_at, reported_at)
     select ${id('inst', 'n')}, ${id('host', `n / ${slots}`)}, n % ${slots}, 1, 'run', 'running', ${at}, ${at}
     from generate_series(0, ${running - 1}) as n`,
    `insert into names (id, kind, account_id, workspace_id, name)
     select id, 'instance', account_id, workspace_id, id
     from instances
     where sku_id = '${sku}'`,
    `insert into due (kind, key, due_at)
     select 'fleet.instance_purge', id, terminated_at + 7 * 86400
     from instances
     where state = 'terminated' and sku_id = '${sku}'`,
    `insert into limit_usage (account_id, name, used)
     values ('${buyer}', 'instances', ${running})
     on conflict (account_id, name) do update set used = excluded.used`,
  ]
}

/** The events of orders and instances, after those that the accounts have already. */
/** The member `fill` of an event \`e\`. An order has one fill. */
const shownFill = `case when action = 'order.filled' then ',"fill":' || (
         select jsonb_build_object('id', f.id, 'price_dollars_per_node_hour', (f.price_micros / 1e6)::text,
           'total_dollars', (f.value_micros / 1e6)::text,
           'fee_dollars', (case when f.sell_order_id = target_id then f.fee_micros else 0 end / 1e6)::text)
         from fills f
         where target_id in (f.buy_order_id, f.sell_order_id)
       )::text else '' end`

function eventsOf({ history, buyer, seller, sku, at }: LongHistory): string[] {
  const id = idsOf(history)
  const orders = (action: string, at: string) =>
    `select account_id, workspace_id, 'order' as target_type, id as target_id, 'order.${action}' as action, ${at} as at
     from orders
     where ${at} is not null and sku_id = '${sku}'`
  const instances = (action: string, at: string) =>
    `select account_id, workspace_id, 'instance', id, 'instance.${action}', ${at}
     from instances
     where ${at} is not null and sku_id = '${sku}'`
  const all = [
    orders('created', 'created_at'),
    orders('filled', 'filled_at'),
    instances('created', 'created_at'),
    instances('running', 'running_at'),
    instances('terminated', 'terminated_at'),
  ]
  return [
    `insert into events (account_id, position, stored_on, occurred_at, id, action, target_type, target_id,
       workspace_id, body)
     select e.account_id,
       c.position + row_number() over (partition by e.account_id order by target_id, case
         when action like '%.created' then 1
         when action like '%.running' then 2
         else 3
       end),
       (select bourse_today()), ${at + 3600}, ${id('evt', 'row_number() over ()')}, action, target_type,
       target_id, workspace_id,
       '{"actor":{"type":"system"},"action":"' || action || '"' || ${shownFill} || ',"cursor":"'
     from (${all.join(' union all ')}) e
     join event_counters c on c.account_id = e.account_id`,
    `update event_counters c
     set position = e.position, occurred_at = ${at + 3600}
     from (
       select account_id, max(position) as position
       from events
       group by account_id
     ) e
     where e.account_id = c.account_id and c.account_id in ('${buyer}', '${seller}')`,
  ]
}

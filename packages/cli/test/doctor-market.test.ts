import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Database, openDatabase, statement } from '../../server/src/core/db/db.ts'
import { recordedSocketDirectory } from '../../server/src/core/postgres/postgres-place.ts'
import { bourse, newDirectory, startSandbox } from './sandbox-process.ts'

type MarketCheck = { name: string; status: string; message: string; rows: object[] }

const directory = newDirectory()
const sandbox = await startSandbox(directory)

async function doctor() {
  const { code, out, err } = await bourse(['doctor', '-o', 'json'], { BOURSE_DATA_DIR: directory })
  const checks: MarketCheck[] = JSON.parse(out).data
  return { code, err, checks }
}

async function asOwner<T>(work: (run: (text: string) => Promise<{ id: string }[]>) => Promise<T>): Promise<T> {
  const host = (await recordedSocketDirectory(directory)) ?? ''
  const target = { host, port: 5432, user: 'bourse', database: 'bourse', ssl: false as const }
  await using database: Database = openDatabase(target, { connections_max: 1 })
  return await database.asOwner((db) => work((text) => db.rows(statement<{ id: string }>(null, text))))
}

test('a market with trades passes all audits, and the doctor prints what it checked and how many rows', async () => {
  const { code, checks } = await doctor()
  assert.equal(code, 0, JSON.stringify(checks.filter(({ status }) => status === 'violation')))
  const messageOf = (name: string) => checks.find((check) => check.name === name)?.message ?? ''
  assert.match(messageOf('money.zero-sum'), /the ledger sums to zero/)
  assert.match(messageOf('capacity.supply'), /no capacity was sold twice/)
  const [ledgerRows, orders, fills] = [...messageOf('extent').matchAll(/\d+/g)].map(Number)
  for (const count of [ledgerRows, orders, fills]) assert.ok((count ?? 0) > 20, messageOf('extent'))
})

const open = "state in ('standing', 'partially_filled')"
/** The n-th fill. Each corruption uses another one. */
const fill = (n: number) => `(select id from fills order by id offset ${n} limit 1)`
const sideOf = (side: 'buy' | 'sell', n: number) => `(select ${side}_order_id from fills where id = ${fill(n)})`

/** The name of the audit that finds a corruption, the corrupted row, and the statement, which returns the shown id. */
const corruptions: readonly (readonly [name: string, what: string, harm: string])[] = [
  [
    'money.zero-sum',
    'a leg of the ledger',
    `update ledger set amount_micros = amount_micros + 1
     where id = (select max(id) from ledger where cause_id = ${fill(0)} and book = 'credit') returning cause_id as id`,
  ],
  [
    'money.fold',
    'a cached balance',
    `update money_accounts set credit_micros = credit_micros + 1
     where account_id = (select min(account_id) from money_accounts) returning account_id as id`,
  ],
  [
    'money.held-exact',
    'a hold of an order that has ended',
    `insert into holds (id, order_id, account_id, workspace_id, amount_micros, created_at)
     select 'hold_forged', id, account_id, workspace_id, 1, created_at from orders
     where side = 'buy' and state = 'filled' order by id limit 1 returning order_id as id`,
  ],
  [
    'money.once',
    'a fill without its line',
    `update ledger_transactions set type = 'refund' where fill_id = ${fill(1)} and type = 'buy_fill'
     returning fill_id as id`,
  ],
  [
    'capacity.supply',
    'capacity that no host put in',
    `update pool_allocation set delta = delta + 3 where (pool_id, sku_id, minute) = (
       select a.pool_id, a.sku_id, a.minute from pool_allocation a join pools p on p.id = a.pool_id
       where p.kind = 'originating' order by a.pool_id, a.sku_id, a.minute limit 1) returning sku_id as id`,
  ],
  [
    'capacity.free',
    'a promise of more than is owned',
    `update pool_promise set delta = delta + 1000000 where (pool_id, sku_id, minute) = (
       select pool_id, sku_id, (remaining ->> 0)::bigint from orders where side = 'sell' and ${open}
       order by id limit 1) returning pool_id as id`,
  ],
  [
    'market.uncrossed',
    'a book that is crossed',
    `update orders b set price_micros = s.price_micros, remaining = s.remaining, start_minute = s.start_minute,
       end_minute = s.end_minute, account_id = (select min(id) from accounts where id <> s.account_id)
     from orders s where s.sku_id = b.sku_id and s.id = (
       select o.id from orders o where o.side = 'sell' and o.${open} and o.allow_partial
         and exists (select from orders p
           where p.sku_id = o.sku_id and p.side = 'buy' and p.${open} and p.allow_partial)
       order by o.id limit 1)
     and b.id = (select min(p.id) from orders p
       where p.sku_id = s.sku_id and p.side = 'buy' and p.${open} and p.allow_partial) returning b.id`,
  ],
  [
    'market.price',
    'a fill at another price',
    `update fills set price_micros = price_micros + 60 where id = ${fill(2)} returning id`,
  ],
  [
    'market.vector',
    'an order with more remaining than ordered nodes',
    `update orders set remaining = jsonb_set(remaining, '{1}', to_jsonb(node_count + 1))
     where id = (select max(id) from orders where side = 'sell' and ${open}) returning id`,
  ],
  [
    'market.pair',
    'a fill between two orders of one account',
    `update orders s set account_id = b.account_id from orders b
     where s.id = ${sideOf('sell', 3)} and b.id = ${sideOf('buy', 3)} returning ${fill(3)} as id`,
  ],
  [
    'market.status',
    'an order that is both filled and cancelled',
    `update orders set cancelled_at = filled_at, cancel_reason = 'user'
     where id = (select max(id) from orders where state = 'filled') returning id`,
  ],
  [
    'capacity.future-only',
    'a fill for past minutes',
    `update fills set filled_at = filled_at + 10 * 365 * 86400 where id = ${fill(4)} returning id`,
  ],
  [
    'events.dense',
    'a gap in the log',
    `delete from events where (account_id, position) = (
       select account_id, max(position) - 1 from events group by account_id having count(*) > 5
       order by account_id limit 1) returning account_id as id`,
  ],
]

test('every corruption of money, capacity, orders and log is named, and the corrupted row is shown', async () => {
  const frozen = await fetch(`${sandbox.url}/sandbox/clock/freeze`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.token}` },
  })
  assert.equal(frozen.status, 200)
  const harmed = await asOwner(async (run) => {
    const ids: string[] = []
    for (const [name, what, harm] of corruptions) {
      const [row] = await run(harm)
      assert.ok(row, `${name}: there is no row for ${what}`)
      ids.push(row.id)
    }
    return ids
  })
  const { code, err, checks } = await doctor()
  assert.equal(code, 1)
  for (const [index, [name, what]] of corruptions.entries()) {
    const found = checks.filter((check) => check.name === name && check.status === 'violation')
    const rows = JSON.stringify(found.flatMap((check) => check.rows))
    assert.ok(rows.includes(`"${harmed[index]}"`), `${what} (${harmed[index]}) is not among ${name}: ${rows}`)
    assert.ok(err.includes(name), `${name} is not said`)
  }
})

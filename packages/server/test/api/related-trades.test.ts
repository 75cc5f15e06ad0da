/** Trades between accounts that share a person: who sees the mark, and prices without them. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeMarket, type Party } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
// Trades of a test lie in one hour.
await server.call('freeze_clock')
const anyone = await server.account()
let made = 0

/** Adds a user of an address to each of some accounts. Returns the ids. */
function addPerson(email: string, ...accounts: readonly Party[]): Promise<string[]> {
  return Promise.all(
    accounts.map(async ({ token }) => (await server.call('create_user', { token, body: { email } })).id),
  )
}

/** A market with a seller and a buyer that share a person, and an offer of two nodes at $99. */
async function makeRelated() {
  made += 1
  const market = await makeMarket(server)
  const [seller, buyer, other] = [await market.seller(8), await market.buyer(), await market.buyer()]
  const people = await addPerson(`one-${made}@person.example`, seller, buyer)
  const sell = (price: string) => market.order(seller, { side: 'sell', allow_standing: true, price })
  return {
    market,
    seller,
    buyer,
    other,
    people,
    /** Sells to a buyer at a price, and returns the order of the buyer. */
    trade: async (party: Party, price: string) => {
      await sell(price)
      return market.order(party, { price })
    },
    exclude: (public_prices_exclude_related: boolean) =>
      server.call('update_sku', { params: { id: market.sku }, body: { public_prices_exclude_related } }),
    /** What anybody sees: price history as low, high and number of trades, prices of trades, and last price. */
    seen: async () => {
      const { sku, start } = market
      const { token } = anyone
      const history = await server.call('list_price_history', { query: { sku }, token })
      const range = { start_at: start, end_at: start + 3600 }
      const fills = await server.call('list_orderbook_fills', { query: { ...range, requirements: `id:${sku}` }, token })
      const cells = { from: start, to: start + 3600, requirements: `id:${sku}` }
      const { rows } = await server.call('get_orderbook_heatmap', { query: cells, token })
      return {
        history: history.data.map((bucket) => [
          Number(bucket.low_price_dollars_per_node_hour),
          Number(bucket.high_price_dollars_per_node_hour),
          bucket.fill_count,
        ]),
        trades: fills.data.map((fill) => Number(fill.price_dollars_per_node_hour)),
        last: rows.map(({ cells: [cell] }) => cell?.last_price_dollars_per_node_hour ?? null),
      }
    },
    /** The marks of the fills of an order, as the operator sees them. */
    marks: async (order: { id: string }) => {
      const { data } = await server.call('list_platform_orders', { query: { id: [order.id] } })
      return data.flatMap(({ fills }) => fills.map(({ related }) => related))
    },
  }
}

test('the operator sees which trades are of accounts with one person, and the accounts do not', async () => {
  const { market, buyer, other, trade, marks } = await makeRelated()
  const [own, theirs] = [await trade(buyer, '99.000000'), await trade(other, '2.000000')]
  assert.deepEqual([await marks(own), await marks(theirs)], [[true], [false]])
  const shown = JSON.stringify([own, await market.read(buyer, own)])
  const events = await server.call('list_events', { token: buyer.token, query: { limit: 200 } })
  assert.doesNotMatch(shown + JSON.stringify(events), /related/)
})

test('public prices leave out related trades where the SKU says so, earlier ones too, as long as it does', async () => {
  const { market, buyer, other, trade, exclude, seen } = await makeRelated()
  await trade(buyer, '99.000000')
  const all = { history: [[99, 99, 1]], trades: [99], last: ['99.000000'] }
  assert.deepEqual(await seen(), all)
  await exclude(true)
  assert.deepEqual(await seen(), { history: [], trades: [], last: [null] })
  await trade(other, '2.000000')
  await trade(buyer, '1.000000')
  assert.deepEqual(await seen(), { history: [[2, 2, 1]], trades: [2], last: ['2.000000'] })
  await exclude(false)
  const { history, trades } = await seen()
  assert.deepEqual([history, trades.toSorted()], [[[1, 99, 3]], [1, 2, 99]])
  const sku = await server.call('get_sku', { params: { id: market.sku }, token: anyone.token })
  assert.equal('public_prices_exclude_related' in sku, false)
})

test('a SKU leaves out no trades unless the operator says so, and a change of others keeps it', async () => {
  const { market, exclude } = await makeRelated()
  const { data } = await server.call('list_platform_skus', { query: { id: [market.sku] } })
  assert.equal(data[0]?.public_prices_exclude_related, false)
  await exclude(true)
  const changed = await server.call('update_sku', { params: { id: market.sku }, body: { fee_bps: 7 } })
  assert.equal(changed.public_prices_exclude_related, true)
  const made = await server.call('create_sku', { body: { public_prices_exclude_related: true } })
  assert.equal(made.public_prices_exclude_related, true)
})

test('people count as they are at the trade: in any case of letters, and not when deleted', async () => {
  const { seller, buyer, other, people, trade, marks } = await makeRelated()
  await addPerson('Two@person.example', seller)
  const before = await trade(other, '2.000000')
  await addPerson('two@PERSON.example', other)
  const after = await trade(other, '2.000000')
  assert.deepEqual([await marks(before), await marks(after)], [[false], [true]])
  await server.call('delete_user', { params: { id: people[1] as string }, token: buyer.token })
  assert.deepEqual(await marks(await trade(buyer, '2.000000')), [false])
})

test('one order with many counterparties has a mark for each fill', async () => {
  const { market, seller, buyer, other, marks } = await makeRelated()
  const rest = { allow_standing: true, nodes: 1 }
  await market.order(other, { ...rest, price: '3.000000' })
  await market.order(buyer, { ...rest, price: '2.000000' })
  const sold = await market.order(seller, { side: 'sell', nodes: 2, price: '2.000000' })
  assert.deepEqual((await marks(sold)).toSorted(), [false, true])
})

/** Worlds with weather, at moments that are the same in every run. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { assertAuditsPass } from '../support/audit.ts'
import { openTestServer, type TestServer } from '../support/server.ts'
import { createStillDatabase } from '../support/still-database.ts'
import { loadWorld, readWorld } from '../support/worlds.ts'

const hour = 3_600
const day = 24 * hour
/** Friday, 9:00 in UTC. The regions of the worlds have nights and working hours then. */
const friday = Date.UTC(2026, 10, 27, 9) / 1_000

async function serverAt(moment: number): Promise<TestServer> {
  const database = await createStillDatabase(moment)
  const server = await openTestServer({ target: database.target })
  atEnd(async () => {
    await server[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })
  return server
}

const server = await serverAt(friday)

type Board = Awaited<ReturnType<typeof readBoard>>

async function readBoard(token: string) {
  const { rows, current_hour_at } = await server.call('get_orderbook_board', { token, query: { hours: 168 } })
  return rows.map(({ sku, asked_dollars_per_node_hour, offered_node_counts, traded_dollars_per_node_hour }) => ({
    alias: sku.alias,
    current: current_hour_at,
    asked: asked_dollars_per_node_hour,
    offered: offered_node_counts,
    traded: traded_dollars_per_node_hour,
  }))
}

/** The local hours of a row: the place in its lists, the hour of the day, and the day of the week, 0 for Sunday. */
function localHours({ current, asked }: Board[number], offset: number) {
  return asked.map((_, index) => {
    const local = new Date((current + index * hour + offset * hour) * 1_000)
    return { index, hour: local.getUTCHours(), weekday: local.getUTCDay() }
  })
}

test('the board shows for each SKU of a market maker hours that differ, and one day that is scarce', async () => {
  const { tokens } = await loadWorld(server, 'busy_market')
  const rows = await readBoard(tokens.acme as string)
  assert.equal(rows.length, 5)
  for (const row of rows) {
    const { alias, asked, offered } = row
    assert.ok(asked.every(Boolean), alias)
    assert.ok(new Set(asked).size >= 40, `${alias}: ${new Set(asked).size} prices`)
    const hours = localHours(row, alias.endsWith('west') ? -8 : 1)
    const mean = (wanted: (one: (typeof hours)[number]) => boolean, of: readonly unknown[] = asked) => {
      const found = hours.filter(wanted).map(({ index }) => Number(of[index]))
      return found.reduce((sum, one) => sum + one, 0) / found.length
    }
    const isWork = ({ hour }: { hour: number }) => hour >= 8 && hour < 18
    const night = mean((one) => one.hour < 6 && one.weekday % 6 !== 0)
    const work = mean((one) => isWork(one) && [1, 3, 4].includes(one.weekday))
    const sunday = mean((one) => isWork(one) && one.weekday === 0)
    const tuesday = mean((one) => isWork(one) && one.weekday === 2)
    assert.ok(night < work && sunday < work && work * 1.1 < tuesday, `${alias}: ${[night, sunday, work, tuesday]}`)
    const isTuesday = (one: { weekday: number }) => one.weekday === 2
    assert.ok(mean(isTuesday, offered) * 2 < mean((one) => !isTuesday(one), offered), alias)
  }
  await assertAuditsPass(server)
})

test('what was traded at night was cheaper too, and the newest trades are near the offers', async () => {
  const { tokens } = await loadWorld(server, 'long_history')
  const [row] = await readBoard(tokens.acme as string)
  assert.ok(row)
  const { traded, asked, current } = row
  const at = traded.flatMap((price, index) => {
    const local = new Date((current + (index - 168 - 8) * hour) * 1_000)
    return price === null ? [] : [{ price: Number(price), hour: local.getUTCHours(), weekday: local.getUTCDay() }]
  })
  assert.ok(at.length >= 80, `${at.length} hours`)
  const mean = (wanted: (one: (typeof at)[number]) => boolean) => {
    const found = at.filter(wanted)
    return found.reduce((sum, { price }) => sum + price, 0) / found.length
  }
  const isWorkday = ({ weekday }: { weekday: number }) => weekday % 6 !== 0
  const night = mean((one) => one.hour < 4 && isWorkday(one))
  const work = mean((one) => one.hour >= 8 && one.hour < 14 && isWorkday(one))
  assert.ok(night * 1.1 < work, `${night} and ${work}`)
  const ratio = Number(at.at(-1)?.price) / Number(asked[0])
  assert.ok(ratio > 0.93 && ratio < 1.05, `${ratio}`)
})

test('a market maker says and sets its weather; without it every hour is offered alike', async () => {
  const { ids, tokens } = await loadWorld(server, 'quickstart')
  const sku = ids.sku as 'sku_'
  const makers = async () => (await server.call('list_market_makers')).data.find((maker) => maker.sku.id === sku)
  const found = await makers()
  assert.equal(found?.weather, true)
  const { forecast } = found
  assert.deepEqual(forecast?.utc_offset_minutes, -480)
  // The Tuesday after this Friday, in the zone of the region.
  const tuesday = Date.UTC(2026, 11, 1, 8) / 1_000
  assert.deepEqual([forecast.scarce_start_at, forecast.scarce_end_at], [tuesday, tuesday + day])
  assert.ok(forecast.supplier_fails_at > friday + day && forecast.supplier_arrives_at < friday + 4 * day)
  const change = async (weather: boolean) => {
    const changed = await server.call('update_market_maker', { params: { sku }, body: { weather } })
    await server.settle()
    return changed
  }
  const hours = async () => (await readBoard(tokens.acme as string)).find(({ alias }) => alias === 'h100-west')?.asked
  const off = await change(false)
  assert.deepEqual([off.weather, off.forecast], [false, null])
  assert.equal(new Set((await hours())?.slice(0, 10)).size, 1)
  const on = await change(true)
  assert.equal(on.weather, true)
  assert.ok(new Set(await hours()).size >= 40)
  // Weather that goes on keeps its events.
  await server.advance(hour)
  assert.deepEqual((await change(true)).forecast, on.forecast)
  const { id } = await server.call('create_sku', { body: { num_vcpus: 8 } })
  const body = { sku: id, base_price_dollars_per_node_hour: '2', weather: false, node_count: 1 }
  const { weather } = await server.call('create_market_maker', { body })
  assert.equal(weather, false)
})

test('the offers of the supplier that fails vanish; what it sold stays sold', async () => {
  const { ids, tokens } = await loadWorld(server, 'quickstart')
  const token = tokens.acme as string
  const sku = ids.sku as 'sku_'
  const offered = async (at: number) => {
    const [row] = (await readBoard(token)).filter(({ alias }) => alias === 'h100-west')
    assert.ok(row)
    return row.offered[(at - row.current) / hour] as number
  }
  const { forecast } = (await server.call('list_market_makers')).data.find((one) => one.sku.id === sku) ?? {}
  assert.ok(forecast)
  // Sunday noon in the zone of the region.
  const sunday = Date.UTC(2026, 10, 29, 20) / 1_000
  const usual = await offered(sunday)
  const window = { start_at: sunday, end_at: sunday + hour, node_count: usual }
  const body = { pool: ids.pool_market as 'pool_', sku, side: 'buy', allocation_schedule_delta: [window] } as const
  const bought = await server.call('create_order', {
    token,
    body: { ...body, limit_price_dollars_per_node_hour: '30.00' },
  })
  assert.equal(bought.state, 'filled')
  const later = sunday + 4 * hour
  const before = await offered(later)
  await server.advance(forecast.supplier_fails_at - friday + hour)
  assert.equal(await offered(later), before - 2)
  const { allocation_schedule } = await server.call('get_pool', { params: { id: ids.pool_market as 'pool_' }, token })
  const kept = allocation_schedule.total.filter(({ start_at }) => start_at === sunday)
  assert.deepEqual(
    kept.map(({ node_count }) => node_count),
    [usual],
  )
  await assertAuditsPass(server)
})

test('the same seed gives the same market; at another hour the same ids and people with other prices', async () => {
  const read = async (from: TestServer, seed: number) => {
    const world = await loadWorld(from, 'busy_market', { seed })
    const { 'customer /preview/v2/users': users } = await readWorld(from, world)
    await from.advance(1_200)
    const query = { sku: world.ids.sku_h100_west as 'sku_', limit: 200 }
    const { data } = await from.call('list_price_history', { query })
    return { ids: world.ids, users, prices: data.map(({ total_dollars }) => total_dollars) }
  }
  const first = await read(server, 5)
  assert.deepEqual(await read(server, 5), first)
  assert.notDeepEqual((await read(server, 6)).prices, first.prices)
  const evening = await read(await serverAt(friday + 9 * hour), 5)
  assert.notDeepEqual(evening.prices, first.prices)
  // However many orders its market makers place.
  assert.deepEqual([evening.ids, evening.users], [first.ids, first.users])
})

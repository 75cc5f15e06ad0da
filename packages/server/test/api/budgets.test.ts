import assert from 'node:assert/strict'
import { test } from 'vitest'
import { assertAuditsPass } from '../support/audit.ts'
import { makeMarket, type Party } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const path = '/preview/v2/billing/budgets'
const rests = { allow_standing: true, allow_partial: true }
const ask = { ...rests, side: 'sell' as const }

const create = ({ token }: { token: string }, body: object) =>
  server.call('create_budget', { token, body: { period: 'month', amount_dollars: '10', ...body } })
const read = ({ token }: { token: string }, { id }: { id: string }) =>
  server.call('get_budget', { params: { id }, token })
const change = ({ token }: { token: string }, { id }: { id: string }, body: object) =>
  server.call('update_budget', { params: { id }, token, body })

/** The number of threshold events of an account. */
async function announced({ token }: { token: string }): Promise<number> {
  const { data } = await server.call('list_events', {
    query: { limit: 200, action: 'budget.threshold_reached' },
    token,
  })
  for (const { actor, targets } of data) assert.deepEqual([actor.type, targets[0].type], ['system', 'budget'])
  return data.length
}

async function refusal({ token }: { token: string }, method: string, where: string, body?: object) {
  const { status, body: response } = await server.request(method as 'POST', where, { token, ...(body && { body }) })
  const { code = response?.error?.type, field } = response?.error?.details?.[0] ?? {}
  return [status, code, field]
}

test('create_budget, get_budget, list_budgets: what is spent and held counts, from before too', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await market.order(seller, { ...ask, nodes: 1 })
  await market.order(buyer, { nodes: 1 })
  await market.order(buyer, { ...rests, nodes: 1 })
  const budget = await create(buyer, { name: 'all' })
  const { now } = await server.call('get_clock')
  const [year, month] = [new Date(now * 1000).getUTCFullYear(), new Date(now * 1000).getUTCMonth()]
  const { id, forecast_dollars, created_at, updated_at, ...shown } = budget
  assert.deepEqual(shown, {
    object: 'budget',
    name: 'all',
    workspace: null,
    period: 'month',
    amount_dollars: '10.000000',
    thresholds_percent: [50, 80, 100],
    threshold_basis: 'actual',
    reached_percent: [],
    hard_stop: false,
    spent_dollars: '1.200000',
    held_dollars: '1.200000',
    period_start: Date.UTC(year, month, 1) / 1000,
    period_end: Date.UTC(year, month + 1, 1) / 1000,
  })
  assert.ok(Number(forecast_dollars) >= 2.4)
  await market.order(seller, { ...ask, nodes: 2 })
  await market.order(buyer, { nodes: 1 })
  const later = await read(buyer, budget)
  assert.deepEqual([later.spent_dollars, later.held_dollars], ['3.600000', '0.000000'])
  // The forecast falls with every second.
  const [listed] = (await server.call('list_budgets', { token: buyer.token })).data
  assert.deepEqual({ ...listed, forecast_dollars: '' }, { ...later, forecast_dollars: '' })
  await assertAuditsPass(server)
})

test('a budget of a workspace counts only its orders, and ends with it', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const { token } = buyer
  const workspace = (await server.call('create_workspace', { token, body: { name: 'research' } })).id
  const pool = (await server.call('create_pool', { token, body: { workspace } })).id
  const budget = await create(buyer, {
    workspace: `svc:workspace:${buyer.id}:research`,
    hard_stop: true,
    amount_dollars: '1.2',
  })
  assert.equal(budget.workspace, workspace)
  await market.order(seller, { ...ask, nodes: 4 })
  await market.order(buyer, { nodes: 1 })
  assert.equal((await read(buyer, budget)).spent_dollars, '0.000000')
  const other: Party = { ...buyer, pool }
  assert.deepEqual((await market.refused(other, { nodes: 2 })).status, 402)
  await market.order(other, { nodes: 1 })
  assert.equal((await read(buyer, budget)).spent_dollars, '1.200000')
  assert.equal((await server.call('list_budgets', { query: { workspace }, token })).data.length, 1)
  const { workspace_id } = await server.account()
  assert.deepEqual(
    await refusal(buyer, 'POST', path, { period: 'day', amount_dollars: '1', workspace: workspace_id }),
    [422, 'reference_not_found', 'workspace'],
  )
  const empty = (await server.call('create_workspace', { token, body: {} })).id
  const ends = await create(buyer, { workspace: empty })
  await server.call('delete_workspace', { params: { id: empty }, token })
  assert.deepEqual(await refusal(buyer, 'GET', `${path}/${ends.id}`), [404, 'not_found', undefined])
  await assertAuditsPass(server)
})

test('a hard stop refuses buys beyond the amount, until update_budget or delete_budget', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const budget = await create(buyer, { period: 'total', amount_dollars: '2.4', hard_stop: true, name: 'cap' })
  assert.deepEqual([budget.forecast_dollars, budget.period_start, budget.period_end], [null, null, null])
  const first = await market.order(buyer, { ...rests, nodes: 1 })
  const refused = await market.refused(buyer, { ...rests, nodes: 1, price: '1.200001' })
  assert.deepEqual([refused.status, refused.code], [402, 'payment_required'])
  assert.match(refused.message, /needs \$1\.200001, and the budget cap has \$1\.200000 left/)
  const second = await market.order(buyer, { ...rests, nodes: 1 })
  assert.equal((await market.refused(buyer, { nodes: 1, minutes: 1, price: '0.000001' })).status, 402)
  assert.equal(await market.cancel(buyer, first), 204)
  assert.equal((await read(buyer, budget)).held_dollars, '1.200000')
  await market.order(seller, { ...ask, nodes: 1, price: '0.6' })
  assert.equal((await market.read(buyer, second)).state, 'filled')
  await change(buyer, budget, { hard_stop: false })
  assert.equal((await market.order(buyer, { ...rests, nodes: 4 })).state, 'standing')
  const over = await change(buyer, budget, { hard_stop: true, amount_dollars: '0.000001', name: null })
  assert.deepEqual([over.hard_stop, over.amount_dollars, over.name], [true, '0.000001', null])
  const late = await market.refused(buyer, { ...rests, nodes: 1 })
  assert.ok(late.message.includes(`budget ${budget.id} has $0.00 left`))
  assert.deepEqual(await refusal(buyer, 'DELETE', `${path}/${budget.id}`), [204, undefined, undefined])
  assert.equal((await market.order(buyer, { ...rests, nodes: 1 })).state, 'standing')
  await assertAuditsPass(server)
})

test('each threshold is announced once in a period, and again in the next', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(8), await market.buyer()]
  const budget = await create(buyer, { period: 'day', amount_dollars: '2.4', thresholds_percent: [25, 50, 100, 150] })
  const tomorrow = market.start + 2 * 86_400
  await market.order(seller, { ...ask, nodes: 8, start_at: tomorrow })
  const buy = () => market.order(buyer, { nodes: 1, start_at: tomorrow })
  await buy()
  assert.deepEqual((await read(buyer, budget)).reached_percent, [25, 50])
  assert.equal(await announced(buyer), 2)
  await buy()
  assert.equal(await announced(buyer), 3)
  await change(buyer, budget, { amount_dollars: '4.8' })
  await buy()
  assert.equal(await announced(buyer), 3)
  await change(buyer, budget, { thresholds_percent: [60, 70] })
  assert.equal(await announced(buyer), 5)
  const { period_end } = await read(buyer, budget)
  await server.call('advance_clock', { body: { to: period_end } })
  const next = await read(buyer, budget)
  assert.deepEqual([next.spent_dollars, next.reached_percent, next.period_start], ['0.000000', [], period_end])
  assert.equal(await announced(buyer), 5)
  for (let n = 0; n < 3; n += 1) await buy()
  assert.equal(await announced(buyer), 7)
  await assertAuditsPass(server)
})

test('a threshold of a forecast is announced before the money is spent', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(8), await market.buyer()]
  const budget = await create(buyer, {
    period: 'day',
    amount_dollars: '1.8',
    thresholds_percent: [100],
    threshold_basis: 'forecast',
  })
  const { period_end } = budget
  await server.call('advance_clock', { body: { to: period_end } })
  const start_at = period_end + 2 * 86_400
  await market.order(seller, { ...ask, nodes: 8, start_at })
  await market.order(buyer, { nodes: 1, start_at })
  assert.equal(await announced(buyer), 0)
  await server.advance(120)
  assert.equal(await announced(buyer), 1)
  const shown = await read(buyer, budget)
  assert.deepEqual([shown.spent_dollars, shown.reached_percent], ['1.200000', [100]])
  assert.ok(Number(shown.forecast_dollars) > 1.8)
  await market.order(buyer, { nodes: 1, start_at })
  await server.advance(120)
  assert.equal(await announced(buyer), 1)
  await assertAuditsPass(server)
})

test('a procurement stops at a budget, says so, and buys on in the next period', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(8), await market.buyer()]
  const { token } = buyer
  const budget = await create(buyer, { period: 'day', amount_dollars: '0.000001', hard_stop: true })
  // Three hours before the end of a day: each minute with a resting offer costs a step of its book.
  for (const to of [budget.period_end, budget.period_end + 21 * 3600]) {
    await server.call('advance_clock', { body: { to } })
  }
  const { now } = await server.call('get_clock')
  await market.order(seller, { ...ask, nodes: 8, start_at: now - (now % 60) + 120, minutes: 300, price: '0.6' })
  const body = {
    pool: buyer.pool,
    sku: market.sku,
    target: 1,
    managed_window_minutes: 60,
    min_sell_price_dollars_per_node_hour: '9',
    max_buy_price_dollars_per_node_hour: '1.2',
  }
  const { id } = await server.call('create_procurement', { token, body })
  const status = async () => (await server.call('get_procurement', { params: { id }, token })).status
  await server.settle()
  const stopped = await status()
  assert.deepEqual([stopped.state, stopped.code], ['error', 'budget_exhausted'])
  assert.match(stopped.message, /the budget bdgt_\S+ has \$0\.000001 left/)
  await change(buyer, budget, { amount_dollars: '100' })
  await server.settle()
  assert.notEqual((await status()).code, 'budget_exhausted')
  const { spent_dollars } = await read(buyer, budget)
  assert.ok(Number(spent_dollars) > 0)
  // Enough for the first hour of a day, at the maximum price.
  await change(buyer, budget, { amount_dollars: '1.2' })
  await server.advance(7200)
  assert.equal((await status()).code, 'budget_exhausted')
  const { period_end } = await read(buyer, budget)
  await server.call('advance_clock', { body: { to: period_end } })
  await server.settle()
  assert.notEqual((await status()).code, 'budget_exhausted')
  assert.ok(Number((await read(buyer, budget)).spent_dollars) > 0)
  await assertAuditsPass(server)
})

test('invalid budgets are refused with code and field', async () => {
  const account = await server.account()
  const body = { period: 'month', amount_dollars: '10' }
  for (const [changes, ...wanted] of [
    [{ amount_dollars: '0' }, 400, 'out_of_range', 'amount_dollars'],
    [{ amount_dollars: '0.000000' }, 400, 'out_of_range', 'amount_dollars'],
    [{ amount_dollars: '-1' }, 400, 'invalid_format', 'amount_dollars'],
    [{ amount_dollars: '1.0000001' }, 400, 'invalid_format', 'amount_dollars'],
    [{ amount_dollars: undefined }, 400, 'required', 'amount_dollars'],
    [{ period: 'week' }, 400, 'invalid_value', 'period'],
    [{ thresholds_percent: [] }, 400, 'required', 'thresholds_percent'],
    [{ thresholds_percent: [0] }, 400, 'out_of_range', 'thresholds_percent.0'],
    [{ thresholds_percent: [1001] }, 400, 'out_of_range', 'thresholds_percent.0'],
    [{ thresholds_percent: [50, 100, 80] }, 400, 'invalid_value', 'thresholds_percent.2'],
    [{ thresholds_percent: [50, 50] }, 400, 'invalid_value', 'thresholds_percent.1'],
    [{ thresholds_percent: Array.from({ length: 11 }, (_, n) => n + 1) }, 400, 'too_many', 'thresholds_percent'],
    [{ threshold_basis: 'guess' }, 400, 'invalid_value', 'threshold_basis'],
    [{ period: 'total', threshold_basis: 'forecast' }, 422, 'not_applicable', 'threshold_basis'],
    [{ workspace: 'wksp_000000000000000000000' }, 422, 'reference_not_found', 'workspace'],
    [{ name: '' }, 400, 'invalid_format', 'name'],
    [{ colour: 'red' }, 400, 'unknown_field', 'colour'],
  ] as const) {
    assert.deepEqual(await refusal(account, 'POST', path, { ...body, ...changes }), wanted, JSON.stringify(changes))
  }
  const budget = await create(account, {})
  for (const [changes, ...wanted] of [
    [{ period: 'day' }, 400, 'unknown_field', 'period'],
    [{ workspace: null }, 400, 'unknown_field', 'workspace'],
    [{ amount_dollars: '0' }, 400, 'out_of_range', 'amount_dollars'],
    [{ thresholds_percent: [90, 80] }, 400, 'invalid_value', 'thresholds_percent.1'],
  ] as const) {
    assert.deepEqual(await refusal(account, 'PATCH', `${path}/${budget.id}`, changes), wanted, JSON.stringify(changes))
  }
  const stranger = await server.account()
  for (const [method, sent] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
    assert.deepEqual(
      await refusal(stranger, method, `${path}/${budget.id}`, sent),
      [404, 'not_found', undefined],
      method,
    )
  }
  await server.call('put_account_limit', { params: { account: account.id, name: 'budgets' }, body: { value: 1 } })
  assert.deepEqual((await refusal(account, 'POST', path, body)).slice(0, 2), [422, 'limit_exceeded'])
  await server.call('delete_budget', { params: { id: budget.id }, token: account.token })
  assert.equal((await server.attempt('create_budget', { token: account.token, body })).status, 201)
})

test('put_balance_threshold: a balance that falls to it is announced once, again after it has risen', async () => {
  const market = await makeMarket(server, {})
  const buyer = await market.buyer('10.000000')
  const { token } = buyer
  const put = (low_at_dollars: string | null) =>
    server.call('put_balance_threshold', { token, body: { low_at_dollars } })
  const lows = async () => {
    const { data } = await server.call('list_events', { query: { action: 'account.balance_low' }, token })
    for (const { actor, targets } of data) {
      assert.deepEqual([actor, targets], [{ type: 'system' }, [{ type: 'account', id: buyer.id }]])
    }
    return data.length
  }
  const set = await put('5')
  assert.deepEqual([set.low_at_dollars, set.is_low, await lows()], ['5.000000', false, 0])
  const hold = (dollars: string) => market.order(buyer, { ...rests, nodes: 1, price: dollars })
  const first = await hold('4.9')
  assert.equal(await lows(), 0)
  const second = await hold('0.1')
  const low = await server.call('get_balance', { token })
  assert.deepEqual([low.available_dollars, low.is_low, await lows()], ['5.000000', true, 1])
  await market.cancel(buyer, second)
  await hold('0.2')
  assert.equal(await lows(), 1)
  await market.cancel(buyer, first)
  assert.equal((await server.call('get_balance', { token })).is_low, false)
  const posted = { type: 'adjustment' as const, amount_dollars: '-5.00', description: 'As agreed.' }
  await server.call('create_account_transaction', { params: { account: buyer.id }, body: posted })
  assert.equal(await lows(), 2)
  assert.deepEqual([(await put(null)).low_at_dollars, (await put(null)).is_low], [null, false])
  assert.equal((await put('9')).is_low, true)
  assert.equal(await lows(), 3)
  const { available_dollars } = await server.call('get_balance', { token })
  assert.equal(available_dollars, '4.800000')
  assert.equal((await put('9.00')).is_low, true)
  assert.equal(await lows(), 3, 'the threshold has not changed')
  assert.equal((await put('10')).is_low, true)
  assert.equal(await lows(), 4, 'a threshold that is raised while the balance is low is reached')
  assert.equal((await put('4.7')).is_low, false, 'a threshold below the amount ends the state')
  await hold('0.1')
  assert.equal(await lows(), 5)
  assert.deepEqual(await refusal(buyer, 'PUT', '/preview/v2/billing/balance_threshold', { low_at_dollars: '0.00' }), [
    400,
    'out_of_range',
    'low_at_dollars',
  ])
  await assertAuditsPass(server)
})

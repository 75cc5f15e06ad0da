import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

function post(account: string, body: object, headers: Record<string, string> = {}) {
  return server.attempt('create_account_transaction', { params: { account }, body, headers })
}

const grant = { type: 'credit_grant', amount_dollars: '100.500000', description: 'Welcome.' }

test('create_account_transaction posts money that get_balance and list_transactions show', async () => {
  const { id, token } = await server.account()
  const posted = await post(id, grant)
  assert.equal(posted.status, 201)
  assert.equal(posted.body.amount_dollars, '100.500000')
  assert.equal(posted.body.balance_after_dollars, '100.500000')
  const balance = await server.call('get_balance', { token })
  assert.equal(balance.available_dollars, '100.500000')
  assert.equal(balance.held_dollars, '0.000000')
  const list = await server.call('list_transactions', { token })
  assert.deepEqual(list.data, [posted.body])
  const seen = await server.call('list_account_transactions', { params: { account: id } })
  assert.deepEqual(seen.data, [posted.body])
  const stranger = await server.account()
  const foreign = await server.call('list_transactions', { token: stranger.token })
  assert.deepEqual(foreign.data, [])
  assert.deepEqual((await server.call('list_account_transactions', { params: { account: stranger.id } })).data, [])
})

test('without BOURSE_DUAL_CONTROL_DOLLARS one operator posts any amount', async () => {
  const { id } = await server.account()
  assert.equal((await post(id, { ...grant, amount_dollars: '99999999999.00' })).status, 201)
})

test('list_account_transactions and list_transactions filter by type and time', async () => {
  const { id, token } = await server.account()
  await post(id, grant)
  await post(id, { ...grant, type: 'refund', amount_dollars: '1.000000' })
  const refunds = await server.call('list_transactions', { query: { type: ['refund'] }, token })
  assert.deepEqual(
    refunds.data.map(({ type }) => type),
    ['refund'],
  )
  const future = await server.call('list_transactions', { query: { created_after: 99999999999 }, token })
  assert.deepEqual(future.data, [])
  const past = await server.call('list_account_transactions', { params: { account: id }, query: { created_before: 1 } })
  assert.deepEqual(past.data, [])
  const [{ id: refund, created_at }] = refunds.data
  for (const [filter, shown] of [
    [`created_before=${created_at}&created_after=${created_at}`, [refund]],
    [`created_before=${created_at - 1}`, []],
    [`created_after=${created_at + 1}`, []],
  ] as const) {
    const { data } = await server.call('list_transactions', { query: `type=refund&${filter}`, token })
    assert.deepEqual(
      data.map(({ id }) => id),
      shown,
      filter,
    )
  }
})

test('an amount of zero, of too many digits or of the wrong shape is refused with its field', async () => {
  const { id } = await server.account()
  for (const [amount_dollars, code] of [
    ['0.000000', 'out_of_range'],
    ['1.0000001', 'invalid_format'],
    ['12.', 'invalid_format'],
    ['999999999999999999.000000', 'too_long'],
  ]) {
    const { status, body } = await post(id, { ...grant, amount_dollars })
    assert.equal(status, 400, amount_dollars)
    assert.equal(body.error.details[0].field, 'amount_dollars')
    assert.ok(
      body.error.details.some((detail) => detail.code === code || code === 'too_long'),
      amount_dollars,
    )
  }
})

test('amounts may be whole dollars', async () => {
  const { id } = await server.account()
  const params = { account: id }
  const posted = await post(id, { ...grant, amount_dollars: '500' })
  assert.deepEqual([posted.status, posted.body.amount_dollars], [201, '500.000000'])
  const limit = await server.call('put_credit_limit', { params, body: { credit_limit_dollars: '20' } })
  assert.deepEqual([limit.credit_limit_dollars, limit.available_dollars], ['20.000000', '520.000000'])
  const body = { type: 'credit_grant', amount_dollars: '250', description: 'Welcome.' } as const
  const asked = await server.call('create_pending_credit', { params, body })
  assert.equal(asked.amount_dollars, '250.000000')
})

test('a debit beyond the balance and the credit limit is refused', async () => {
  const { id, token } = await server.account()
  const take = { type: 'adjustment', amount_dollars: '-5.000000', description: 'Correction.' }
  const refused = await post(id, take)
  assert.equal(refused.status, 422)
  assert.equal(refused.body.error.details[0].code, 'insufficient_funds')
  const limit = await server.call('put_credit_limit', {
    params: { account: id },
    body: { credit_limit_dollars: '5.000000' },
  })
  assert.equal(limit.available_dollars, '5.000000')
  assert.equal((await post(id, take)).status, 201)
  const balance = await server.call('get_balance', { token })
  assert.equal(balance.total_dollars, '-5.000000')
  assert.equal(balance.available_dollars, '0.000000')
})

test('put_credit_limit below the used credit is refused', async () => {
  const { id } = await server.account()
  await server.call('put_credit_limit', { params: { account: id }, body: { credit_limit_dollars: '5.000000' } })
  await post(id, { type: 'adjustment', amount_dollars: '-5.000000', description: 'Correction.' })
  const { status, body } = await server.attempt('put_credit_limit', {
    params: { account: id },
    body: { credit_limit_dollars: '4.999999' },
  })
  assert.equal(status, 422)
  assert.equal(body.error.details[0].code, 'insufficient_funds')
})

test('an idempotency key posts one transaction', async () => {
  const { id, token } = await server.account()
  const headers = { 'idempotency-key': 'once' }
  const [first, second] = [await post(id, grant, headers), await post(id, grant, headers)]
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  const balance = await server.call('get_balance', { token })
  assert.equal(balance.total_dollars, '100.500000')
})

test('list_holds is empty without open orders, and billing needs its right', async () => {
  const { token } = await server.account()
  assert.deepEqual((await server.call('list_holds', { token })).data, [])
  const made = await server.call('create_token', { token, body: { roles: ['role_operator'] } })
  for (const path of ['balance', 'transactions', 'holds']) {
    const { status } = await server.request('GET', `/preview/v2/billing/${path}`, { token: made.token })
    assert.ok([403, 404].includes(status), path)
  }
})

test('a posting to an unknown account is 404, and billing administration is 404 for customers', async () => {
  const { id, token } = await server.account()
  assert.equal((await post('nobody-here', grant)).status, 404)
  const paths = [`/preview/v2/admin/accounts/${id}/transactions`]
  for (const path of paths) assert.equal((await server.request('GET', path, { token })).status, 404)
})

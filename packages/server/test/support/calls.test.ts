import assert from 'node:assert/strict'
import { test } from 'vitest'
import { callsBy, type TestRequest } from './calls.ts'

type SentCall = readonly [method: string, path: string, options: TestRequest | undefined]

/** Calls that reach no server, and what they have sent. */
function recorded(status = 200, body: unknown = {}) {
  const sent: SentCall[] = []
  const calls = callsBy(async (...request) => {
    sent.push(request as unknown as SentCall)
    return { status, body, headers: new Headers(), text: JSON.stringify(body) }
  })
  return { ...calls, sent }
}

test('a call sends the method and path of its operation, with encoded parameters', async () => {
  const { call, sent } = recorded()
  await call('get_pool', { params: { id: 'svc:pool:a b/c' }, token: 't' })
  assert.deepEqual(sent, [['GET', '/v2/pools/svc%3Apool%3Aa%20b%2Fc', { token: 't' }]])
})

test('a list in a query is a repeated parameter, undefined is left out, and text is sent as it is', async () => {
  const { attempt, sent } = recorded()
  for (const query of [{ id: ['a', 'b'], limit: 2, starting_after: undefined }, 'limit=x&&', '?limit=2', '', {}])
    await attempt('list_orders', { query })
  const queries = ['?id=a&id=b&limit=2', '?limit=x&&', '?limit=2', '', '']
  assert.deepEqual(
    sent.map(([, path]) => path),
    queries.map((query) => `/v2/orders${query}`),
  )
})

test('a call throws unless it succeeds, with the operation and the answer; an attempt returns the answer', async () => {
  const { call, attempt } = recorded(409, { error: { type: 'conflict' } })
  await assert.rejects(call('get_clock'), /^Error: get_clock returned 409: .*conflict/)
  assert.equal((await attempt('get_clock')).body.error.type, 'conflict')
})

test('a call without a parameter of its path is refused', async () => {
  const { attempt, sent } = recorded()
  await assert.rejects(attempt('get_pool'), /get_pool needs the parameter id of its path/)
  assert.deepEqual(sent, [])
})

test('input and results have the types of the contract', async () => {
  const { call } = recorded(200, { data: [{ id: 'ordr_1' }] })
  // @ts-expect-error There is no such operation.
  await assert.rejects(call('get_nothing'))
  // @ts-expect-error The side of an order is buy or sell.
  await call('list_orders', { query: { side: 'both' } })
  const { data } = await call('list_orders', { query: { side: 'buy' } })
  assert.equal(data[0].id, 'ordr_1')
  // @ts-expect-error An order has no such member.
  assert.equal(data[0].price, undefined)
})

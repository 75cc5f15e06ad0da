import assert from 'node:assert/strict'
import { test } from 'vitest'
import { scriptOf } from './script.rules.ts'

test('writes become calls, and what they made is used by later ones', () => {
  const { text, count } = scriptOf([
    { method: 'GET', path: '/v2/pools', body: undefined, status: 200 },
    { method: 'POST', path: '/v2/pools', body: '{"name":"night"}', status: 201, made: 'pool_1' },
    { method: 'POST', path: '/preview/v2/order_estimates', body: '{}', status: 200 },
    {
      method: 'POST',
      path: '/v2/instances',
      body: '{"pool":"pool_1","tags":{"a-b":"c"}}',
      status: 201,
      made: 'inst_1',
    },
    { method: 'POST', path: '/v2/instances/inst_1/terminate', body: undefined, status: 200, made: 'inst_1' },
    { method: 'PATCH', path: '/v2/pools/pool_9', body: '{"name":null}', status: 422 },
    { method: 'PUT', path: '/sandbox/clock/rate', body: '{"rate":60}', status: 200 },
  ])
  assert.equal(count, 4)
  assert.deepEqual(text.split('\n').slice(4, -2), [
    '  const client = createClient()',
    '  const pool1 = await client.pools.create({ name: "night" })',
    '  const instance2 = await client.instances.create({ pool: pool1.id, tags: { "a-b": "c" } })',
    '  await client.instances.terminate(instance2.id)',
    '  await client.clock.setRate({ rate: 60 })',
  ])
})

test('texts of others stay texts', () => {
  const name = ['`"; process.exit() //$', '{1}\u2028'].join('')
  const { text } = scriptOf([{ method: 'POST', path: '/v2/pools', body: JSON.stringify({ name }), status: 201 }])
  const [, given = ''] = /pools\.create\(\{ name: ([\s\S]*?) \}\)\n/.exec(text) ?? []
  assert.equal(JSON.parse(given), name)
})

test('without writes there is no step', () => {
  assert.equal(scriptOf([]).count, 0)
  assert.equal(scriptOf([{ method: 'DELETE', path: '/unknown', body: undefined, status: 204 }]).count, 0)
})

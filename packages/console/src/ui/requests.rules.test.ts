import assert from 'node:assert/strict'
import { test } from 'vitest'
import { asCli, asCurl, asSdk } from './requests.rules.ts'

test('options without a value are left out', () => {
  const command = asCli('orders create', {
    side: 'buy',
    nodes: 2,
    limit: undefined,
    'all-or-nothing': true,
    sku: 'a b',
  })
  assert.equal(command, "bourse orders create --side buy --nodes 2 --all-or-nothing --sku 'a b'")
})

test('curl has the method, the token and the body', () => {
  assert.equal(
    asCurl({ method: 'GET', path: '/v2/skus?limit=2' }, 'http://127.0.0.1:8080'),
    `curl 'http://127.0.0.1:8080/v2/skus?limit=2' \\\n  -H "Authorization: Bearer $BOURSE_API_TOKEN"`,
  )
  const line = asCurl({ method: 'POST', path: '/v2/pools', body: { name: "it's" } }, 'http://h')
  assert.ok(line.startsWith('curl -X POST http://h/v2/pools'))
  assert.ok(line.endsWith(`-d '{"name":"it'\\''s"}'`))
  const [erase, csi] = [127, 155].map((code) => String.fromCharCode(code))
  const name = `${erase}${csi}`
  assert.ok(asCurl({ method: 'POST', path: '/v2/pools', body: { name } }, 'http://h').endsWith('"\\u007f\\u009b"}\''))
  assert.equal(asSdk('pools.create', { name }), 'await client.pools.create({\n  name: "\\u007f\\u009b"\n})')
})

test('the SDK gets its input as an object', () => {
  assert.equal(asSdk('pools.create', { name: 'a' }), 'await client.pools.create({\n  name: "a"\n})')
  assert.equal(asSdk('account.get'), 'await client.account.get()')
})

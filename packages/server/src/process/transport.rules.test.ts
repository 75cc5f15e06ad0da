import assert from 'node:assert/strict'
import { test } from 'vitest'
import { transportHeaders } from './transport.rules.ts'

test('only a host that is reached by https tells browsers to use nothing else', () => {
  const header = ['Strict-Transport-Security', 'max-age=600']
  for (const public_url of ['https://market.example', 'https://market.example:8443/base', 'HTTPS://203.0.113.1']) {
    assert.deepEqual(transportHeaders({ public_url, hsts_seconds: 600 }), header, public_url)
    assert.deepEqual(transportHeaders({ public_url, hsts_seconds: 0 }), [], public_url)
    assert.deepEqual(transportHeaders({ public_url }), [], public_url)
  }
  const others = ['http://market.example', 'https://localhost', 'https://127.0.0.1:8080', 'https://[::1]', 'none']
  for (const public_url of [...others, undefined]) {
    assert.deepEqual(transportHeaders({ public_url, hsts_seconds: 600 }), [], public_url)
  }
})

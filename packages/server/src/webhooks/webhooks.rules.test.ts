import assert from 'node:assert/strict'
import { test } from 'vitest'
import { mayBePublicHost } from '../core/egress/public-address.ts'
import { refuseUrl, stateOf } from './webhooks.rules.ts'

const isPublicHost = mayBePublicHost
const codeOf = (url: string, is_public_only: boolean) => refuseUrl(url, { is_public_only, isPublicHost })?.code

test('production takes https URLs that may be public, a sandbox any http URL', () => {
  for (const url of [
    'https://example.com',
    'https://example.com:8443/a?b=c',
    'https://8.8.8.8/',
    'HTTPS://EXAMPLE.COM',
  ]) {
    assert.equal(codeOf(url, true), undefined, url)
  }
  const refused = [
    'http://example.com',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://[::1]/',
  ]
  for (const url of [...refused, 'https://localhost/', 'https://10.1/', 'https://[::ffff:10.0.0.1]/', 'https://db/']) {
    assert.equal(codeOf(url, true), 'address_not_allowed', url)
    assert.equal(codeOf(url, false), undefined, url)
  }
  for (const url of ['', 'x', 'ftp://example.com', 'https://u@example.com', 'https://example.com/#a', 'javascript:1']) {
    assert.equal(codeOf(url, true), 'invalid_format', url)
    assert.equal(codeOf(url, false), 'invalid_format', url)
  }
})

test('the state follows from health', () => {
  assert.equal(stateOf({ enabled: true, is_failing: false }), 'active')
  assert.equal(stateOf({ enabled: true, is_failing: true }), 'failing')
  assert.equal(stateOf({ enabled: false, is_failing: true }), 'disabled')
})

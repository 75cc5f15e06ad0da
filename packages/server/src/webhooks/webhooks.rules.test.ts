import assert from 'node:assert/strict'
import { test } from 'vitest'
import { mayBePublicHost } from '../core/egress/public-address.ts'
import { matchesFilters, refuseFilters, refuseUrl, stateOf } from './webhooks.rules.ts'

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

test('filters have known entries, each once', () => {
  assert.equal(
    refuseFilters({ actions: ['order.*', 'order.filled', 'webhook.failing'], target_types: ['order'] }),
    undefined,
  )
  assert.deepEqual(refuseFilters({ actions: ['order.*', 'orders.*'] })?.field, 'actions.1')
  assert.deepEqual(refuseFilters({ target_types: ['order', 'pool'] })?.field, 'target_types.1')
  assert.deepEqual(refuseFilters({ targets: ['a', 'b', 'a'] })?.code, 'duplicate_entry')
})

test('an event matches if every filter that is not empty matches', () => {
  const event = { action: 'order.filled', target_type: 'order', target_id: 'ordr_1' }
  const none = { actions: [], target_types: [], targets: [] }
  for (const [filters, expected] of [
    [{}, true],
    [{ actions: ['order.filled'] }, true],
    [{ actions: ['instance.*', 'order.*'] }, true],
    [{ actions: ['order.fill'] }, false],
    [{ actions: ['orde.*'] }, false],
    [{ target_types: ['image'] }, false],
    [{ targets: ['ordr_2', 'ordr_1'] }, true],
    [{ actions: ['order.*'], targets: ['ordr_2'] }, false],
  ] as const) {
    assert.equal(matchesFilters({ ...none, ...filters }, event), expected, JSON.stringify(filters))
  }
})

test('the state follows from health', () => {
  assert.equal(stateOf({ enabled: true, is_failing: false }), 'active')
  assert.equal(stateOf({ enabled: true, is_failing: true }), 'failing')
  assert.equal(stateOf({ enabled: false, is_failing: true }), 'disabled')
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { canonicalEmail } from './emails.rules.ts'

test('an address has one form, however its characters are written', () => {
  for (const [typed, stored] of [
    ['ada@example.com', 'ada@example.com'],
    ['Ada@Example.COM', 'Ada@example.com'],
    ['ju\u0308rgen@exa\u0308mple.de', 'jürgen@exämple.de'],
    ['jürgen@xn--exmple-cua.de', 'jürgen@exämple.de'],
    ['ada@ＥＸＡＭＰＬＥ.com', 'ada@example.com'],
    ['ada@[192.0.2.1', 'ada@[192.0.2.1'],
    ['ada@[IPv6:2001:DB8::1]', 'ada@[ipv6:2001:db8::1]'],
    ['ADA', 'ADA'],
  ] as const) {
    assert.equal(canonicalEmail(typed), stored)
    assert.equal(canonicalEmail(stored), stored)
  }
})

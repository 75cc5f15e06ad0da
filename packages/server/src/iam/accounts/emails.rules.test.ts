import assert from 'node:assert/strict'
import { test } from 'vitest'
import { canonicalEmail, formsOfEmail } from './emails.rules.ts'

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

test('an address whose domain a URL would read as another one stays as it is, in lower case', () => {
  for (const [typed, stored] of [
    ['ada@good.example/Evil', 'ada@good.example/evil'],
    ['cy@corp.example?x', 'cy@corp.example?x'],
    ['cy@corp.example#x', 'cy@corp.example#x'],
    ['dd@corp.example\\x', 'dd@corp.example\\x'],
    ['a@a%41b.c', 'a@a%41b.c'],
    ['a@corp.example:25', 'a@corp.example:25'],
    ['a@\u2100.example', 'a@\u2100.example'],
    ['bo@1', 'bo@1'],
    ['bo@１', 'bo@１'],
    ['a@0x7F.1', 'a@0x7f.1'],
    ['a@corp.0x', 'a@corp.0x'],
    ['a@192.0.2.01.', 'a@192.0.2.01.'],
    ['a@my_host.EXAMPLE', 'a@my_host.example'],
  ] as const) {
    assert.equal(canonicalEmail(typed), stored)
    assert.equal(canonicalEmail(stored), stored)
  }
})

test('digits, hyphens and marks are parts of a domain, and a full stop of other scripts is one', () => {
  for (const [typed, stored] of [
    ['a@1.Example', 'a@1.example'],
    ['a@0x7f.example', 'a@0x7f.example'],
    ['a@my-HOST.example.', 'a@my-host.example.'],
    ['a@例子。广告', 'a@例子.广告'],
    ['a@xn--i1b6b1a6a2e.example', 'a@संगठन.example'],
    ['a@संगठन.example', 'a@संगठन.example'],
  ] as const) {
    assert.equal(canonicalEmail(typed), stored)
    assert.equal(canonicalEmail(stored), stored)
  }
})

test('an address is looked for in each form that an earlier program has stored', () => {
  assert.deepEqual(formsOfEmail('ada@example.com'), ['ada@example.com'])
  assert.deepEqual(formsOfEmail('ada@EXAMPLE.com'), ['ada@example.com', 'ada@EXAMPLE.com'])
  const [unicode, punycode] = ['ada@exämple.de', 'ada@xn--exmple-cua.de']
  assert.deepEqual(formsOfEmail(unicode), [unicode, punycode])
  assert.deepEqual(formsOfEmail(punycode), [unicode, punycode])
  assert.deepEqual(formsOfEmail('bo@1'), ['bo@1'])
})

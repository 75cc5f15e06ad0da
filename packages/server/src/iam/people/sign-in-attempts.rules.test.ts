import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import {
  isSameText,
  isSinceBegin,
  providerSeconds,
  readReturn,
  readReturnTo,
  returnText,
} from './sign-in-attempts.rules.ts'

test('only a path of this server is gone to after a sign-in', () => {
  for (const path of ['/', '/console/orders?state=open#top', '/device?user_code=BDFG-HJKL', '/a/../b', '/%2F%2Fevil']) {
    assert.ok(readReturnTo(path), path)
  }
  for (const text of [
    '',
    null,
    undefined,
    'console',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/ /evil.example',
    'javascript:alert(1)',
    '/a\\b',
    '/\u0000',
    '/ä',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    `/${'a'.repeat(512)}`,
    '//[',
  ]) {
    assert.equal(readReturnTo(text), undefined, JSON.stringify(text))
  }
})

test('a path has at most 512 characters', () => {
  const longest = `/${'a'.repeat(511)}`
  assert.equal(readReturnTo(longest), longest)
})

test('whatever is accepted stays on the host that shows it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('/', '\\', '.', '%', '2', 'f', 'e', ':', '@', '?', '#', '\t') }),
      (text) => {
        const path = readReturnTo(text)
        if (path === undefined) return
        assert.equal(new URL(path, 'https://market.example').origin, 'https://market.example')
        assert.equal(readReturnTo(path), path)
      },
    ),
    { numRuns: sized(2000) },
  )
})

test('a browser brings back what it was given, and nothing else is read', () => {
  for (const given of [
    { return_to: '/console/', is_step_up: false },
    { return_to: '/console/?a=b', is_step_up: true },
    { return_to: undefined, is_step_up: true },
  ]) {
    assert.deepEqual(readReturn(returnText(given)), given)
  }
  assert.equal(returnText({ return_to: undefined, is_step_up: false }), undefined)
  assert.equal(returnText({ return_to: undefined, is_step_up: true }), '1')
  const nothing = { return_to: undefined, is_step_up: false }
  for (const text of [
    undefined,
    '',
    '2',
    'x',
    `0${Buffer.from('//evil.example').toString('base64url')}`,
    `0${'A'.repeat(701)}`,
    `x0${Buffer.from('/console/').toString('base64url')}`,
    `1${Buffer.from('/console/').toString('base64url')}!`,
  ]) {
    assert.deepEqual(readReturn(text), nothing, text)
  }
})

test('texts are the same or not', () => {
  assert.equal(isSameText('abc', 'abc'), true)
  assert.equal(isSameText('abc', 'abd'), false)
  assert.equal(isSameText('abc', 'ab'), false)
})

test('a sign-in at a provider is new if it was after its begin, less a minute for the clock of the provider', () => {
  const attempt = { expires_at: 10_000 + providerSeconds }
  for (const [at, isNew] of [
    [10_000, true],
    [9_940, true],
    [9_939, false],
    [0, false],
    [10_500, true],
  ] as const) {
    assert.equal(isSinceBegin(attempt, at), isNew, String(at))
  }
})

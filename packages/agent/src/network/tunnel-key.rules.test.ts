import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type KeyState, knownMilliseconds, nextKeyStep, type TunnelDeclaration } from './tunnel-key.rules.ts'

const own: TunnelDeclaration = { public_key: 'a', next_public_key: null, port: 14_792 }
const changing = { ...own, next_public_key: 'b' }
const stepOf = (changes: Partial<KeyState>) =>
  nextKeyStep({ own, known: own, known_since: undefined, now: 0, age_seconds: 0, change_every_seconds: 60, ...changes })

test('a host declares its keys until the server tells its peers exactly these', () => {
  assert.equal(stepOf({}), undefined)
  for (const known of [null, { ...own, public_key: 'b' }, { ...own, port: 1 }, changing]) {
    assert.equal(stepOf({ known }), 'declare')
    // Also when its key is old: a change begins with keys that are known.
    assert.equal(stepOf({ known, age_seconds: 60 }), 'declare')
  }
})

test('a key is changed when it is old, and a next one is used once peers have had time to learn it', () => {
  assert.equal(stepOf({ age_seconds: 59 }), undefined)
  assert.equal(stepOf({ age_seconds: 60 }), 'make_next')
  assert.equal(stepOf({ age_seconds: 1e9, change_every_seconds: 0 }), undefined)
  assert.equal(stepOf({ own: changing, known: own, known_since: -1e9 }), 'declare')
  const known = { own: changing, known: changing, age_seconds: 1e9 }
  assert.equal(stepOf({ ...known, known_since: undefined, now: 1e9 }), undefined)
  assert.equal(stepOf({ ...known, known_since: 5, now: knownMilliseconds + 4 }), undefined)
  assert.equal(stepOf({ ...known, known_since: 5, now: knownMilliseconds + 5 }), 'use_next')
})

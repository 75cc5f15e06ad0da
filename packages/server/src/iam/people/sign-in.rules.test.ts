import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  linkCodeText,
  linkSeconds,
  linksMax,
  linksToEnd,
  readLinkCode,
  sessionEnd,
  sessionsMax,
  sessionsToEnd,
} from './sign-in.rules.ts'

const now = 1_800_000_000
const hour = 3600
const day = 24 * hour
const session = (n: number, fields: object = {}) => ({
  id: `tokn_${n}`,
  user_id: 'usr_1',
  expires_at: now + day,
  last_used_at: now,
  created_at: now - day,
  ...fields,
})

test('a session ends after its time, or with the token that it descends from', () => {
  assert.equal(sessionEnd('browser', null, now), now + 12 * hour)
  assert.equal(sessionEnd('program', null, now), now + 30 * day)
  assert.equal(sessionEnd('browser', now + hour, now), now + hour)
  assert.equal(sessionEnd('browser', now + 13 * hour, now), now + 12 * hour)
})

test('a further session ends those that are over, and the oldest of too many', () => {
  const few = [session(1), session(2, { expires_at: now }), session(3, { last_used_at: now - 8 * day })]
  assert.deepEqual(sessionsToEnd(few, now), ['tokn_2', 'tokn_3'])
  const many = Array.from({ length: sessionsMax + 1 }, (_, n) => session(n))
  assert.deepEqual(sessionsToEnd(many, now), ['tokn_0', 'tokn_1'])
  assert.deepEqual(sessionsToEnd(many.slice(2), now), [])
  const over = session(99, { expires_at: now })
  assert.deepEqual(sessionsToEnd([...many.slice(2), over], now), ['tokn_99'])
})

test('a further link ends the oldest of too many', () => {
  const links = Array.from({ length: linksMax }, (_, n) => ({ id: String(n) }))
  assert.deepEqual(linksToEnd(links), ['0'])
  assert.deepEqual(linksToEnd(links.slice(1)), [])
})

test('only the text of a link is read as one', () => {
  const text = linkCodeText({ id: 'a'.repeat(22), secret: Buffer.alloc(32, 7) })
  assert.deepEqual(readLinkCode(text), { id: 'a'.repeat(22), secret: Buffer.alloc(32, 7) })
  assert.equal(linkSeconds, 900)
  for (const wrong of [
    '',
    '.',
    `A${text}`,
    text.slice(1),
    text.slice(0, -1),
    `${text}A`,
    text.replace('.', '/'),
    `${text}\n`,
  ]) {
    assert.equal(readLinkCode(wrong), undefined, JSON.stringify(wrong))
  }
})

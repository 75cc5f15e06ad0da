import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { ancestorsOf, lastingOriginOf, noOrigin, openersOf, originOf, sessionIdOf } from './origins.rules.ts'

const [a, b, c] = ['tokn_a', 'tokn_b', 'tokn_c'] as unknown as [Id<'token'>, Id<'token'>, Id<'token'>]
const session = {
  kind: 'session' as const,
  id: c,
  expires_at: 100,
  ends_by: 200,
  first_session_id: null,
  opened_by_token_id: a,
  made_in_sessions: [b],
  let_in_by: ['usr_h'],
}

test('what a session makes names it after those that led to it, and keeps its token and bound', () => {
  assert.deepEqual(originOf(session), {
    ends_by: 200,
    opened_by_token_id: a,
    made_in_sessions: [b, c],
    let_in_by: ['usr_h'],
  })
  assert.deepEqual(originOf({ ...session, made_in_sessions: null }).made_in_sessions, [c])
  assert.deepEqual(originOf({ ...session, first_session_id: a }).made_in_sessions, [b, a])
})

test('what a service token makes descends from the token alone, and what the system makes from nothing', () => {
  const service = { ...session, kind: 'service' as const, ends_by: null, opened_by_token_id: null }
  assert.deepEqual(originOf(service), {
    ends_by: 100,
    opened_by_token_id: c,
    made_in_sessions: null,
    let_in_by: ['usr_h'],
  })
  const none = { opened_by_token_id: null, made_in_sessions: null, let_in_by: null }
  assert.deepEqual(originOf(undefined), { ends_by: null, ...none })
  assert.deepEqual(lastingOriginOf(noOrigin), none)
})

test('a session that replaces another one goes by the id of the first', () => {
  assert.equal(sessionIdOf(session), c)
  assert.equal(sessionIdOf({ ...session, first_session_id: a }), a)
})

test('a new session names only open ones, and not itself', () => {
  assert.deepEqual(ancestorsOf([a, b, c], { open: [c, a], own: null }), [a, c])
  assert.deepEqual(ancestorsOf([a, b], { open: [a, b], own: b }), [a])
  assert.equal(ancestorsOf([b], { open: [b], own: b }), null)
  assert.equal(ancestorsOf(null, { open: [], own: null }), null)
})

test('whoever makes a link for somebody else lets them in, and so does whoever let that one in', () => {
  const user_id = 'usr_u'
  assert.deepEqual(openersOf(['usr_h'], { maker: 'usr_a', user_id }), ['usr_a', 'usr_h'])
  assert.deepEqual(openersOf(['usr_a'], { maker: 'usr_a', user_id }), ['usr_a'])
  assert.deepEqual(openersOf(['usr_h', 'usr_u'], { maker: 'usr_u', user_id }), ['usr_h'])
  assert.equal(openersOf(null, { maker: 'usr_u', user_id }), null)
  assert.equal(openersOf(null, { maker: undefined, user_id }), null)
})

test('people who let each other in, over and over, are named once', () => {
  const people = ['usr_a', 'usr_b', 'usr_c']
  let let_in_by: readonly string[] | null = null
  for (let turn = 0; turn < 12; turn++) {
    const [maker, user_id] = [people[turn % 3] as string, people[(turn + 1) % 3] as string]
    let_in_by = openersOf(let_in_by, { maker, user_id })
    assert.ok(let_in_by && !let_in_by.includes(user_id))
    assert.ok(let_in_by.length <= 2, `${let_in_by}`)
  }
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isSamePrincipal, type LineageRow, lineageFrom } from './lineage.rules.ts'

const token = (id: string, user: string | null = null): LineageRow => ({
  id,
  user_id: null,
  created_by_user_id: user,
  let_in_by: null,
})
const session = (id: string, user: string, let_in_by: string[] | null = null): LineageRow => ({
  id,
  user_id: user,
  created_by_user_id: user,
  let_in_by,
})
const of = (...rows: [LineageRow, ...LineageRow[]]) =>
  lineageFrom({ token_id: rows[0].id, user_id: rows[0].user_id }, rows)

const root = token('tokn_root')
const one = of(token('tokn_one'), root)
const two = of(token('tokn_two'), root)
const ada = of(session('tokn_ada', 'usr_ada'), root)
const adaElsewhere = of(session('tokn_ada2', 'usr_ada'))
const bob = of(session('tokn_bob', 'usr_bob'), root)
const adasToken = of(token('tokn_made', 'usr_ada'), root)
const fromAdasToken = of(token('tokn_below'), token('tokn_made', 'usr_ada'), root)

test('the same token, sessions of one user, and ancestors and descendants are one principal', () => {
  for (const [first, second] of [
    [one, one],
    [ada, adaElsewhere],
    [of(root), one],
    [of(root), ada],
    [ada, adasToken],
    [ada, fromAdasToken],
    [adasToken, fromAdasToken],
    [adasToken, of(token('tokn_other', 'usr_ada'), root)],
  ] as const) {
    assert.equal(isSamePrincipal(first, second), true, `${first.token_id} ${second.token_id}`)
    assert.equal(isSamePrincipal(second, first), true, `${second.token_id} ${first.token_id}`)
  }
})

test('two users, and two tokens of which neither descends from the other, are two', () => {
  for (const [first, second] of [
    [one, two],
    [ada, bob],
    [ada, one],
    [adasToken, bob],
    [fromAdasToken, two],
  ] as const) {
    assert.equal(isSamePrincipal(first, second), false, `${first.token_id} ${second.token_id}`)
    assert.equal(isSamePrincipal(second, first), false, `${second.token_id} ${first.token_id}`)
  }
})

test('a user and whoever made the links that led to its session are one, and so are two whom one user let in', () => {
  const eve = of(session('tokn_eve', 'usr_eve', ['usr_ada']))
  const evesToken = of({ ...token('tokn_evil', 'usr_eve'), let_in_by: ['usr_ada'] })
  const carl = of(session('tokn_carl', 'usr_carl', ['usr_ada']))
  const first = of(session('tokn_first', 'usr_first', ['tokn_root']), root)
  const second = of(session('tokn_second', 'usr_second', ['tokn_root']), root)
  for (const pair of [
    [ada, eve],
    [ada, evesToken],
    [eve, carl],
    [evesToken, carl],
    [of(root), first],
  ] as const) {
    assert.equal(isSamePrincipal(...pair), true, `${pair[0].token_id} ${pair[1].token_id}`)
    assert.equal(isSamePrincipal(pair[1], pair[0]), true, `${pair[1].token_id} ${pair[0].token_id}`)
  }
  for (const pair of [
    [bob, eve],
    [first, second],
  ] as const) {
    assert.equal(isSamePrincipal(...pair), false, `${pair[0].token_id} ${pair[1].token_id}`)
  }
})

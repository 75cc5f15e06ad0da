import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isSamePrincipal, type LineageRow, lineageFrom } from './lineage.rules.ts'

const token = (id: string, user: string | null = null): LineageRow => ({ id, user_id: null, created_by_user_id: user })
const session = (id: string, user: string): LineageRow => ({ id, user_id: user, created_by_user_id: user })
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

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { checkOf } from '../../core/base/validate.ts'
import { entry, readProviderSettings, shownProviders } from './provider-settings.rules.ts'

const check = checkOf(entry)
const one = { name: 'dex', issuer: 'https://dex.example', client_id: 'bourse', account: 'acme' }

function problemOf(...providers: unknown[]): string {
  const outcome = readProviderSettings(JSON.stringify({ providers }), check)
  return 'problem' in outcome ? outcome.problem : ''
}

function outcomeOf(...providers: unknown[]) {
  const outcome = readProviderSettings(JSON.stringify({ providers }), check)
  assert.ok('providers' in outcome)
  return outcome.providers
}

test('a file of providers is read, with what it leaves out', () => {
  const outcome = readProviderSettings(JSON.stringify({ providers: [one] }), check)
  assert.ok('providers' in outcome)
  assert.deepEqual(outcome.providers, [
    {
      ...one,
      client_secret_file: undefined,
      scopes: ['openid', 'email', 'profile'],
      auto_provision: false,
      listed: true,
      default_role: undefined,
      group_claim: undefined,
      group_roles: new Map(),
    },
  ])
  const groups = { group_claim: 'groups', group_roles: { a: ['admin'], b: ['role_viewer', 'svc:workspace:acme:b'] } }
  const more = readProviderSettings(JSON.stringify({ providers: [{ ...one, ...groups, scopes: ['groups'] }] }), check)
  assert.ok('providers' in more)
  assert.deepEqual(more.providers[0]?.scopes, ['openid', 'groups'])
  assert.deepEqual(more.providers[0]?.group_roles.get('b'), { role: 'role_viewer', workspace: 'svc:workspace:acme:b' })
  assert.equal(more.providers[0]?.group_roles.get('a')?.role, 'role_admin')
})

test('a provider that is not listed is shown to who names it, and to who is signed in at its account', () => {
  const outcome = readProviderSettings(
    JSON.stringify({ providers: [one, { ...one, name: 'own', listed: false }] }),
    check,
  )
  assert.ok('providers' in outcome)
  const shown = (named: string | undefined, account_id?: string) =>
    shownProviders(outcome.providers, { named, account_id }).map(({ name }) => name)
  assert.deepEqual(shown(undefined), ['dex'])
  assert.deepEqual(shown('other', 'zeta'), ['dex'])
  assert.deepEqual(shown('own'), ['dex', 'own'])
  assert.deepEqual(shown(undefined, 'acme'), ['dex', 'own'])
})

test('a file that is wrong is refused with what to change', () => {
  const problemOfText = (json: string) => {
    const outcome = readProviderSettings(json, check)
    return 'problem' in outcome ? outcome.problem : ''
  }
  for (const json of ['', '{']) assert.match(problemOfText(json), /^It is not JSON/, json)
  for (const json of ['[]', '{}', 'null', '{"providers":{}}', '{"providers":[],"x":1}']) {
    assert.match(problemOfText(json), /^It must be an object with the member `providers`/, json)
  }
  assert.equal(problemOf(...Array.from({ length: 20 }, (_, n) => ({ ...one, name: `p${n}` }))), '')
  assert.match(problemOf({ ...one, name: 7 }), /^Provider 1: name: /)
  assert.match(problemOf([one]), /^Provider 1: it must be an object/)
  assert.match(problemOf(one, one), /Two providers have the name dex/)
  assert.match(problemOf(...Array.from({ length: 21 }, (_, n) => ({ ...one, name: `p${n}` }))), /more than 20/)
  assert.match(problemOf({ ...one, name: 'No Name' }), /^The provider No Name: name: /)
  assert.match(problemOf({ ...one, client_id: undefined }), /client_id/)
  assert.match(problemOf({ ...one, client_secret: 'x' }), /client_secret/)
  assert.match(problemOf(7), /^Provider 1: it must be an object/)
  assert.match(problemOf({ ...one, issuer: 'http://dex.example' }), /http URL of another machine/)
  for (const issuer of ['dex.example', 'ftp://dex.example', 'https://dex.example?a=b', 'https://a:b@dex.example']) {
    assert.match(problemOf({ ...one, issuer }), /must be an https URL/, issuer)
  }
  for (const issuer of ['http://127.0.0.1:5556/dex', 'http://localhost:5556', 'https://dex.example/realms/a']) {
    assert.equal(problemOf({ ...one, issuer }), '', issuer)
  }
})

test('roles and workspaces of a file are built-in ones, ids or paths', () => {
  for (const role of ['boss', 'role_boss', 'svc:workspace:acme:a', '']) {
    assert.match(problemOf({ ...one, default_role: role }), /role/, role)
    assert.match(problemOf({ ...one, group_claim: 'g', group_roles: { a: [role] } }), /role/, role)
  }
  for (const role of ['admin', 'role_trader', `role_${'a'.repeat(21)}`, 'svc:role:acme:runner']) {
    assert.equal(problemOf({ ...one, default_role: role }), '', role)
  }
  for (const wrong of [[], ['admin', 7], ['admin', 'a', 'b'], 'admin', ['admin', 'research'], 7]) {
    assert.match(problemOf({ ...one, group_claim: 'g', group_roles: { a: wrong } }), /group_roles\.a/, String(wrong))
  }
  assert.match(problemOf({ ...one, group_roles: { a: ['admin'] } }), /needs group_claim/)
  assert.match(problemOf({ ...one, group_claim: 'g', group_roles: [] }), /must be an object/)
  for (const wrong of [[], [7], ['admin', 7], ['admin', 'a', 'b'], ['admin', undefined, 'b'], 'admin', 7]) {
    const problem = problemOf({ ...one, group_claim: 'g', group_roles: { a: wrong } })
    assert.equal(problem.includes('must be a list of a role'), true, `${wrong}: ${problem}`)
  }
  const groups = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`g${n}`, ['admin']]))
  assert.equal(problemOf({ ...one, group_claim: 'g', group_roles: groups(200) }), '')
  assert.match(problemOf({ ...one, group_claim: 'g', group_roles: groups(201) }), /more than 200 groups/)
  const [read] = outcomeOf({ ...one, default_role: 'admin', scopes: [] })
  assert.deepEqual([read?.default_role, read?.scopes], ['role_admin', ['openid', 'email', 'profile']])
})

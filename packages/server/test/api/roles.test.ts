import assert from 'node:assert/strict'
import { createRole, deleteRole, getRole, listRoles, updateRole } from '@bourse/api/iam/roles.ts'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeToken } from '../support/access.ts'
import type { CallBody } from '../support/calls.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/roles'

function policyOf(actions: object) {
  return { api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] } as CallBody<'create_role'>['policy']
}

function make(name: string, actions: object = { pool: ['read'] }) {
  return server.call('create_role', { token, body: { name, policy: policyOf(actions) } })
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [createRole, deleteRole, getRole, listRoles, updateRole])
})

test('a list has the built-in roles first, then custom roles, newest first', async () => {
  const account = await server.account()
  for (const name of ['old', 'new']) {
    await server.call('create_role', { token: account.token, body: { name, policy: policyOf({ pool: ['read'] }) } })
  }
  const names = ['admin', 'operator', 'trader', 'viewer', 'billing', 'new', 'old']
  const { data } = await server.call('list_roles', { token: account.token })
  assert.deepEqual(
    data.map(({ name }) => name),
    names,
  )
  assert.deepEqual([data[0].role_type, data.at(5).role_type], ['built_in', 'custom'])
  const paged: string[] = []
  let query = 'limit=2'
  for (;;) {
    const page = await server.call('list_roles', { query, token: account.token })
    paged.push(...page.data.map(({ name }) => name))
    if (!page.has_more) break
    query = `limit=2&starting_after=${page.cursor}`
  }
  assert.deepEqual(paged, names)
})

test('roles are filtered by id and path, including built-in ones', async () => {
  const own = await make('filtered')
  const query = `id=${own.id}&id=role_viewer&id=svc:role:${account.id}:admin&id=role_none&id=svc:role:${account.id}:x`
  const { data, cursor } = await server.call('list_roles', { query, token })
  assert.deepEqual(
    data.map(({ id }) => id),
    ['role_admin', 'role_viewer', own.id],
  )
  const reused = await server.attempt('list_roles', { query: { starting_after: cursor }, token })
  assert.deepEqual([reused.status, codeOf(reused)], [400, 'invalid_cursor'])
  const both = await server.attempt('list_roles', {
    query: `${query}&starting_after=${cursor}&ending_before=${cursor}`,
    token,
  })
  assert.deepEqual([both.status, codeOf(both)], [422, 'mutually_exclusive'])
})

test('a role is read by id and by path', async () => {
  const role = await make('reader')
  assert.deepEqual(role, {
    object: 'role',
    id: role.id,
    resource_path: `svc:role:${account.id}:reader`,
    name: 'reader',
    role_type: 'custom',
    policy: policyOf({ pool: ['read'] }),
    created_at: role.created_at,
    updated_at: role.created_at,
  })
  for (const ref of [role.id, role.resource_path]) {
    assert.deepEqual(await server.call('get_role', { params: { id: ref }, token }), role)
  }
  const builtIn = await server.call('get_role', { params: { id: `svc:role:${account.id}:trader` }, token })
  assert.deepEqual([builtIn.id, builtIn.role_type], ['role_trader', 'built_in'])
  const stranger = await server.account()
  for (const ref of [role.id, role.resource_path, `svc:role:${account.id}:admin`, 'role_absent']) {
    assert.equal((await server.attempt('get_role', { params: { id: ref }, token: stranger.token })).status, 404, ref)
  }
})

test('role names are unique, and those of built-in roles are reserved', async () => {
  await make('once')
  for (const name of ['once', 'admin', 'viewer']) {
    const response = await server.attempt('create_role', {
      token,
      body: { name, policy: policyOf({ pool: ['read'] }) },
    })
    assert.deepEqual([response.status, codeOf(response)], [409, 'name_taken'], name)
  }
  const other = await make('other')
  for (const name of ['once', 'billing']) {
    const response = await server.attempt('update_role', { params: { id: other.id }, token, body: { name } })
    assert.deepEqual([response.status, codeOf(response)], [409, 'name_taken'], name)
  }
})

test('every error in a policy is invalid_policy', async () => {
  const role = await make('judged')
  for (const policy of [
    { api_version: 'roles/v2', rules: [{ effect: 'allow', actions: { pool: ['read'] } }] },
    { api_version: 'roles/v1', rules: [] },
    { api_version: 'roles/v1', rules: [{ effect: 'deny', actions: { pool: ['read'] } }] },
    policyOf({}),
    policyOf({ pool: [] }),
    policyOf({ pools: ['read'] }),
    policyOf({ pool: ['look'] }),
    policyOf({ pool: 'read' }),
    { ...policyOf({ pool: ['read'] }), more: 1 },
    { ...policyOf({ pool: ['read'] }), description: 'x'.repeat(256) },
    'all',
  ]) {
    for (const [method, target] of [
      ['POST', path],
      ['PUT', `${path}/${role.id}`],
    ] as const) {
      const response = await server.request(method, target, { token, body: { name: 'wrong', policy } })
      assert.deepEqual([response.status, codeOf(response)], [400, 'invalid_policy'], JSON.stringify(policy))
    }
  }
})

test('an idempotency key creates one role', async () => {
  const body = { name: 'keyed', policy: policyOf({ pool: ['read'] }) }
  const headers = { 'Idempotency-Key': 'role-1' }
  const first = await server.attempt('create_role', { token, body, headers })
  const again = await server.attempt('create_role', { token, body, headers })
  assert.deepEqual([again.status, again.body], [201, first.body])
})

test('a change of a role changes the rights of its principals and keeps omitted fields', async () => {
  const role = await make('changing', { workspace: ['read'] })
  const body = { roles: [role.id] }
  const [early, late] = [
    await server.call('create_token', { token, body }),
    await server.call('create_token', { token, body }),
  ]
  const list = async (who: { token: string }) => (await server.attempt('list_workspaces', { token: who.token })).status
  assert.equal(await list(early), 403)
  const policy = policyOf({ workspace: ['list'] })
  const changed = await server.call('update_role', { params: { id: role.id }, token, body: { policy } })
  assert.deepEqual([changed.name, changed.policy], ['changing', policy])
  assert.equal(await list(late), 200)
  const renamed = await server.call('update_role', { params: { id: role.id }, token, body: { name: 'changed' } })
  assert.deepEqual([renamed.name, renamed.policy], ['changed', policy])
  assert.equal((await server.attempt('get_role', { params: { id: role.resource_path }, token })).status, 404)
})

test('a caller cannot write a right that it lacks into a role', async () => {
  const role = await make('raised')
  const author = await makeAccountToken(server, account, { role: ['*'], pool: ['read', 'list'] })
  const write = (method: string, target: string, actions: object) =>
    server.request(method, target, { token: author.token, body: { name: 'theirs', policy: policyOf(actions) } })
  for (const actions of [{ pool: ['delete'] }, { pool: ['*'] }, { '*': ['read'] }, { firewall: ['read'] }]) {
    for (const [method, target] of [
      ['POST', path],
      ['PUT', `${path}/${role.id}`],
    ] as const) {
      const response = await write(method, target, actions)
      assert.equal(response.status, 403, JSON.stringify(actions))
      assert.match(response.body.error.message, /:/)
    }
  }
  assert.equal((await write('POST', path, { pool: ['read'], role: ['*'] })).status, 201)
})

test('a caller cannot write a right that it lacks out of a role', async () => {
  const author = await makeAccountToken(server, account, { role: ['*'], pool: ['read', 'list'] })
  for (const [actions, status] of [
    [{ pool: ['read'], firewall: ['read'] }, 403],
    [{ pool: ['read'] }, 200],
  ] as const) {
    const params = { id: (await make(`narrowed-${status}`, actions)).id }
    const body = { policy: policyOf({ pool: ['list'] }) }
    const narrowed = await server.attempt('update_role', { params, token: author.token, body })
    assert.equal(narrowed.status, status, narrowed.text)
    if (status === 403) {
      assert.match(narrowed.body.error.message, /^The role gives a permission that you do not have: firewall:read/)
    }
    const name = `renamed-${status}`
    assert.equal((await server.attempt('update_role', { params, token: author.token, body: { name } })).status, 200)
  }
})

test('a granted role cannot be deleted; a deletion frees the name of a role', async () => {
  const role = await make('freed', { workspace: ['read'] })
  const body = { roles: [role.id] }
  const holder = await server.call('create_token', { token, body })
  const refused = await server.attempt('delete_role', { params: { id: role.id }, token })
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'in_use'])
  await server.call('delete_token', { params: { id: holder.id }, token })
  assert.equal((await server.attempt('delete_role', { params: { id: role.id }, token })).status, 204)
  assert.equal((await server.attempt('delete_role', { params: { id: role.id }, token })).status, 404)
  assert.equal((await server.attempt('create_token', { token, body })).status, 422)
  await make('freed')
})

test('built-in roles cannot be changed or deleted', async () => {
  for (const [method, body] of [
    ['PUT', { name: 'root' }],
    ['PUT', { policy: policyOf({ pool: ['read'] }) }],
    ['DELETE', undefined],
  ] as const) {
    const response = await server.request(method, `${path}/role_admin`, { token, ...(body ? { body } : {}) })
    assert.deepEqual([response.status, codeOf(response)], [422, 'built_in_role'])
  }
})

test('the limit of roles is enforced', async () => {
  const { id, token } = await server.account()
  await server.call('put_account_limit', { params: { account: id, name: 'roles' }, body: { value: 1 } })
  const ask = (name: string) =>
    server.attempt('create_role', { token, body: { name, policy: policyOf({ pool: ['read'] }) } })
  const first = await ask('a')
  assert.equal(codeOf(await ask('b')), 'limit_exceeded')
  await server.call('delete_role', { params: { id: first.body.id }, token })
  assert.equal((await ask('b')).status, 201)
})

test('each operation on roles needs its right in the whole account', async () => {
  const role = await make('guarded')
  const inWorkspace = await makeToken(server, account, { role: ['*'] })
  const reader = await makeAccountToken(server, account, { role: ['read'] })
  const lister = await makeAccountToken(server, account, { role: ['list'] })
  const ask = async (who: { token: string }, method: string, rest = '', body?: object) =>
    (await server.request(method, `${path}${rest}`, { token: who.token, ...(body ? { body } : {}) })).status
  const wanted = { name: 'never', policy: policyOf({ pool: ['read'] }) }
  assert.equal(await ask(inWorkspace, 'GET'), 403)
  assert.equal(await ask(inWorkspace, 'POST', '', wanted), 403)
  for (const ref of [role.id, 'role_admin']) {
    assert.equal(await ask(inWorkspace, 'GET', `/${ref}`), 404)
    assert.equal(await ask(inWorkspace, 'PUT', `/${ref}`, {}), 404)
    assert.equal(await ask(inWorkspace, 'DELETE', `/${ref}`), 404)
    assert.equal(await ask(reader, 'GET', `/${ref}`), 200)
    assert.equal(await ask(reader, 'PUT', `/${ref}`, {}), 403)
    assert.equal(await ask(reader, 'DELETE', `/${ref}`), 403)
    assert.equal(await ask(lister, 'GET', `/${ref}`), 403)
  }
  assert.equal(await ask(reader, 'GET'), 403)
  assert.equal(await ask(reader, 'POST', '', wanted), 403)
  assert.equal(await ask(lister, 'GET'), 200)
})

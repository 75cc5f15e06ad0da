import assert from 'node:assert/strict'
import { createToken, deleteToken, getToken, listTokens } from '@bourse/api/iam/tokens.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { codeOf, makeAccountToken, makeRole, makeToken } from '../support/access.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/tokens'
const day = 86_400

function make(body: object = {}, by = token) {
  return server.attempt('create_token', { token: by, body })
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [createToken, deleteToken, getToken, listTokens])
})

test('a creation shows the token once, with its stored fields', async () => {
  const made = await make({ name: 'deploy' })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  const { token: secret, ...shown } = made.body
  const me = await server.call('get_account', { token })
  assert.deepEqual(
    { ...shown },
    {
      object: 'token',
      id: shown.id,
      workspace: me.workspace,
      name: 'deploy',
      kind: 'service',
      user: null,
      device: null,
      address: null,
      suffix: secret.slice(-6),
      allowed_cidrs: null,
      resources: null,
      expires_at: shown.created_at + 90 * day,
      last_used_at: null,
      created_at: shown.created_at,
      created_by: { type: 'token', id: me.token.id, name: 'admin' },
    },
  )
  assert.deepEqual(await server.call('get_token', { params: { id: shown.id }, token }), shown)
})

test('a token without roles gets the role viewer in its workspace', async () => {
  const { id, token: secret } = (await make()).body
  const { data } = await server.call('list_grants', { query: { principal_id: [id] }, token })
  assert.deepEqual(
    data.map((grant: { role: { id: string }; workspace: { id: string } }) => [grant.role.id, grant.workspace.id]),
    [['role_viewer', account.workspace_id]],
  )
  assert.equal((await server.attempt('list_workspaces', { token: secret })).status, 200)
  assert.equal((await server.attempt('create_token', { token: secret, body: {} })).status, 403)
})

test('a token gets each role once, in its workspace', async () => {
  const workspace = await server.call('create_workspace', { token, body: { name: 'home' } })
  const roles = ['role_trader', `svc:role:${account.id}:viewer`, 'role_trader']
  const made = await make({ workspace: workspace.resource_path, roles })
  assert.equal(made.body.workspace.id, workspace.id)
  const { data } = await server.call('list_grants', { query: { principal_id: [made.body.id] }, token })
  // Made at one time, so they come in any order.
  const given = data.map((grant: { role: { name: string }; workspace: { id: string } }) => [
    grant.role.name,
    grant.workspace.id,
  ])
  assert.deepEqual(given.sort(), [
    ['trader', workspace.id],
    ['viewer', workspace.id],
  ])
})

test('a token expires at the requested time, at most in five years, or never', async () => {
  const { server: facts } = await server.call('get_account', { token })
  for (const expires_at of [null, facts.now + 600, facts.now + 4 * 365 * day]) {
    assert.equal((await make({ expires_at })).body.expires_at, expires_at)
  }
  for (const expires_at of [0, facts.now - 1, facts.now + 6 * 366 * day]) {
    const response = await make({ expires_at })
    assert.deepEqual([response.status, codeOf(response)], [400, 'out_of_range'])
    assert.equal(response.body.error.details[0].field, 'expires_at')
  }
})

test('a token is accepted until it expires', async () => {
  const { server: facts } = await server.call('get_account', { token })
  const { token: brief } = (await make({ expires_at: facts.now + 3600 })).body
  const { token: unused } = (await make({ expires_at: facts.now + 3600 })).body
  assert.equal((await server.attempt('get_account', { token: brief })).status, 200)
  await server.advance(3601)
  assert.equal((await server.attempt('get_account', { token: unused })).status, 401)
  assert.equal((await server.attempt('get_account', { token: brief })).status, 401)
})

test('a deleted token is refused at once, and its grants and name are deleted', async () => {
  const made = (await make({ name: 'leaving' })).body
  assert.equal((await server.attempt('get_account', { token: made.token })).status, 200)
  const used = async (name: string) => (await server.call('get_limit', { params: { name }, token })).used
  const before = [await used('tokens'), await used('grants')]
  assert.equal((await server.attempt('delete_token', { params: { id: made.id }, token })).status, 204)
  assert.deepEqual(
    [await used('tokens'), await used('grants')],
    before.map((n) => n - 1),
  )
  assert.equal((await server.attempt('get_account', { token: made.token })).status, 401)
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await server.request(method, `${path}/${made.id}`, { token })).status, 404, method)
  }
  const { data } = await server.call('list_grants', { query: { principal_id: [made.id] }, token })
  assert.deepEqual(data, [])
  assert.equal((await make({ name: 'leaving' })).status, 201)
})

test('resources still show a deleted token as their creator', async () => {
  const maker = (await make({ name: 'maker', roles: ['role_admin'] })).body
  const child = (await make({}, maker.token)).body
  await server.call('delete_token', { params: { id: maker.id }, token })
  const { created_by } = await server.call('get_token', { params: { id: child.id }, token })
  assert.deepEqual(created_by, { type: 'token', id: maker.id, name: 'maker' })
})

test('a token may read and delete itself without a right', async () => {
  const { id, token: own } = await makeToken(server, account, { secret: ['read'] })
  assert.equal((await server.call('get_token', { params: { id }, token: own })).id, id)
  const other = (await make()).body
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await server.request(method, `${path}/${other.id}`, { token: own })).status, 404, method)
  }
  assert.equal((await server.attempt('delete_token', { params: { id }, token: own })).status, 204)
})

test('the last admin cannot delete itself', async () => {
  const { token } = await server.account()
  const me = await server.call('get_account', { token })
  const refused = await server.attempt('delete_token', { params: { id: me.token.id }, token })
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'last_admin'])
})

test('a replay returns the same token, but not to a caller that could not create it', async () => {
  const headers = { 'Idempotency-Key': 'token-1' }
  const body = { roles: ['role_admin'] }
  const first = await server.attempt('create_token', { token, body, headers })
  const again = await server.attempt('create_token', { token, body, headers })
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal(again.headers.get('cache-control'), 'no-store')
  const maker = await makeToken(server, account, { token: ['create'], pool: ['read'] })
  const refused = await server.attempt('create_token', { token: maker.token, body, headers })
  assert.equal(refused.status, 403)
  assert.equal(refused.text.includes(first.body.token), false)
  const other = await server.attempt('create_token', { token, body: {}, headers })
  assert.deepEqual([other.status, codeOf(other)], [422, 'idempotency_key_reused'])
})

test('a retry that names everything by its path finds what was created by ids, and the other way round', async () => {
  const roles = await Promise.all(Array.from({ length: 10 }, () => makeRole(server, account, { pool: ['read'] })))
  const shown = await Promise.all(roles.map((id) => server.call('get_role', { token, params: { id } })))
  const byId = { roles, workspace: account.workspace_id }
  const workspace = `svc:workspace:${account.id}:default`
  const byPath = { roles: shown.map(({ resource_path }) => resource_path), workspace }
  for (const [key, sent, again] of [
    ['ids-first', byId, byPath],
    ['paths-first', byPath, byId],
  ] as const) {
    const headers = { 'idempotency-key': key }
    const first = await server.call('create_token', { token, body: sent, headers })
    assert.equal((await server.call('create_token', { token, body: again, headers })).id, first.id)
  }
})

test('a caller cannot create a token with rights that it lacks', async () => {
  const maker = await makeToken(server, account, { token: ['create'], pool: ['read'] })
  const less = await makeRole(server, account, { pool: ['read'] })
  const more = await makeRole(server, account, { pool: ['read', 'list'] })
  assert.equal((await make({ roles: [less] }, maker.token)).status, 201)
  for (const roles of [[more], [less, more], ['role_admin'], undefined]) {
    assert.equal((await make({ roles }, maker.token)).status, 403, String(roles))
  }
})

test('names are unique in a workspace, and unknown references are refused', async () => {
  const stranger = await server.account()
  await make({ name: 'once' })
  for (const [body, status, code, field] of [
    [{ name: 'once' }, 409, 'name_taken', 'name'],
    [{ workspace: stranger.workspace_id }, 422, 'reference_not_found', 'workspace'],
    [{ workspace: 'wksp_absent' }, 422, 'reference_not_found', 'workspace'],
    [{ roles: ['role_viewer', 'role_absent'] }, 422, 'reference_not_found', 'roles.1'],
    [{ roles: [await makeRole(server, stranger, { pool: ['read'] })] }, 422, 'reference_not_found', 'roles.0'],
  ] as const) {
    const response = await make(body)
    assert.deepEqual([response.status, codeOf(response)], [status, code])
    assert.equal(response.body.error.details[0].field, field)
  }
  for (const body of [{ roles: [] }, { roles: Array(11).fill('role_viewer') }, { name: '-x' }, { kind: 'session' }]) {
    assert.equal((await make(body)).status, 400, JSON.stringify(body))
  }
})

test('tokens are listed newest first, by id, workspace and kind', async () => {
  const account = await server.account()
  const { token } = account
  const workspace = await server.call('create_workspace', { token, body: { name: 'w' } })
  const ids: string[] = []
  for (const body of [{}, { workspace: workspace.id }, {}]) ids.push((await make(body, token)).body.id)
  const list = async (query: string) => (await server.call('list_tokens', { query, token })).data.map(({ id }) => id)
  assert.deepEqual((await list('')).slice(0, 3), ids.toReversed())
  assert.deepEqual(await list(`id=${ids[0]}&id=${ids[1]}&id=tokn_absent`), [ids[1], ids[0]])
  assert.deepEqual(await list(`workspace=${workspace.resource_path}`), [ids[1]])
  assert.deepEqual(await list('kind=session'), [])
  assert.deepEqual(await list('workspace=wksp_absent'), [])
  assert.deepEqual(await list(`workspace=${(await server.account()).workspace_id}`), [])
  const { cursor } = await server.call('list_tokens', { query: { limit: 1 }, token })
  assert.deepEqual(await list(`limit=1&starting_after=${cursor}`), [ids[1]])
  const wrong = await server.attempt('list_tokens', { query: { kind: 'service', starting_after: cursor }, token })
  assert.deepEqual([wrong.status, codeOf(wrong)], [400, 'invalid_cursor'])
  const both = await server.attempt('list_tokens', { query: { starting_after: cursor, ending_before: cursor }, token })
  assert.deepEqual([both.status, codeOf(both)], [422, 'mutually_exclusive'])
})

test('each operation needs its own right in the token’s workspace', async () => {
  const workspace = await server.call('create_workspace', { token, body: {} })
  const elsewhere = (await make({ workspace: workspace.id })).body
  const here = (await make()).body
  const reader = await makeToken(server, account, { token: ['read'] })
  const lister = await makeAccountToken(server, account, { token: ['list'] })
  const stranger = await server.account()
  const ask = async (who: { token: string }, method: string, rest = '') =>
    (await server.request(method, path + rest, { token: who.token, ...(method === 'POST' ? { body: {} } : {}) })).status
  assert.equal(await ask(reader, 'GET', `/${here.id}`), 200)
  assert.equal(await ask(reader, 'GET', `/${elsewhere.id}`), 404)
  assert.equal(await ask(reader, 'DELETE', `/${here.id}`), 403)
  assert.equal(await ask(reader, 'GET'), 403)
  assert.equal(await ask(reader, 'POST'), 403)
  assert.equal(await ask(lister, 'GET'), 200)
  assert.equal(await ask(lister, 'GET', `/${here.id}`), 403)
  for (const method of ['GET', 'DELETE']) {
    assert.equal(await ask(stranger, method, `/${here.id}`), 404)
    assert.equal(await ask({ token }, method, '/tokn_absent'), 404)
  }
})

test('the limit of tokens is enforced', async () => {
  const { id, token } = await server.account()
  await server.call('put_account_limit', { params: { account: id, name: 'tokens' }, body: { value: 2 } })
  const second = await make({}, token)
  assert.equal(codeOf(await make({}, token)), 'limit_exceeded')
  await server.call('delete_token', { params: { id: second.body.id }, token })
  assert.equal((await make({}, token)).status, 201)
})

test('the last use of a token is recorded to the minute', async () => {
  const made = (await make()).body
  const { server: facts } = await server.call('get_account', { token: made.token })
  const last_used_at = await eventually(
    'the use of the token is recorded',
    async () => (await server.call('get_token', { params: { id: made.id }, token })).last_used_at,
  )
  assert.equal(last_used_at % 60, 0)
  assert.ok(Math.abs(last_used_at - facts.now) <= 120)
})

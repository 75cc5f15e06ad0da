import assert from 'node:assert/strict'
import { createGrant, deleteGrant, getGrant, listGrants } from '@bourse/api/iam/grants.ts'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeRole, makeToken } from '../support/access.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/grants'
const second = await server.call('create_workspace', { token, body: { name: 'second' } })

function give(principal_id: string, role: string, workspace?: string, by = token) {
  const principal_type = principal_id.startsWith('usr_') ? 'user' : 'token'
  return server.attempt('create_grant', { token: by, body: { principal_type, principal_id, role, workspace } })
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [createGrant, deleteGrant, getGrant, listGrants])
})

test('a grant shows its principal, role, workspace and creator', async () => {
  const holder = await makeToken(server, account, { secret: ['read'] })
  const made = await give(holder.id, 'role_viewer', 'svc:workspace:x'.replace('x', `${account.id}:second`))
  assert.equal(made.status, 201)
  const me = await server.call('get_account', { token })
  assert.deepEqual(
    { ...made.body },
    {
      object: 'grant',
      id: made.body.id,
      principal_type: 'token',
      principal_id: holder.id,
      workspace: { object: 'workspace', id: second.id, name: 'second', resource_path: second.resource_path },
      role: { object: 'role', id: 'role_viewer', name: 'viewer' },
      created_at: made.body.created_at,
      created_by: { type: 'token', id: me.token.id, name: 'admin' },
      provider: null,
    },
  )
  assert.deepEqual(await server.call('get_grant', { params: { id: made.body.id }, token }), made.body)
})

test('a grant without a workspace applies to the whole account', async () => {
  const user = await server.call('create_user', { token, body: { email: 'u@example.com' } })
  const role = await makeRole(server, account, { pool: ['read'] })
  const made = await give(user.id, role)
  assert.deepEqual([made.body.workspace, made.body.principal_type, made.body.role.id], [null, 'user', role])
})

test('a principal has a role once in each scope', async () => {
  const { id } = await makeToken(server, account, { secret: ['read'] })
  for (const workspace of [undefined, account.workspace_id, second.id]) {
    assert.equal((await give(id, 'role_trader', workspace)).status, 201)
    const again = await give(id, 'role_trader', workspace)
    assert.deepEqual([again.status, codeOf(again)], [409, 'grant_exists'])
  }
})

test('a grant with an unknown reference is refused on its field', async () => {
  const stranger = await server.account()
  const theirs = await server.call('get_account', { token: stranger.token })
  const theirRole = await makeRole(server, stranger, { pool: ['read'] })
  const { id } = await makeToken(server, account, { secret: ['read'] })
  for (const [field, response] of [
    ['principal_id', await give('tokn_absent', 'role_viewer')],
    ['principal_id', await give('usr_absent', 'role_viewer')],
    ['principal_id', await give(theirs.token.id, 'role_viewer')],
    ['role', await give(id, 'role_absent')],
    ['role', await give(id, theirRole)],
    ['role', await give(id, `svc:role:${stranger.id}:admin`)],
    ['workspace', await give(id, 'role_viewer', 'wksp_absent')],
    ['workspace', await give(id, 'role_viewer', stranger.workspace_id)],
    ['workspace', await give(id, 'role_viewer', `svc:workspace:${account.id}:absent`)],
  ] as const) {
    assert.deepEqual([response.status, codeOf(response)], [422, 'reference_not_found'], field)
    assert.equal(response.body.error.details[0].field, field)
  }
  const body = { principal_type: 'user', principal_id: id, role: 'role_viewer' }
  assert.equal(codeOf(await server.attempt('create_grant', { token, body })), 'reference_not_found')
})

test('an idempotency key creates one grant', async () => {
  const holder = await makeToken(server, account, { secret: ['read'] })
  const body = { principal_type: 'token', principal_id: holder.id, role: 'role_viewer' }
  const headers = { 'Idempotency-Key': 'grant-1' }
  const first = await server.attempt('create_grant', { token, body, headers })
  const again = await server.attempt('create_grant', { token, body, headers })
  assert.deepEqual([again.status, again.body], [201, first.body])
})

test('a caller cannot grant a right or scope that it lacks', async () => {
  const { id } = await makeToken(server, account, { secret: ['read'] })
  const local = await makeToken(server, account, { grant: ['*'], pool: ['read', 'list'] })
  const poolReader = await makeRole(server, account, { pool: ['read'] })
  const poolWriter = await makeRole(server, account, { pool: ['read', 'write'] })
  assert.equal((await give(id, poolReader, account.workspace_id, local.token)).status, 201)
  assert.equal((await give(id, poolWriter, account.workspace_id, local.token)).status, 403)
  assert.equal((await give(id, 'role_admin', account.workspace_id, local.token)).status, 403)
  assert.equal((await give(id, poolReader, undefined, local.token)).status, 403)
  const elsewhere = await give(id, poolReader, second.id, local.token)
  assert.deepEqual([elsewhere.status, codeOf(elsewhere)], [422, 'reference_not_found'])
  const reader = await makeToken(server, account, { grant: ['read', 'list'], pool: ['*'] })
  assert.equal((await give(id, poolReader, account.workspace_id, reader.token)).status, 403)
})

test('an admin of a workspace can grant admin in it and nowhere else', async () => {
  const { id } = await makeToken(server, account, { secret: ['read'] })
  const admin = await makeToken(server, account, { '*': ['*'] })
  assert.equal((await give(id, 'role_admin', account.workspace_id, admin.token)).status, 201)
  assert.equal((await give(id, 'role_admin', undefined, admin.token)).status, 403)
})

test('grants are listed newest first, by principal, role and workspace', async () => {
  const account = await server.account()
  const { token } = account
  const holder = await makeToken(server, account, { secret: ['read'] })
  const role = await makeRole(server, account, { pool: ['read'] })
  const give = (role: string, workspace?: string) =>
    server.call('create_grant', {
      token,
      body: { principal_type: 'token', principal_id: holder.id, role, ...(workspace ? { workspace } : {}) },
    })
  const grants = [await give(role), await give(role, account.workspace_id), await give('role_viewer')]
  const list = async (query: string): Promise<(string | undefined)[]> => {
    const { data } = await server.call('list_grants', { query, token })
    return data.map(({ id }) => id)
  }
  const ids = grants.map(({ id }) => id).reverse()
  assert.deepEqual((await list(`principal_id=${holder.id}`)).slice(0, 3), ids)
  assert.deepEqual(await list(`role=${role}`), [ids[1], ids[2]])
  assert.equal((await list(`role=svc:role:${account.id}:admin`)).length, 1)
  assert.ok((await list(`workspace=${account.workspace_id}`)).includes(ids[1]))
  assert.ok(!(await list(`workspace=svc:workspace:${account.id}:default`)).includes(ids[0]))
  for (const nothing of ['workspace=wksp_absent', `workspace=${second.id}`, 'role=role_absent', 'principal_id=usr_x']) {
    assert.deepEqual(await list(nothing), [], nothing)
  }
  const { cursor } = await server.call('list_grants', { query: { limit: 1 }, token })
  assert.deepEqual(await list(`limit=1&starting_after=${cursor}`), [ids[1]])
  const wrong = await server.attempt('list_grants', { query: { role, starting_after: cursor }, token })
  assert.deepEqual([wrong.status, codeOf(wrong)], [400, 'invalid_cursor'])
  const both = await server.attempt('list_grants', { query: { starting_after: cursor, ending_before: cursor }, token })
  assert.deepEqual([both.status, codeOf(both)], [422, 'mutually_exclusive'])
})

test('a list contains the caller’s own grants and those that it may list', async () => {
  const blind = await makeToken(server, account, { secret: ['read'] })
  const own = (await server.call('list_grants', { token: blind.token })).data
  assert.deepEqual(
    own.map(({ principal_id }) => principal_id),
    [blind.id],
  )
  assert.equal((await server.attempt('get_grant', { params: { id: own[0].id }, token: blind.token })).status, 200)
  const local = await makeToken(server, account, { grant: ['list'] }, second.id)
  const seen = (await server.call('list_grants', { query: { limit: 200 }, token: local.token })).data
  assert.ok(seen.length > 1)
  for (const { workspace } of seen) assert.equal(workspace?.id, second.id)
})

test('reading and deleting grants needs the right in their scope; otherwise they are 404', async () => {
  const { id } = await makeToken(server, account, { secret: ['read'] })
  const role = await makeRole(server, account, { grant: ['delete'] })
  const here = (await give(id, role, account.workspace_id)).body
  const everywhere = (await give(id, role)).body
  const reader = await makeToken(server, account, { grant: ['read'] })
  const ender = await makeToken(server, account, { grant: ['delete'] })
  const stranger = await server.account()
  const ask = async (who: { token: string }, method: string, grant: { id: string }) =>
    (await server.request(method, `${path}/${grant.id}`, { token: who.token })).status
  assert.equal(await ask(reader, 'GET', here), 200)
  assert.equal(await ask(reader, 'GET', everywhere), 404)
  assert.equal(await ask(ender, 'GET', here), 403)
  assert.equal(await ask(reader, 'DELETE', here), 403)
  assert.equal(await ask(ender, 'DELETE', everywhere), 404)
  for (const method of ['GET', 'DELETE']) {
    assert.equal(await ask(stranger, method, here), 404)
    assert.equal(await ask(stranger, method, everywhere), 404)
    assert.equal(await ask(stranger, method, { id: 'grnt_absent' }), 404)
  }
  assert.equal(await ask(ender, 'DELETE', here), 204)
  assert.equal(await ask({ token }, 'DELETE', here), 404)
  assert.equal(await ask({ token }, 'DELETE', everywhere), 204)
})

test('of two concurrent deletions of the last two admins, one is refused', async () => {
  const account = await server.account()
  const { token } = account
  const other = await server.call('create_token', { token, body: { roles: ['role_admin'] } })
  const body = { principal_type: 'token', principal_id: other.id, role: 'role_admin' } as const
  await server.call('create_grant', { token, body })
  const { data } = await server.call('list_grants', { query: { role: 'role_admin' }, token })
  const admins = data.filter(({ workspace }) => workspace === null)
  assert.equal(admins.length, 2)
  const responses = await Promise.all(
    admins.map(({ id, principal_id }) => {
      const by = principal_id === other.id ? other.token : token
      return server.attempt('delete_grant', { params: { id }, token: by })
    }),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 409])
  assert.equal(codeOf(responses.find(({ status }) => status === 409) as { body: unknown }), 'last_admin')
})

test('an admin whose token has expired does not count as an admin', async () => {
  const account = await server.account()
  const { token } = account
  const me = await server.call('get_account', { token })
  const expires_at = me.server.now + 3600
  const brief = await server.call('create_token', { token, body: { expires_at } })
  const body = { principal_type: 'token', principal_id: brief.id, role: 'role_admin' } as const
  await server.call('create_grant', { token, body })
  await server.advance(3601)
  const refused = await server.attempt('delete_token', { params: { id: me.token.id }, token })
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'last_admin'])
})

test('the limit of grants is enforced', async () => {
  const account = await server.account()
  const { id } = await makeToken(server, account, { secret: ['read'] })
  await server.call('put_account_limit', { params: { account: account.id, name: 'grants' }, body: { value: 3 } })
  const ask = (role: string) =>
    server.attempt('create_grant', { token: account.token, body: { principal_type: 'token', principal_id: id, role } })
  const third = await ask('role_viewer')
  assert.equal(codeOf(await ask('role_trader')), 'limit_exceeded')
  await server.call('delete_grant', { params: { id: third.body.id }, token: account.token })
  assert.equal((await ask('role_trader')).status, 201)
})

test('nobody takes a right, or a scope, that they lack', async () => {
  const user = await server.call('create_user', { token, body: { email: 'held@example.com' } })
  const reads = await makeRole(server, account, { pool: ['read'] })
  const writes = await makeRole(server, account, { pool: ['read', 'write'] })
  const given = async (role: string, workspace?: string) => (await give(user.id, role, workspace)).body.id as string
  const accountWide = await makeAccountToken(server, account, { grant: ['*'], pool: ['read'] })
  const local = await makeToken(server, account, { grant: ['*'], pool: ['read', 'write'] })
  const end = async (id: string, by: { token: string }) =>
    (await server.attempt('delete_grant', { params: { id }, token: by.token })).status
  const [admin, writer, reader] = [await given('role_admin'), await given(writes), await given(reads)]
  assert.equal(await end(admin, accountWide), 403)
  assert.equal(await end(writer, accountWide), 403)
  assert.equal(await end(reader, accountWide), 204)
  assert.equal(await end(await given('role_trader', account.workspace_id), local), 403)
  assert.equal(await end(await given(writes, account.workspace_id), local), 204)
})

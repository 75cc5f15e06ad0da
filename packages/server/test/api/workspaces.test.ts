import assert from 'node:assert/strict'
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '@bourse/api/iam/workspaces.ts'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeRole, makeToken } from '../support/access.ts'
import { makeUser, signIn } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/v2/workspaces'

async function make(name?: string): Promise<{ id: string; resource_path: string; name: string }> {
  return server.call('create_workspace', { token, body: name === undefined ? {} : { name } })
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [createWorkspace, deleteWorkspace, getWorkspace, listWorkspaces, updateWorkspace])
})

test('an account starts with the workspace default', async () => {
  const { data, has_more } = await server.call('list_workspaces', { token: (await server.account()).token })
  assert.deepEqual(
    data.map(({ name }) => name),
    ['default'],
  )
  assert.equal(has_more, false)
})

test('a workspace is read by its id and by its path', async () => {
  const made = await make('lab')
  assert.equal(made.resource_path, `svc:workspace:${account.id}:lab`)
  for (const ref of [made.id, made.resource_path]) {
    assert.deepEqual(await server.call('get_workspace', { params: { id: ref }, token }), made)
  }
})

test('a workspace without a requested name gets a generated one', async () => {
  assert.match((await make()).name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
  assert.match((await server.call('create_workspace', { token })).name, /^[a-z]+-[a-z]+-[0-9a-zA-Z]{6}$/)
})

test('a name is unique in an account, and case matters', async () => {
  await make('Taken')
  const response = await server.attempt('create_workspace', { token, body: { name: 'Taken' } })
  assert.equal(response.status, 409)
  assert.deepEqual(response.body.error.details[0].code, 'name_taken')
  assert.equal(response.body.error.details[0].field, 'name')
  await make('taken')
  await server.call('create_workspace', { token: (await server.account()).token, body: { name: 'Taken' } })
})

test('of 32 concurrent creations with one name, one succeeds', async () => {
  const responses = await Promise.all(
    Array.from({ length: 32 }, () => server.attempt('create_workspace', { token, body: { name: 'raced' } })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(31).fill(409)])
})

test('an idempotency key creates one workspace, and refuses another body', async () => {
  const headers = { 'Idempotency-Key': 'workspace-1' }
  const first = await server.attempt('create_workspace', { token, body: { name: 'keyed' }, headers })
  const again = await server.attempt('create_workspace', { token, body: { name: 'keyed' }, headers })
  assert.equal(first.status, 201)
  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  const other = await server.attempt('create_workspace', { token, body: { name: 'keyed-2' }, headers })
  assert.equal(other.status, 422)
  assert.equal(codeOf(other), 'idempotency_key_reused')
})

test('pages are newest first and work in both directions', async () => {
  const { token } = await server.account()
  for (const name of ['a', 'b', 'c', 'd']) await server.call('create_workspace', { token, body: { name } })
  const names = async (query: string) => {
    const page = await server.call('list_workspaces', { query, token })
    return { names: page.data.map(({ name }) => name), ...page }
  }
  const first = await names('limit=2')
  assert.deepEqual(first.names, ['d', 'c'])
  assert.equal(first.has_more, true)
  const second = await names(`limit=2&starting_after=${first.cursor}`)
  assert.deepEqual(second.names, ['b', 'a'])
  const last = await names(`limit=2&starting_after=${second.cursor}`)
  assert.deepEqual([last.names, last.has_more], [['default'], false])
  assert.equal((await names('limit=5')).has_more, false)
  assert.deepEqual((await names(`limit=2&ending_before=${second.cursor}`)).names, ['d', 'c'])
})

test('a list filters by ids and paths and ignores unknown ones', async () => {
  const one = await make('filter-1')
  const two = await make('filter-2')
  const query = `id=${one.id}&id=${two.resource_path}&id=wksp_none&id=svc:workspace:${account.id}:none`
  const { data } = await server.call('list_workspaces', { query, token })
  assert.deepEqual(
    data.map(({ id }) => id),
    [two.id, one.id],
  )
})

test('invalid cursors, and two cursors at once, are refused', async () => {
  const { cursor } = await server.call('list_workspaces', { token })
  const foreign = await server.attempt('list_workspaces', {
    query: { starting_after: cursor },
    token: (await server.account()).token,
  })
  assert.deepEqual([foreign.status, codeOf(foreign)], [400, 'invalid_cursor'])
  const both = await server.attempt('list_workspaces', {
    query: { starting_after: cursor, ending_before: cursor },
    token,
  })
  assert.deepEqual([both.status, codeOf(both)], [422, 'mutually_exclusive'])
})

test('a rename changes the paths of resources, keeps ids and frees the old path', async () => {
  const made = await make('before')
  const inside = await makeToken(server, account, { workspace: ['read'] }, made.id)
  const renamed = await server.call('update_workspace', { params: { id: made.id }, token, body: { name: 'after' } })
  assert.equal(renamed.id, made.id)
  assert.equal(renamed.resource_path, `svc:workspace:${account.id}:after`)
  assert.equal((await server.attempt('get_workspace', { params: { id: made.resource_path }, token })).status, 404)
  const { workspace } = await server.call('get_token', { params: { id: inside.id }, token })
  assert.equal(workspace.resource_path, renamed.resource_path)
  await make('before')
})

test('a rename to a taken name is refused, and to the own name changes nothing', async () => {
  await make('held')
  const made = await make('renamed')
  const taken = await server.attempt('update_workspace', { params: { id: made.id }, token, body: { name: 'held' } })
  assert.deepEqual([taken.status, codeOf(taken)], [409, 'name_taken'])
  for (const body of [{}, { name: 'renamed' }]) {
    assert.deepEqual(await server.call('update_workspace', { params: { id: made.id }, token, body }), made)
  }
  const none = await server.attempt('update_workspace', { params: { id: made.id }, token, body: { name: null } })
  assert.deepEqual([none.status, codeOf(none)], [400, 'invalid_type'])
})

test('a workspace is deleted once, which frees its name', async () => {
  const made = await make('passing')
  const gone = await server.attempt('delete_workspace', { params: { id: made.id }, token })
  assert.deepEqual([gone.status, gone.text], [204, ''])
  for (const method of ['DELETE', 'GET', 'PATCH']) {
    const body = method === 'PATCH' ? { body: {} } : {}
    assert.equal((await server.request(method, `${path}/${made.id}`, { token, ...body })).status, 404, method)
  }
  await make('passing')
})

test('a workspace with resources is not deleted, and the refusal names their kinds', async () => {
  const made = await make('full')
  const inside = await makeToken(server, account, { workspace: ['read'] }, made.id)
  const refused = await server.attempt('delete_workspace', { params: { id: made.id }, token })
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'not_empty'])
  assert.equal(refused.body.error.details.length, 1)
  assert.match(refused.body.error.details[0].message, /\btoken\b/)
  await server.call('delete_token', { params: { id: inside.id }, token })
  assert.equal((await server.attempt('delete_workspace', { params: { id: made.id }, token })).status, 204)
})

test('a deletion removes the grants in a workspace', async () => {
  const made = await make('granted')
  const holder = await makeToken(server, account, { workspace: ['read'] })
  const body = { principal_type: 'token', principal_id: holder.id, role: 'role_viewer', workspace: made.id } as const
  const used = async () => (await server.call('get_limit', { params: { name: 'grants' }, token })).used
  const before = await used()
  const grant = await server.call('create_grant', { token, body })
  await server.call('delete_workspace', { params: { id: made.id }, token })
  assert.equal(await used(), before)
  assert.equal((await server.attempt('get_grant', { params: { id: grant.id }, token })).status, 404)
})

test('a deletion takes grants, and ends sessions of others, only for those who hold what these give', async () => {
  const own = await server.account()
  const remover = await makeAccountToken(server, own, { workspace: ['delete', 'read'] })
  const remove = (id: string) => server.attempt('delete_workspace', { params: { id }, token: remover.token })
  const { id } = await server.call('create_workspace', { token: own.token, body: {} })
  const user = await makeUser(server, own)
  const give = (role: string, workspace?: string) =>
    server.call('create_grant', {
      token: own.token,
      body: { principal_type: 'user', principal_id: user.id, role, ...(workspace ? { workspace } : {}) },
    })
  const operator = await give('role_operator', id)
  const person = await signIn(server, own, user.id)
  const refused = await remove(id)
  assert.deepEqual([refused.status, codeOf(refused)], [403, 'forbidden'])
  assert.match(refused.body.error.message, /a permission that you do not have/)
  // Without the grant the session is left, whose home this is, and with it all that the user holds elsewhere.
  await server.call('delete_grant', { params: { id: operator.id }, token: own.token })
  const viewer = await give('role_viewer')
  assert.equal((await remove(id)).status, 403)
  assert.equal((await person.attempt('get_account', {})).status, 200)
  await server.call('delete_grant', { params: { id: viewer.id }, token: own.token })
  await give(await makeRole(server, own, { workspace: ['read'] }), id)
  assert.equal((await remove(id)).status, 204)
  assert.equal((await person.attempt('get_account', {})).status, 401)
})

test('the last workspace of an account cannot be deleted', async () => {
  const { token, workspace_id } = await server.account()
  const refused = await server.attempt('delete_workspace', { params: { id: workspace_id }, token })
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'last_workspace'])
})

test('the limit of workspaces is enforced and does not count deleted ones', async () => {
  const { token } = await server.account({ trust_level: 'untrusted' })
  const second = await server.call('create_workspace', { token, body: {} })
  const refused = await server.attempt('create_workspace', { token, body: {} })
  assert.deepEqual([refused.status, codeOf(refused)], [422, 'limit_exceeded'])
  assert.match(refused.body.error.message, /workspaces/)
  await server.call('delete_workspace', { params: { id: second.id }, token })
  await server.call('create_workspace', { token, body: {} })
})

test('an invisible workspace is 404, and a visible one without the right is 403', async () => {
  const other = await make('sights')
  const reader = await makeToken(server, account, { workspace: ['read'] })
  const blind = await makeToken(server, account, { firewall: ['read'] })
  const stranger = await server.account()
  const ask = (who: { token: string }, method: string, ref: string) =>
    server.request(method, `${path}/${ref}`, { token: who.token, ...(method === 'PATCH' ? { body: {} } : {}) })
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    for (const [who, ref] of [
      [reader, other.id],
      [blind, account.workspace_id],
      [stranger, account.workspace_id],
      [stranger, `svc:workspace:${account.id}:default`],
      [reader, 'wksp_absent'],
    ] as const) {
      assert.equal((await ask(who, method, ref)).status, 404, `${method} ${ref}`)
    }
  }
  assert.equal((await ask(reader, 'GET', account.workspace_id)).status, 200)
  for (const method of ['PATCH', 'DELETE']) {
    assert.equal((await ask(reader, method, account.workspace_id)).status, 403, method)
  }
  const writer = await makeToken(server, account, { workspace: ['write'] })
  assert.equal((await ask(writer, 'GET', account.workspace_id)).status, 403)
})

test('creating a workspace needs the right for the whole account', async () => {
  const inWorkspace = await makeToken(server, account, { workspace: ['*'] })
  const everywhere = await makeAccountToken(server, account, { workspace: ['create'] })
  const refused = await server.attempt('create_workspace', { token: inWorkspace.token, body: {} })
  assert.equal(refused.status, 403)
  await server.call('create_workspace', { token: everywhere.token, body: {} })
})

test('a list shows the workspaces that the caller may list, and is 403 if there are none', async () => {
  const lister = await makeToken(server, account, { workspace: ['list'] })
  const { data } = await server.call('list_workspaces', { token: lister.token })
  assert.deepEqual(
    data.map(({ id }) => id),
    [account.workspace_id],
  )
  const blind = await makeToken(server, account, { workspace: ['read'] })
  assert.equal((await server.attempt('list_workspaces', { token: blind.token })).status, 403)
})

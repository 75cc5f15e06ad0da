import assert from 'node:assert/strict'
import { checkPermissions, getPermissions } from '@bourse/api/iam/permissions.ts'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeRole, makeToken } from '../support/access.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const second = await server.call('create_workspace', { token, body: { name: 'second' } })

function check(who: { token: string }, actions: unknown, workspace?: string) {
  const body = { actions, ...(workspace === undefined ? {} : { workspace }) }
  return server.attempt('check_permissions', { token: who.token, body })
}

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, token, [checkPermissions, getPermissions])
})

test('a check returns whether the caller has all permissions, in a workspace or the account', async () => {
  const who = await makeToken(server, account, { firewall: ['read', 'delete'], user: ['read'] })
  const home = account.workspace_id
  for (const [actions, workspace, allowed] of [
    [['firewall:read'], home, true],
    [['firewall:read', 'firewall:delete'], `svc:workspace:${account.id}:default`, true],
    [['firewall:read', 'firewall:write'], home, false],
    [['firewall:read'], undefined, false],
    [['user:read'], home, false],
    [['platform:read'], home, false],
  ] as const) {
    const response = await check(who, actions, workspace)
    assert.deepEqual(response.body, { object: 'permission_check', allowed }, `${actions} ${workspace}`)
    assert.equal(response.status, 200)
  }
  assert.equal((await check({ token }, ['user:delete', 'pool:create'])).body.allowed, true)
  assert.equal((await check({ token }, ['platform:read'])).body.allowed, false)
  assert.equal((await check({ token: server.platform_token }, ['platform:write'])).body.allowed, true)
})

test('unknown permissions and invisible workspaces are refused', async () => {
  for (const actions of [['firewall:look'], ['firewalls:read'], ['*:*'], ['firewall'], [''], [7]]) {
    assert.equal((await check({ token }, actions)).status, 400, String(actions))
  }
  assert.equal(codeOf(await check({ token }, ['firewall:look'])), 'invalid_format')
  assert.equal((await check({ token }, [])).status, 400)
  assert.equal((await check({ token }, Array(101).fill('pool:read'))).status, 400)
  const local = await makeToken(server, account, { pool: ['read'] })
  const stranger = await server.account()
  for (const [who, workspace] of [
    [{ token }, 'wksp_absent'],
    [{ token }, stranger.workspace_id],
    [local, second.id],
  ] as const) {
    const response = await check(who, ['pool:read'], workspace)
    assert.deepEqual([response.status, codeOf(response)], [422, 'reference_not_found'], workspace)
  }
})

test('in a frozen account only reading is allowed', async () => {
  const account = await server.account()
  const late = await server.call('create_token', { token: account.token, body: { roles: ['role_admin'] } })
  await server.call('freeze_account', { params: { account: account.id } })
  const home = account.workspace_id
  assert.equal((await check(late, ['pool:read', 'pool:list'], home)).body.allowed, true)
  assert.equal((await check(late, ['pool:write'], home)).body.allowed, false)
})

test('a caller reads its permissions in the account and in each workspace with more', async () => {
  const local = await makeToken(server, account, { firewall: ['*'], user: ['*'], pool: ['list'] }, second.id)
  const role = await makeRole(server, account, { pool: ['read'] })
  const body = { principal_type: 'token', principal_id: local.id, role } as const
  await server.call('create_grant', { token, body })
  const expected = {
    object: 'permissions',
    account: { pool: ['read'] },
    workspaces: [
      {
        workspace: { object: 'workspace', id: second.id, name: 'second', resource_path: second.resource_path },
        actions: { pool: ['read', 'list'], firewall: ['create', 'read', 'list', 'write', 'delete'] },
      },
    ],
  }
  assert.deepEqual(await server.call('get_permissions', { token: local.token }), expected)
  assert.deepEqual(
    await server.call('get_permissions', {
      query: { principal_type: 'token', principal_id: local.id },
      token: local.token,
    }),
    expected,
  )
  assert.deepEqual(
    await server.call('get_permissions', { query: { principal_type: 'token', principal_id: local.id }, token }),
    expected,
  )
})

test('reading the permissions of others needs grant:read in the account', async () => {
  const { id } = await makeToken(server, account, { pool: ['read'] })
  const local = await makeToken(server, account, { grant: ['read'] })
  const lister = await makeAccountToken(server, account, { grant: ['list'] })
  const reader = await makeAccountToken(server, account, { grant: ['read'] })
  const ask = async (who: { token: string }) =>
    (
      await server.attempt('get_permissions', {
        query: { principal_type: 'token', principal_id: id },
        token: who.token,
      })
    ).status
  assert.equal(await ask(reader), 200)
  assert.equal(await ask(lister), 403)
  assert.equal(await ask(local), 403)
})

test('an unknown or foreign principal has no permissions', async () => {
  const stranger = await server.account()
  const theirs = await server.call('get_account', { token: stranger.token })
  for (const id of ['tokn_absent', theirs.token.id]) {
    const nothing = { object: 'permissions', account: {}, workspaces: [] }
    assert.deepEqual(
      await server.call('get_permissions', { query: { principal_type: 'token', principal_id: id }, token }),
      nothing,
    )
  }
})

test('the type and the id of a principal are given together and match', async () => {
  for (const [query, code] of [
    ['?principal_type=token', 'required'],
    ['?principal_id=tokn_a', 'required'],
    ['?principal_type=user&principal_id=tokn_a', 'invalid_value'],
    ['?principal_type=robot&principal_id=tokn_a', 'invalid_value'],
    ['?principal_type=token&principal_id=wksp_a', 'invalid_format'],
  ]) {
    const response = await server.attempt('get_permissions', { query, token })
    assert.deepEqual([response.status, codeOf(response)], [400, code], query)
  }
})

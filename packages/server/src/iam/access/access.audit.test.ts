import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../../../test/left-out.ts'
import { startTestServer } from '../../../test/support/server.ts'
import { statement } from '../../core/db/db.ts'
import { runAudit } from '../../core/work/auditor.ts'
import { forgetCallers } from '../tokens/gate.service.ts'
import { iamAudits } from './access.audit.ts'

const server = await startTestServer()
const database = server.inside?.runtime.database
const inside = leftOut(database === undefined && 'needs the database of the server')

async function violations(): Promise<string[]> {
  if (!database) return []
  return (await runAudit(database, iamAudits)).filter(({ rows }) => rows.length > 0).map(({ name }) => name)
}

/** Damages the database, runs the audits and repairs it. Returns the names of the audits with findings. */
async function violationsAfter(damage: string, repair: string): Promise<string[]> {
  const found = await database?.asOwner(async (db) => {
    assert.ok((await db.run(statement(null, damage))) > 0, damage)
    const names = await violations()
    await db.run(statement(null, repair))
    return names
  })
  // The server may have read damaged rights in the background.
  if (server.inside) forgetCallers(server.inside.runtime)
  return found ?? []
}

async function createAndDelete(): Promise<void> {
  const { id, token } = await server.account()
  const ok = (method: string, path: string, body?: object) =>
    server.ok(method, path, { token, ...(body ? { body } : {}) })
  const rules = [{ effect: 'allow', actions: { pool: ['read'] } }]
  const role = await ok('POST', '/preview/v2/roles', { name: 'own', policy: { api_version: 'roles/v1', rules } })
  const workspace = await ok('POST', '/v2/workspaces', { name: 'temporary' })
  const user = await ok('POST', '/preview/v2/users', { email: 'u@example.com' })
  const made = await ok('POST', '/preview/v2/tokens', { roles: [role.id, 'role_viewer'] })
  const grant = { principal_type: 'user', principal_id: user.id, role: 'role_viewer' }
  await ok('POST', '/preview/v2/grants', { ...grant, workspace: workspace.id })
  await ok('POST', '/preview/v2/grants', grant)
  await ok('DELETE', `/v2/workspaces/${workspace.id}`)
  await ok('DELETE', `/preview/v2/users/${user.id}`)
  await ok('DELETE', `/preview/v2/tokens/${made.id}`)
  await ok('DELETE', `/preview/v2/roles/${role.id}`)
  await ok('PATCH', `/v2/workspaces/svc:workspace:${id}:default`, { name: 'main' })
}

test('no audit finds anything after resources are created and deleted', inside, async () => {
  await createAndDelete()
  assert.deepEqual(await violations(), [])
})

test('each audit finds its kind of damage', inside, async () => {
  await server.account()
  for (const [name, damage, repair] of [
    [
      'names.owner',
      'update names set deleted_at = 1 where id = (select id from tokens where deleted_at is null limit 1)',
      'update names set deleted_at = null where deleted_at = 1',
    ],
    [
      'names.workspace',
      `update names set workspace_id = 'wksp_x' || workspace_id where kind = 'token'`,
      `update names set workspace_id = substr(workspace_id, 7) where kind = 'token'`,
    ],
    [
      'access.grantor',
      `update grants set role_id = 'role_viewer' where role_id = 'role_admin'`,
      `update grants set role_id = 'role_admin' where role_id = 'role_viewer'`,
    ],
    [
      'access.grants',
      `update grants set account_id = (select max(id) from accounts) where account_id = (select min(id) from accounts)`,
      `update grants g set account_id = n.account_id from names n where n.id = g.principal_id`,
    ],
    [
      'limits.exact',
      `update limit_usage set used = used + 1 where name = 'workspaces'`,
      `update limit_usage set used = used - 1 where name = 'workspaces'`,
    ],
  ] as const) {
    const found = await violationsAfter(damage, repair)
    assert.ok(found.includes(name), `${name} is not among ${found}`)
    assert.deepEqual(await violations(), [], `repaired after ${name}`)
  }
  const index = 'drop index names_in_account, names_in_workspace'
  await database?.asOwner((db) => db.run(statement(null, index)))
  const duplicate = `insert into names (id, kind, account_id, name) select id || 'x', kind, account_id, name from names
    where kind = 'workspace' limit 1`
  await database?.asOwner((db) => db.run(statement(null, duplicate)))
  assert.ok((await violations()).includes('names.unique'))
})

import assert from 'node:assert/strict'
import type { Policy } from '@bourse/api/iam/roles.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { decide, rightsOf } from './permissions.rules.ts'
import { adminRole, assignedRoles, findBuiltInRole, platformRightSince, policyOf } from './roles.rules.ts'

test('built-in roles have fixed ids', () => {
  for (const name of ['admin', 'operator', 'trader', 'viewer', 'billing']) {
    assert.equal(findBuiltInRole(`role_${name}`)?.name, name)
  }
  assert.equal(findBuiltInRole('role_toString'), undefined)
  assert.equal(findBuiltInRole('role_abc'), undefined)
})

test('a grant gives the rights of its role, custom or built-in', () => {
  const policy: Policy = { api_version: 'roles/v1', rules: [{ effect: 'allow', actions: { firewall: ['delete'] } }] }
  const grants = [
    { workspace_id: 'wksp_a', role_id: 'role_own', policy },
    { workspace_id: null, role_id: 'role_billing', policy: null },
    { workspace_id: null, role_id: 'role_gone', policy: null },
  ] as const
  const rights = rightsOf(assignedRoles(grants), { is_platform: false })
  const evaluate = (permission: 'firewall:delete' | 'billing:write', workspace_id: string | null) =>
    decide(rights, { permission, workspace_id, is_frozen: false })
  assert.equal(evaluate('firewall:delete', 'wksp_a'), 'allowed')
  assert.equal(evaluate('firewall:delete', null), 'invisible')
  assert.equal(evaluate('billing:write', null), 'allowed')
})

test('the policy of a grant is its own, or that of the built-in role', () => {
  const policy: Policy = { api_version: 'roles/v1', rules: [] }
  const grant = { workspace_id: null, role_id: 'role_viewer', policy: null } as const
  assert.equal(policyOf({ ...grant, policy }), policy)
  const viewer = policyOf(grant)
  assert.equal(viewer?.api_version, 'roles/v1')
  assert.deepEqual(
    viewer?.rules.map(({ effect }) => effect),
    ['allow'],
  )
  assert.equal(policyOf({ ...grant, role_id: 'role_gone' }), undefined)
})

test('a right counts from the oldest grant that gives it, from the last change of its role on', () => {
  const policy = (actions: Policy['rules'][0]['actions']): Policy => ({
    api_version: 'roles/v1',
    rules: [{ effect: 'allow', actions }],
  })
  const grant = { workspace_id: null, role_id: adminRole, policy: null, provider: null, role_updated_at: null }
  const own = { ...grant, role_id: 'role_own' as Id<'role'>, policy: policy({ platform: ['write'] }) }
  const since = (...grants: Parameters<typeof platformRightSince>[0]) => platformRightSince(grants, 'platform:write')
  assert.equal(since(), undefined)
  assert.equal(since({ ...grant, created_at: 7 }, { ...grant, created_at: 5 }), 5)
  assert.equal(since({ ...own, created_at: 5, role_updated_at: 9 }), 9)
  assert.equal(since({ ...own, created_at: 5, role_updated_at: 9 }, { ...grant, created_at: 8 }), 8)
  assert.equal(since({ ...own, created_at: 5, role_updated_at: 3, provider: 'example' }), 3)
  assert.equal(since({ ...grant, created_at: 5, provider: 'example' }), 0)
  assert.equal(since({ ...grant, created_at: 5, workspace_id: 'wksp_1' as Id<'workspace'> }), undefined)
  assert.equal(since({ ...own, created_at: 5, policy: policy({ platform: ['read'] }) }), undefined)
})

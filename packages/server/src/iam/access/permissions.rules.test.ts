import assert from 'node:assert/strict'
import { builtInRoles, type RoleActions } from '@bourse/api/iam/built-in-roles.ts'
import { type Permission, permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { createSeededRandom, pick, type Random } from '../../core/base/random.ts'
import {
  type AccessDecision,
  type AssignedRole,
  decide,
  findLacking,
  hasAnyRight,
  listVerbs,
  noRights,
  rightsOf,
  scopesOf,
} from './permissions.rules.ts'

const everyPermission = permissionResources.flatMap((resource) =>
  permissionVerbs.map((verb): Permission => `${resource}:${verb}`),
)
const workspaces = ['wksp_a', 'wksp_b', 'wksp_c']

type Question = { permission: Permission; workspace_id: string | null; is_frozen: boolean }
type RightsWorld = { roles: AssignedRole[]; is_platform: boolean }

/**
 * The oracle: a slow and plain implementation of docs/concepts/rights.md, "Grants" and "Visibility". It shares no code
 * with the rules. It stores every assigned right as a text and looks each question up among them.
 */
function oracle({ roles, is_platform }: RightsWorld): (question: Question) => AccessDecision {
  const assigned = new Set<string>()
  for (const role of roles) {
    for (const rule of role.actions) {
      for (const [kind, verbs] of Object.entries(rule)) {
        for (const resource of kind === '*' ? permissionResources : [kind]) {
          for (const verb of verbs.includes('*') ? permissionVerbs : verbs) {
            const isOfAccount = role.workspace_id === null
            if (!isOfAccount && ['user', 'role', 'billing', 'audit', 'webhook', 'platform'].includes(resource)) continue
            if (!isOfAccount && resource === 'workspace' && verb === 'create') continue
            if (resource === 'platform' && !is_platform) continue
            assigned.add(`${isOfAccount ? 'account' : role.workspace_id} ${resource} ${verb}`)
          }
        }
      }
    }
  }
  return ({ permission, workspace_id, is_frozen }) => {
    const places = workspace_id === null ? ['account'] : ['account', workspace_id]
    const [resource, wanted] = permission.split(':')
    const isAssigned = (verb: string) => places.some((place) => assigned.has(`${place} ${resource} ${verb}`))
    if (!['create', 'read', 'list', 'write', 'delete'].some(isAssigned)) return 'invisible'
    if (!isAssigned(String(wanted))) return 'forbidden'
    if (is_frozen && wanted !== 'read' && wanted !== 'list') return 'forbidden'
    return 'allowed'
  }
}

function drawActions(random: Random): RoleActions {
  const actions: RoleActions = {}
  for (let i = random.integer(4); i >= 0; i--) {
    const resource = random.integer(8) === 0 ? '*' : pick(random, permissionResources)
    const verbs = random.integer(6) === 0 ? ['*' as const] : permissionVerbs.filter(() => random.integer(2) === 0)
    if (verbs.length > 0) actions[resource] = verbs
  }
  return actions
}

function drawWorld(random: Random): RightsWorld {
  const roles = Array.from({ length: random.integer(5) }, (): AssignedRole => {
    const isBuiltIn = random.integer(4) === 0
    const own = Array.from({ length: 1 + random.integer(3) }, () => drawActions(random))
    const actions = isBuiltIn ? [pick(random, Object.values(builtInRoles)).actions] : own
    return { workspace_id: random.integer(3) === 0 ? null : pick(random, workspaces), actions }
  })
  return { roles, is_platform: random.integer(4) === 0 }
}

test('500,000 generated decisions equal those of the oracle', () => {
  const random = createSeededRandom('decisions')
  const seen: Record<AccessDecision, number> = { allowed: 0, forbidden: 0, invisible: 0 }
  for (let worldNumber = 0; worldNumber < 5_000; worldNumber++) {
    const world = drawWorld(random)
    const rights = rightsOf(world.roles, world)
    const evaluate = oracle(world)
    for (let i = 0; i < 100; i++) {
      const workspace_id = random.integer(4) === 0 ? null : pick(random, [...workspaces, 'wksp_elsewhere'])
      const question = { permission: pick(random, everyPermission), workspace_id, is_frozen: random.integer(5) === 0 }
      const decision = decide(rights, question)
      seen[decision] += 1
      if (decision === evaluate(question)) continue
      assert.fail(`${decision} is wrong for ${JSON.stringify({ world, question })}`)
    }
  }
  // The comparison is only meaningful if each decision occurs often.
  for (const [decision, times] of Object.entries(seen)) assert.ok(times > 20_000, `${decision}: ${times}`)
})

const arbitraryActions = fc
  .uniqueArray(fc.constantFrom('*' as const, ...permissionResources), { minLength: 1, maxLength: 4 })
  .chain((resources) =>
    fc.tuple(
      ...resources.map((resource) =>
        fc.tuple(
          fc.constant(resource),
          fc.uniqueArray(fc.constantFrom('*' as const, ...permissionVerbs), { minLength: 1 }),
        ),
      ),
    ),
  )
  .map((entries) => Object.fromEntries(entries) as RoleActions)
const arbitraryRole = fc.record({
  workspace_id: fc.option(fc.constantFrom(...workspaces)),
  actions: fc.array(arbitraryActions, { minLength: 1, maxLength: 2 }),
})
const arbitraryWorld = fc.record({ roles: fc.array(arbitraryRole, { maxLength: 4 }), is_platform: fc.boolean() })
const arbitraryScope = fc.option(fc.constantFrom(...workspaces))

function allowed(world: RightsWorld, workspace_id: string | null): Permission[] {
  const rights = rightsOf(world.roles, world)
  return everyPermission.filter((permission) => {
    return decide(rights, { permission, workspace_id, is_frozen: false }) === 'allowed'
  })
}

test('an additional role never removes a right', () => {
  fc.assert(
    fc.property(arbitraryWorld, arbitraryRole, arbitraryScope, (world, role, scope) => {
      const more = new Set(allowed({ ...world, roles: [...world.roles, role] }, scope))
      assert.deepEqual(
        allowed(world, scope).filter((permission) => !more.has(permission)),
        [],
      )
    }),
  )
})

test('a right of the account holds in every workspace', () => {
  fc.assert(
    fc.property(arbitraryWorld, fc.constantFrom(...workspaces), (world, workspace_id) => {
      const there = new Set(allowed(world, workspace_id))
      for (const permission of allowed(world, null)) assert.ok(there.has(permission), permission)
    }),
  )
})

test('the listed verbs are the allowed ones', () => {
  fc.assert(
    fc.property(arbitraryWorld, arbitraryScope, (world, scope) => {
      const rights = rightsOf(world.roles, world)
      const listed = Object.entries(listVerbs(rights, scope)).flatMap(([resource, verbs]) =>
        verbs.map((verb) => `${resource}:${verb}`),
      )
      assert.deepEqual(listed, allowed(world, scope))
      assert.ok(Object.values(listVerbs(rights, scope)).every(({ length }) => length > 0))
      if (scope !== null) assert.equal(hasAnyRight(rights, scope), listed.length > 0)
    }),
  )
})

test('a right holds in exactly the workspaces of its scopes', () => {
  fc.assert(
    fc.property(arbitraryWorld, fc.constantFrom(...everyPermission), (world, permission) => {
      const scopes = scopesOf(rightsOf(world.roles, world), permission)
      const isAllowedIn = (scope: string | null) => allowed(world, scope).includes(permission)
      if (scopes === 'all') assert.ok(isAllowedIn(null))
      else assert.deepEqual(scopes.toSorted(), isAllowedIn(null) ? 'all' : workspaces.filter(isAllowedIn))
    }),
  )
})

test('a role can be granted exactly where the grantor has all of its rights', () => {
  fc.assert(
    fc.property(arbitraryWorld, arbitraryRole, (grantor, role) => {
      const lacking = findLacking(rightsOf(grantor.roles, grantor), { ...role, is_platform: grantor.is_platform })
      const own = new Set(allowed(grantor, role.workspace_id))
      const given = allowed({ roles: [role], is_platform: grantor.is_platform }, role.workspace_id)
      const missing = given.filter((permission) => !own.has(permission))
      if (missing.length === 0) assert.equal(lacking, undefined)
      else assert.ok(missing.includes(lacking as Permission), `${lacking} is not among ${missing}`)
    }),
  )
})

test('a frozen account may only read and list', () => {
  const rights = rightsOf([{ workspace_id: null, actions: [builtInRoles.admin.actions] }], { is_platform: true })
  for (const permission of everyPermission) {
    const decision = decide(rights, { permission, workspace_id: null, is_frozen: true })
    assert.equal(decision, /:(read|list)$/.test(permission) ? 'allowed' : 'forbidden', permission)
  }
})

test('without a role every resource is invisible', () => {
  for (const permission of everyPermission) {
    assert.equal(decide(noRights, { permission, workspace_id: 'wksp_a', is_frozen: false }), 'invisible')
  }
})

test('a customer’s admin has no platform right, and an admin of a workspace no account-wide right', () => {
  const admin = { actions: [builtInRoles.admin.actions] }
  const account = rightsOf([{ ...admin, workspace_id: null }], { is_platform: false })
  assert.equal(scopesOf(account, 'platform:read').length, 0)
  assert.equal(scopesOf(account, 'user:delete'), 'all')
  const workspace = rightsOf([{ ...admin, workspace_id: 'wksp_a' }], { is_platform: true })
  for (const permission of ['user:read', 'role:list', 'billing:read', 'webhook:write', 'platform:read'] as const) {
    assert.equal(scopesOf(workspace, permission).length, 0, permission)
  }
  assert.equal(scopesOf(workspace, 'workspace:create').length, 0)
  assert.deepEqual(scopesOf(workspace, 'workspace:delete'), ['wksp_a'])
})

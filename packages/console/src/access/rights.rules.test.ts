import assert from 'node:assert/strict'
import { permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'
import type { Permissions } from '@bourse/sdk'
import { test } from 'vitest'
import {
  deviceText,
  envSnippet,
  hasNoRight,
  hasWildcards,
  mayDo,
  missingRight,
  operations,
  permissionsOf,
  policyOf,
  rightRows,
  roleLines,
  verdictText,
} from './rights.rules.ts'

const rights = {
  object: 'permissions',
  account: { order: ['read'] },
  workspaces: [{ workspace: { id: 'wksp_1' }, actions: { order: ['read', 'delete'], instance: [] } }],
} as unknown as Permissions

test('a right in a workspace is none in others or in the whole account', () => {
  assert.ok(mayDo(rights, 'order:delete', 'wksp_1'))
  assert.ok(!mayDo(rights, 'order:delete', null))
  assert.ok(!mayDo(rights, 'order:delete', 'wksp_2'))
  assert.ok(mayDo(rights, 'order:read', null))
  assert.equal(verdictText('ada', false, 'cancel orders', 'in research'), 'No: ada may not cancel orders in research.')
})

test('somebody without any verb anywhere may do nothing', () => {
  const workspace = { workspace: { id: 'wksp_1' }, actions: { order: [] } }
  const none = { object: 'permissions', account: {}, workspaces: [workspace] } as unknown as Permissions
  assert.deepEqual([hasNoRight(none), hasNoRight(rights)], [true, false])
})

test('every operation is a permission that exists', () => {
  for (const permission of Object.keys(operations)) {
    const [resource = '', verb = ''] = permission.split(':')
    assert.ok((permissionResources as readonly string[]).includes(resource), permission)
    assert.ok((permissionVerbs as readonly string[]).includes(verb), permission)
  }
})

test('a refusal names the missing right', () => {
  assert.equal(missingRight('This needs the permission token:create.'), 'token:create')
  assert.equal(missingRight('Something else: no.'), undefined)
})

test('roles and rights are told by kind', () => {
  const rules = [{ effect: 'allow', actions: { '*': ['*'], pool_transfer: ['read', 'list'] } }]
  assert.deepEqual(roleLines({ policy: { api_version: 'roles/v1', rules } as never }), [
    'everything: all',
    'pool transfer: read, list',
  ])
  assert.deepEqual(rightRows(rights.workspaces[0]?.actions ?? {}), [{ kind: 'order', verbs: 'read, delete' }])
})

test('a token becomes lines of a shell, and a browser a name', () => {
  assert.match(envSnippet('ey.x.y', 'http://localhost:1'), /^export BOURSE_API_TOKEN=ey\.x\.y$/m)
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  assert.equal(deviceText(firefox), 'Firefox on Linux')
  const edge = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0'
  assert.equal(deviceText(edge), 'Edge on Windows')
  assert.equal(deviceText('bourse-cli/1.0'), 'bourse-cli/1.0')
  assert.equal(deviceText(null), '–')
})

test('chosen rights become one rule', () => {
  assert.deepEqual(policyOf(['order:read', 'image:read', 'order:list'], ''), {
    api_version: 'roles/v1',
    rules: [{ effect: 'allow', actions: { order: ['read', 'list'], image: ['read'] } }],
  })
})

test('the rights of a role are those that it was made of, with "all" written out', () => {
  const role = (actions: object) =>
    ({ policy: { api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] } }) as never
  const all = { kinds: ['order', 'pool'], verbs: ['read', 'list'] }
  const made = { policy: policyOf(['order:read', 'pool:list'], '') } as never
  assert.deepEqual([...permissionsOf(made, all)], ['order:read', 'pool:list'])
  assert.equal(hasWildcards(made), false)
  assert.deepEqual([...permissionsOf(role({ '*': ['read'] }), all)], ['order:read', 'pool:read'])
  assert.deepEqual([...permissionsOf(role({ pool: ['*'] }), all)], ['pool:read', 'pool:list'])
  assert.ok(hasWildcards(role({ pool: ['*'] })) && hasWildcards(role({ '*': ['read'] })))
})

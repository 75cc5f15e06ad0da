import assert from 'node:assert/strict'
import { permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'
import type { Permissions } from '@bourse/sdk'
import { test } from 'vitest'
import {
  cellAfter,
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
  roleRows,
  shareOf,
  toggled,
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

test('a role is a matrix of kinds and verbs, in the order of the contract, without empty rows', () => {
  const rules = [
    { effect: 'allow', actions: { pool_transfer: ['read', 'list'], '*': ['*'], event: [] } },
    { effect: 'allow', actions: { user: ['list'], pool_transfer: ['create'] } },
  ]
  assert.deepEqual(roleRows({ policy: { api_version: 'roles/v1', rules } as never }), [
    { kind: 'everything', verbs: new Set(permissionVerbs) },
    { kind: 'user', verbs: new Set(['list']) },
    { kind: 'pool transfer', verbs: new Set(['read', 'list', 'create']) },
  ])
  const [place] = rights.workspaces
  assert.deepEqual(rightRows(place?.actions ?? {}), [{ kind: 'order', verbs: new Set(['read', 'delete']) }])
})

test('a row or a column of rights is chosen whole, and taken away where all of it is chosen', () => {
  const row = ['order:read', 'order:list']
  const some = new Set(['order:read', 'pool:read'])
  assert.deepEqual([shareOf(new Set(), row), shareOf(some, row), shareOf(new Set(row), row)], ['none', 'some', 'all'])
  const all = toggled(some, row)
  assert.deepEqual([...all].sort(), ['order:list', 'order:read', 'pool:read'])
  assert.deepEqual([...toggled(all, row)], ['pool:read'])
})

test('keys move inside of a matrix, and not beyond its edges', () => {
  const size = { rows: 3, columns: 2 }
  const after = (key: string) => cellAfter(key, { row: 1, column: 0 }, size)
  assert.deepEqual(after('ArrowUp'), { row: 0, column: 0 })
  assert.deepEqual(after('ArrowDown'), { row: 2, column: 0 })
  assert.deepEqual(after('ArrowRight'), { row: 1, column: 1 })
  assert.deepEqual(after('End'), { row: 1, column: 1 })
  assert.deepEqual(after('PageDown'), { row: 2, column: 0 })
  assert.deepEqual(after('PageUp'), { row: 0, column: 0 })
  assert.deepEqual(['ArrowLeft', 'a'].map(after), [undefined, undefined])
  assert.equal(cellAfter('ArrowDown', { row: 2, column: 0 }, size), undefined)
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

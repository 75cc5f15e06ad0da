import assert from 'node:assert/strict'
import { endpoints } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { test } from 'vitest'
import { changesOf, secretFieldsOf } from './changes.ts'

const all = endpoints as unknown as readonly Endpoint[]

function named(name: string): Endpoint {
  return all.find((one) => one.name === name) as Endpoint
}

function changes(name: string, written: Parameters<typeof changesOf>[2]) {
  return changesOf(named(name), secretFieldsOf(named(name)), written).map(({ field, old_value, new_value }) => {
    return [field, old_value, new_value]
  })
}

const firewall = { object: 'firewall', id: 'frwl_1', name: 'one', state: 'a', tags: {} }

test('a change shows the fields of its body that differ, as the resource shows them', () => {
  const body = { name: 'two', tags: {}, rules: [] }
  const result = { ...firewall, name: 'TWO', state: 'b' }
  assert.deepEqual(changes('update_firewall', { body, before: firewall, result }), [
    ['name', '"one"', '"TWO"'],
    ['rules', null, '[]'],
  ])
})

test('an action shows the fields of its body, and those of its resource that differ', () => {
  const image = { object: 'image', id: 'image_1', state: 'completed', name: 'one', message: null }
  const result = { ...image, state: 'deprecated', message: 'Old.' }
  const body = { message: 'Old.' }
  assert.deepEqual(changes('deprecate_image', { body, before: image, result }), [
    ['message', null, '"Old."'],
    ['state', '"completed"', '"deprecated"'],
  ])
  const other = { ...result, id: 'image_2' }
  assert.deepEqual(changes('deprecate_image', { body: {}, before: image, result: other }), [])
})

test('a creation shows its body, without what it leaves out', () => {
  const written = { body: { name: 'one', workspace: undefined, tags: null }, before: undefined, result: firewall }
  assert.deepEqual(changes('create_firewall', written), [['name', null, '"one"']])
})

test('fields that the contract marks as secret have no values, also where the secret lies deeper', () => {
  for (const [name, field] of [
    ['create_instance', 'cloud_init_user_data'],
    ['replace_instance', 'cloud_init_user_data'],
    ['create_instance_template', 'cloud_init_user_data'],
    ['create_token', 'token'],
    ['create_webhook', 'secret'],
    ['create_host_enrolment', 'command'],
  ] as const) {
    assert.ok(secretFieldsOf(named(name)).has(field), `${name} ${field}`)
  }
  const body = { cloud_init_user_data: 'c2VjcmV0', name: 'one' }
  const found = changesOf(named('create_instance'), secretFieldsOf(named('create_instance')), {
    body,
    before: undefined,
    result: undefined,
  })
  assert.deepEqual(found, [
    { field: 'cloud_init_user_data', old_value: null, new_value: null, is_secret: true },
    { field: 'name', old_value: null, new_value: '"one"', is_secret: false },
  ])
  const deep = { body: { properties: { list: { items: { properties: { key: { 'x-secret': true } } } } } } }
  assert.ok(secretFieldsOf({ ...named('create_pool'), ...deep } as unknown as Endpoint).has('list'))
})

/** Members of bodies whose names sound like secrets, and are none. */
const harmless = new Set(['check_permissions', 'sku_token', 'token_lifetime_max_days'])

test('no body has a member that sounds like a secret and is not marked as one', () => {
  for (const one of all) {
    const secret = secretFieldsOf(one)
    const members = Object.keys((one.body as { properties?: object } | undefined)?.properties ?? {})
    for (const member of members.filter((name) => /secret|password|token|user_data|private/.test(name))) {
      if (one.access === 'public' || harmless.has(one.name) || harmless.has(member)) continue
      assert.ok(secret.has(member), `${one.name} ${member}`)
    }
  }
})

test('values and their number are bounded, and no pair of surrogates is divided', () => {
  const long = `${'x'.repeat(1022)}😀`
  const [[, , cut] = []] = changes('create_pool', { body: { name: long }, before: undefined, result: undefined })
  assert.equal(cut, `"${'x'.repeat(1022)}…`)
  const body = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'y'.repeat(900)]))
  const many = changes('create_pool', { body, before: undefined, result: undefined })
  assert.equal(many.length, 64)
  assert.ok(many.reduce((sum, [, , value]) => sum + (value?.length ?? 0), 0) <= 16_384 + 64)
})

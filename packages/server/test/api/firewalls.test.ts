/** What only firewalls have: their rules, and the default one. network-resources.test.ts has the rest. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { assertRights, refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/firewalls'
const ssh = { protocol: 'tcp', port_from: 22, source_cidr: '0.0.0.0/0' }

function make(body: object = {}, by = token) {
  return server.call('create_firewall', { token: by, body })
}

async function makeWorkspace(name?: string): Promise<{ id: string; resource_path: string }> {
  return server.call('create_workspace', { token, body: name === undefined ? {} : { name } })
}

async function defaultFirewall(workspace = account.workspace_id) {
  const { data } = await server.call('list_firewalls', { query: { workspace, limit: 200 }, token })
  return data.find(({ is_default }) => is_default)
}

test('a firewall shows its rules with both ports, in the order of the request', async () => {
  const rules = [
    { protocol: 'tcp', port_from: 80, port_to: 443, source_cidr: '10.0.0.0/8', description: 'web' },
    { protocol: 'udp', port_from: 53, source_cidr: '203.0.113.7/32' },
    { protocol: 'icmp', source_cidr: '0.0.0.0/0' },
  ]
  const made = await make({ rules })
  assert.deepEqual(made.rules, [rules[0], { ...rules[1], port_to: 53 }, rules[2]])
  for (const empty of [await make(), await server.call('create_firewall', { token }), await make({ rules: null })]) {
    assert.deepEqual([empty.rules, empty.is_default], [[], false])
  }
})

test('each rule is validated, and the refusal names the field', async () => {
  const base = { protocol: 'tcp', port_from: 80, source_cidr: '10.0.0.0/8' }
  const { port_from: _, ...portless } = base
  for (const [rule, code, field] of [
    [{ ...base, port_from: 443, port_to: 80 }, 'invalid_range', 'rules.1.port_to'],
    [portless, 'required', 'rules.1.port_from'],
    [{ ...base, protocol: 'icmp' }, 'invalid_value', 'rules.1.port_from'],
    [{ ...portless, protocol: 'all', port_to: 1 }, 'invalid_value', 'rules.1.port_to'],
    [{ ...base, protocol: 'gre' }, 'invalid_value', 'rules.1.protocol'],
    [{ ...base, port_from: 0 }, 'out_of_range', 'rules.1.port_from'],
    [{ ...base, port_to: 65_536 }, 'out_of_range', 'rules.1.port_to'],
    [{ ...base, port_from: '80' }, 'invalid_type', 'rules.1.port_from'],
    [{ ...base, source_cidr: '10.0.0.1/8' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ ...base, source_cidr: '10.0.0.0' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ ...base, source_cidr: '10.0.0.0/33' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ ...base, source_cidr: '010.0.0.0/8' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ ...base, source_cidr: '::/0' }, 'invalid_cidr', 'rules.1.source_cidr'],
    [{ protocol: 'tcp', port_from: 80 }, 'required', 'rules.1.source_cidr'],
    [{ ...base, description: 'd'.repeat(256) }, 'too_long', 'rules.1.description'],
    [{ ...base, direction: 'out' }, 'unknown_field', 'rules.1.direction'],
    [{ ...ssh, port_to: 22, description: 'the same again' }, 'duplicate_entry', 'rules.1'],
  ] as const) {
    const rules = [ssh, rule]
    const created = await server.attempt('create_firewall', { token, body: { rules } })
    assert.deepEqual(refusalOf(created), [400, code, field], JSON.stringify(rule))
    const { id } = await defaultFirewall()
    const replaced = await server.attempt('replace_firewall_rules', { params: { id }, token, body: { rules } })
    assert.deepEqual(refusalOf(replaced), [400, code, field], JSON.stringify(rule))
  }
  const many = Array.from({ length: 51 }, (_, index) => ({ ...base, port_from: index + 1 }))
  assert.deepEqual(refusalOf(await server.attempt('create_firewall', { token, body: { rules: many } })), [
    400,
    'too_many',
    'rules',
  ])
  assert.equal((await make({ rules: many.slice(1) })).rules.length, 50)
})

test('replace_firewall_rules replaces all rules, also of the default firewall', async () => {
  for (const { id } of [await make({ rules: [ssh] }), await defaultFirewall((await makeWorkspace()).id)]) {
    const rules = [{ protocol: 'all', source_cidr: '192.0.2.0/24' }] as const
    const replaced = await server.call('replace_firewall_rules', { params: { id }, token, body: { rules } })
    assert.deepEqual(replaced.rules, rules)
    assert.deepEqual(await server.call('get_firewall', { params: { id }, token }), replaced)
    assert.deepEqual(
      (await server.call('replace_firewall_rules', { params: { id }, token, body: { rules: [] } })).rules,
      [],
    )
  }
  const { id } = await make()
  for (const [body, code] of [
    [{}, 'required'],
    [{ rules: null }, 'invalid_type'],
  ] as const) {
    const response = await server.attempt('replace_firewall_rules', { params: { id }, token, body })
    assert.deepEqual(refusalOf(response), [400, code, 'rules'])
  }
  assert.equal(
    (await server.attempt('replace_firewall_rules', { params: { id: 'frwl_absent' }, token, body: { rules: [] } }))
      .status,
    404,
  )
})

test('every workspace has a default firewall that allows SSH and cannot be renamed', async () => {
  const workspace = await makeWorkspace('fresh')
  const firewall = await defaultFirewall(workspace.id)
  assert.deepEqual([firewall.name, firewall.rules], ['default', [{ ...ssh, port_to: 22 }]])
  const renamed = await server.attempt('update_firewall', {
    params: { id: firewall.id },
    token,
    body: { name: 'other' },
  })
  assert.deepEqual(refusalOf(renamed), [422, 'default_firewall', 'name'])
  const tagged = await server.call('update_firewall', {
    params: { id: firewall.id },
    token,
    body: { name: 'default', tags: { a: 'b' } },
  })
  assert.deepEqual([tagged.name, tagged.tags], ['default', { a: 'b' }])
  for (const ref of [firewall.id, firewall.resource_path]) {
    const deleted = await server.attempt('delete_firewall', { params: { id: ref }, token })
    assert.deepEqual(refusalOf(deleted), [422, 'default_firewall', null])
  }
  await server.call('delete_workspace', { params: { id: workspace.id }, token })
  assert.equal((await server.attempt('get_firewall', { params: { id: firewall.id }, token })).status, 404)
})

test('no firewall can have the name of the default one', async () => {
  assert.deepEqual(refusalOf(await server.attempt('create_firewall', { token, body: { name: 'default' } })), [
    409,
    'name_taken',
    'name',
  ])
  const { id } = await make()
  const renamed = await server.attempt('update_firewall', { params: { id }, token, body: { name: 'default' } })
  assert.deepEqual(refusalOf(renamed), [409, 'name_taken', 'name'])
})

test('rules are replaced by whoever may write the firewall, unless it is gone or the account frozen', async () => {
  const own = await server.account()
  const { id } = await make({}, own.token)
  const replace = (by: string) =>
    server.attempt('replace_firewall_rules', { params: { id }, token: by, body: { rules: [] } })
  await assertRights(server, own, 'firewall', {
    replace_firewall_rules: { method: 'PUT', path: `${path}/${id}/rules`, body: { rules: [] }, verb: 'write' },
  })
  await server.call('freeze_account', { params: { account: own.id } })
  await eventually('the rules may not be replaced', async () => {
    assert.equal((await replace(own.token)).status, 403)
    return true
  })
  await server.call('unfreeze_account', { params: { account: own.id } })
  await eventually('the firewall can be deleted', async () => {
    assert.equal((await server.attempt('delete_firewall', { params: { id }, token: own.token })).status, 204)
    return true
  })
  assert.equal((await replace(own.token)).status, 404)
})

test('the limit of firewalls does not count default ones', async () => {
  const { token } = await server.account({ trust_level: 'untrusted' })
  const workspace = (await server.call('create_workspace', { token, body: {} })).id
  const { data } = await server.call('list_firewalls', { token })
  assert.equal(data.filter(({ is_default }) => is_default).length, 2)
  await make({ workspace }, token)
  await make({}, token)
  assert.deepEqual(refusalOf(await server.attempt('create_firewall', { token, body: {} })), [
    422,
    'limit_exceeded',
    null,
  ])
})

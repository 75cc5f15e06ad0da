import assert from 'node:assert/strict'
import { endpoints, type Operation, type OperationName } from '@bourse/api/contract.ts'
import { type Endpoint, type Input, type Output, withStreams } from '@bourse/api/kit/endpoint.ts'
import { test } from 'vitest'
import { type Client, createClient } from '../src/client.ts'
import type { Answer, Body } from '../src/client-types.ts'
import { placements } from '../src/naming.ts'
import { samples } from './generated/code-samples.ts'

const names = endpoints.map(({ name }) => name)
const client = createClient({ token: 'a.b.c', baseUrl: 'http://127.0.0.1:1' })

/** The path of every method of the type `Client`: `firewalls.delete`. */
type Path = { [G in keyof Client & string]: `${G}.${keyof Client[G] & string}` }[keyof Client & string]

test('the types and the program map operations to the same methods', () => {
  // The compiler checks these too: a path that the types do not have is an error.
  const expected: Partial<Record<OperationName, Path>> = {
    list_firewalls: 'firewalls.list',
    delete_firewall: 'firewalls.delete',
    replace_firewall_rules: 'firewalls.replaceRules',
    replace_instance: 'instances.replace',
    update_instance_priorities: 'instances.updatePriorities',
    get_instance_cloud_init: 'instances.getCloudInit',
    get_instance_template_cloud_init: 'instanceTemplates.getCloudInit',
    list_sku_properties: 'skuProperties.list',
    put_sku_property_value: 'skuProperties.putValue',
    delete_sku_override: 'skuOverrides.delete',
    create_read_only_pool: 'pools.createReadOnly',
    publish_public_image: 'images.publishPublic',
    create_simulated_hosts: 'hosts.createSimulated',
    create_account_user: 'accounts.createUser',
    put_account_limit: 'accountLimits.put',
    get_account: 'account.get',
    get_administered_account: 'accounts.get',
    check_permissions: 'permissions.check',
    freeze_clock: 'clock.freeze',
    set_clock_rate: 'clock.setRate',
    load_scenario: 'scenarios.load',
    reset_sandbox: 'sandbox.reset',
    settle: 'sandbox.settle',
    get_health: 'health.get',
  }
  const places = placements(names)
  for (const [name, path] of Object.entries(expected)) {
    const { noun, verb } = places.get(name) ?? {}
    assert.equal(`${noun}.${verb}`, path, name)
  }
})

test('every operation has its own method', () => {
  const paths = [...placements(names).values()].map(({ noun, verb }) => `${noun}.${verb}`)
  assert.equal(new Set(paths).size, names.length)
  for (const path of paths) {
    const [noun = '', verb = ''] = path.split('.')
    const groups = client as unknown as Record<string, Record<string, unknown>>
    assert.equal(typeof groups[noun]?.[verb], 'function', path)
  }
})

test('the compiler checks a sample of each operation and stream', () => {
  const shown = withStreams(endpoints).map(({ name }) => name)
  assert.deepEqual(Object.keys(samples).sort(), shown.sort())
})

test('no operation has both a body and a query, because a method has one input argument', () => {
  const both = (endpoints as readonly Endpoint[]).filter(
    ({ body, query }) => body && Object.keys(query.properties).length > 0,
  )
  assert.deepEqual(both, [])
})

/** The operations whose values by the contract do not fit the generated types. The compiler checks that it is empty. */
type Misfits = {
  [N in OperationName]: Output<Operation<N>> extends void | Answer<N>
    ? [Body<N>] extends [never]
      ? never
      : Input<Operation<N>>['body'] extends Body<N>
        ? never
        : N
    : N
}[OperationName]
type None<T extends never> = T
export type NoMisfits = None<Misfits>

/** Never called: the compiler alone checks this function. */
export async function compiles(): Promise<void> {
  const page = await client.firewalls.list({ workspace: 'svc:workspace:acme:default', limit: 10 })
  const [first] = page.data
  if (first) await client.firewalls.delete(first.id)
  const nothing: undefined = await client.firewalls.delete('frwl_1')
  const made = await client.instances.replace('inst_1', { image: 'image_1' }, { idempotencyKey: 'k' })
  const state: string = made.state
  if (made.state === 'running' || made.state === 'a state of the future') console.log(state, nothing)
  for await (const event of client.events.list({ since: 1, until: 2n, action: 'instance.created' })) {
    if (event.actor.type === 'token') console.log(event.actor.id, event.action === 'some.new_action')
  }
  await client.skus.list({ include_deleted: true }).all({ max: 10 })
  await client.instances.list({ state: 'running', id: ['inst_1', 'inst_2'] })
  await client.accountLimits.put({ account: 'acme', name: 'users' }, { value: 5 })
  await client.sandbox.reset()
  const { data, status } = await client.account.get().withResponse()
  console.log(data.server.now + status)
}

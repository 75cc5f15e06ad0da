/**
 * The permissions that the effects of an operation need. An operation that makes the server buy, start or give
 * something later needs what the caller would need to do that itself. Every operation that writes stands in one of the
 * three lists, so a new one is refused here until somebody has asked what it leads to.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OperationName } from '@bourse/api/contract.ts'
import { type Permission, splitPermission } from '@bourse/api/kit/permissions.ts'
import { test } from 'vitest'
import { hour, makeMarket } from '../support/fixtures/market.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { startTestServer } from '../support/server.ts'
import type { CaseCall } from './case.ts'
import { cases } from './cases.ts'
import { type NamedEndpoint, operations, send } from './operations.ts'
import { type ContractWorld, makeWorld } from './world.ts'

const server = await startTestServer()
const world = await makeWorld(server)
const sellPrice = 'min_sell_price_dollars_per_node_hour'
const buyPrice = 'max_buy_price_dollars_per_node_hour'

/** Operations that do what their permission says and nothing else. */
const plain: readonly OperationName[] = [
  // Whoever approves gives a program what they have themselves, on a page.
  ...(['start_device_login', 'finish_device_login'] as const),
  // Ways in of oneself, and their end.
  ...(['start_passkey_registration', 'create_user_passkey', 'create_recovery_codes', 'update_user_passkey'] as const),
  ...(['start_passkey_sign_in', 'finish_passkey_sign_in', 'use_recovery_code'] as const),
  ...(['delete_user_passkey', 'delete_user_identity'] as const),
  // Keys of oneself: an instance gets them by a request of their owner, or of somebody who may name them.
  ...(['create_ssh_key', 'delete_ssh_key'] as const),
  ...(['create_workspace', 'update_workspace', 'delete_workspace'] as const),
  ...([
    'create_user',
    'update_user',
    'delete_user',
    'end_user_sessions',
    'delete_role',
    'delete_grant',
    'check_permissions',
  ] as const),
  ...(['create_image', 'create_image_part', 'complete_image', 'revoke_image', 'reinstate_image'] as const),
  ...(['deprecate_image', 'delete_image', 'create_instance_template', 'delete_instance_template'] as const),
  ...(['update_instance', 'update_instance_priorities', 'terminate_instance'] as const),
  'delete_instance',
  ...(['create_pool', 'update_pool', 'delete_pool', 'create_order', 'cancel_order', 'create_order_estimate'] as const),
  // Its permission is asked in the workspaces of both pools.
  'create_pool_transfer',
  // Ends its instances and cancels its orders, which is what deleting it means.
  ...(['delete_deployment', 'delete_procurement'] as const),
  ...(['create_firewall', 'update_firewall', 'replace_firewall_rules', 'delete_firewall'] as const),
  ...(['create_subnet', 'update_subnet', 'delete_subnet'] as const),
  ...(['create_infiniband_partition', 'update_infiniband_partition', 'delete_infiniband_partition'] as const),
  // The owner of a host may end what runs on it; that takes nothing from others but their place.
  ...(['create_host_enrolment', 'delete_host_enrolment', 'update_host', 'cordon_host', 'uncordon_host'] as const),
  ...(['drain_host', 'retire_host'] as const),
  ...(['create_agent_bundle', 'delete_agent_bundle', 'create_agent_rollout', 'halt_agent_rollout'] as const),
  ...(['resume_agent_rollout', 'cancel_agent_rollout', 'roll_back_agent_rollout'] as const),
  ...(['pin_host_agent', 'unpin_host_agent'] as const),
  // A budget that allows more lets automations buy again, which others have told them to.
  ...(['create_budget', 'update_budget', 'delete_budget', 'put_balance_threshold'] as const),
  // The platform operator.
  ...(['create_account', 'update_account', 'freeze_account', 'unfreeze_account', 'set_trust_level'] as const),
  ...(['put_account_limit', 'delete_account_limit', 'create_account_user', 'create_account_transaction'] as const),
  // The platform gives an account its admins, and only where it has none who can come in.
  'create_account_sign_in_link',
  // Whoever approves has the right to post.
  ...(['create_pending_credit', 'approve_pending_credit', 'refuse_pending_credit'] as const),
  ...(['put_credit_limit', 'create_read_only_pool', 'halt_market', 'resume_market'] as const),
  ...(['create_maintenance_window', 'delete_maintenance_window', 'create_sku', 'update_sku', 'retire_sku'] as const),
  ...(['restore_sku', 'put_sku_property_value', 'put_sku_override', 'delete_sku_override'] as const),
  ...(['publish_public_image', 'revoke_public_image', 'reinstate_public_image', 'deprecate_public_image'] as const),
  // The sandbox, whose control is open to every token and absent in production.
  ...(['freeze_clock', 'resume_clock', 'advance_clock', 'set_clock_rate', 'settle'] as const),
  ...(['load_scenario', 'reset_sandbox', 'create_simulated_hosts', 'create_ready_image'] as const),
  // The events go where they went before.
  ...(['delete_webhook', 'rotate_webhook_secret', 'test_webhook', 'redeliver_webhook_delivery'] as const),
  ...(['create_fault', 'delete_fault', 'create_market_maker', 'update_market_maker'] as const),
]

/** Operations that give or end rights, each of which the caller must hold, with the test of that. */
const rightsOfOthers: Partial<Record<OperationName, string>> = {
  create_token: 'api/tokens.test.ts: a caller cannot create a token with rights that it lacks',
  delete_token: 'api/token-lifetimes.test.ts: deleting a token needs every right that it holds',
  create_user_sign_in_link: 'api/sign-in.test.ts: a link for a user needs every right that the user has',
  create_role: 'api/roles.test.ts: a caller cannot write a right that it lacks into a role',
  update_role: 'api/roles.test.ts: a caller cannot write a right that it lacks into a role',
  create_grant: 'api/grants.test.ts: a caller cannot grant a right or scope that it lacks',
}

type PermittedEffect = {
  readonly needs: readonly Permission[]
  readonly call: (world: ContractWorld) => Promise<CaseCall>
}

type PermittedEffects = {
  /** Requests with an effect, each with every permission that it needs besides that of the operation. */
  readonly effects: Readonly<Record<string, PermittedEffect>>
  /** Requests that need the permission of the operation only. */
  readonly harmless?: Readonly<Record<string, (world: ContractWorld) => Promise<CaseCall>>>
}

const launch = 'instance:create' as const
const order = 'order:create' as const
const events = 'event:list' as const
const quietHook = { url: 'http://127.0.0.1:9/', actions: ['webhook.disabled'], target_types: ['webhook'] }

const deploymentChanges: PermittedEffects = {
  effects: {
    'a higher target': { needs: [launch], call: () => changed(genericBody, { target_instance_count: 2 }) },
    enabled: { needs: [launch], call: () => changed(async () => off(await genericBody()), { enabled: true }) },
    'another template': { needs: [launch], call: async () => changed(genericBody, await anotherTemplate()) },
    'a higher target of a spot deployment': {
      needs: [launch, order],
      call: () => changed(spotBody, { target_instance_count: 2 }),
    },
    'a spot deployment is enabled': {
      needs: [launch, order],
      call: () => changed(async () => off(await spotBody()), { enabled: true }),
    },
    'a higher price': { needs: [order], call: () => changed(spotBody, { [buyPrice]: '0.120000' }) },
    'a higher target while it is disabled': {
      needs: [launch],
      call: () => changed(async () => off(await genericBody()), { target_instance_count: 2 }),
    },
  },
  harmless: {
    'a lower target': () => changed(genericBody, { target_instance_count: 0 }),
    disabled: () => changed(genericBody, { enabled: false }),
    'a lower target of a spot deployment': () => changed(spotBody, { target_instance_count: 0 }),
    'a spot deployment is disabled': () => changed(spotBody, { enabled: false }),
    'a lower price': () => changed(spotBody, { [buyPrice]: '0.000060' }),
    'other names': () => changed(genericBody, { name: world.word(), instance_name_template: 'n-{{nanoid(9)}}' }),
    'what it is': async () => {
      const { instance_template, target_instance_count } = await genericBody()
      return changed(genericBody, { instance_template, target_instance_count, enabled: true })
    },
  },
}

const procurementChanges: PermittedEffects = {
  effects: {
    'a higher target': { needs: [order], call: () => altered({ target: 2 }) },
    'the target of the instances': { needs: [order], call: () => altered({ target: 'node_count' }) },
    'a lower target, which sells': { needs: [order], call: () => altered({ target: 0 }) },
    'a higher maximum price': { needs: [order], call: () => altered({ [buyPrice]: '0.120000' }) },
    'a lower minimum price': { needs: [order], call: () => altered({ [sellPrice]: '0.000060' }) },
    'a longer window': { needs: [order], call: () => altered({ managed_window_minutes: 3 }) },
    'another SKU': { needs: [order], call: async () => altered({ sku: (await newSku()).id }) },
    enabled: { needs: [order], call: () => altered({ enabled: true }, { enabled: false }) },
  },
  harmless: {
    'a lower maximum price': () => altered({ [buyPrice]: '0.000060' }),
    'a higher minimum price': () => altered({ [sellPrice]: '2.000000' }),
    'a shorter window': () => altered({ managed_window_minutes: 1 }),
    disabled: () => altered({ enabled: false }),
    'another name': () => altered({ name: world.word() }),
    'what it is': () => altered({ target: 1, managed_window_minutes: 2, enabled: true }),
  },
}

const effectsOf: Partial<Record<OperationName, PermittedEffects>> = {
  // A procurement that follows the instances of a pool buys for them. That is what was asked of it.
  create_instance: {
    effects: { 'buys a node': { needs: [order], call: purchase } },
    harmless: { 'buys nothing': callOf('create_instance') },
  },
  replace_instance: { effects: { 'starts another instance': { needs: [launch], call: callOf('replace_instance') } } },
  amend_order: { effects: { 'places an order': { needs: [order], call: callOf('amend_order') } } },
  create_deployment: {
    effects: {
      'starts instances': { needs: [launch], call: callOf('create_deployment') },
      'buys nodes': { needs: [launch, order], call: async () => ({ body: await spotBody() }) },
    },
  },
  create_deployment_estimate: {
    effects: {
      'starts instances': { needs: [launch], call: callOf('create_deployment_estimate') },
      'buys nodes': { needs: [launch, order], call: async () => ({ body: await spotBody() }) },
    },
  },
  update_deployment: deploymentChanges,
  create_deployment_update_estimate: deploymentChanges,
  create_webhook: { effects: { 'sends events': { needs: [events], call: callOf('create_webhook') } } },
  replay_webhook: { effects: { 'sends events again': { needs: [events], call: callOf('replay_webhook') } } },
  update_webhook: {
    effects: {
      'sends events elsewhere': { needs: [events], call: () => rehooked({ url: 'http://127.0.0.1:10/' }) },
      'other actions': { needs: [events], call: () => rehooked({ actions: [] }) },
      'other kinds': { needs: [events], call: () => rehooked({ target_types: [] }) },
      'other targets': { needs: [events], call: () => rehooked({ targets: ['x'] }) },
      enabled: { needs: [events], call: () => rehooked({ enabled: true }, { enabled: false }) },
    },
    harmless: {
      disabled: () => rehooked({ enabled: false }),
      'another description and order': () => rehooked({ description: 'x', ordering: 'per_target' }),
      'what it is': () => rehooked({ ...quietHook, enabled: true }),
    },
  },
  create_procurement: { effects: { 'buys nodes': { needs: [order], call: callOf('create_procurement') } } },
  update_procurement: procurementChanges,
  // An estimate shows what the effects would be, so it needs their permissions too.
  create_procurement_estimate: {
    effects: { 'buys nodes': { needs: [order], call: callOf('create_procurement_estimate') } },
  },
  create_procurement_update_estimate: procurementChanges,
}

function callOf(name: OperationName): (world: ContractWorld) => Promise<CaseCall> {
  return async (one) => (await cases[name].call?.(one)) ?? {}
}

async function genericBody() {
  const [pool, sku, template] = await Promise.all([world.shared('pool'), world.shared('sku'), world.shared('template')])
  return { pool: pool.id, sku: sku.id, instance_template: template.id, target_instance_count: 1 }
}

/** In a pool of its own, because a spot deployment has its pool and SKU to itself. */
async function spotBody() {
  const pool = await world.make('/v2/pools')
  return { ...(await genericBody()), pool: pool.id, kind: 'spot', [buyPrice]: '0.060000' }
}

/** An instance that buys the hour in which it runs, of a seller who offers it. */
async function purchase(): Promise<CaseCall> {
  const market = await makeMarket(server)
  const seller = await market.seller()
  const minutes = { start_at: market.start, minutes: 60 }
  await market.order(seller, { side: 'sell', price: '0.000060', allow_standing: true, allow_partial: true, ...minutes })
  await grantCredit(server, world.account.id, '1.000000')
  const [pool, image] = await Promise.all([world.make('/v2/pools'), world.shared('image')])
  const buy = { start_at: market.start, end_at: market.start + hour, limit_price_dollars_per_node_hour: '0.000060' }
  return { body: { pool: pool.id, sku: market.sku, image: image.id, buy } }
}

function off(body: object): object {
  return { ...body, enabled: false }
}

async function anotherTemplate(): Promise<object> {
  const { id } = await world.make('/preview/v2/instance_templates', { image: (await world.shared('image')).id })
  return { instance_template: id }
}

async function newSku(): Promise<{ id: string }> {
  return world.operate('POST', '/preview/v2/admin/skus', {})
}

async function changed(before: () => Promise<object>, body: object): Promise<CaseCall> {
  const { id } = await world.make('/preview/v2/deployments', await before())
  return { params: { id }, body }
}

async function altered(body: object, before: object = {}): Promise<CaseCall> {
  const [sku, pool] = await Promise.all([world.shared('sku'), world.make('/v2/pools')])
  const prices = { [sellPrice]: '1.000000', [buyPrice]: '0.060000' }
  const terms = { pool: pool.id, sku: sku.id, target: 1, managed_window_minutes: 2, ...prices, ...before }
  const { id } = await world.make('/preview/v2/procurements', terms)
  return { params: { id }, body }
}

async function rehooked(body: object, before: object = {}): Promise<CaseCall> {
  const { id } = await world.make('/preview/v2/webhooks', { ...quietHook, ...before })
  return { params: { id }, body }
}

function operationOf(name: string): NamedEndpoint {
  return operations.find((operation) => operation.name === name) as NamedEndpoint
}

/** A token with exactly these permissions at the place where the operation asks for them. */
async function holderOf({ scope }: NamedEndpoint, permissions: readonly Permission[]): Promise<string> {
  const actions: Record<string, string[]> = {}
  for (const { resource, verb } of permissions.map(splitPermission)) {
    actions[resource] = [...(actions[resource] ?? []), verb]
  }
  return (
    await world.holder(world.account, { where: scope === 'account' ? null : world.account.workspace_id, actions })
  ).token
}

const listed = Object.entries(effectsOf) as [OperationName, PermittedEffects][]

test('every operation that writes is in exactly one of the three lists', () => {
  const writing = operations.filter(({ method }) => method !== 'GET').map(({ name }) => name)
  const all = [...plain, ...Object.keys(rightsOfOthers), ...Object.keys(effectsOf)]
  assert.deepEqual(all.toSorted(), writing.toSorted())
})

test('every operation that gives or ends rights has a test that asks for them', () => {
  for (const [name, place] of Object.entries(rightsOfOthers)) {
    const [file, title] = place.split(': ')
    const text = readFileSync(join(import.meta.dirname, '..', file as string), 'utf8')
    assert.ok(text.includes(`test('${title}'`), name)
  }
})

test('the contract names the permissions that the effects of an operation need, and no others', () => {
  for (const { name, also_access, conditional_access } of operations) {
    const named = [...also_access, ...conditional_access.map(({ permission }) => permission)]
    const needed = Object.values(effectsOf[name]?.effects ?? {}).flatMap(({ needs }) => needs)
    assert.deepEqual([...new Set(needed)].sort(), [...new Set(named)].sort(), name)
  }
})

for (const [name, { effects, harmless = {} }] of listed) {
  const operation = operationOf(name)
  const own = operation.access as Permission

  test(`${name} needs the permissions of its effects`, async () => {
    for (const [effect, { needs, call }] of Object.entries(effects)) {
      for (const lacking of needs) {
        const rest = needs.filter((permission) => permission !== lacking)
        const response = await send(server, operation, await call(world), await holderOf(operation, [own, ...rest]))
        assert.equal(response.status, 403, `${effect} without ${lacking}: ${response.text}`)
        assert.ok(response.body.error.message.includes(lacking), `${effect}: ${response.text}`)
      }
      const response = await send(server, operation, await call(world), await holderOf(operation, [own, ...needs]))
      assert.equal(response.status, operation.success, `${effect}: ${response.text}`)
    }
  })

  test(`${name} needs no further permission for anything else`, async () => {
    for (const [what, call] of Object.entries(harmless)) {
      const response = await send(server, operation, await call(world), await holderOf(operation, [own]))
      assert.equal(response.status, operation.success, `${what}: ${response.text}`)
    }
  })
}

test('the role operator cannot buy through a deployment', async () => {
  const token = (await world.make('/preview/v2/tokens', { roles: ['role_operator'] })).token
  const raise = await changed(spotBody, { target_instance_count: 9, [buyPrice]: '1.000000' })
  assert.equal((await send(server, operationOf('update_deployment'), raise, token)).status, 403)
  const generic = await changed(genericBody, { target_instance_count: 2 })
  assert.equal((await send(server, operationOf('update_deployment'), generic, token)).status, 200)
})

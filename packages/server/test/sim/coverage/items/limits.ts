/** Reached limits: the operator sets a limit to zero, the next creation is refused, and the limit is restored. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { LimitName } from '@bourse/api/iam/limits.ts'
import { type Item, type ItemCall, type Pass, refusal } from '../item.ts'
import { deploymentBody, email, instanceBody, orderBody, policy, procurementBody, window } from '../parts.ts'

type LimitItem = readonly [LimitName, OperationName, (pass: Pass) => ItemCall | Promise<ItemCall>]

const requests: readonly LimitItem[] = [
  ['workspaces', 'create_workspace', () => ({ body: {} })],
  ['users', 'create_user', (pass) => ({ body: { email: email(pass) } })],
  ['users', 'create_account_user', accountUser],
  ['roles', 'create_role', (pass) => ({ body: { name: pass.unique(), policy } })],
  ['grants', 'create_grant', grant],
  ['tokens', 'create_token', () => ({ body: {} })],
  ['pools', 'create_pool', () => ({ body: {} })],
  ['pools', 'create_read_only_pool', readOnlyPool],
  ['images', 'create_image', () => ({ body: {} })],
  ['images', 'create_ready_image', (pass) => ({ body: { name: pass.unique() } })],
  ['image_bytes', 'create_image_part', imagePart],
  ['firewalls', 'create_firewall', () => ({ body: {} })],
  ['subnets', 'create_subnet', () => ({ body: { region: 'north' } })],
  ['infiniband_partitions', 'create_infiniband_partition', () => ({ body: { infiniband_fabric: 'fabric-1' } })],
  ['instance_templates', 'create_instance_template', ({ fixtures }) => ({ body: { image: fixtures.image } })],
  ['instances', 'create_instance', (pass) => ({ body: instanceBody(pass) })],
  ['deployments', 'create_deployment', async (pass) => ({ body: await deploymentBody(pass) })],
  ['procurements', 'create_procurement', async (pass) => ({ body: await procurementBody(pass) })],
  ['budgets', 'create_budget', () => ({ body: { period: 'day', amount_dollars: '1' } })],
  ['open_orders', 'create_order', (pass) => ({ body: orderBody(pass, { side: 'buy', price: '0.010000' }) })],
  ['reserved_node_hours', 'amend_order', amendment],
  ['webhooks', 'create_webhook', () => ({ body: { url: 'https://receiver.example/hook' } })],
  ['hosts', 'create_host_enrolment', ({ fixtures }) => ({ body: { sku: fixtures.sku } })],
]

function accountUser(pass: Pass): ItemCall {
  const body = { email: email(pass), role: 'role_viewer' }
  return { by: pass.platform, params: { account: pass.account.id }, body }
}

function grant({ fixtures }: Pass): ItemCall {
  return { body: { principal_type: 'token', principal_id: fixtures.token, role: 'role_viewer' } }
}

function readOnlyPool(pass: Pass): ItemCall {
  const { id: account, workspace_id: workspace } = pass.account
  const { supply_pool: from_pool } = pass.context.world
  const place = { account, workspace, from_pool, sku: pass.fixtures.sku }
  return { by: pass.platform, body: { ...place, allocation_schedule: [window(pass, 1, 5)] } }
}

async function amendment(pass: Pass): Promise<ItemCall> {
  const { id } = await pass.ok('create_order', { body: orderBody(pass, { side: 'buy', price: '0.010000' }) })
  return { id, body: { node_count: 2 } }
}

async function imagePart(pass: Pass): Promise<ItemCall> {
  const { id } = await pass.ok('create_image', { body: {} })
  return { id, body: { part_id: 1 } }
}

export const limitItems: readonly Item[] = requests.map(([limit, op, callOf]) => ({
  name: `limit-of-${op.replaceAll('_', '-')}`,
  covers: [refusal(op, 'limit_exceeded')],
  work: async (pass) => {
    const call = await callOf(pass)
    const operator = { by: pass.platform, params: { account: pass.account.id, name: limit } }
    await pass.ok('put_account_limit', { ...operator, body: { value: 0 } })
    await pass.refuse(op, 'limit_exceeded', call)
    await pass.ok('delete_account_limit', operator)
  },
}))

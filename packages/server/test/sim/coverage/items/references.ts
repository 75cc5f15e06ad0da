/** Bodies that refer to missing resources. */
import type { OperationName } from '@bourse/api/contract.ts'
import { absent } from '../../context.ts'
import { type Item, type ItemCall, type Pass, refusal } from '../item.ts'
import {
  deploymentBody,
  hour,
  instanceBody,
  newDeployment,
  newInstance,
  newProcurement,
  orderBody,
  procurementBody,
  window,
} from '../parts.ts'

type ReferenceItem = readonly [OperationName, (pass: Pass) => ItemCall | Promise<ItemCall>]

const workspace = absent('wksp')
const sku = absent('sku')
const pool = absent('pool')

const requests: readonly ReferenceItem[] = [
  ['create_firewall', () => ({ body: { workspace } })],
  ['create_subnet', () => ({ body: { region: 'north', workspace } })],
  ['create_infiniband_partition', () => ({ body: { infiniband_fabric: 'fabric-1', workspace } })],
  ['create_image', () => ({ body: { workspace } })],
  ['create_ready_image', (pass) => ({ body: { name: pass.unique(), workspace } })],
  ['create_pool', () => ({ body: { workspace } })],
  ['create_token', () => ({ body: { workspace } })],
  ['check_permissions', () => ({ body: { actions: ['instance:create'], workspace } })],
  ['create_host_enrolment', ({ fixtures }) => ({ body: { sku: fixtures.sku, workspace } })],
  ['create_simulated_hosts', hostsOfNobody],
  ['create_fault', ({ platform }) => ({ by: platform, body: { kind: 'start_failure', instance: absent('inst') } })],
  ['halt_market', ({ platform }) => ({ by: platform, body: { sku } })],
  ['resume_market', ({ platform }) => ({ by: platform, body: { sku } })],
  ['create_maintenance_window', maintenance],
  ['create_instance_template', ({ fixtures }) => ({ body: { image: fixtures.image, workspace } })],
  ['create_instance', (pass) => ({ body: instanceBody(pass, { pool }) })],
  ['update_instance', withoutFirewall],
  ['update_instance_priorities', () => ({ body: { data: [{ id: absent('inst'), priority_level: 'normal' }] } })],
  ['create_deployment', async (pass) => ({ body: await deploymentBody(pass, { pool }) })],
  ['create_deployment_estimate', async (pass) => ({ body: await deploymentBody(pass, { pool }) })],
  ['update_deployment', withoutTemplate],
  ['create_deployment_update_estimate', withoutTemplate],
  ['create_procurement', async (pass) => ({ body: await procurementBody(pass, { pool }) })],
  ['create_procurement_estimate', async (pass) => ({ body: await procurementBody(pass, { pool }) })],
  ['create_order', (pass) => ({ body: orderBody(pass, { side: 'buy', pool }) })],
  ['create_order_estimate', estimate],
  ['create_pool_transfer', transfer],
  ['create_read_only_pool', readOnlyPool],
  ['create_sku', ({ platform, unique }) => ({ by: platform, body: { alias: unique(), region: 'nowhere' } })],
  ['update_sku', ({ platform, fixtures }) => ({ by: platform, id: fixtures.sku, body: { region: 'nowhere' } })],
  ['put_sku_override', override],
]

function hostsOfNobody({ platform, fixtures }: Pass): ItemCall {
  return { by: platform, body: { account: 'nobody', sku: fixtures.sku, count: 1, slots: 1 } }
}

function maintenance(pass: Pass): ItemCall {
  const { start_at, end_at } = window(pass, 0, 10)
  const words = { maintenance_type: 'info', title: 'Work', description: 'Nowhere.' }
  return { by: pass.platform, body: { start_at, end_at, ...words, sku: [sku] } }
}

async function withoutFirewall(pass: Pass): Promise<ItemCall> {
  const id = await newInstance(pass, { _preview_enable_public_ipv4: true })
  return { id, body: { _preview_firewall: absent('frwl') } }
}

async function withoutTemplate(pass: Pass): Promise<ItemCall> {
  return { id: await newDeployment(pass), body: { instance_template: absent('itmpl') } }
}

function estimate(pass: Pass): ItemCall {
  const { start_at, node_count } = window(pass, 10, 60)
  const { sku } = pass.fixtures
  return { body: { side: 'buy', pool, sku, start_at, duration_seconds: hour, node_count } }
}

function transfer(pass: Pass): ItemCall {
  const { pools, sku } = pass.fixtures
  const delta = [window(pass, 10, 60)]
  return { body: { from_pool: pools.supply, to_pool: pool, sku, allocation_schedule_delta: delta } }
}

function readOnlyPool(pass: Pass): ItemCall {
  const { id: account, workspace_id } = pass.account
  const body = { account, workspace: workspace_id, from_pool: pool, sku: pass.fixtures.sku }
  return { by: pass.platform, body: { ...body, allocation_schedule: [window(pass, 1, 5)] } }
}

function override({ platform, account, fixtures }: Pass): ItemCall {
  return { by: platform, params: { account: account.id, sku: fixtures.sku }, body: { region: 'nowhere' } }
}

const inBodies = requests.map(
  ([op, callOf]): Item => ({
    name: `absent-reference-of-${op.replaceAll('_', '-')}`,
    covers: [refusal(op, 'reference_not_found')],
    work: async (pass) => {
      await pass.refuse(op, 'reference_not_found', await callOf(pass))
    },
  }),
)

const procurementSku: Item = {
  name: 'absent-sku-of-update-procurement',
  covers: [refusal('update_procurement', 'sku_not_available')],
  work: async (pass) => {
    await pass.refuse('update_procurement', 'sku_not_available', { id: await newProcurement(pass), body: { sku } })
  },
}

export const referenceItems: readonly Item[] = [...inBodies, procurementSku]

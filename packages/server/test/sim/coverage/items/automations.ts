/** Deployments and procurements: conflicts, pools of the wrong kind, inapplicable prices and targets. */
import type { ErrorCode } from '@bourse/api/kit/errors.ts'
import { done, type Item, refusal } from '../item.ts'
import {
  deploymentBody,
  newDeployment,
  newPool,
  newProcurement,
  newTemplate,
  newWorkspace,
  procurementBody,
  retiredSku,
} from '../parts.ts'

const max_buy_price_dollars_per_node_hour = '1.000000'

export const automationItems: readonly Item[] = [
  {
    name: 'deployment-estimates',
    covers: [
      done('create_deployment_estimate'),
      done('create_deployment_update_estimate'),
      refusal('create_deployment_estimate', 'pool_kind_not_allowed'),
      refusal('create_deployment_estimate', 'not_applicable'),
      refusal('create_deployment_estimate', 'automation_conflict'),
      refusal('create_deployment_estimate', 'sku_not_available'),
      refusal('create_deployment_estimate', 'workspace_mismatch'),
      refusal('create_deployment_update_estimate', 'not_applicable'),
      refusal('create_deployment_update_estimate', 'workspace_mismatch'),
    ],
    work: async (pass) => {
      const { supply } = pass.fixtures.pools
      const price = { max_buy_price_dollars_per_node_hour }
      const spot = { kind: 'spot', ...price, pool: await newPool(pass) }
      const estimate = async (fields: object) => ({ body: await deploymentBody(pass, fields) })
      const refuse = async (code: ErrorCode, fields: object) =>
        pass.refuse('create_deployment_estimate', code, await estimate(fields))
      await pass.ok('create_deployment_estimate', await estimate(spot))
      await refuse('pool_kind_not_allowed', { ...spot, pool: supply })
      await refuse('not_applicable', price)
      await refuse('sku_not_available', { ...spot, sku: await retiredSku(pass) })
      const elsewhere = await newTemplate(pass, { workspace: await newWorkspace(pass) })
      await refuse('workspace_mismatch', { ...spot, instance_template: elsewhere })
      const taken = await newDeployment(pass, spot)
      await refuse('automation_conflict', spot)
      await pass.ok('create_deployment_update_estimate', { id: taken, body: { target_instance_count: 2 } })
      const id = await newDeployment(pass)
      await pass.refuse('create_deployment_update_estimate', 'not_applicable', { id, body: price })
      const body = { instance_template: elsewhere }
      await pass.refuse('create_deployment_update_estimate', 'workspace_mismatch', { id, body })
    },
  },
  {
    name: 'procurement-estimates',
    covers: [
      done('create_procurement_estimate'),
      done('create_procurement_update_estimate'),
      refusal('create_procurement_estimate', 'automation_conflict'),
      refusal('create_procurement_estimate', 'sku_not_available'),
      refusal('create_procurement_estimate', 'pool_kind_not_allowed'),
      refusal('create_procurement_estimate', 'not_applicable'),
      refusal('create_procurement_update_estimate', 'automation_conflict'),
      refusal('create_procurement_update_estimate', 'sku_not_available'),
      refusal('create_procurement_update_estimate', 'not_applicable'),
    ],
    work: async (pass) => {
      const { supply, read_only } = pass.fixtures.pools
      const { skus } = pass.context.world
      const [pool, retired] = [await newPool(pass), await retiredSku(pass)]
      const refuse = async (code: ErrorCode, fields: object) =>
        pass.refuse('create_procurement_estimate', code, { body: await procurementBody(pass, fields) })
      const place = { pool, sku: skus.fabric }
      await pass.ok('create_procurement_estimate', { body: await procurementBody(pass, place) })
      await refuse('sku_not_available', { ...place, sku: retired })
      await refuse('pool_kind_not_allowed', { pool: read_only })
      await refuse('not_applicable', { pool: supply })
      await newProcurement(pass, place)
      await refuse('automation_conflict', place)
      const id = await newProcurement(pass, { pool, sku: skus.south })
      const change = (body: object) => ({ id, body })
      await pass.ok('create_procurement_update_estimate', change({ target: 2 }))
      const refuseChange = (code: ErrorCode, body: object) =>
        pass.refuse('create_procurement_update_estimate', code, change(body))
      await refuseChange('automation_conflict', { sku: skus.fabric })
      await refuseChange('sku_not_available', { sku: retired })
      const selling = await newProcurement(pass, { pool: supply, max_buy_price_dollars_per_node_hour: null })
      const followed = { id: selling, body: { target: 'node_count' } }
      await pass.refuse('create_procurement_update_estimate', 'not_applicable', followed)
      await pass.ok('delete_procurement', { id: selling })
    },
  },
  {
    name: 'deployments-that-cannot-be',
    covers: [
      refusal('create_deployment', 'pool_kind_not_allowed'),
      refusal('create_deployment', 'not_applicable'),
      refusal('update_deployment', 'not_applicable'),
      refusal('delete_instance_template', 'in_use'),
    ],
    work: async (pass) => {
      const { supply: pool } = pass.fixtures.pools
      await pass.refuse('create_deployment', 'pool_kind_not_allowed', { body: await deploymentBody(pass, { pool }) })
      const price = { max_buy_price_dollars_per_node_hour }
      await pass.refuse('create_deployment', 'not_applicable', { body: await deploymentBody(pass, price) })
      const instance_template = await newTemplate(pass)
      const id = await newDeployment(pass, { instance_template })
      await pass.refuse('update_deployment', 'not_applicable', { id, body: price })
      await pass.refuse('delete_instance_template', 'in_use', { id: instance_template })
    },
  },
  {
    name: 'automation-conflicts',
    covers: [
      refusal('create_deployment', 'automation_conflict'),
      refusal('create_procurement', 'automation_conflict'),
      refusal('update_procurement', 'automation_conflict'),
    ],
    work: async (pass) => {
      const pool = await newPool(pass)
      const { skus } = pass.context.world
      await newProcurement(pass, { pool, sku: skus.fabric })
      const taken = { pool, sku: skus.fabric }
      await pass.refuse('create_procurement', 'automation_conflict', { body: await procurementBody(pass, taken) })
      const id = await newProcurement(pass, { pool, sku: skus.south })
      await pass.refuse('update_procurement', 'automation_conflict', { id, body: { sku: skus.fabric } })
      const spot = { kind: 'spot', max_buy_price_dollars_per_node_hour, ...taken }
      await pass.refuse('create_deployment', 'automation_conflict', { body: await deploymentBody(pass, spot) })
    },
  },
  {
    name: 'procurements-that-cannot-be',
    covers: [
      refusal('create_procurement', 'sku_not_available'),
      refusal('create_procurement', 'pool_kind_not_allowed'),
      refusal('create_procurement', 'not_applicable'),
      refusal('update_procurement', 'not_applicable'),
    ],
    work: async (pass) => {
      const { supply, read_only } = pass.fixtures.pools
      const create = async (fields: object) => ({ body: await procurementBody(pass, fields) })
      await pass.refuse('create_procurement', 'sku_not_available', await create({ sku: await retiredSku(pass) }))
      await pass.refuse('create_procurement', 'pool_kind_not_allowed', await create({ pool: read_only }))
      await pass.refuse('create_procurement', 'not_applicable', await create({ pool: supply }))
      const terms = { pool: supply, max_buy_price_dollars_per_node_hour: null }
      const id = await newProcurement(pass, terms)
      await pass.refuse('update_procurement', 'not_applicable', { id, body: { target: 'node_count' } })
      await pass.ok('delete_procurement', { id })
    },
  },
]

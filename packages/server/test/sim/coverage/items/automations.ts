/** Deployments and procurements: conflicts, pools of the wrong kind, inapplicable prices and targets. */
import { type Item, refusal } from '../item.ts'
import {
  deploymentBody,
  newDeployment,
  newPool,
  newProcurement,
  newTemplate,
  procurementBody,
  retiredSku,
} from '../parts.ts'

const max_buy_price_dollars_per_node_hour = '1.000000'

export const automationItems: readonly Item[] = [
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

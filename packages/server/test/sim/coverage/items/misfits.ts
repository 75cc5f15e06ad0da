/** Instances and deployments with incompatible parts. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { ErrorCode } from '@bourse/api/kit/errors.ts'
import { type Item, type Pass, refusal } from '../item.ts'
import {
  deploymentBody,
  instanceBody,
  newDeployment,
  newImage,
  newInstance,
  newSku,
  newTemplate,
  newWorkspace,
} from '../parts.ts'

/** Fields of a template that do not fit a SKU. */
type Misfit = { readonly fields: object; readonly sku: string }

async function partition(pass: Pass, infiniband_fabric: string): Promise<object> {
  const { id } = await pass.ok('create_infiniband_partition', { body: { infiniband_fabric } })
  return { _preview_infiniband_partition: id }
}

const misfits: readonly (readonly [ErrorCode, (pass: Pass) => Promise<Misfit>])[] = [
  ['infiniband_not_supported', async (pass) => ({ fields: await partition(pass, 'fabric-1'), sku: pass.fixtures.sku })],
  [
    'fabric_mismatch',
    async (pass) => {
      await newSku(pass, { rdma_type: 'infiniband', infiniband_fabric: 'fabric-2' })
      return { fields: await partition(pass, 'fabric-2'), sku: pass.context.world.skus.fabric }
    },
  ],
  [
    'region_mismatch',
    async (pass) => {
      const { id: subnet } = await pass.ok('create_subnet', { body: { region: 'south' } })
      return { fields: { subnet }, sku: pass.fixtures.sku }
    },
  ],
  [
    'public_ipv4_not_supported',
    async ({ context }) => ({ fields: { _preview_enable_public_ipv4: true }, sku: context.world.skus.south }),
  ],
]

/** Incompatible parts are refused for an instance, a deployment with the target 0, and a change of the template. */
function ofParts([code, make]: (typeof misfits)[number]): Item {
  const ops: readonly OperationName[] = ['create_instance', 'create_deployment', 'update_deployment']
  return {
    name: code.replaceAll('_', '-'),
    covers: ops.map((op) => refusal(op, code)),
    work: async (pass) => {
      const { fields, sku } = await make(pass)
      await pass.refuse('create_instance', code, { body: instanceBody(pass, { sku, ...fields }) })
      const instance_template = await newTemplate(pass, fields)
      await pass.refuse('create_deployment', code, { body: await deploymentBody(pass, { sku, instance_template }) })
      const id = await newDeployment(pass, { sku })
      await pass.refuse('update_deployment', code, { id, body: { instance_template } })
    },
  }
}

const others: readonly Item[] = [
  {
    name: 'template-of-another-workspace',
    covers: [refusal('create_deployment', 'workspace_mismatch'), refusal('update_deployment', 'workspace_mismatch')],
    work: async (pass) => {
      const instance_template = await newTemplate(pass, { workspace: await newWorkspace(pass) })
      const body = await deploymentBody(pass, { instance_template })
      await pass.refuse('create_deployment', 'workspace_mismatch', { body })
      const id = await newDeployment(pass)
      await pass.refuse('update_deployment', 'workspace_mismatch', { id, body: { instance_template } })
    },
  },
  {
    name: 'template-of-a-revoked-image',
    covers: [refusal('create_deployment', 'image_not_available'), refusal('update_deployment', 'image_not_available')],
    work: async (pass) => {
      const image = await newImage(pass)
      const instance_template = await newTemplate(pass, { image })
      await pass.ok('revoke_image', { id: image })
      const body = await deploymentBody(pass, { instance_template })
      await pass.refuse('create_deployment', 'image_not_available', { body })
      const id = await newDeployment(pass)
      await pass.refuse('update_deployment', 'image_not_available', { id, body: { instance_template } })
    },
  },
  {
    name: 'deployment-of-a-retired-sku',
    covers: [refusal('create_deployment', 'sku_not_available'), refusal('update_deployment', 'sku_not_available')],
    work: async (pass) => {
      const sku = await newSku(pass)
      const id = await newDeployment(pass, { sku })
      await pass.ok('retire_sku', { by: pass.platform, id: sku })
      const instance_template = await newTemplate(pass)
      await pass.refuse('create_deployment', 'sku_not_available', { body: await deploymentBody(pass, { sku }) })
      await pass.refuse('update_deployment', 'sku_not_available', { id, body: { instance_template } })
    },
  },
  {
    name: 'firewall-of-another-workspace',
    covers: [
      refusal('create_instance_template', 'workspace_mismatch'),
      refusal('create_instance', 'workspace_mismatch'),
      refusal('update_instance', 'workspace_mismatch'),
    ],
    work: async (pass) => {
      const { id } = await pass.ok('create_firewall', { body: { workspace: await newWorkspace(pass) } })
      const fields = { _preview_enable_public_ipv4: true, _preview_firewall: id }
      const { image } = pass.fixtures
      await pass.refuse('create_instance_template', 'workspace_mismatch', { body: { image, ...fields } })
      await pass.refuse('create_instance', 'workspace_mismatch', { body: instanceBody(pass, fields) })
      const instance = await newInstance(pass, { _preview_enable_public_ipv4: true })
      const body = { _preview_firewall: id }
      await pass.refuse('update_instance', 'workspace_mismatch', { id: instance, body })
    },
  },
  {
    name: 'firewall-without-public-address',
    covers: [
      refusal('create_instance_template', 'not_applicable'),
      refusal('create_instance', 'not_applicable'),
      refusal('update_instance', 'not_applicable'),
    ],
    work: async (pass) => {
      const { id: _preview_firewall } = await pass.ok('create_firewall', { body: {} })
      const fields = { _preview_firewall }
      const { image } = pass.fixtures
      await pass.refuse('create_instance_template', 'not_applicable', { body: { image, ...fields } })
      await pass.refuse('create_instance', 'not_applicable', { body: instanceBody(pass, fields) })
      await pass.refuse('update_instance', 'not_applicable', { id: await newInstance(pass), body: fields })
    },
  },
]

export const misfitItems: readonly Item[] = [...misfits.map(ofParts), ...others]

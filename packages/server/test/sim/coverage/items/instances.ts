/** Instances: ends, replacements, priorities, consoles, and refusals after the end. */
import { done, type Item, type Pass, refusal } from '../item.ts'
import {
  instanceBody,
  keyed,
  newInstance,
  newPool,
  newWorkspace,
  oncePerKey,
  retiredSku,
  revokedImage,
} from '../parts.ts'

async function endedInstance(pass: Pass): Promise<string> {
  const id = await newInstance(pass)
  await pass.ok('terminate_instance', { id })
  return id
}

const priority = (...ids: readonly string[]) => ({ data: ids.map((id) => ({ id, priority_level: 'normal' })) })

export const instanceItems: readonly Item[] = [
  {
    name: 'instance-life',
    covers: [
      ...['instance.created', 'instance.running', 'instance.terminated'].map((action) => `action ${action}`),
      done('get_instance_ssh'),
      done('list_instance_logs'),
      done('explain_instance'),
      'ended user',
      done('terminate_instance'),
      refusal('delete_instance', 'instance_not_terminated'),
      refusal('list_instance_logs', 'mutually_exclusive'),
    ],
    work: async (pass) => {
      const id = await newInstance(pass)
      await pass.advance(120)
      await pass.ok('get_instance_ssh', { id })
      await pass.ok('list_instance_logs', { id })
      const stream = { query: 'sort_by=-seqnum', accept: 'text/event-stream' }
      await pass.refuse('list_instance_logs', 'mutually_exclusive', { id, ...stream })
      await pass.ok('explain_instance', { id })
      await pass.refuse('delete_instance', 'instance_not_terminated', { id })
      await pass.ok('terminate_instance', { id })
      await pass.advance(60)
    },
  },
  {
    name: 'ended-instances',
    covers: [
      refusal('terminate_instance', 'instance_terminated'),
      refusal('update_instance', 'instance_terminated'),
      refusal('update_instance_priorities', 'instance_terminated'),
      refusal('replace_instance', 'instance_terminated'),
      refusal('create_fault', 'instance_terminated'),
    ],
    work: async (pass) => {
      const id = await endedInstance(pass)
      const { image } = pass.fixtures
      await pass.refuse('terminate_instance', 'instance_terminated', { id })
      await pass.refuse('update_instance', 'instance_terminated', { id, body: { priority_level: 'yield' } })
      await pass.refuse('update_instance_priorities', 'instance_terminated', { body: priority(id) })
      await pass.refuse('replace_instance', 'instance_terminated', { id, body: { image } })
      await pass.refuse('create_fault', 'instance_terminated', { body: { kind: 'start_failure', instance: id } })
    },
  },
  {
    name: 'instance-replacement',
    covers: [
      ...keyed('replace_instance'),
      refusal('replace_instance', 'name_taken'),
      refusal('replace_instance', 'same_name_as_replaced'),
      refusal('replace_instance', 'image_not_available'),
      'ended replaced',
    ],
    work: async (pass) => {
      const { image } = pass.fixtures
      const [name, other] = [pass.unique(), pass.unique()]
      const id = await newInstance(pass, { name })
      await newInstance(pass, { name: other })
      await pass.refuse('replace_instance', 'name_taken', { id, body: { image, name: other } })
      await pass.refuse('replace_instance', 'same_name_as_replaced', { id, body: { image, name } })
      await pass.refuse('replace_instance', 'image_not_available', { id, body: { image: await revokedImage(pass) } })
      await oncePerKey(pass, 'replace_instance', { id, body: { image } })
      await pass.advance(60)
    },
  },
  {
    name: 'instance-priorities',
    covers: [done('update_instance_priorities'), refusal('update_instance_priorities', 'workspace_mismatch')],
    work: async (pass) => {
      const pool = await newPool(pass, { workspace: await newWorkspace(pass) })
      const [here, there] = [await newInstance(pass), await newInstance(pass, { pool })]
      await pass.ok('update_instance_priorities', { body: priority(here) })
      await pass.refuse('update_instance_priorities', 'workspace_mismatch', { body: priority(here, there) })
    },
  },
  {
    name: 'refused-launches',
    covers: [
      refusal('create_instance', 'image_not_available'),
      refusal('create_instance', 'sku_not_available'),
      refusal('create_instance', 'pool_kind_not_allowed'),
      refusal('create_instance_template', 'image_not_available'),
    ],
    work: async (pass) => {
      const image = await revokedImage(pass)
      const { supply: pool } = pass.fixtures.pools
      const launch = (fields: object) => ({ body: instanceBody(pass, fields) })
      await pass.refuse('create_instance', 'image_not_available', launch({ image }))
      await pass.refuse('create_instance', 'sku_not_available', launch({ sku: await retiredSku(pass) }))
      await pass.refuse('create_instance', 'pool_kind_not_allowed', launch({ pool }))
      await pass.refuse('create_instance_template', 'image_not_available', { body: { image } })
    },
  },
  {
    name: 'machine-faults',
    covers: [
      done('create_fault'),
      done('list_faults'),
      done('delete_fault'),
      refusal('create_fault', 'mutually_exclusive'),
      refusal('create_fault', 'not_applicable'),
    ],
    work: async (pass) => {
      const instance = await newInstance(pass)
      const { id } = await pass.ok('create_fault', { body: { kind: 'start_failure', instance } })
      await pass.ok('list_faults', { by: pass.platform })
      await pass.ok('delete_fault', { id })
      const host = pass.context.world.hosts[0]
      const both = { kind: 'start_failure', host, instance }
      await pass.refuse('create_fault', 'mutually_exclusive', { by: pass.platform, body: both })
      const foreign = { kind: 'host_silent', host, instance }
      await pass.refuse('create_fault', 'not_applicable', { by: pass.platform, body: foreign })
      await pass.ok('terminate_instance', { id: instance })
    },
  },
]

/** Each kind of resource: created with a key, created again with the same name, renamed, read and deleted. */
import type { OperationName } from '@bourse/api/contract.ts'
import { done, type Item, type Pass, refusal } from '../item.ts'
import {
  deploymentBody,
  email,
  instanceBody,
  keyed,
  newTemplate,
  oncePerKey,
  policy,
  procurementBody,
} from '../parts.ts'

type LifecycleKind = {
  readonly kind: string
  /** A body that can be sent repeatedly. */
  readonly body: (pass: Pass) => object | Promise<object>
  /** Whether its name can change. */
  readonly has_update?: boolean
  /** Prepares its deletion. */
  readonly end?: (pass: Pass, id: string) => Promise<unknown>
}

const kinds: readonly LifecycleKind[] = [
  { kind: 'workspace', body: () => ({}), has_update: true },
  { kind: 'user', body: (pass) => ({ email: email(pass) }), has_update: true },
  { kind: 'role', body: () => ({ policy }), has_update: true },
  { kind: 'token', body: () => ({}) },
  { kind: 'pool', body: () => ({}), has_update: true },
  { kind: 'firewall', body: () => ({}), has_update: true },
  { kind: 'subnet', body: () => ({ region: 'north' }), has_update: true },
  { kind: 'infiniband_partition', body: () => ({ infiniband_fabric: 'fabric-1' }), has_update: true },
  { kind: 'image', body: () => ({}) },
  { kind: 'instance_template', body: ({ fixtures }) => ({ image: fixtures.image }) },
  {
    kind: 'instance',
    body: instanceBody,
    has_update: true,
    end: (pass, id) => pass.ok('terminate_instance', { id }),
  },
  { kind: 'deployment', body: deploymentBody, has_update: true },
  { kind: 'procurement', body: procurementBody, has_update: true },
]

function lifecycle({ kind, body, has_update = false, end }: LifecycleKind): Item {
  const op = (verb: string) => `${verb}_${kind}` as OperationName
  const [create, get, update, remove] = [op('create'), op('get'), op('update'), op('delete')]
  const changes = has_update ? [done(update), refusal(update, 'name_taken')] : []
  const rename = kind === 'role' ? { policy } : {}
  return {
    name: `${kind.replaceAll('_', '-')}-lifecycle`,
    covers: [...keyed(create), refusal(create, 'name_taken'), done(get), done(remove), ...changes],
    work: async (pass) => {
      const [name, other] = [pass.unique(), pass.unique()]
      const first = await oncePerKey(pass, create, { body: { ...(await body(pass)), name } })
      const second = await pass.ok(create, { body: { ...(await body(pass)), name: other } })
      await pass.refuse(create, 'name_taken', { body: { ...(await body(pass)), name } })
      if (has_update) {
        await pass.refuse(update, 'name_taken', { id: second.id, body: { ...rename, name } })
        await pass.ok(update, { id: second.id, body: { ...rename, name: pass.unique() } })
      }
      for (const { id } of [first, second]) {
        await pass.ok(get, { id })
        await end?.(pass, id)
        await pass.ok(remove, { id })
      }
    },
  }
}

const others: readonly Item[] = [
  {
    name: 'templates-with-user-data',
    covers: [done('get_instance_template_cloud_init'), done('get_instance_cloud_init')],
    work: async (pass) => {
      const cloud_init_user_data = Buffer.from('#cloud-config\n').toString('base64')
      await pass.ok('get_instance_template_cloud_init', { id: await newTemplate(pass, { cloud_init_user_data }) })
      const { id } = await pass.ok('create_instance', { body: instanceBody(pass, { cloud_init_user_data }) })
      await pass.ok('get_instance_cloud_init', { id })
      await pass.ok('terminate_instance', { id })
    },
  },
]

export const lifecycleItems: readonly Item[] = [...kinds.map(lifecycle), ...others]

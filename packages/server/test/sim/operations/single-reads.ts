/** Reads of single resources: their state, explanations, consoles. */
import type { OperationName } from '@bourse/api/contract.ts'
import {
  anyActor,
  type CallPlan,
  inTurn,
  maybe,
  pickResource,
  refTo,
  type SimContext,
  type SimOperation,
} from '../context.ts'
import { kinds, type ResourceKind } from '../inventory.ts'

/** Kinds that are read by id. */
export const readable = kinds.filter(
  (kind) => !['sku', 'host_enrolment', 'maintenance_window', 'sandbox_fault'].includes(kind),
)

/** Reads one resource of any kind. */
function readOne(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  for (const _ of readable) {
    const kind = inTurn(context, 'kinds', readable)
    const ref = refTo(context, actor, kind)
    if (ref !== undefined) return { op: `get_${kind}` as OperationName, actor, params: { id: ref } }
  }
  return undefined
}

const ofInstances = ['explain_instance', 'explain_instance', 'list_instance_logs', 'get_instance_ssh'] as const

function lookAtInstance(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const op = context.choices.pick(ofInstances)
  // A terminated instance has no SSH endpoint.
  const ref = refTo(
    context,
    actor,
    'instance',
    ({ facts }) => op !== 'get_instance_ssh' || facts.state !== 'terminated',
  )
  return ref === undefined ? undefined : { op, actor, params: { id: ref } }
}

/** Verifies an explanation beyond its schema. */
function explain(context: SimContext): CallPlan | undefined {
  const plan = lookAtInstance(context)
  if (plan?.op !== 'explain_instance') return plan
  return {
    ...plan,
    verify: ({ status, body }) => {
      if (status !== 200) return undefined
      const ended = body.termination?.ended_at ?? null
      if ((body.state === 'terminated') !== (ended !== null))
        return `${body.instance} is ${body.state} and ended at ${ended}`
      return body.replaced_by !== null && body.state !== 'terminated'
        ? `${body.instance} is replaced and not terminated`
        : undefined
    },
  }
}

/** Reads the SSH endpoint of a running instance. */
function reachMachine(context: SimContext): CallPlan {
  const actor = anyActor(context)
  return {
    op: 'list_instances',
    actor,
    query: 'state=running&limit=1',
    next: ({ status, body }) => {
      const [running] = status === 200 ? body.data : []
      return running && { op: 'get_instance_ssh', actor, params: { id: running.id } }
    },
  }
}

const limits = ['instances', 'open_orders', 'hosts'] as const

/** Reads single resources of the server, of an account or of the operator. */
function lookAround(context: SimContext): CallPlan {
  const { choices, world, platform } = context
  const actor = anyActor(context)
  const own = (op: OperationName, more: Partial<CallPlan> = {}): CallPlan => ({ op, actor, ...more })
  const ofAccount = (op: OperationName): CallPlan => ({ op, actor: platform, params: { account: actor.id } })
  const sku = { params: { id: choices.pick(Object.values(world.skus)) } }
  const open = ['get_health', 'get_readiness', 'get_version', 'get_signing_keys'] as const
  const looks: readonly (() => CallPlan)[] = [
    () => own('get_account'),
    () => own('get_limit', { params: { name: choices.pick(limits) } }),
    () => own('get_permissions'),
    () => own('get_sku', sku),
    () => own('get_sku_availability', sku),
    () => own('list_orderbook_fills', { query: `start_at=${context.now}&end_at=${context.now + 3600}` }),
    () => own('list_sku_properties'),
    () => own('list_scenarios'),
    () => own(choices.pick(open)),
    () => ofAccount('get_administered_account'),
    () => ofAccount('list_account_limits'),
    () => ofAccount('list_sku_overrides'),
    () => ({ op: 'list_faults', actor: platform }),
    () => ({ op: 'list_market_makers', actor: platform }),
    () => ({ ...ofCatalogue, actor: platform }),
  ]
  return inTurn(context, 'looks', looks)()
}

const ofCatalogue = {
  op: 'put_sku_property_value',
  params: { property: 'region', name: 'north' },
  body: { display_name: 'North' },
} as const

function readSecrets(context: SimContext): CallPlan | undefined {
  const actor = anyActor(context)
  const isUsed = ({ facts }: { facts: Record<string, unknown> }) => facts.cloud_init_user_data_used === true
  const template = pickResource(context, actor, 'instance_template' satisfies ResourceKind, isUsed)
  const id = maybe(context, 90, () => template?.id)
  return id === undefined ? undefined : { op: 'get_instance_template_cloud_init', actor, params: { id } }
}

export const lookingOperations: readonly SimOperation[] = [
  { name: 'read one', weight: 10, plan: readOne },
  { name: 'request at an instance', weight: 6, plan: explain },
  { name: 'reach a machine', weight: 4, plan: reachMachine },
  { name: 'request around', weight: 7, plan: lookAround },
  { name: 'read user data of a template', weight: 3, plan: readSecrets },
]

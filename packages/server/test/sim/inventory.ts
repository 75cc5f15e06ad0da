/**
 * The inventory: every resource that a 2xx response acknowledged, with the fields that only further calls change. The
 * run reads the server again and again and compares.
 */
import type { RandomChoices } from './choices.ts'

export const kinds = [
  'workspace',
  'user',
  'role',
  'token',
  'grant',
  'firewall',
  'subnet',
  'infiniband_partition',
  'image',
  'instance_template',
  'instance',
  'deployment',
  'procurement',
  'pool',
  'order',
  'pool_transfer',
  'budget',
  'sku',
  'host',
  'host_enrolment',
  'maintenance_window',
  'sandbox_fault',
] as const
export type ResourceKind = (typeof kinds)[number]

/** A resource, as last recorded. `facts` are the fields that only calls change. */
export type Resource = {
  readonly kind: ResourceKind
  readonly id: string
  readonly account: string
  readonly workspace: string | null
  /** The pool of an instance, automation or order. */
  readonly pool: string | null
  readonly born_at: number
  name: string | null
  isAlive: boolean
  /** Whether the replacement of the instance was acknowledged. */
  isReplaced: boolean
  facts: Record<string, unknown>
}

export type Inventory = {
  readonly resources: Map<string, Resource>
  /** Records a resource body as the current state. */
  record(kind: ResourceKind, body: any, at: { account: string; now: number }): Resource
  remove(id: string): void
  /** All resources of a kind that match. */
  all(kind: ResourceKind, fits?: (resource: Resource) => boolean): Resource[]
  /** A reference to the resource: its id, or sometimes its path. */
  ref(resource: Resource, choices: RandomChoices): string
}

/** Kinds without a read operation. */
const unread = ['host_enrolment', 'maintenance_window', 'sandbox_fault'] as const
type UnreadKind = (typeof unread)[number]

/** Whether the kind has a read operation. */
export function isReadable(kind: ResourceKind): kind is Exclude<ResourceKind, UnreadKind> {
  return !(unread as readonly ResourceKind[]).includes(kind)
}

/** Paths of the read operations. */
export const readPaths: Readonly<Record<Exclude<ResourceKind, UnreadKind>, string>> = {
  workspace: '/v2/workspaces',
  user: '/preview/v2/users',
  role: '/preview/v2/roles',
  token: '/preview/v2/tokens',
  grant: '/preview/v2/grants',
  firewall: '/preview/v2/firewalls',
  subnet: '/preview/v2/subnets',
  infiniband_partition: '/preview/v2/infiniband_partitions',
  image: '/v2/images',
  instance_template: '/preview/v2/instance_templates',
  instance: '/v2/instances',
  deployment: '/preview/v2/deployments',
  procurement: '/preview/v2/procurements',
  pool: '/v2/pools',
  order: '/v2/orders',
  pool_transfer: '/preview/v2/pool_transfers',
  budget: '/preview/v2/billing/budgets',
  sku: '/v2/skus',
  host: '/preview/v2/hosts',
}

const plainFacts: Readonly<Record<ResourceKind, readonly string[]>> = {
  workspace: [],
  user: ['email', 'first_name', 'last_name'],
  role: ['role_type', 'policy'],
  token: ['kind', 'suffix', 'expires_at'],
  grant: ['principal_type', 'principal_id'],
  firewall: ['is_default', 'rules', 'tags'],
  subnet: ['region', 'cidr', 'tags'],
  infiniband_partition: ['infiniband_fabric', 'tags'],
  image: ['is_public', 'state', 'sha256', 'size_bytes', 'deprecation_message'],
  instance_template: [
    'cloud_init_user_data_used',
    'tags',
    'priority_level',
    '_preview_enable_public_ipv4',
    '_preview_firewall',
    'subnet',
    '_preview_infiniband_partition',
  ],
  instance: [
    'created_at',
    'cloud_init_user_data_used',
    'subnet',
    '_preview_enable_public_ipv4',
    '_preview_firewall',
    '_preview_infiniband_partition',
    'tags',
    'priority_level',
  ],
  deployment: ['enabled', 'target_instance_count', 'instance_name_template', 'max_buy_price_dollars_per_node_hour'],
  procurement: [
    'target',
    'min_sell_price_dollars_per_node_hour',
    'max_buy_price_dollars_per_node_hour',
    'managed_window_minutes',
    'enabled',
  ],
  pool: ['kind', 'tags'],
  order: [
    'side',
    'allow_standing',
    'allow_partial',
    'allocation_schedule_delta',
    'limit_price_dollars_per_node_hour',
    'created_at',
  ],
  pool_transfer: ['state', 'from_pool', 'to_pool', 'allocation_schedule_delta', 'created_at', 'executed_at'],
  budget: ['period', 'amount_dollars', 'thresholds_percent', 'threshold_basis', 'hard_stop', 'created_at'],
  sku: ['alias', 'infiniband_fabric'],
  host: ['slots', 'created_at', 'account'],
  host_enrolment: ['slots', 'uses', 'expires_at'],
  maintenance_window: ['start_at', 'end_at', 'title'],
  sandbox_fault: ['kind'],
}
/** Fields that are summaries: only their id stays the same when others are renamed. */
const summaryFacts = ['image', 'sku', 'instance_template', 'managed_by', 'role'] as const

/** Fields of an order that never change after its end. */
const finalFacts = ['state', 'filled_allocation_schedule_delta', 'filled_at', 'cancelled_at', 'cancel_reason', 'fills']

/** Whether a fact may change without a call: an upload is abandoned after a day. */
export function isPassing(kind: ResourceKind, fact: string, value: unknown): boolean {
  return kind === 'image' && fact === 'state' && (value === 'started' || value === 'uploading')
}

/** The fields of a body that only calls change. */
export function factsOf(kind: ResourceKind, body: any): Record<string, unknown> {
  const facts = Object.fromEntries(plainFacts[kind].map((fact) => [fact, body[fact] ?? null]))
  for (const fact of summaryFacts) if (body[fact]?.id !== undefined) facts[`${fact}_id`] = body[fact].id
  if (body.name !== undefined) facts.name = body.name
  if (kind === 'instance' && body.state === 'terminated') facts.state = 'terminated'
  if (kind === 'order' && (body.state === 'filled' || body.state === 'cancelled')) {
    for (const fact of finalFacts) facts[fact] = body[fact]
  }
  return facts
}

export function openInventory(): Inventory {
  const resources = new Map<string, Resource>()
  return {
    resources,
    record: (kind, body, { account, now }) => {
      const facts = factsOf(kind, body)
      const known = resources.get(body.id)
      if (known) {
        Object.assign(known, { facts, name: body.name ?? null, isAlive: true })
        return known
      }
      const workspace = body.workspace?.id ?? null
      const resource: Resource = {
        kind,
        id: body.id,
        account,
        workspace,
        born_at: now,
        name: body.name ?? null,
        pool: body.pool?.id ?? null,
        isAlive: true,
        isReplaced: false,
        facts,
      }
      resources.set(resource.id, resource)
      return resource
    },
    remove: (id) => {
      const resource = resources.get(id)
      if (resource) resource.isAlive = false
    },
    all: (kind, fits = () => true) =>
      [...resources.values()].filter((resource) => resource.kind === kind && fits(resource)),
    ref: (resource, choices) => {
      const path = pathOf(resources, resource)
      return path !== undefined && choices.chance(30) ? path : resource.id
    },
  }
}

function pathOf(resources: ReadonlyMap<string, Resource>, resource: Resource): string | undefined {
  const { kind, account, workspace, name } = resource
  if (name === null || ['token', 'sku', 'grant', 'budget'].includes(kind) || !isReadable(kind)) return undefined
  if (['workspace', 'user', 'role'].includes(kind)) return `svc:${kind}:${account}:${name}`
  const place = workspace === null ? undefined : resources.get(workspace)
  return place?.name ? `svc:${kind}:${account}:${place.name}:${name}` : undefined
}

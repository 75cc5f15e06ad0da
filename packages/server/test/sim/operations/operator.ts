/** Operations of the platform operator: capacity, SKUs, accounts, sandbox faults. */
import {
  anyActor,
  anyName,
  type CallPlan,
  defined,
  maybe,
  maybeKey,
  pickResource,
  recording,
  refTo,
  type SimActor,
  type SimContext,
  type SimOperation,
} from '../context.ts'

const accountsMax = 7

function anyOffering(context: SimContext): string {
  const { plain, fabric, south } = context.world.skus
  return context.choices.weighted([
    { weight: 60, id: plain },
    { weight: 25, id: fabric },
    { weight: 12, id: south },
    ...context.inventory.all('sku').map(({ id }) => ({ weight: 4, id })),
  ]).id
}

/** Ranges of minutes from now on with node counts; short ones end during the run. */
function scheduleFor({ choices, now }: SimContext) {
  const minute = now - (now % 60)
  const start = choices.chance(4) ? minute - 3600 : minute + 60 * choices.integer(3)
  const counts = Array.from({ length: 1 + choices.integer(3) }, () => 1 + choices.integer(choices.chance(5) ? 40 : 4))
  let at = start
  return counts.map((node_count, index) => {
    const minutes = choices.pick([2, 11, 15, 30, 120, 3000])
    const entry = { start_at: at, end_at: at + minutes * 60, node_count }
    at += minutes * 60
    return index === counts.length - 1 && choices.chance(40) ? { ...entry, end_at: null } : entry
  })
}

function givePool(context: SimContext): CallPlan {
  const { choices, platform, world, inventory } = context
  const actor = anyActor(context)
  const owner = choices.chance(4) ? anyActor(context) : actor
  const from = choices.chance(6) ? pickResource(context, actor, 'pool')?.id : undefined
  const body = {
    ...defined({ name: maybe(context, 50, () => anyName(context, 'pool', 6)) }),
    account: actor.id,
    workspace: refTo(context, owner, 'workspace') ?? owner.workspace_id,
    from_pool: choices.chance(3) ? 'pool_0000000000000000000zz' : (from ?? world.supply_pool),
    sku: anyOffering(context),
    allocation_schedule: scheduleFor(context),
  }
  const record = (pool: any) => void inventory.record('pool', pool, { account: actor.id, now: context.now })
  return { op: 'create_read_only_pool', actor: platform, body, key: maybeKey(context), record }
}

function createSku(context: SimContext): CallPlan {
  const { choices, platform } = context
  const body = defined({
    alias: choices.chance(20) ? 'plain' : anyName(context, 'sku', 4),
    region: choices.pick(['north', 'south', 'north', 'nowhere']),
    rdma_type: maybe(context, 40, () => 'infiniband'),
    infiniband_fabric: maybe(context, 40, () => choices.pick(['fabric-1', 'fabric-2'])),
    listed: maybe(context, 20, () => false),
  })
  return {
    op: 'create_sku',
    actor: platform,
    body,
    key: maybeKey(context),
    record: recording(context, platform, 'sku'),
  }
}

function changeSku(context: SimContext): CallPlan | undefined {
  const { choices, platform, world } = context
  const sku = choices.chance(30) ? undefined : pickResource(context, platform, 'sku')
  const id = sku?.id ?? choices.pick(Object.values(world.skus))
  const own = sku ? { region: maybe(context, 20, () => 'nowhere') } : {}
  const body = defined({
    ...own,
    alias: maybe(context, 30, () => (sku ? anyName(context, 'sku', 4) : undefined)),
    infiniband_fabric: maybe(context, 40, () => choices.pick(['fabric-1', 'fabric-2'])),
    fee_bps: choices.integer(100),
    public_prices_exclude_related: maybe(context, 30, () => choices.chance(50)),
  })
  const record = recording(context, platform, 'sku')
  return { op: 'update_sku', actor: platform, params: { id }, body, record, touches: sku ? [sku] : [] }
}

function retireOrRestore(context: SimContext): CallPlan | undefined {
  const { choices, platform, world } = context
  const sku = pickResource(context, platform, 'sku')
  const id = sku && choices.chance(70) ? sku.id : world.skus.south
  const touches = sku ? [sku] : []
  if (choices.chance(45)) return { op: 'retire_sku', actor: platform, params: { id }, touches }
  return { op: 'restore_sku', actor: platform, params: { id }, touches }
}

function override(context: SimContext): CallPlan {
  const { choices, platform } = context
  const params = { account: anyActor(context).id, sku: anyOffering(context) }
  if (choices.chance(30)) return { op: 'delete_sku_override', actor: platform, params }
  const body = choices.pick([
    { num_vcpus: 8 + choices.integer(3) },
    { num_vcpus: 4 },
    { infiniband_fabric: choices.pick(['fabric-1', 'fabric-2']) },
    { region: choices.pick(['south', 'nowhere', 'north']) },
    { supports_public_ipv4: choices.chance(70) },
  ])
  return { op: 'put_sku_override', actor: platform, params, body }
}

function openAccount(context: SimContext): CallPlan {
  const { actors, choices, platform } = context
  const id = actors.length >= accountsMax || choices.chance(20) ? choices.pick(actors).id : `acct-${actors.length}`
  const body = { id, trust_level: choices.pick(['untrusted', 'basic']) }
  return {
    op: 'create_account',
    actor: platform,
    body,
    key: maybeKey(context),
    next: ({ status, body: account }) => {
      if (status !== 201 || actors.some((actor) => actor.id === account.id)) return undefined
      const made = { id: account.id, token: account.token, token_id: '', workspace_id: '' }
      const actor: SimActor = { ...made, isDisposable: true, isPlatform: false, tokens: new Map() }
      return {
        op: 'get_account',
        actor,
        record: (me) => {
          context.inventory.record('workspace', me.workspace, { account: actor.id, now: context.now })
          actors.push({ ...actor, token_id: me.token.id, workspace_id: me.workspace.id })
        },
      }
    },
  }
}

function administer(context: SimContext): CallPlan {
  const { choices, platform } = context
  const { id: account } = anyActor(context)
  const on = { actor: platform, params: { account } }
  switch (choices.integer(10)) {
    case 0:
      return { ...on, op: 'update_account', body: { entity_type: choices.pick(['personal', 'business']) } }
    case 1:
      return { ...on, op: 'freeze_account' }
    case 2:
    case 6:
    case 7:
      return { ...on, op: 'unfreeze_account' }
    case 3:
      return { ...on, op: 'set_trust_level', body: { trust_level: choices.pick(['untrusted', 'basic', 'trusted']) } }
    case 4:
    case 5:
      return { ...on, op: 'delete_account_limit', params: { account, name: choices.pick(limits) } }
    default:
      return {
        ...on,
        op: 'put_account_limit',
        params: { account, name: choices.pick(limits) },
        body: { value: choices.pick([0, 1, 3, 30, null]) },
      }
  }
}

const limits = [
  'workspaces',
  'users',
  'tokens',
  'roles',
  'grants',
  'pools',
  'images',
  'instance_templates',
  'instances',
  'deployments',
  'procurements',
  'firewalls',
  'subnets',
  'infiniband_partitions',
  'hosts',
  'open_orders',
  'reserved_node_hours',
  'budgets',
]

function giveUser(context: SimContext): CallPlan {
  const { choices, platform } = context
  const actor = anyActor(context)
  const email = `${anyName(context, 'someone', 9)}@example.org`
  const role = maybe(context, 90, () => choices.pick(['role_viewer', 'role_0000000000000000000zz', 'role_operator']))
  // Without a role the user would be an admin, and the first admin could be removed.
  const body = defined({
    email,
    name: maybe(context, 60, () => anyName(context, 'user')),
    role: role ?? 'role_billing',
  })
  const record = recording(context, actor, 'user')
  return {
    op: 'create_account_user',
    actor: platform,
    params: { account: actor.id },
    body,
    key: maybeKey(context),
    record,
  }
}

function addHosts(context: SimContext): CallPlan {
  const { choices, platform } = context
  const account = maybe(context, 20, () => (choices.chance(60) ? anyActor(context).id : 'nobody'))
  const body = defined({ account, sku: anyOffering(context), count: 1, slots: 1 + choices.integer(4) })
  return { op: 'create_simulated_hosts', actor: platform, body }
}

const faults = [
  'host_silent',
  'host_silent',
  'host_crash',
  'start_failure',
  'checksum_mismatch',
  'instance_unhealthy',
  'preempt',
  'preempt',
]

function breakSomething(context: SimContext): CallPlan | undefined {
  const { choices, world, platform } = context
  const actor = anyActor(context)
  const kind = choices.pick(faults)
  const wantsHost =
    kind.startsWith('host') || (kind !== 'instance_unhealthy' && kind !== 'preempt' && choices.chance(40))
  const instance = wantsHost
    ? undefined
    : pickResource(context, actor, 'instance', ({ facts }) => facts.state !== 'terminated')
  if (!wantsHost && !instance) return undefined
  const target = wantsHost ? { host: choices.pick(world.hosts) } : { instance: instance?.id as string }
  // Recurring faults have an end, otherwise weeks would not pass.
  const for_seconds = choices.pick([30, 95, 400])
  const life = kind === 'preempt' ? {} : choices.pick([{}, { times: 3 }, { for_seconds }, { times: 0, for_seconds }])
  const wrong = choices.chance(4) ? { host: world.hosts[0], instance: 'inst_0000000000000000000zz' } : {}
  const fault = { kind, ...target, ...life, ...wrong }
  const by = instance && instance.account !== platform.id ? actor : platform
  return { op: 'create_fault', actor: by, body: fault, record: recording(context, platform, 'sandbox_fault') }
}

/** Sells off allocation of a market pool, with or without instances on it. */
function preemptPool(context: SimContext): CallPlan | undefined {
  const { choices, platform } = context
  const actor = anyActor(context)
  const pool = pickResource(context, actor, 'pool', ({ facts }) => facts.kind === 'market')
  if (!pool) return undefined
  const sku = choices.chance(85) ? context.world.skus.plain : anyOffering(context)
  const fault = { kind: 'preempt', pool: pool.id, sku, node_count: 1 + choices.integer(2) }
  return { op: 'create_fault', actor: platform, body: fault, record: recording(context, platform, 'sandbox_fault') }
}

/** Silences or crashes a host with instances. */
function hideBusyHost(context: SimContext): CallPlan {
  const { choices, platform } = context
  const record = recording(context, platform, 'sandbox_fault')
  return {
    op: 'list_hosts',
    actor: platform,
    query: 'limit=50&state=active',
    next: ({ status, body }) => {
      const busy = status === 200 ? body.data.filter((host: any) => host.used_slots > 0) : []
      if (busy.length === 0) return undefined
      const fault = {
        kind: choices.pick(['host_silent', 'host_silent', 'host_crash']),
        host: choices.pick(busy as any[]).id,
      }
      const lasting = fault.kind === 'host_silent' ? { for_seconds: choices.pick([95, 400]) } : {}
      return { op: 'create_fault', actor: platform, body: { ...fault, ...lasting }, record }
    },
  }
}

function mend(context: SimContext): CallPlan | undefined {
  const fault = pickResource(context, context.platform, 'sandbox_fault')
  if (!fault) return undefined
  return {
    op: 'delete_fault',
    actor: context.platform,
    params: { id: fault.id },
    record: () => context.inventory.remove(fault.id),
  }
}

export const operatorOperations: readonly SimOperation[] = [
  { name: 'give pool', weight: 16, plan: givePool },
  { name: 'create SKU', weight: 4, plan: createSku },
  { name: 'change SKU', weight: 4, plan: changeSku },
  { name: 'retire SKU', weight: 6, plan: retireOrRestore },
  { name: 'override', weight: 8, plan: override },
  { name: 'open account', weight: 3, plan: openAccount },
  { name: 'administer', weight: 10, plan: administer },
  { name: 'give user', weight: 4, plan: giveUser },
  { name: 'add hosts', weight: 3, plan: addHosts },
  { name: 'break something', weight: 22, plan: breakSomething },
  { name: 'preempt a pool', weight: 6, plan: preemptPool },
  { name: 'hide a busy host', weight: 5, plan: hideBusyHost },
  { name: 'mend', weight: 4, plan: mend },
]

/** Hosts: cordon, drain, retire, enrol; maintenance windows. */

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
  removal,
  type SimActor,
  type SimContext,
  type SimOperation,
} from '../context.ts'
import type { Resource } from '../inventory.ts'

const steps = [
  { weight: 30, op: 'cordon_host' },
  { weight: 50, op: 'uncordon_host' },
  { weight: 10, op: 'drain_host' },
  { weight: 10, op: 'retire_host' },
] as const

/** An owner of hosts, mostly the platform, whose supply all others use. */
function anyOwner(context: SimContext): SimActor {
  return context.choices.chance(60) ? context.platform : anyActor(context)
}

function steer(context: SimContext): CallPlan | undefined {
  const { choices, inventory, now } = context
  const host = pickResource(context, anyOwner(context), 'host')
  if (!host) return undefined
  const { op } = choices.weighted(steps)
  const actor = choices.chance(25) ? context.platform : (ownerOf(context, host) ?? context.platform)
  const deadline_at = now + choices.pick([-60, 0, 30, 60, 700, 3600])
  const body = op === 'drain_host' ? { deadline_at, ...defined({ force: maybe(context, 50, () => true) }) } : undefined
  return {
    op,
    actor,
    params: { id: inventory.ref(host, choices) },
    touches: [host],
    ...defined({ body }),
    record: recording(context, { id: host.account }, 'host'),
  }
}

/** Retires a drained host; if there is none, drains an empty one for the next time. */
function letGo(context: SimContext): CallPlan {
  const { choices, platform, now, inventory } = context
  const record = recording(context, platform, 'host')
  const send = (op: 'drain_host' | 'retire_host', { id }: { id: string }, body?: object): CallPlan => {
    const host = inventory.resources.get(id)
    return { op, actor: platform, params: { id }, ...defined({ body }), touches: host ? [host] : [], record }
  }
  const list = (state: string, next: (hosts: any[]) => CallPlan | undefined): CallPlan => ({
    op: 'list_hosts',
    actor: platform,
    query: `limit=50&state=${state}&account=${platform.id}`,
    next: ({ status, body }) => (status === 200 ? next(body.data) : undefined),
  })
  const drainOne = () =>
    list('active', (hosts) => {
      const empty = hosts.filter(({ used_slots }) => used_slots === 0)
      return empty.length > 0 ? send('drain_host', choices.pick(empty), { deadline_at: now, force: true }) : undefined
    })
  return list('drained', ([host]) => (host ? send('retire_host', host) : drainOne()))
}

function ownerOf({ actors, platform }: SimContext, { account }: Resource): SimActor | undefined {
  return account === platform.id ? platform : actors.find(({ id }) => id === account)
}

function rename(context: SimContext): CallPlan | undefined {
  const actor = anyOwner(context)
  const host = pickResource(context, actor, 'host')
  if (!host) return undefined
  const body = defined({ name: maybe(context, 85, () => anyName(context, 'host', 5)) })
  return {
    op: 'update_host',
    actor,
    params: { id: context.inventory.ref(host, context.choices) },
    body,
    touches: [host],
    record: recording(context, { id: host.account }, 'host'),
  }
}

function permit(context: SimContext): CallPlan {
  const { choices, world } = context
  const actor = anyOwner(context)
  const body = {
    sku: choices.pick(Object.values(world.skus)),
    ...defined({
      workspace: maybe(context, 30, () => refTo(context, actor, 'workspace')),
      slots: maybe(context, 50, () => 1 + choices.integer(8)),
      expires_in_seconds: maybe(context, 60, () => choices.pick([60, 3600, 604_800])),
      uses: maybe(context, 40, () => 1 + choices.integer(3)),
    }),
  }
  const record = recording(context, actor, 'host_enrolment')
  return { op: 'create_host_enrolment', actor, body, key: maybeKey(context), record }
}

function announce(context: SimContext): CallPlan {
  const { choices, now, platform, world } = context
  const start_at = now - (now % 60) + 60 * choices.integer(90)
  const body = {
    start_at,
    end_at: start_at + 60 * choices.pick([10, 60, 300]),
    title: 'Work',
    description: 'On the roof.',
    maintenance_type: choices.pick(['info', 'degraded_performance', 'unavailable']),
    ...defined({ sku: maybe(context, 60, () => [choices.pick(Object.values(world.skus))]) }),
  }
  const record = recording(context, platform, 'maintenance_window')
  return { op: 'create_maintenance_window', actor: platform, body, key: maybeKey(context), record }
}

export const hostOperations: readonly SimOperation[] = [
  { name: 'steer host', weight: 12, plan: steer },
  { name: 'let a host go', weight: 2, plan: letGo },
  { name: 'rename host', weight: 3, plan: rename },
  { name: 'permit host', weight: 4, plan: permit },
  {
    name: 'end permit',
    weight: 2,
    plan: (context) => removal(context, 'delete_host_enrolment', 'host_enrolment', { actor: anyOwner(context) }),
  },
  { name: 'announce work', weight: 3, plan: announce },
  {
    name: 'call work off',
    weight: 3,
    plan: (context) => removal(context, 'delete_maintenance_window', 'maintenance_window', { actor: context.platform }),
  },
]

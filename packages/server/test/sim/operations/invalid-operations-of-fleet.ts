/** Machines, templates and fleets of parts that do not go together. */

import { type Actor, absent, type Context, type Plan, then } from '../context.ts'
import type { Resource } from '../inventory.ts'
import { type InvalidOperation, imageIn, owned, poolOf, some } from './fixtures.ts'

/** Something made first, of which the rest is made. */
type Part = 'workspace' | 'firewall' | 'subnet' | 'infiniband_partition' | 'instance_template' | 'deployment'

function make(actor: Actor, kind: Part, body: object, next: (made: any) => Plan | undefined): Plan {
  return then({ op: `create_${kind}`, actor, body }, next)
}

type Home = { readonly pool: Resource; readonly image: string; readonly workspace: string }

/** A pool that takes instances, an image, and the workspace in which the rest has to lie. */
function homeOf(context: Context, actor: Actor): Home | undefined {
  const pool = poolOf(context, actor)
  const image = imageIn(context, actor.id)
  return pool?.workspace && image ? { pool, image, workspace: pool.workspace } : undefined
}

/** How a machine is started: of a template's fields, on a SKU. */
type Launch = { readonly fields: object; readonly sku: string }
type Misfit = (
  context: Context,
  actor: Actor,
  home: Home,
  use: (launch: Launch) => Plan | undefined,
) => Plan | undefined

/** A SKU of the second fabric, without which there is none. */
function offerFabric(context: Context): Plan {
  const wish = { alias: context.nextKey(), region: 'north', rdma_type: 'infiniband', infiniband_fabric: 'fabric-2' }
  return { op: 'create_sku', actor: context.platform, body: wish }
}

const misfits: readonly Misfit[] = [
  // A partition where there is no InfiniBand, and one of another fabric.
  (context, actor, { workspace }, use) =>
    make(actor, 'infiniband_partition', { infiniband_fabric: 'fabric-1', workspace }, ({ id }) =>
      use({ fields: { _preview_infiniband_partition: id }, sku: context.world.skus.plain }),
    ),
  (context, actor, { workspace }, use) =>
    then(offerFabric(context), () =>
      make(actor, 'infiniband_partition', { infiniband_fabric: 'fabric-2', workspace }, ({ id }) =>
        use({ fields: { _preview_infiniband_partition: id }, sku: context.world.skus.fabric }),
      ),
    ),
  // A subnet of another region.
  (context, actor, { workspace }, use) =>
    make(actor, 'subnet', { region: 'south', workspace }, ({ id }) =>
      use({ fields: { subnet: id }, sku: context.world.skus.plain }),
    ),
  ({ world }, _actor, _home, use) => use({ fields: { _preview_enable_public_ipv4: true }, sku: world.skus.south }),
]

/** What is wrong of one machine is wrong of a fleet of none, and of a fleet that gets another template. */
function ofMachine(misfit: Misfit): InvalidOperation {
  return (context, actor) => {
    const home = homeOf(context, actor)
    if (!home) return undefined
    const { pool, image } = home
    return misfit(context, actor, home, ({ fields, sku }) => {
      const body = { pool: pool.id, sku, image, ...fields }
      return { op: 'create_instance', actor, body }
    })
  }
}

function ofFleet(misfit: Misfit): InvalidOperation {
  return (context, actor) => {
    const home = homeOf(context, actor)
    if (!home) return undefined
    const { pool, image, workspace } = home
    return misfit(context, actor, home, ({ fields, sku }) =>
      make(actor, 'instance_template', { image, workspace, ...fields }, (template) => ({
        ...{ op: 'create_deployment', actor },
        body: { pool: pool.id, sku, instance_template: template.id, target_instance_count: 0 },
      })),
    )
  }
}

function ofChangedFleet(misfit: Misfit): InvalidOperation {
  return (context, actor) => {
    const home = homeOf(context, actor)
    if (!home) return undefined
    return misfit(context, actor, home, ({ fields, sku }) =>
      emptyFleet(actor, home, sku, (fleet) => {
        const { image, workspace } = home
        return make(actor, 'instance_template', { image, workspace, ...fields }, ({ id }) =>
          retemplate(actor, fleet, id),
        )
      }),
    )
  }
}

/** A fleet of nobody, with a template that fits. */
function emptyFleet(
  actor: Actor,
  { pool, image, workspace }: Home,
  sku: string,
  next: (fleet: string) => Plan | undefined,
): Plan {
  return make(actor, 'instance_template', { image, workspace }, (template) => {
    const body = { pool: pool.id, sku, instance_template: template.id, target_instance_count: 0 }
    return make(actor, 'deployment', body, ({ id }) => next(id))
  })
}

function retemplate(actor: Actor, fleet: string, instance_template: string): Plan {
  return { op: 'update_deployment', actor, params: { id: fleet }, body: { instance_template } }
}

/** A template in another workspace than the pool, and one whose image is withdrawn: for a new fleet, and for an old. */
function elsewhere(isNew: boolean): InvalidOperation {
  return (context, actor) => {
    const home = homeOf(context, actor)
    if (!home) return undefined
    const { image, pool } = home
    const { plain: sku } = context.world.skus
    const withTemplate = (use: (template: string) => Plan | undefined) =>
      make(actor, 'workspace', {}, (workspace) =>
        make(actor, 'instance_template', { image, workspace: workspace.id }, ({ id }) => use(id)),
      )
    if (!isNew) return emptyFleet(actor, home, sku, (fleet) => withTemplate((id) => retemplate(actor, fleet, id)))
    return withTemplate((instance_template) => {
      const body = { pool: pool.id, sku, instance_template, target_instance_count: 0 }
      return { op: 'create_deployment', actor, body }
    })
  }
}

function withdrawn(isNew: boolean): InvalidOperation {
  return (context, actor) => {
    const home = homeOf(context, actor)
    if (!home) return undefined
    const { pool, workspace } = home
    const { plain: sku } = context.world.skus
    const add: Plan = { op: 'create_ready_image', actor, body: { name: context.nextKey(), workspace } }
    const withTemplate = (use: (template: string) => Plan | undefined) =>
      then(add, ({ id: image }) =>
        make(actor, 'instance_template', { image, workspace }, (template) =>
          then({ op: 'revoke_image', actor, params: { id: image } }, () => use(template.id)),
        ),
      )
    if (!isNew) return emptyFleet(actor, home, sku, (fleet) => withTemplate((id) => retemplate(actor, fleet, id)))
    return withTemplate((instance_template) => {
      const body = { pool: pool.id, sku, instance_template, target_instance_count: 0 }
      return { op: 'create_deployment', actor, body }
    })
  }
}

/** A fleet of a SKU that has been retired gets another template. */
function retiredSku(context: Context, actor: Actor): Plan | undefined {
  const home = homeOf(context, actor)
  if (!home) return undefined
  const { image, workspace } = home
  const { platform } = context
  const body = { alias: context.nextKey(), region: 'north' }
  const offer: Plan = { op: 'create_sku', actor: platform, body }
  return then(offer, ({ id: sku }) =>
    emptyFleet(actor, home, sku, (fleet) =>
      then({ op: 'retire_sku', actor: platform, params: { id: sku } }, () =>
        make(actor, 'instance_template', { image, workspace }, ({ id }) => retemplate(actor, fleet, id)),
      ),
    ),
  )
}

/** A machine with a public address, which a firewall guards. */
function openMachine(
  { world }: Context,
  actor: Actor,
  { pool, image }: Home,
  next: (id: string) => Plan | undefined,
): Plan {
  const body = { pool: pool.id, sku: world.skus.plain, image, _preview_enable_public_ipv4: true }
  return then({ op: 'create_instance', actor, body }, ({ id }) => next(id))
}

function guardedByNothing(context: Context, actor: Actor): Plan | undefined {
  const home = homeOf(context, actor)
  const body = { _preview_firewall: absent('frwl') }
  return home && openMachine(context, actor, home, (id) => ({ op: 'update_instance', actor, params: { id }, body }))
}

/** Two fleets, two keepers, of which the second gets the name of the first. */
function twoFleets(context: Context, actor: Actor): Plan | undefined {
  const home = homeOf(context, actor)
  const { plain: sku } = context.world.skus
  const name = context.nextKey()
  const rename = (id: string): Plan => ({ op: 'update_deployment', actor, params: { id }, body: { name } })
  return (
    home && emptyFleet(actor, home, sku, (first) => then(rename(first), () => emptyFleet(actor, home, sku, rename)))
  )
}

function twoKeepers(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor, 'market')
  if (!pool) return undefined
  const prices = { min_sell_price_dollars_per_node_hour: '9.000000', max_buy_price_dollars_per_node_hour: '0.600000' }
  const name = context.nextKey()
  const keep = (sku: string, body: object = {}): Plan => {
    const whole = { pool: pool.id, sku, target: 0, managed_window_minutes: 5, enabled: false, ...prices, ...body }
    return { op: 'create_procurement', actor, body: whole }
  }
  const { fabric, south } = context.world.skus
  const rename = (id: string): Plan => ({ op: 'update_procurement', actor, params: { id }, body: { name } })
  return { ...keep(fabric, { name }), next: () => then(keep(south), ({ id }) => again(id)) }

  function again(id: string): Plan {
    return { ...rename(id), next: () => keep(absent('sku'), { name }) }
  }
}

/** Supply is only sold: there is nothing to follow. */
function supplyThatFollows(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor, 'originating')
  if (!pool) return undefined
  const terms = { target: 1, min_sell_price_dollars_per_node_hour: '9.000000', managed_window_minutes: 5 }
  const body = { pool: pool.id, sku: context.world.skus.plain, enabled: false, ...terms }
  const keep: Plan = { op: 'create_procurement', actor, body }
  return then(keep, ({ id }) => {
    return { op: 'update_procurement', actor, params: { id }, body: { target: 'node_count' } }
  })
}

/** A firewall of another workspace: for a template, a machine, and a machine that runs; and subnets alike. */
function foreignParts(op: 'create_instance_template' | 'create_instance' | 'update_instance'): InvalidOperation {
  return (context, actor) => {
    const home = homeOf(context, actor)
    if (!home) return undefined
    const { pool, image, workspace } = home
    return make(actor, 'workspace', {}, (other) =>
      make(actor, 'firewall', { workspace: other.id }, ({ id: _preview_firewall }): Plan => {
        const fields = { image, _preview_enable_public_ipv4: true, _preview_firewall }
        if (op === 'create_instance_template') return { op, actor, body: { workspace, ...fields } }
        if (op === 'create_instance') {
          return { op, actor, body: { pool: pool.id, sku: context.world.skus.plain, ...fields } }
        }
        return openMachine(context, actor, home, (id) => ({ op, actor, params: { id }, body: { _preview_firewall } }))
      }),
    )
  }
}

/** Machines of two workspaces at once. */
function twoWorkspaces(context: Context, actor: Actor): Plan | undefined {
  const living = owned(context, actor, 'instance', ({ facts }) => facts.state !== 'terminated')
  const [first] = living
  const image = imageIn(context, actor.id)
  if (!first || image === undefined) return undefined
  const prioritise = (id: string): Plan => {
    const data = [first.id, id].map((one) => ({ id: one, priority_level: 'normal' }))
    return { op: 'update_instance_priorities', actor, body: { data } }
  }
  const other = living.find(({ workspace }) => workspace !== first.workspace)
  if (other) return prioritise(other.id)
  return make(actor, 'workspace', {}, (workspace) => {
    const pool: Plan = { op: 'create_pool', actor, body: { workspace: workspace.id } }
    return then(pool, ({ id }) => {
      const body = { pool: id, sku: context.world.skus.plain, image }
      const launch: Plan = { op: 'create_instance', actor, body }
      return then(launch, (machine) => prioritise(machine.id))
    })
  })
}

/** A firewall where there is no public address. */
function guardNothing(context: Context, actor: Actor): Plan | undefined {
  const home = homeOf(context, actor)
  const firewall = owned(context, actor, 'firewall').find(({ workspace }) => workspace === home?.workspace)
  if (!home || !firewall) return undefined
  const { image, workspace } = home
  const body = { image, workspace, _preview_firewall: firewall.id }
  return { op: 'create_instance_template', actor, body }
}

/** A fleet in the pool of a host's supply. */
function fleetInSupply(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor, 'originating')
  const image = imageIn(context, actor.id)
  if (!pool?.workspace || image === undefined) return undefined
  const { workspace } = pool
  return make(actor, 'instance_template', { image, workspace }, ({ id }) => {
    const body = { pool: pool.id, sku: context.world.skus.plain, instance_template: id, target_instance_count: 0 }
    return { op: 'create_deployment', actor, body }
  })
}

/** A most price for a fleet that buys nothing. */
function priceWithoutBuying(context: Context, actor: Actor): Plan | undefined {
  const home = homeOf(context, actor)
  const max_buy_price_dollars_per_node_hour = '1.000000'
  return (
    home &&
    emptyFleet(actor, home, context.world.skus.plain, (id) => ({
      ...{ op: 'update_deployment', actor, params: { id }, body: { max_buy_price_dollars_per_node_hour } },
    }))
  )
}

/** A second automation on a pool and SKU; a procurement that moves there. */
function secondAutomation(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor, 'market')
  if (!pool) return undefined
  const prices = { min_sell_price_dollars_per_node_hour: '9.000000', max_buy_price_dollars_per_node_hour: '0.600000' }
  const keep = (sku: string): Plan => {
    const body = { pool: pool.id, sku, target: 0, managed_window_minutes: 5, enabled: false, ...prices }
    return { op: 'create_procurement', actor, body }
  }
  const { fabric, south } = context.world.skus
  return {
    ...keep(fabric),
    next: () =>
      then(keep(south), ({ id }) => ({ op: 'update_procurement', actor, params: { id }, body: { sku: fabric } })),
  }
}

/** A machine in the pool of a host's supply. */
function machineInSupply(context: Context, actor: Actor): Plan | undefined {
  const pool = poolOf(context, actor, 'originating')
  const body = { pool: pool?.id, sku: context.world.skus.plain, image: imageIn(context, actor.id) }
  return pool && body.image !== undefined ? { op: 'create_instance', actor, body } : undefined
}

/** Machines that are not there, and changes of one that has ended. */
function priorityOfNothing(_: Context, actor: Actor): Plan {
  const data = [{ id: absent('inst'), priority_level: 'normal' }]
  return { op: 'update_instance_priorities', actor, body: { data } }
}

function changeEnded(context: Context, actor: Actor): Plan | undefined {
  const machine = some(
    context,
    owned(context, actor, 'instance', ({ facts }) => facts.state === 'terminated'),
  )
  return machine && { op: 'update_instance', actor, params: { id: machine.id }, body: { priority_level: 'yield' } }
}

function noSuchSku(context: Context, actor: Actor): Plan | undefined {
  const home = homeOf(context, actor)
  const body = { pool: home?.pool.id, sku: absent('sku'), image: home?.image }
  return home && { op: 'create_instance', actor, body }
}

export const invalidFleetOperations: readonly InvalidOperation[] = [
  ...misfits.flatMap((misfit) => [ofMachine(misfit), ofFleet(misfit), ofChangedFleet(misfit)]),
  ...[true, false].flatMap((isNew) => [elsewhere(isNew), withdrawn(isNew)]),
  retiredSku,
  foreignParts('create_instance_template'),
  foreignParts('create_instance'),
  foreignParts('update_instance'),
  twoWorkspaces,
  guardNothing,
  fleetInSupply,
  machineInSupply,
  priorityOfNothing,
  changeEnded,
  priceWithoutBuying,
  secondAutomation,
  guardedByNothing,
  twoFleets,
  twoKeepers,
  supplyThatFollows,
  noSuchSku,
]

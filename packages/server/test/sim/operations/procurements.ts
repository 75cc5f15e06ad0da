/** Procurements: automations that buy and sell for a pool. */
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
  type SimContext,
  type SimOperation,
} from '../context.ts'
import { tradedSku } from './trading.ts'

/** Price limits: some cross the prices of traders, some do not, and one exceeds the money of every account. */
const maxima = ['0.600000', '1.140000', '1.200000', '1.320000', '900.000000']
const minima = ['0.000000', '1.080000', '1.260000', '1.320000', '9.000000']
const windows = [1, 2, 5, 30, 60, 240]

function anyTarget({ choices }: SimContext): number | 'node_count' {
  return choices.chance(30) ? 'node_count' : choices.integer(4)
}

function create(context: SimContext): CallPlan | undefined {
  const { choices, inventory } = context
  const actor = anyActor(context)
  const kind = choices.weighted([
    { weight: 70, kind: 'market' },
    { weight: 20, kind: 'originating' },
    { weight: 10, kind: 'read_only' },
  ]).kind
  const pool = refTo(context, actor, 'pool', ({ facts }) => facts.kind === kind)
  if (pool === undefined) return undefined
  const isSupply = inventory.resources.get(pool)?.facts.kind === 'originating'
  const body = defined({
    name: maybe(context, 60, () => anyName(context, 'keeper', 5)),
    pool,
    sku: tradedSku(context),
    target: isSupply && choices.chance(90) ? choices.integer(4) : anyTarget(context),
    min_sell_price_dollars_per_node_hour: choices.pick(minima),
    max_buy_price_dollars_per_node_hour: maybe(context, isSupply ? 10 : 97, () => choices.pick(maxima)),
    managed_window_minutes: choices.pick(windows),
    enabled: maybe(context, 10, () => false),
  })
  const record = recording(context, actor, 'procurement')
  return { op: 'create_procurement', actor, body, key: maybeKey(context), record }
}

function update(context: SimContext): CallPlan | undefined {
  const { choices, inventory } = context
  const actor = anyActor(context)
  const resource = pickResource(context, actor, 'procurement')
  if (!resource) return undefined
  const isSupply = resource.facts.max_buy_price_dollars_per_node_hour === null
  const body = defined({
    name: maybe(context, 20, () => anyName(context, 'keeper', 5)),
    sku: maybe(context, 20, () => tradedSku(context)),
    target: maybe(context, 50, () => anyTarget(context)),
    min_sell_price_dollars_per_node_hour: maybe(context, 20, () => choices.pick(minima)),
    max_buy_price_dollars_per_node_hour: maybe(context, isSupply ? 5 : 20, () => choices.pick(maxima)),
    managed_window_minutes: maybe(context, 20, () => choices.pick(windows)),
    enabled: maybe(context, 30, () => choices.chance(70)),
  })
  return {
    op: 'update_procurement',
    actor,
    body,
    params: { id: inventory.ref(resource, choices) },
    touches: [resource],
    record: recording(context, { id: resource.account }, 'procurement'),
  }
}

export const procurementOperations: readonly SimOperation[] = [
  { name: 'create procurement', weight: 12, plan: create, is_endless: true },
  { name: 'change procurement', weight: 9, plan: update },
  { name: 'delete procurement', weight: 3, plan: (context) => removal(context, 'delete_procurement', 'procurement') },
]

/** Procurements: who lets the program buy and sell for a pool. */
import {
  anyActor,
  anyName,
  type Deed,
  given,
  learning,
  maybe,
  maybeKey,
  meant,
  type Plan,
  refTo,
  removal,
  type Scene,
} from '../scene.ts'
import { tradedSku } from './traders.ts'

/** Some meet what traders ask and bid, others never do; one more than any account could pay. */
const maxima = ['0.600000', '1.140000', '1.200000', '1.320000', '900.000000']
const minima = ['0.000000', '1.080000', '1.260000', '1.320000', '9.000000']
const windows = [1, 2, 5, 30, 60, 240]

function anyTarget({ choices }: Scene): number | 'node_count' {
  return choices.chance(30) ? 'node_count' : choices.integer(4)
}

function create(scene: Scene): Plan | undefined {
  const { choices, book } = scene
  const actor = anyActor(scene)
  const kind = choices.weighted([
    { weight: 70, kind: 'market' },
    { weight: 20, kind: 'originating' },
    { weight: 10, kind: 'read_only' },
  ]).kind
  const pool = refTo(scene, actor, 'pool', ({ facts }) => facts.kind === kind)
  if (pool === undefined) return undefined
  const isSupply = book.things.get(pool)?.facts.kind === 'originating'
  const body = given({
    name: maybe(scene, 60, () => anyName(scene, 'keeper', 5)),
    ...{ pool, sku: tradedSku(scene), target: isSupply && choices.chance(90) ? choices.integer(4) : anyTarget(scene) },
    min_sell_price_dollars_per_node_hour: choices.pick(minima),
    max_buy_price_dollars_per_node_hour: maybe(scene, isSupply ? 10 : 97, () => choices.pick(maxima)),
    managed_window_minutes: choices.pick(windows),
    enabled: maybe(scene, 10, () => false),
  })
  const learn = learning(scene, actor, 'procurement')
  return { op: 'create_procurement', actor, body, key: maybeKey(scene), learn }
}

function update(scene: Scene): Plan | undefined {
  const { choices, book } = scene
  const actor = anyActor(scene)
  const thing = meant(scene, actor, 'procurement')
  if (!thing) return undefined
  const isSupply = thing.facts.max_buy_price_dollars_per_node_hour === null
  const body = given({
    name: maybe(scene, 20, () => anyName(scene, 'keeper', 5)),
    sku: maybe(scene, 20, () => tradedSku(scene)),
    target: maybe(scene, 50, () => anyTarget(scene)),
    min_sell_price_dollars_per_node_hour: maybe(scene, 20, () => choices.pick(minima)),
    max_buy_price_dollars_per_node_hour: maybe(scene, isSupply ? 5 : 20, () => choices.pick(maxima)),
    managed_window_minutes: maybe(scene, 20, () => choices.pick(windows)),
    enabled: maybe(scene, 30, () => choices.chance(70)),
  })
  return {
    ...{ op: 'update_procurement', actor, body, params: { id: book.ref(thing, choices) }, touches: [thing] },
    learn: learning(scene, { id: thing.account }, 'procurement'),
  }
}

export const procurementDeeds: readonly Deed[] = [
  { name: 'create procurement', weight: 12, plan: create, is_endless: true },
  { name: 'change procurement', weight: 9, plan: update },
  { name: 'delete procurement', weight: 3, plan: (scene) => removal(scene, 'delete_procurement', 'procurement') },
]

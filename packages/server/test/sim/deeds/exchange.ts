/** What the operator does with the market: money in and out, credit, halts. */
import { anyActor, type Deed, maybeKey, type Plan, type Scene } from '../scene.ts'

const amounts = ['25.000000', '100.000000', '0.000001', '-1.000000', '-40.000000', '-5000.000000']

function postMoney(scene: Scene): Plan {
  const { choices, platform } = scene
  const type = choices.pick(['credit_grant', 'manual_payment', 'refund', 'adjustment'])
  const body = { type, amount_dollars: choices.pick(amounts), description: 'As agreed.' }
  const params = { account: anyActor(scene).id }
  return { op: 'create_account_transaction', actor: platform, params, body, key: maybeKey(scene) }
}

function setCredit(scene: Scene): Plan {
  const { choices, platform } = scene
  const body = { credit_limit_dollars: choices.pick(['0.000000', '10.000000', '250.000000']) }
  return { op: 'put_credit_limit', actor: platform, params: { account: anyActor(scene).id }, body }
}

/** What the answer of a halt or its end says is halted from now on. */
function learnHalts(scene: Scene): (body: any) => void {
  return ({ halted, skus }) => {
    scene.halts.clear()
    for (const sku of skus) scene.halts.add(sku)
    if (halted === 'all') scene.halts.add('all')
  }
}

function halt(scene: Scene): Plan {
  const { choices, platform, world } = scene
  const sku = choices.chance(3) ? 'sku_0000000000000000000zz' : world.skus.plain
  const body = choices.chance(30) ? { message: 'A pause.' } : { sku }
  return { op: 'halt_market', actor: platform, body, learn: learnHalts(scene) }
}

function resume(scene: Scene): Plan | undefined {
  const { choices, platform, halts } = scene
  if (halts.size === 0 && choices.chance(95)) return undefined
  const what = choices.pick(halts.size === 0 ? ['all'] : [...halts])
  return { op: 'resume_market', actor: platform, body: what === 'all' ? {} : { sku: what }, learn: learnHalts(scene) }
}

export const exchangeDeeds: readonly Deed[] = [
  { name: 'post money', weight: 8, plan: postMoney },
  { name: 'set credit', weight: 3, plan: setCredit },
  { name: 'halt', weight: 2, plan: halt },
  { name: 'resume', weight: 20, plan: resume },
]

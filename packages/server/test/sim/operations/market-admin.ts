/** Market operations of the operator: transactions, credit limits, halts. */
import { anyActor, type CallPlan, maybeKey, type SimContext, type SimOperation } from '../context.ts'

const amounts = ['25.000000', '100.000000', '0.000001', '-1.000000', '-40.000000', '-5000.000000']

function postMoney(context: SimContext): CallPlan {
  const { choices, platform } = context
  const type = choices.pick(['credit_grant', 'manual_payment', 'refund', 'adjustment'])
  const body = { type, amount_dollars: choices.pick(amounts), description: 'As agreed.' }
  const params = { account: anyActor(context).id }
  return { op: 'create_account_transaction', actor: platform, params, body, key: maybeKey(context) }
}

function setCredit(context: SimContext): CallPlan {
  const { choices, platform } = context
  const body = { credit_limit_dollars: choices.pick(['0.000000', '10.000000', '250.000000']) }
  return { op: 'put_credit_limit', actor: platform, params: { account: anyActor(context).id }, body }
}

/** Records the halts of a response. */
function recordHalts(context: SimContext): (body: any) => void {
  return ({ halted, skus }) => {
    context.halts.clear()
    for (const sku of skus) context.halts.add(sku)
    if (halted === 'all') context.halts.add('all')
  }
}

function halt(context: SimContext): CallPlan {
  const { choices, platform, world } = context
  const sku = choices.chance(3) ? 'sku_0000000000000000000zz' : world.skus.plain
  const body = choices.chance(30) ? { message: 'A pause.' } : { sku }
  return { op: 'halt_market', actor: platform, body, record: recordHalts(context) }
}

function resume(context: SimContext): CallPlan | undefined {
  const { choices, platform, halts } = context
  if (halts.size === 0 && choices.chance(95)) return undefined
  const what = choices.pick(halts.size === 0 ? ['all'] : [...halts])
  return {
    op: 'resume_market',
    actor: platform,
    body: what === 'all' ? {} : { sku: what },
    record: recordHalts(context),
  }
}

export const exchangeOperations: readonly SimOperation[] = [
  { name: 'post money', weight: 8, plan: postMoney },
  { name: 'set credit', weight: 3, plan: setCredit },
  { name: 'halt', weight: 2, plan: halt },
  { name: 'resume', weight: 20, plan: resume },
]

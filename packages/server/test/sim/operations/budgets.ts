/** Budgets of accounts. Those of workspaces end with them, so only the coverage list makes some. */
import {
  anyActor,
  anyName,
  type CallPlan,
  defined,
  maybe,
  maybeKey,
  pickResource,
  recording,
  removal,
  type SimContext,
  type SimOperation,
} from '../context.ts'

/** Some are smaller than an order, some are reached by a few. */
const amounts = ['0.5', '3', '20.000001', '200', '5000']
const thresholds = [[100], [1, 50, 100], [10, 200, 1000]]

function create(context: SimContext): CallPlan {
  const { choices } = context
  const actor = anyActor(context)
  const period = choices.pick(['day', 'day', 'month', 'total'])
  const body = defined({
    name: maybe(context, 50, () => anyName(context, 'budget')),
    period,
    amount_dollars: choices.pick(amounts),
    thresholds_percent: maybe(context, 50, () => choices.pick(thresholds)),
    threshold_basis: maybe(context, 40, () => choices.pick(['actual', 'forecast'])),
    hard_stop: maybe(context, 50, () => choices.chance(60)),
  })
  return { op: 'create_budget', actor, body, key: maybeKey(context), record: recording(context, actor, 'budget') }
}

function update(context: SimContext): CallPlan | undefined {
  const { choices } = context
  const actor = anyActor(context)
  const resource = pickResource(context, actor, 'budget')
  if (!resource) return undefined
  const body = defined({
    name: maybe(context, 20, () => anyName(context, 'budget')),
    amount_dollars: maybe(context, 50, () => choices.pick(amounts)),
    thresholds_percent: maybe(context, 20, () => choices.pick(thresholds)),
    threshold_basis: maybe(context, 20, () => choices.pick(['actual', 'forecast'])),
    hard_stop: maybe(context, 30, () => choices.chance(50)),
  })
  return {
    op: 'update_budget',
    actor,
    body,
    params: { id: resource.id },
    touches: [resource],
    record: recording(context, { id: resource.account }, 'budget'),
  }
}

export const budgetOperations: readonly SimOperation[] = [
  { name: 'create budget', weight: 5, plan: create },
  { name: 'change budget', weight: 4, plan: update },
  { name: 'delete budget', weight: 4, plan: (context) => removal(context, 'delete_budget', 'budget') },
]

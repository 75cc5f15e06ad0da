/** Calls of budgets: their life, refusals, the hard stop, and the threshold that a fill reaches. */
import { onOne } from '../contract/case.ts'
import type { FilterRows } from '../contract/market-rows.ts'
import type { ContractWorld } from '../contract/world.ts'
import { done, refusal } from '../sim/coverage/item.ts'
import { keyed, oncePerKey, orderBody } from '../sim/coverage/parts.ts'
import type { OperationCalls } from './operation-calls.ts'

async function budget({ make }: ContractWorld) {
  return make('/preview/v2/billing/budgets', { period: 'month', amount_dollars: '1.000000' })
}

async function budgetRows({ make, elsewhere }: ContractWorld): Promise<FilterRows> {
  const place = (body: object) => make('/preview/v2/billing/budgets', { period: 'day', amount_dollars: '1', ...body })
  const [other, wanted] = [await place({}), await place({ workspace: elsewhere })]
  return { wanted: wanted.id, other: other.id, selects: { workspace: elsewhere } }
}

const terms = { period: 'month', amount_dollars: '100000' }

export const budgetCalls: OperationCalls = {
  cases: {
    create_budget: { call: () => ({ body: { period: 'month', amount_dollars: '1.000000' } }) },
    update_budget: onOne(budget, {}),
    delete_budget: onOne(budget),
  },
  rows: { list_budgets: budgetRows },
  items: [
    {
      name: 'budget-life',
      covers: [
        ...keyed('create_budget'),
        done('update_budget'),
        done('delete_budget'),
        refusal('create_budget', 'not_applicable'),
        refusal('update_budget', 'not_applicable'),
        refusal('create_budget', 'reference_not_found'),
      ],
      work: async (pass) => {
        const { id } = await oncePerKey(pass, 'create_budget', { body: terms })
        await pass.ok('update_budget', { id, body: { amount_dollars: '200000', thresholds_percent: [10, 20] } })
        await pass.ok('delete_budget', { id })
        const forecast = { ...terms, period: 'total', threshold_basis: 'forecast' }
        await pass.refuse('create_budget', 'not_applicable', { body: forecast })
        const absent = { ...terms, workspace: 'wksp_000000000000000000000' }
        await pass.refuse('create_budget', 'reference_not_found', { body: absent })
        const total = await pass.ok('create_budget', { body: { ...terms, period: 'total' } })
        await pass.refuse('update_budget', 'not_applicable', { id: total.id, body: { threshold_basis: 'forecast' } })
        await pass.ok('delete_budget', { id: total.id })
      },
    },
    {
      name: 'budget-that-stops',
      covers: [refusal('create_order', 'payment_required')],
      work: async (pass) => {
        const body = { ...terms, amount_dollars: '0.000001', hard_stop: true, workspace: pass.account.workspace_id }
        const { id } = await pass.ok('create_budget', { body })
        const dear = orderBody(pass, { side: 'buy', price: '0.010000' })
        const { error } = await pass.refuse('create_order', 'payment_required', { body: dear })
        if (!error.message.includes(id))
          throw new Error(`create_order was refused without the budget: ${error.message}`)
        await pass.ok('delete_budget', { id })
      },
    },
    {
      name: 'budget-that-is-reached',
      covers: ['action budget.threshold_reached'],
      work: async (pass) => {
        const { partner, fixtures } = pass
        const body = { ...terms, amount_dollars: '0.000001', thresholds_percent: [100] }
        const { id } = await pass.ok('create_budget', { by: partner, body })
        const offer = orderBody(pass, { side: 'sell', pool: fixtures.pools.supply }, { allow_standing: true })
        await pass.ok('create_order', { body: offer })
        const bid = orderBody(pass, { side: 'buy', pool: fixtures.partner_pool }, { allow_partial: true })
        await pass.ok('create_order', { by: partner, body: bid })
        await pass.ok('delete_budget', { by: partner, id })
      },
    },
  ],
  examples: () => [
    {
      operation: 'create_budget',
      body: {
        name: 'research',
        workspace: 'svc:workspace:acme:research',
        period: 'month',
        amount_dollars: '5000.00',
        thresholds_percent: [50, 80, 100],
        hard_stop: true,
      },
    },
    ({ made }) => ({
      operation: 'update_budget',
      params: { id: made('create_budget').id },
      body: { amount_dollars: '7500.00' },
    }),
    ({ made }) => ({ operation: 'delete_budget', params: { id: made('create_budget').id } }),
  ],
}

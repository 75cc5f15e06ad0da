import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  dollars,
  id,
  idOrPath,
  integer,
  nullable,
  object,
  ofThis,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  resource,
  type Static,
  text,
  timestamp,
  updatedAt,
} from '../kit/schema.ts'
import { amountInput } from './billing.ts'

const area = 'billing'

/** The periods of budgets, in UTC. `total` has neither start nor end. */
export const budgetPeriods = ['day', 'month', 'total'] as const
/** What the thresholds of a budget compare with its amount. */
export const thresholdBases = ['actual', 'forecast'] as const

const period = oneOf(budgetPeriods, {
  description: 'Period of the amount: a day or a month in UTC, or all time.',
})
const thresholds = array(integer({ unit: 'percent', min: 1, max: 1000 }), {
  min: 1,
  max: 10,
  description:
    'Rising percentages of the amount, such as 50, 80, 100. Reaching one emits `budget.threshold_reached`, once a ' +
    'period.',
})
const basis = oneOf(thresholdBases, {
  description:
    'What is compared with the thresholds. `actual`: the amount spent. `forecast`: the expected amount at the end of ' +
    'the period; not for `total`.',
})
const hardStop = {
  description: 'Refuse buys that would exceed the amount, and let automations stop buying.',
  negative: 'Do not refuse buys that exceed the amount.',
}
const amount = amountInput('Amount of a period in dollars, such as 5000.00. Not zero.')
const budgetName = { min: 1, max: 255, description: 'Name of the budget, for people.' }

export const budget = resource('Budget', 'A limit on the spending of an account or a workspace in a period.', {
  object: constant('budget'),
  id: id('budget'),
  name: nullable(text(budgetName)),
  workspace: nullable(id('workspace', { description: 'Workspace that it counts. `null`: the whole account.' })),
  period,
  amount_dollars: dollars({ description: 'Amount of a period.' }),
  thresholds_percent: thresholds,
  threshold_basis: basis,
  reached_percent: array(integer({ unit: 'percent', min: 1, max: 1000 }), {
    max: 1000,
    description: 'The thresholds that were reached in this period.',
  }),
  hard_stop: boolean(hardStop),
  spent_dollars: dollars({ description: 'The fills of buys in the period.' }),
  held_dollars: dollars({ description: 'Held for open buys.' }),
  forecast_dollars: nullable(
    dollars({
      description: 'Spent, plus held, plus the pace of the last 24 hours until the end of the period; `total`: `null`.',
    }),
  ),
  period_start: nullable(
    timestamp({ unit: 'period', description: 'Start of the present period, in Unix seconds. `total`: `null`.' }),
  ),
  period_end: nullable(
    timestamp({ unit: 'period', description: 'Its end, not included, in Unix seconds. `total`: `null`.' }),
  ),
  created_at: createdAt,
  updated_at: updatedAt,
})
export type Budget = Static<typeof budget>

const params = { id: id('budget') }

export const createBudget = endpoint({
  name: 'create_budget',
  method: 'POST',
  path: '/preview/v2/billing/budgets',
  area,
  summary: 'Create a budget',
  description:
    'A budget counts what an account, or one of its workspaces, spends by orders in each period. The running period ' +
    'includes spending before the budget was created. At each threshold `budget.threshold_reached` is emitted. With ' +
    '`hard_stop` buys that would exceed it are refused with `budget_exceeded`, and automations wait for the next ' +
    'period. A budget never ends instances.',
  body: object({
    name: optional(text(budgetName)),
    workspace: optional(
      idOrPath('workspace', { description: 'Workspace that the budget is for. Default: the whole account.' }),
    ),
    period,
    amount_dollars: amount,
    thresholds_percent: optional(thresholds),
    threshold_basis: optional(basis),
    hard_stop: optional(boolean({ default: false, ...hardStop })),
  }),
  response: budget,
  access: 'billing:create',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  scope: 'account',
  idempotent: true,
  errors: ['forbidden', 'reference_not_found', 'not_applicable', 'limit_exceeded'],
})

export const listBudgets = endpoint({
  name: 'list_budgets',
  method: 'GET',
  path: '/preview/v2/billing/budgets',
  area,
  summary: 'List budgets',
  description: 'Shows each budget with what is spent, held and forecast in its period, newest first.',
  query: { ...pageParameters('bdgtc'), workspace: optional(idOrPath('workspace', ofThis('workspace'))) },
  response: pageOf(budget, 'bdgtc'),
  access: 'billing:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getBudget = endpoint({
  name: 'get_budget',
  method: 'GET',
  path: '/preview/v2/billing/budgets/:id',
  area,
  summary: 'Get a budget',
  description:
    'Shows what is spent, held and forecast in the running period of a budget, and which thresholds it has ' +
    'reached.',
  params,
  response: budget,
  access: 'billing:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const updateBudget = endpoint({
  name: 'update_budget',
  method: 'PATCH',
  path: '/preview/v2/billing/budgets/:id',
  area,
  summary: 'Change a budget',
  description:
    'Changes the name, amount, thresholds, their basis or the hard stop; workspace and period stay, and so do the ' +
    'amount spent and the thresholds reached. With a hard stop, an amount below the amount spent refuses new ' +
    'buys; it cancels nothing.',
  params,
  body: object({
    name: optional(nullable(text(budgetName))),
    amount_dollars: optional(amount),
    thresholds_percent: optional(thresholds),
    threshold_basis: optional(basis),
    hard_stop: optional(boolean(hardStop)),
  }),
  response: budget,
  access: 'billing:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  scope: 'account',
  errors: ['forbidden', 'not_found', 'not_applicable'],
})

export const deleteBudget = endpoint({
  name: 'delete_budget',
  method: 'DELETE',
  path: '/preview/v2/billing/budgets/:id',
  area,
  summary: 'Delete a budget',
  description: 'The budget no longer counts spending or refuses buys. Automations that it stopped try again at once.',
  params,
  access: 'billing:delete',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const operations = [createBudget, listBudgets, getBudget, updateBudget, deleteBudget] as const

/** Generated from the contract by `npm run gen`. Do not edit. */

export const transactions = {
  operation: 'list_transactions',
  fields: {
    id: ['id', 'Id'],
    type: ['word', 'Type'],
    amount_dollars: ['money', 'Amount'],
    balance_after_dollars: ['money', 'Balance after'],
    fee_dollars: ['money', 'Fee'],
    order: ['text', 'Order'],
    fill: ['text', 'Fill'],
    workspace: ['text', 'Workspace'],
    description: ['text', 'Description'],
    created_at: ['age', 'Created'],
  },
} as const

export const holds = {
  operation: 'list_holds',
  fields: {
    id: ['id', 'Id'],
    order: ['text', 'Order'],
    workspace: ['text', 'Workspace'],
    amount_dollars: ['money', 'Amount'],
    created_at: ['age', 'Created'],
  },
} as const

export const usage = {
  operation: 'list_usage',
  fields: {
    period_start: ['moment', 'From'],
    period_end: ['moment', 'Until'],
    allocated_node_minutes: ['node_minutes', 'Allocated'],
    used_node_minutes: ['node_minutes', 'Used'],
    bought_dollars: ['money', 'Bought'],
    sold_dollars: ['money', 'Sold'],
    effective_cost_dollars: ['money', 'Effective cost'],
  },
} as const

export const budgets = {
  operation: 'list_budgets',
  fields: {
    id: ['id', 'Id'],
    name: ['name', 'Name'],
    workspace: ['text', 'Workspace'],
    period: ['word', 'Period'],
    amount_dollars: ['money', 'Amount'],
    thresholds_percent: ['texts', 'Thresholds in percent'],
    threshold_basis: ['word', 'Thresholds compare'],
    reached_percent: ['texts', 'Reached'],
    hard_stop: ['boolean', 'Hard stop'],
    spent_dollars: ['money', 'Spent'],
    held_dollars: ['money', 'Held'],
    forecast_dollars: ['money', 'Forecast'],
    period_start: ['moment', 'From'],
    period_end: ['moment', 'Until'],
    created_at: ['age', 'Created'],
    updated_at: ['age', 'Changed'],
  },
} as const

/** Generated from the contract by `npm run gen`. Do not edit. */

export const putBalanceThreshold = {
  operation: 'put_balance_threshold',
  command: 'billing set-low-balance',
  fields: {
    low_at_dollars: {"label":"Low at","shape":"amount","hint":"Available dollars at which the balance is low, such as 50.00. Not zero; empty: no threshold.","required":true,"nullable":true,"unit":"dollars","max_length":24,"positional":true,"flag":"low-at"},
  },
} as const

export const createBudget = {
  operation: 'create_budget',
  command: 'billing budgets create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Name of the budget, for people.","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    period: {"label":"Period","shape":"words","hint":"Period of the amount: a day or a month in UTC, or all time.","required":true,"words":["day","month","total"]},
    amount_dollars: {"label":"Amount","shape":"amount","hint":"Amount of a period in dollars, such as 5000.00. Not zero.","required":true,"unit":"dollars","max_length":24,"flag":"amount"},
    thresholds_percent: {"label":"Thresholds in percent","shape":"list","hint":"Rising percentages of the amount, such as 50, 80, 100. Reaching one emits budget.threshold_reached, once a period.","unit":"percent","min":1,"max":1000,"flag":"thresholds","has_numbers":true},
    threshold_basis: {"label":"Thresholds compare","shape":"words","hint":"What is compared with the thresholds. actual: the amount spent. forecast: the expected amount at the end of the period; not for total.","words":["actual","forecast"]},
    hard_stop: {"label":"Hard stop","shape":"boolean","hint":"Refuse buys that would exceed the amount, and let automations stop buying.","fallback":false,"has_negative":true},
  },
} as const

export const updateBudget = {
  operation: 'update_budget',
  command: 'billing budgets update',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Name of the budget, for people.","nullable":true,"max_length":255},
    amount_dollars: {"label":"Amount","shape":"amount","hint":"Amount of a period in dollars, such as 5000.00. Not zero.","unit":"dollars","max_length":24,"flag":"amount"},
    thresholds_percent: {"label":"Thresholds in percent","shape":"list","hint":"Rising percentages of the amount, such as 50, 80, 100. Reaching one emits budget.threshold_reached, once a period.","unit":"percent","min":1,"max":1000,"flag":"thresholds","has_numbers":true},
    threshold_basis: {"label":"Thresholds compare","shape":"words","hint":"What is compared with the thresholds. actual: the amount spent. forecast: the expected amount at the end of the period; not for total.","words":["actual","forecast"]},
    hard_stop: {"label":"Hard stop","shape":"boolean","hint":"Refuse buys that would exceed the amount, and let automations stop buying.","has_negative":true},
  },
} as const

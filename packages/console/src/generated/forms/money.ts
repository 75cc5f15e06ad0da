/** Generated from the contract by `npm run gen`. Do not edit. */

export const createBudget = {
  operation: 'create_budget',
  command: 'billing budgets create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"For people.","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    period: {"label":"Period","shape":"words","hint":"UTC days, UTC months, or everything ever spent.","required":true,"words":["day","month","total"]},
    amount_dollars: {"label":"Amount","shape":"amount","required":true,"unit":"dollars","max_length":24,"flag":"amount"},
    thresholds_percent: {"label":"Thresholds in percent","shape":"list","hint":"Rising percentages of the amount.","unit":"percent","min":1,"max":1000,"flag":"thresholds","has_numbers":true},
    threshold_basis: {"label":"Thresholds compare","shape":"words","hint":"actual: what is spent. forecast: what the period comes to; not for total.","words":["actual","forecast"]},
    hard_stop: {"label":"Hard stop","shape":"boolean","hint":"True: a buy whose hold would exceed the amount is refused with 402, and automations stop buying.","fallback":false,"has_negative":true},
  },
} as const

export const updateBudget = {
  operation: 'update_budget',
  command: 'billing budgets update',
  fields: {
    name: {"label":"Name","shape":"text","hint":"For people.","nullable":true,"max_length":255},
    amount_dollars: {"label":"Amount","shape":"amount","unit":"dollars","max_length":24,"flag":"amount"},
    thresholds_percent: {"label":"Thresholds in percent","shape":"list","hint":"Rising percentages of the amount.","unit":"percent","min":1,"max":1000,"flag":"thresholds","has_numbers":true},
    threshold_basis: {"label":"Thresholds compare","shape":"words","hint":"actual: what is spent. forecast: what the period comes to; not for total.","words":["actual","forecast"]},
    hard_stop: {"label":"Hard stop","shape":"boolean","hint":"True: a buy whose hold would exceed the amount is refused with 402, and automations stop buying.","has_negative":true},
  },
} as const

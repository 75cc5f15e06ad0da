/** Generated from the contract by `npm run gen`. Do not edit. */

export const deployments = {
  operation: 'list_deployments',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    pool: ['named', 'Pool'],
    sku: ['named', 'SKU'],
    instance_template: ['named', 'Instance template'],
    enabled: ['boolean', 'Enabled'],
    target_instance_count: ['count', 'Target'],
    live_instance_count: ['count', 'Instances'],
    instance_name_template: ['text', 'Instance name template'],
    max_buy_price_dollars_per_node_hour: ['money', 'Buys at most at'],
    created_at: ['age', 'Created'],
    updated_at: ['age', 'Changed'],
  },
} as const

export const procurements = {
  operation: 'list_procurements',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    pool: ['named', 'Pool'],
    sku: ['named', 'SKU'],
    target: ['text', 'Target'],
    min_sell_price_dollars_per_node_hour: ['money', 'Sells at least at'],
    max_buy_price_dollars_per_node_hour: ['money', 'Buys at most at'],
    managed_window_minutes: ['minutes', 'Looks ahead'],
    enabled: ['boolean', 'Enabled'],
    created_at: ['age', 'Created'],
    updated_at: ['age', 'Changed'],
  },
} as const

/** Generated from the contract by `npm run gen`. Do not edit. */

export const accounts = {
  operation: 'list_accounts',
  fields: {
    id: ['text', 'Id'],
    name: ['name', 'Name'],
    entity_type: ['word', 'Kind'],
    trust_level: ['word', 'Trust'],
    is_frozen: ['boolean', 'Is frozen'],
    is_platform: ['boolean', 'Is platform'],
    token_lifetime_max_days: ['count', 'Token lifetime max days'],
    created_at: ['age', 'Created'],
  },
} as const

export const accountLimits = {
  operation: 'list_account_limits',
  fields: {
    name: ['name', 'Name'],
    unit: ['word', 'Unit'],
    value: ['count', 'Value'],
    used: ['count', 'Used'],
    scope: ['word', 'Scope'],
    source: ['word', 'Source'],
  },
} as const

export const accountTransactions = {
  operation: 'list_account_transactions',
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

export const hosts = {
  operation: 'list_hosts',
  fields: {
    id: ['id', 'Id'],
    account: ['text', 'Account'],
    workspace: ['named', 'Workspace'],
    sku: ['named', 'SKU'],
    pool: ['named', 'Pool'],
    name: ['name', 'Name'],
    state: ['state', 'State'],
    health: ['state', 'Health'],
    health_message: ['text', 'Health message'],
    slots: ['count', 'Slots'],
    used_slots: ['count', 'Used'],
    instances: ['texts', 'Instances'],
    agent_version: ['text', 'Agent'],
    agent_commit: ['text', 'Agent commit'],
    agent_managed_by: ['word', 'Agent managed by'],
    agent_pinned: ['boolean', 'Agent pinned'],
    traffic: ['word', 'Traffic'],
    last_seen_at: ['age', 'Last report'],
    drain_deadline_at: ['age', 'Drain deadline'],
    supply_ends_at: ['age', 'Supply ends'],
    created_at: ['age', 'Created'],
    retired_at: ['age', 'Retired'],
  },
} as const

export const agentRollouts = {
  operation: 'list_agent_rollouts',
  fields: {
    id: ['id', 'Id'],
    agent_version: ['text', 'Agent'],
    rolls_back: ['text', 'Rolls back'],
    state: ['state', 'State'],
    halt_reason: ['word', 'Halt reason'],
    halt_message: ['text', 'Halt message'],
    group: ['text', 'Group'],
    groups: ['list', 'Groups'],
    hosts: ['list', 'Hosts'],
    health_seconds: ['seconds', 'Health'],
    return_seconds: ['seconds', 'Return'],
    hosts_at_once: ['count', 'Hosts at once'],
    created_at: ['age', 'Created'],
    ended_at: ['age', 'Ended'],
  },
} as const

export const agentRolloutsGroups = {
  operation: 'list_agent_rollouts',
  of: 'groups',
  fields: {
    name: ['name', 'Name'],
    percent: ['count', 'Percent'],
    hosts: ['count', 'Hosts'],
    pending: ['count', 'Pending'],
    updating: ['count', 'Updating'],
    updated: ['count', 'Updated'],
    failed: ['count', 'Failed'],
    skipped: ['count', 'Skipped'],
  },
} as const

export const agentRolloutsHosts = {
  operation: 'list_agent_rollouts',
  of: 'hosts',
  fields: {
    host: ['text', 'Host'],
    group: ['text', 'Group'],
    state: ['state', 'State'],
    from_version: ['text', 'From version'],
    to_version: ['text', 'To version'],
    reason: ['text', 'Reason'],
  },
} as const

export const pendingCredits = {
  operation: 'list_pending_credits',
  fields: {
    id: ['id', 'Id'],
    account: ['text', 'Account'],
    state: ['state', 'State'],
    type: ['word', 'Type'],
    amount_dollars: ['money', 'Amount'],
    limit_before_dollars: ['money', 'Limit before'],
    description: ['text', 'Description'],
    requested_by: ['named', 'Asked by'],
    requested_at: ['age', 'Requested'],
    expires_at: ['age', 'Expires'],
    decided_by: ['named', 'Decided by'],
    decided_at: ['age', 'Decided'],
    transaction: ['text', 'Transaction'],
  },
} as const

export const platformInstances = {
  operation: 'list_platform_instances',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    state: ['state', 'State'],
    sku: ['named', 'SKU'],
    image: ['named', 'Image'],
    pool: ['named', 'Pool'],
    managed_by: ['named', 'Managed by'],
    created_at: ['age', 'Created'],
    _preview_updated_at: ['age', 'Updated'],
    cloud_init_user_data_used: ['boolean', 'Cloud init user data used'],
    ssh_keys: ['list', 'SSH keys'],
    subnet: ['text', 'Subnet'],
    private_ip: ['code', 'Private address'],
    _preview_enable_public_ipv4: ['boolean', 'Public address'],
    _preview_public_ip: ['code', 'Public address'],
    _preview_firewall: ['text', 'Firewall'],
    _preview_infiniband_partition: ['text', 'InfiniBand partition'],
    tags: ['tags', 'Tags'],
    priority_level: ['word', 'Priority'],
    order: ['text', 'Order'],
    account: ['text', 'Account'],
  },
} as const

export const platformOrders = {
  operation: 'list_platform_orders',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    pool: ['named', 'Pool'],
    sku: ['named', 'SKU'],
    side: ['word', 'Side'],
    state: ['state', 'State'],
    allow_standing: ['boolean', 'May rest'],
    allow_partial: ['boolean', 'Allow partial'],
    allocation_schedule_delta: ['list', 'Allocation schedule delta'],
    filled_allocation_schedule_delta: ['list', 'Filled allocation schedule delta'],
    filled_before_allocation_schedule_delta: ['list', 'Filled before allocation schedule delta'],
    limit_price_dollars_per_node_hour: ['money', 'Limit'],
    filled_average_price_dollars_per_node_hour: ['money', 'Average price'],
    held_dollars: ['money', 'Held'],
    fills: ['list', 'Fills'],
    amends: ['text', 'Amends'],
    amended_by: ['text', 'Amended by'],
    managed_by: ['named', 'Managed by'],
    created_by: ['named', 'Made by'],
    created_at: ['age', 'Created'],
    filled_at: ['moment', 'Filled'],
    cancelled_at: ['age', 'Cancelled'],
    cancel_reason: ['word', 'Cancel reason'],
    rejected_reason: ['text', 'Rejected reason'],
    account: ['text', 'Account'],
  },
} as const

export const platformPools = {
  operation: 'list_platform_pools',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    kind: ['word', 'Kind'],
    procurements: ['list', 'Procurements'],
    deployments: ['list', 'Deployments'],
    tags: ['tags', 'Tags'],
    created_at: ['age', 'Created'],
    account: ['text', 'Account'],
  },
} as const

export const platformSkus = {
  operation: 'list_platform_skus',
  fields: {
    id: ['id', 'Id'],
    alias: ['name', 'SKU'],
    region: ['displayed', 'Region'],
    availability_zone: ['displayed', 'Availability zone'],
    accelerator: ['displayed', 'Accelerator'],
    form_factor: ['displayed', 'Form factor'],
    rdma_type: ['displayed', 'RDMA'],
    rdma_gigabits_per_second: ['displayed', 'RDMA, Gbit/s'],
    infiniband_fabric: ['text', 'Fabric'],
    num_accelerators: ['displayed', 'Accelerators'],
    num_vcpus: ['displayed', 'Virtual CPUs'],
    memory_bytes: ['displayed', 'Memory'],
    local_storage_bytes: ['displayed', 'Local storage'],
    supports_public_ipv4: ['displayed', 'Supports public IPv4'],
    simulated: ['boolean', 'Simulated'],
    operator_hosts_only: ['boolean', 'Operator hosts only'],
    benchmarks: ['list', 'Benchmarks'],
    price_step_dollars_per_node_hour: ['money', 'Price step'],
    deleted_at: ['age', 'Deleted'],
    benchmark_figures: ['texts', 'Benchmark figures'],
    listed: ['boolean', 'Listed'],
    flat_fee_dollars_per_node_hour: ['money', 'Flat fee'],
    fee_bps: ['bps', 'Fee'],
    public_prices_exclude_related: ['boolean', 'Public prices exclude related'],
    created_at: ['age', 'Created'],
    updated_at: ['age', 'Changed'],
  },
} as const

export const platformUsage = {
  operation: 'list_platform_usage',
  fields: {
    account: ['text', 'Account'],
    allocated_node_minutes: ['node_minutes', 'Allocated'],
    used_node_minutes: ['node_minutes', 'Used'],
    bought_dollars: ['money', 'Bought'],
    sold_dollars: ['money', 'Sold'],
    effective_cost_dollars: ['money', 'Effective cost'],
    skus: ['list', 'SKUs'],
  },
} as const

export const platformUsageSkus = {
  operation: 'list_platform_usage',
  of: 'skus',
  fields: {
    sku: ['named', 'SKU'],
    allocated_node_minutes: ['node_minutes', 'Allocated'],
    used_node_minutes: ['node_minutes', 'Used'],
    bought_dollars: ['money', 'Bought'],
    sold_dollars: ['money', 'Sold'],
    effective_cost_dollars: ['money', 'Effective cost'],
  },
} as const

export const revenue = {
  operation: 'list_revenue',
  fields: {
    month: ['text', 'Month'],
    sku: ['text', 'SKU'],
    fees_dollars: ['money', 'Fees'],
    volume_dollars: ['money', 'Volume'],
    node_minutes: ['node_minutes', 'Node-hours'],
    fill_count: ['count', 'Fills'],
  },
} as const

export const skuOverrides = {
  operation: 'list_sku_overrides',
  fields: {
    account: ['text', 'Account'],
    sku: ['named', 'SKU'],
    updated_at: ['age', 'Changed'],
  },
} as const

/** Generated from the contract by `npm run gen`. Do not edit. */

export const skus = {
  operation: 'list_skus',
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
  },
} as const

export const orders = {
  operation: 'list_orders',
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
  },
} as const

export const orderFills = {
  operation: 'list_order_fills',
  fields: {
    id: ['id', 'Id'],
    filled_at: ['moment', 'Filled'],
    allocation_schedule_delta: ['list', 'Allocation schedule delta'],
    price_dollars_per_node_hour: ['money', 'Price'],
    total_dollars: ['money', 'Total'],
    fee_dollars: ['money', 'Fee'],
  },
} as const

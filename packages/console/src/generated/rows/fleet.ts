/** Generated from the contract by `npm run gen`. Do not edit. */

export const instances = {
  operation: 'list_instances',
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
  },
} as const

export const instanceTemplates = {
  operation: 'list_instance_templates',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    image: ['named', 'Image'],
    cloud_init_user_data_used: ['boolean', 'Cloud init user data used'],
    ssh_keys: ['texts', 'SSH keys'],
    tags: ['tags', 'Tags'],
    priority_level: ['word', 'Priority'],
    _preview_enable_public_ipv4: ['boolean', 'Public address'],
    _preview_firewall: ['text', 'Firewall'],
    subnet: ['text', 'Subnet'],
    _preview_infiniband_partition: ['text', 'InfiniBand partition'],
    created_at: ['age', 'Created'],
  },
} as const

export const pools = {
  operation: 'list_pools',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    kind: ['word', 'Kind'],
    procurements: ['list', 'Procurements'],
    deployments: ['list', 'Deployments'],
    tags: ['tags', 'Tags'],
    created_at: ['age', 'Created'],
  },
} as const

export const poolTransfers = {
  operation: 'list_pool_transfers',
  fields: {
    id: ['id', 'Id'],
    state: ['state', 'State'],
    from_pool: ['text', 'From pool'],
    to_pool: ['text', 'To pool'],
    sku: ['named', 'SKU'],
    allocation_schedule_delta: ['list', 'Allocation schedule delta'],
    rejected_reason: ['text', 'Rejected reason'],
    created_at: ['age', 'Created'],
    created_by: ['named', 'Made by'],
    executed_at: ['age', 'Executed'],
  },
} as const

/** Generated from the contract by `npm run gen`. Do not edit. */

export const firewalls = {
  operation: 'list_firewalls',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    is_default: ['boolean', 'Default'],
    rules: ['list', 'Rules'],
    tags: ['tags', 'Tags'],
    created_at: ['age', 'Created'],
    updated_at: ['age', 'Changed'],
  },
} as const

export const subnets = {
  operation: 'list_subnets',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    region: ['text', 'Region'],
    cidr: ['code', 'Network'],
    available_addresses: ['count', 'Free addresses'],
    tags: ['tags', 'Tags'],
    created_at: ['age', 'Created'],
    updated_at: ['age', 'Changed'],
  },
} as const

export const infinibandPartitions = {
  operation: 'list_infiniband_partitions',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    infiniband_fabric: ['text', 'Fabric'],
    tags: ['tags', 'Tags'],
    created_at: ['age', 'Created'],
    updated_at: ['age', 'Changed'],
  },
} as const

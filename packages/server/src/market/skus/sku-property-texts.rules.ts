import type { SkuProperty, skuPropertyNames } from '@bourse/api/market/skus.ts'

type Texts = Pick<SkuProperty, 'type' | 'display_name' | 'description'>

/** What each property means, for people. */
export const propertyTexts: Record<(typeof skuPropertyNames)[number], Texts> = {
  region: { type: 'enumeration', display_name: 'Region', description: 'Where the machines stand.' },
  availability_zone: {
    type: 'enumeration',
    display_name: 'Availability zone',
    description: 'Part of a region that fails apart from the others.',
  },
  accelerator: { type: 'enumeration', display_name: 'Accelerator', description: 'Model of the accelerators.' },
  form_factor: { type: 'enumeration', display_name: 'Form factor', description: 'How the accelerators are built in.' },
  rdma_type: {
    type: 'enumeration',
    display_name: 'RDMA',
    description: "How a node reaches its neighbours' memory.",
  },
  infiniband_fabric: {
    type: 'enumeration',
    display_name: 'InfiniBand fabric',
    description: 'Nodes on one fabric reach each other over InfiniBand.',
  },
  num_accelerators: { type: 'integer', display_name: 'Accelerators', description: 'Accelerators in a node.' },
  num_vcpus: { type: 'integer', display_name: 'vCPUs', description: 'Virtual processors of a node.' },
  memory_bytes: { type: 'integer', display_name: 'Memory', description: 'Main memory of a node in bytes.' },
  local_storage_bytes: {
    type: 'integer',
    display_name: 'Local storage',
    description: 'Storage inside a node in bytes; gone with its instance.',
  },
  supports_public_ipv4: {
    type: 'boolean',
    display_name: 'Public IPv4',
    description: 'Whether an instance can have a public IPv4 address.',
  },
}

import type { SkuProperty, skuPropertyNames } from '@bourse/api/market/skus.ts'

type PropertyTexts = Pick<SkuProperty, 'type' | 'display_name' | 'description'>

/** The display name and the description of each property. */
export const propertyTexts: Record<(typeof skuPropertyNames)[number], PropertyTexts> = {
  region: { type: 'enumeration', display_name: 'Region', description: 'The location of the machines.' },
  availability_zone: {
    type: 'enumeration',
    display_name: 'Availability zone',
    description: 'A part of a region that fails independently of the other parts.',
  },
  accelerator: { type: 'enumeration', display_name: 'Accelerator', description: 'The model of the accelerators.' },
  form_factor: {
    type: 'enumeration',
    display_name: 'Form factor',
    description: 'The mounting of the accelerators, such as SXM or PCIe.',
  },
  rdma_type: {
    type: 'enumeration',
    display_name: 'RDMA',
    description: 'The kind of RDMA network between nodes.',
  },
  rdma_gigabits_per_second: {
    type: 'integer',
    display_name: 'RDMA rate',
    description: 'The rate of the fastest RDMA port of a node, in gigabits a second.',
  },
  infiniband_fabric: {
    type: 'enumeration',
    display_name: 'InfiniBand fabric',
    description: 'The InfiniBand network of a node. Nodes of one fabric can communicate over it.',
  },
  num_accelerators: {
    type: 'integer',
    display_name: 'Accelerators',
    description: 'The number of accelerators of a node.',
  },
  num_vcpus: { type: 'integer', display_name: 'vCPUs', description: 'The number of virtual CPUs of a node.' },
  memory_bytes: { type: 'integer', display_name: 'Memory', description: 'The memory of a node in bytes.' },
  local_storage_bytes: {
    type: 'integer',
    display_name: 'Local storage',
    description: 'The local storage of a node in bytes. Its data is lost when the instance ends.',
  },
  supports_public_ipv4: {
    type: 'boolean',
    display_name: 'Public IPv4',
    description: 'Whether an instance can have a public IPv4 address.',
  },
}

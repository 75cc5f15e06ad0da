/** Generated from the contract by `npm run gen`. Do not edit. */

export const createFirewall = {
  operation: 'create_firewall',
  command: 'firewalls create',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    rules: {"label":"Rules","shape":"json"},
    tags: {"label":"Tags","shape":"tags","flag":"tag"},
  },
} as const

export const updateFirewall = {
  operation: 'update_firewall',
  command: 'firewalls update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    tags: {"label":"Tags","shape":"tags","nullable":true,"flag":"tag"},
  },
} as const

export const createSubnet = {
  operation: 'create_subnet',
  command: 'subnets create',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    region: {"label":"Region","shape":"text","required":true,"max_length":255},
    cidr: {"label":"Network","shape":"text","hint":"Private IPv4 network of prefix length 16 to 28; default the first free /20 of 10.64.0.0/10.","max_length":18,"example":"10.80.0.0/20"},
    tags: {"label":"Tags","shape":"tags","flag":"tag"},
  },
} as const

export const updateSubnet = {
  operation: 'update_subnet',
  command: 'subnets update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    tags: {"label":"Tags","shape":"tags","nullable":true,"flag":"tag"},
  },
} as const

export const createInfinibandPartition = {
  operation: 'create_infiniband_partition',
  command: 'infiniband-partitions create',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    infiniband_fabric: {"label":"Fabric","shape":"text","hint":"Fabric of a SKU that you can see.","required":true,"max_length":255},
    tags: {"label":"Tags","shape":"tags","flag":"tag"},
  },
} as const

export const updateInfinibandPartition = {
  operation: 'update_infiniband_partition',
  command: 'infiniband-partitions update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    tags: {"label":"Tags","shape":"tags","nullable":true,"flag":"tag"},
  },
} as const

/** Generated from the contract by `npm run gen`. Do not edit. */

export const createFirewall = {
  operation: 'create_firewall',
  command: 'firewalls create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    rules: {"label":"Rules","shape":"json","hint":"The rules for inbound traffic. Traffic that no rule allows is dropped."},
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

export const replaceFirewallRules = {
  operation: 'replace_firewall_rules',
  command: 'firewalls replace-rules',
  fields: {
    rules: {"label":"Rules","shape":"json","hint":"All rules for inbound traffic from now on. Traffic that no rule allows is dropped.","required":true},
  },
} as const

export const createSubnet = {
  operation: 'create_subnet',
  command: 'subnets create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    region: {"label":"Region","shape":"text","hint":"Region of the SKUs whose instances may use it, such as us-west.","required":true,"max_length":255},
    cidr: {"label":"Network","shape":"text","hint":"Private IPv4 network of /16 to /28, such as 10.40.0.0/20. Default: the first free /20 of 10.64.0.0/10.","max_length":18,"example":"10.80.0.0/20"},
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
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    infiniband_fabric: {"label":"Fabric","shape":"text","hint":"InfiniBand fabric, such as west-ib: that of a SKU which you can see.","required":true,"max_length":255},
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

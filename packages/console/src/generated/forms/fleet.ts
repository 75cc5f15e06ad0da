/** Generated from the contract by `npm run gen`. Do not edit. */

export const createPool = {
  operation: 'create_pool',
  command: 'pools create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    tags: {"label":"Tags","shape":"tags","flag":"tag"},
  },
} as const

export const updatePool = {
  operation: 'update_pool',
  command: 'pools update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    tags: {"label":"Tags","shape":"tags","nullable":true,"flag":"tag"},
  },
} as const

export const createPoolTransfer = {
  operation: 'create_pool_transfer',
  command: 'pool-transfers create',
  fields: {
    from_pool: {"label":"From pool","shape":"text","required":true,"kind":"pool","max_length":1024},
    to_pool: {"label":"To pool","shape":"text","required":true,"kind":"pool","max_length":1024},
    sku: {"label":"SKU","shape":"text","required":true,"kind":"sku"},
    allocation_schedule_delta: {"label":"Allocation schedule delta","shape":"json","hint":"Nodes to move: ascending, without overlap. Gaps count as zero. Only the last entry may be open.","required":true},
  },
} as const

export const createInstanceTemplate = {
  operation: 'create_instance_template',
  command: 'instance-templates create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    image: {"label":"Image","shape":"text","required":true,"kind":"image","max_length":1024},
    cloud_init_user_data: {"label":"User data","shape":"file","max_length":87384,"secret":true},
    ssh_keys: {"label":"SSH keys","shape":"list","kind":"ssh_key"},
    tags: {"label":"Tags","shape":"tags","flag":"tag"},
    priority_level: {"label":"Priority","shape":"words","hint":"When allocation falls, instances of lower levels end first. Default normal.","words":["yield","normal","preferred","critical"]},
    subnet: {"label":"Subnet","shape":"text","kind":"subnet","max_length":1024},
    _preview_enable_public_ipv4: {"label":"Public address","shape":"boolean","hint":"Give it a public address. Without a public address only SSH (TCP port 22) reaches it.","fallback":false,"flag":"enable-public-ipv4","has_negative":true},
    _preview_firewall: {"label":"Firewall","shape":"text","kind":"firewall","max_length":1024,"flag":"firewall"},
    _preview_infiniband_partition: {"label":"InfiniBand partition","shape":"text","kind":"infiniband_partition","max_length":1024,"flag":"infiniband-partition"},
  },
} as const

export const createInstance = {
  operation: 'create_instance',
  command: 'instances create',
  asks: true,
  fields: {
    pool: {"label":"Pool","shape":"text","required":true,"kind":"pool","max_length":1024},
    sku: {"label":"SKU","shape":"text","required":true,"kind":"sku"},
    image: {"label":"Image","shape":"text","required":true,"kind":"image","max_length":1024},
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    cloud_init_user_data: {"label":"User data","shape":"file","max_length":87384,"secret":true},
    ssh_keys: {"label":"SSH keys","shape":"list","kind":"ssh_key"},
    tags: {"label":"Tags","shape":"tags","flag":"tag"},
    priority_level: {"label":"Priority","shape":"words","hint":"When allocation falls, instances of lower levels end first. Default normal.","words":["yield","normal","preferred","critical"]},
    subnet: {"label":"Subnet","shape":"text","kind":"subnet","max_length":1024},
    _preview_enable_public_ipv4: {"label":"Public address","shape":"boolean","hint":"Give it a public address. Without a public address only SSH (TCP port 22) reaches it.","fallback":false,"flag":"enable-public-ipv4","has_negative":true},
    _preview_firewall: {"label":"Firewall","shape":"text","kind":"firewall","max_length":1024,"flag":"firewall"},
    _preview_infiniband_partition: {"label":"InfiniBand partition","shape":"text","kind":"infiniband_partition","max_length":1024,"flag":"infiniband-partition"},
    buy: {"label":"Buy","shape":"json","hint":"Buy one node of the SKU for the pool at once, for this window. By default nothing is bought."},
  },
} as const

export const updateInstance = {
  operation: 'update_instance',
  command: 'instances update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    tags: {"label":"Tags","shape":"tags","nullable":true,"flag":"tag"},
    priority_level: {"label":"Priority","shape":"words","hint":"When allocation falls, instances of lower levels end first. Empty: normal.","nullable":true,"words":["yield","normal","preferred","critical"]},
    _preview_firewall: {"label":"Firewall","shape":"text","kind":"firewall","max_length":1024,"flag":"firewall"},
  },
} as const

export const replaceInstance = {
  operation: 'replace_instance',
  command: 'instances replace',
  asks: true,
  fields: {
    image: {"label":"Image","shape":"text","required":true,"kind":"image","max_length":1024},
    cloud_init_user_data: {"label":"User data","shape":"file","max_length":87384,"secret":true},
    name: {"label":"Name","shape":"text","hint":"Name of the new instance. Default: a generated one. It differs from that of the old one.","max_length":255},
  },
} as const

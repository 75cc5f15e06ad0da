/** Generated from the contract by `npm run gen`. Do not edit. */

export const createAccountTransaction = {
  operation: 'create_account_transaction',
  command: 'account-transactions create',
  fields: {
    type: {"label":"Type","shape":"words","hint":"Why the amount is posted.","required":true,"words":["credit_grant","manual_payment","refund","adjustment"]},
    amount_dollars: {"label":"Amount","shape":"amount","hint":"Amount in dollars, such as 1000.00. A negative amount takes money away. Not zero.","required":true,"unit":"dollars","max_length":24,"flag":"amount"},
    description: {"label":"Description","shape":"text","hint":"Reason, shown in the statement of the account.","required":true,"max_length":1024},
  },
} as const

export const putCreditLimit = {
  operation: 'put_credit_limit',
  command: 'accounts set-credit-limit',
  fields: {
    credit_limit_dollars: {"label":"Credit limit","shape":"amount","hint":"Dollars by which the balance may fall below zero, such as 500.00.","required":true,"unit":"dollars","max_length":24,"positional":true,"flag":"credit-limit"},
  },
} as const

export const createPendingCredit = {
  operation: 'create_pending_credit',
  command: 'pending-credits create',
  fields: {
    type: {"label":"Type","shape":"words","hint":"Why the amount is credited. credit_limit: the credit limit becomes the amount instead.","required":true,"words":["credit_grant","manual_payment","refund","adjustment","credit_limit"]},
    amount_dollars: {"label":"Amount","shape":"amount","hint":"Amount in dollars, such as 250000.00. Not zero.","required":true,"unit":"dollars","max_length":24,"flag":"amount"},
    description: {"label":"Description","shape":"text","hint":"Reason, shown to the second platform operator. The reason of a credit also appears in the statement of the account.","required":true,"max_length":1024},
  },
} as const

export const haltMarket = {
  operation: 'halt_market',
  command: 'market halt',
  asks: true,
  fields: {
    message: {"label":"Message","shape":"text","hint":"Reason, shown to everyone whose order is refused.","max_length":1024},
    sku: {"label":"SKU","shape":"text","kind":"sku"},
  },
} as const

export const resumeMarket = {
  operation: 'resume_market',
  command: 'market resume',
  fields: {
    message: {"label":"Message","shape":"text","hint":"A note for people.","max_length":1024},
    sku: {"label":"SKU","shape":"text","kind":"sku"},
  },
} as const

export const drainHost = {
  operation: 'drain_host',
  command: 'hosts drain',
  fields: {
    deadline_at: {"label":"Deadline","shape":"moment","hint":"When its supply and its instances end. Not in the past. The supply ends at the start of this minute.","required":true},
    force: {"label":"Force","shape":"boolean","hint":"Drain even if nodes after the deadline are sold or offered. They stay so.","fallback":false,"has_negative":true},
  },
} as const

export const createHostEnrolment = {
  operation: 'create_host_enrolment',
  command: 'host-enrolments create',
  fields: {
    sku: {"label":"SKU","shape":"text","required":true,"kind":"sku"},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    slots: {"label":"Slots","shape":"integer","hint":"Nodes of the SKU that each host can run.","min":1,"max":64,"fallback":1},
    expires_in_seconds: {"label":"Expires in","shape":"amount","hint":"How long the permit is valid.","unit":"seconds","min":60,"max":604800,"fallback":86400,"flag":"expires-in"},
    uses: {"label":"Uses","shape":"integer","hint":"Number of hosts that may enrol with it.","min":1,"max":1000,"fallback":1},
  },
} as const

export const createAccount = {
  operation: 'create_account',
  command: 'accounts create',
  fields: {
    id: {"label":"Id","shape":"text","hint":"Id of the account: 3 to 40 small letters, digits and hyphens. It never changes.","required":true,"max_length":40},
    name: {"label":"Name","shape":"text","hint":"Name of the account, for people.","max_length":255},
    entity_type: {"label":"Kind","shape":"words","hint":"Whether the account belongs to a person or a business.","words":["personal","business"]},
    trust_level: {"label":"Trust","shape":"words","hint":"How far the account is trusted. Its limits depend on it. Default basic.","words":["untrusted","basic","trusted","partner"]},
  },
} as const

export const putAccountLimit = {
  operation: 'put_account_limit',
  command: 'account-limits put',
  fields: {
    value: {"label":"Value","shape":"integer","hint":"The most that is allowed. Empty: no limit.","required":true,"nullable":true,"min":0,"positional":true},
  },
} as const

export const createAccountUser = {
  operation: 'create_account_user',
  command: 'accounts create-user',
  fields: {
    email: {"label":"E-mail","shape":"text","hint":"E-mail address, unique in the account without regard to case. Stored in Unicode form NFC, with the domain in lower case.","required":true,"max_length":254},
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    first_name: {"label":"First name","shape":"text","max_length":100},
    last_name: {"label":"Last name","shape":"text","max_length":100},
    role: {"label":"Role","shape":"text","kind":"role","max_length":1024},
  },
} as const

export const createSku = {
  operation: 'create_sku',
  command: 'skus create',
  fields: {
    alias: {"label":"SKU","shape":"text","hint":"Name of the SKU for people, such as h100-west. A new SKU without one gets a generated name.","max_length":255},
    listed: {"label":"Listed","shape":"boolean","hint":"Show the SKU on the market.","fallback":true,"has_negative":true},
    simulated: {"label":"Simulated","shape":"boolean","hint":"Hosts of this SKU need not have its hardware: for development."},
    operator_hosts_only: {"label":"Operator hosts only","shape":"boolean","hint":"Let only the platform operator supply hosts of the SKU, and no partner.","has_negative":true},
    public_prices_exclude_related: {"label":"Public prices exclude related","shape":"boolean","hint":"Leave trades of accounts that share a person out of public prices of the SKU: price history, trades and last prices.","fallback":false,"has_negative":true},
    benchmark_figures: {"label":"Benchmark figures","shape":"list","hint":"Figures of benchmarks that the SKU shows, in this order, each with its unit, such as memory_bandwidth GB/s.","max_length":65,"example":"memory_bandwidth GB/s","has_blanks":true},
    flat_fee_dollars_per_node_hour: {"label":"Flat fee","shape":"amount","hint":"Fee of the platform operator for each node-hour that is sold, in dollars. A new SKU without it has none.","unit":"dollars_per_node_hour","max_length":16,"flag":"flat-fee"},
    fee_bps: {"label":"Fee","shape":"amount","hint":"Fee of the platform operator in basis points, hundredths of a percent, of the value of a sale. A new SKU without it has none.","unit":"bps","min":0,"max":10000,"flag":"fee"},
    price_step_dollars_per_node_hour: {"label":"Price step","shape":"amount","hint":"Prices of orders and automations must be multiples of this, in dollars. A new SKU without it has 0.000001. Resting orders keep their prices.","unit":"dollars_per_node_hour","max_length":16,"flag":"price-step"},
    region: {"label":"Region","shape":"text","hint":"Region, such as us-west.","max_length":255},
    availability_zone: {"label":"Availability zone","shape":"text","hint":"Availability zone, such as us-west-1a.","max_length":255},
    accelerator: {"label":"Accelerator","shape":"text","hint":"Kind of GPU, such as h100.","max_length":255},
    form_factor: {"label":"Form factor","shape":"text","hint":"Form factor of the GPUs, such as sxm.","max_length":255},
    rdma_type: {"label":"RDMA","shape":"text","hint":"Network between nodes: infiniband or roce.","max_length":16},
    rdma_gigabits_per_second: {"label":"RDMA, Gbit/s","shape":"integer","hint":"Rate of the fastest RDMA port, in gigabits per second.","min":1,"max":100000},
    infiniband_fabric: {"label":"Fabric","shape":"text","hint":"Name of the InfiniBand fabric, such as west-ib.","max_length":255},
    num_accelerators: {"label":"Accelerators","shape":"integer","hint":"Number of GPUs.","min":0,"max":1024},
    num_vcpus: {"label":"Virtual CPUs","shape":"integer","hint":"Number of virtual processors.","min":1,"max":65536},
    memory_bytes: {"label":"Memory","shape":"amount","hint":"Memory of a node.","unit":"bytes","min":0,"flag":"memory"},
    local_storage_bytes: {"label":"Local storage","shape":"amount","hint":"Local storage of a node.","unit":"bytes","min":0,"flag":"local-storage"},
    supports_public_ipv4: {"label":"Supports public IPv4","shape":"boolean","hint":"Instances can have public addresses.","has_negative":true},
  },
} as const

export const updateSku = {
  operation: 'update_sku',
  command: 'skus update',
  fields: {
    alias: {"label":"SKU","shape":"text","hint":"Name of the SKU for people, such as h100-west. A new SKU without one gets a generated name.","max_length":255},
    listed: {"label":"Listed","shape":"boolean","hint":"Show the SKU on the market.","has_negative":true},
    simulated: {"label":"Simulated","shape":"boolean","hint":"Hosts of this SKU need not have its hardware: for development."},
    operator_hosts_only: {"label":"Operator hosts only","shape":"boolean","hint":"Let only the platform operator supply hosts of the SKU, and no partner.","has_negative":true},
    public_prices_exclude_related: {"label":"Public prices exclude related","shape":"boolean","hint":"Leave trades of accounts that share a person out of public prices of the SKU: price history, trades and last prices.","fallback":false,"has_negative":true},
    benchmark_figures: {"label":"Benchmark figures","shape":"list","hint":"Figures of benchmarks that the SKU shows, in this order, each with its unit, such as memory_bandwidth GB/s.","max_length":65,"example":"memory_bandwidth GB/s","has_blanks":true},
    flat_fee_dollars_per_node_hour: {"label":"Flat fee","shape":"amount","hint":"Fee of the platform operator for each node-hour that is sold, in dollars. A new SKU without it has none.","unit":"dollars_per_node_hour","max_length":16,"flag":"flat-fee"},
    fee_bps: {"label":"Fee","shape":"amount","hint":"Fee of the platform operator in basis points, hundredths of a percent, of the value of a sale. A new SKU without it has none.","unit":"bps","min":0,"max":10000,"flag":"fee"},
    price_step_dollars_per_node_hour: {"label":"Price step","shape":"amount","hint":"Prices of orders and automations must be multiples of this, in dollars. A new SKU without it has 0.000001. Resting orders keep their prices.","unit":"dollars_per_node_hour","max_length":16,"flag":"price-step"},
    region: {"label":"Region","shape":"text","hint":"Region, such as us-west.","nullable":true,"max_length":255},
    availability_zone: {"label":"Availability zone","shape":"text","hint":"Availability zone, such as us-west-1a.","nullable":true,"max_length":255},
    accelerator: {"label":"Accelerator","shape":"text","hint":"Kind of GPU, such as h100.","nullable":true,"max_length":255},
    form_factor: {"label":"Form factor","shape":"text","hint":"Form factor of the GPUs, such as sxm.","nullable":true,"max_length":255},
    rdma_type: {"label":"RDMA","shape":"text","hint":"Network between nodes: infiniband or roce.","nullable":true,"max_length":16},
    rdma_gigabits_per_second: {"label":"RDMA, Gbit/s","shape":"integer","hint":"Rate of the fastest RDMA port, in gigabits per second.","nullable":true,"min":1,"max":100000},
    infiniband_fabric: {"label":"Fabric","shape":"text","hint":"Name of the InfiniBand fabric, such as west-ib.","nullable":true,"max_length":255},
    num_accelerators: {"label":"Accelerators","shape":"integer","hint":"Number of GPUs.","nullable":true,"min":0,"max":1024},
    num_vcpus: {"label":"Virtual CPUs","shape":"integer","hint":"Number of virtual processors.","nullable":true,"min":1,"max":65536},
    memory_bytes: {"label":"Memory","shape":"amount","hint":"Memory of a node.","nullable":true,"unit":"bytes","min":0,"flag":"memory"},
    local_storage_bytes: {"label":"Local storage","shape":"amount","hint":"Local storage of a node.","nullable":true,"unit":"bytes","min":0,"flag":"local-storage"},
    supports_public_ipv4: {"label":"Supports public IPv4","shape":"boolean","hint":"Instances can have public addresses.","nullable":true,"has_negative":true},
  },
} as const

export const putSkuPropertyValue = {
  operation: 'put_sku_property_value',
  command: 'sku-properties put-value',
  fields: {
    display_name: {"label":"Text for people","shape":"text","hint":"The text that people read.","required":true,"max_length":255},
    description: {"label":"Description","shape":"text","hint":"What the value means.","max_length":1024},
    documentation_link: {"label":"Documentation link","shape":"text","hint":"A page that explains the value.","nullable":true,"max_length":2048},
    deprecated_at: {"label":"Deprecated","shape":"moment","hint":"Since when the value is outdated. Empty: it is not.","nullable":true},
    deprecation_info: {"label":"Deprecation info","shape":"text","hint":"What to use instead.","nullable":true,"max_length":1024},
  },
} as const

export const putSkuOverride = {
  operation: 'put_sku_override',
  command: 'sku-overrides put',
  fields: {
    region: {"label":"Region","shape":"text","hint":"Region, such as us-west.","max_length":255},
    availability_zone: {"label":"Availability zone","shape":"text","hint":"Availability zone, such as us-west-1a.","max_length":255},
    accelerator: {"label":"Accelerator","shape":"text","hint":"Kind of GPU, such as h100.","max_length":255},
    form_factor: {"label":"Form factor","shape":"text","hint":"Form factor of the GPUs, such as sxm.","max_length":255},
    rdma_type: {"label":"RDMA","shape":"text","hint":"Network between nodes: infiniband or roce.","max_length":16},
    rdma_gigabits_per_second: {"label":"RDMA, Gbit/s","shape":"integer","hint":"Rate of the fastest RDMA port, in gigabits per second.","min":1,"max":100000},
    infiniband_fabric: {"label":"Fabric","shape":"text","hint":"Name of the InfiniBand fabric, such as west-ib.","max_length":255},
    num_accelerators: {"label":"Accelerators","shape":"integer","hint":"Number of GPUs.","min":0,"max":1024},
    num_vcpus: {"label":"Virtual CPUs","shape":"integer","hint":"Number of virtual processors.","min":1,"max":65536},
    memory_bytes: {"label":"Memory","shape":"amount","hint":"Memory of a node.","unit":"bytes","min":0,"flag":"memory"},
    local_storage_bytes: {"label":"Local storage","shape":"amount","hint":"Local storage of a node.","unit":"bytes","min":0,"flag":"local-storage"},
    supports_public_ipv4: {"label":"Supports public IPv4","shape":"boolean","hint":"Instances can have public addresses.","has_negative":true},
  },
} as const

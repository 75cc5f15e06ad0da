/** Generated from the contract by `npm run gen`. Do not edit. */

export const createDeployment = {
  operation: 'create_deployment',
  command: 'deployments create',
  asks: true,
  fields: {
    kind: {"label":"Kind","shape":"words","hint":"generic: it uses what its pool has. spot: it also buys nodes. Default generic.","words":["generic","spot"]},
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    pool: {"label":"Pool","shape":"text","required":true,"kind":"pool","max_length":1024},
    sku: {"label":"SKU","shape":"text","required":true,"kind":"sku"},
    instance_template: {"label":"Instance template","shape":"text","required":true,"kind":"instance_template","max_length":1024},
    target_instance_count: {"label":"Target","shape":"integer","hint":"How many instances it keeps.","required":true,"min":0,"max":10000},
    instance_name_template: {"label":"Instance name template","shape":"text","hint":"Pattern of the names of its instances, such as web-{{adjective}}-{{noun}}.","max_length":512},
    enabled: {"label":"Enabled","shape":"boolean","hint":"Keep its instances at the target.","fallback":true,"has_negative":true},
    max_buy_price_dollars_per_node_hour: {"label":"Buys at most at","shape":"amount","hint":"Most that it pays, in dollars per node-hour, such as 20.00. Spot deployments only.","unit":"dollars_per_node_hour","max_length":16,"flag":"max-buy-price"},
  },
} as const

export const updateDeployment = {
  operation: 'update_deployment',
  command: 'deployments update',
  asks: true,
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    instance_template: {"label":"Instance template","shape":"text","kind":"instance_template","max_length":1024},
    enabled: {"label":"Enabled","shape":"boolean","hint":"Keep its instances at the target.","has_negative":true},
    target_instance_count: {"label":"Target","shape":"integer","hint":"How many instances it keeps.","min":0,"max":10000},
    instance_name_template: {"label":"Instance name template","shape":"text","hint":"Pattern of the names of its instances, such as web-{{adjective}}-{{noun}}.","max_length":512},
    max_buy_price_dollars_per_node_hour: {"label":"Buys at most at","shape":"amount","hint":"Most that it pays, in dollars per node-hour, such as 20.00. Spot deployments only.","unit":"dollars_per_node_hour","max_length":16,"flag":"max-buy-price"},
  },
} as const

export const createProcurement = {
  operation: 'create_procurement',
  command: 'procurements create',
  asks: true,
  fields: {
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    pool: {"label":"Pool","shape":"text","required":true,"kind":"pool","max_length":1024},
    sku: {"label":"SKU","shape":"text","required":true,"kind":"sku"},
    target: {"label":"Target","shape":"word_or_integer","hint":"How many nodes the pool should have in each minute. node_count: as many as it has live instances of the SKU.","required":true,"min":0,"max":10000},
    min_sell_price_dollars_per_node_hour: {"label":"Sells at least at","shape":"amount","hint":"Lowest price at which it sells nodes above the target, in dollars per node-hour, such as 24.00.","required":true,"unit":"dollars_per_node_hour","max_length":16,"flag":"min-sell-price"},
    max_buy_price_dollars_per_node_hour: {"label":"Buys at most at","shape":"amount","hint":"Highest price at which it buys, in dollars per node-hour, such as 20.00. Required for a market pool, not applicable to an originating pool.","unit":"dollars_per_node_hour","max_length":16,"flag":"max-buy-price"},
    managed_window_minutes: {"label":"Looks ahead","shape":"amount","hint":"Length of its window in minutes, from the next minute on: 1440 is a day.","required":true,"unit":"minutes","min":1,"max":129600,"flag":"managed-window"},
    enabled: {"label":"Enabled","shape":"boolean","hint":"Keep the pool at the target.","fallback":true,"has_negative":true},
  },
} as const

export const updateProcurement = {
  operation: 'update_procurement',
  command: 'procurements update',
  asks: true,
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    sku: {"label":"SKU","shape":"text","kind":"sku"},
    target: {"label":"Target","shape":"word_or_integer","hint":"How many nodes the pool should have in each minute. node_count: as many as it has live instances of the SKU.","min":0,"max":10000},
    min_sell_price_dollars_per_node_hour: {"label":"Sells at least at","shape":"amount","hint":"Lowest price at which it sells nodes above the target, in dollars per node-hour, such as 24.00.","unit":"dollars_per_node_hour","max_length":16,"flag":"min-sell-price"},
    max_buy_price_dollars_per_node_hour: {"label":"Buys at most at","shape":"amount","hint":"Highest price at which it buys, in dollars per node-hour, such as 20.00. Required for a market pool, not applicable to an originating pool.","unit":"dollars_per_node_hour","max_length":16,"flag":"max-buy-price"},
    managed_window_minutes: {"label":"Looks ahead","shape":"amount","hint":"Length of its window in minutes, from the next minute on: 1440 is a day.","unit":"minutes","min":1,"max":129600,"flag":"managed-window"},
    enabled: {"label":"Enabled","shape":"boolean","hint":"Keep the pool at the target.","has_negative":true},
  },
} as const

/** The areas of the reference in groups by what they are for, in the order of the side bar, each with a sentence. */
export const areaGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Trade: {
    orders: 'Limit orders that buy and sell node-hours.',
    'order estimates': 'The price of an order before it is placed.',
    orderbook: 'Resting orders, fills and prices.',
    'instance SKU catalog': 'The hardware types of the market.',
    pools: 'What an account owns of each SKU, minute by minute.',
    procurements: 'Automations that maintain the number of nodes of a pool.',
  },
  Run: {
    instances: 'Virtual machines that run in the allocation of a pool.',
    deployments: 'Automations that maintain a number of instances.',
    'instance templates': 'Templates of the instances of deployments.',
    images: 'Disk images from which instances start.',
    'SSH keys': 'The public keys with which people and programs enter instances.',
    firewalls: 'Filters of traffic to public addresses.',
    subnets: 'Private networks of instances.',
    'InfiniBand partitions': 'Closed groups on an InfiniBand fabric.',
  },
  Follow: {
    events: 'The append-only log of changes in the account.',
    webhooks: 'Addresses to which the server sends events.',
    'audit trail': 'Who did what in the account.',
    names: 'Names of resources by their ids.',
  },
  Money: { billing: 'Balance, holds, transactions, usage, budgets, statements and exports of the account.' },
  Account: {
    account: 'The account and token of the caller.',
    limits: 'The limits of an account and their use.',
    workspaces: 'The groups of resources within an account.',
    users: 'The people of an account.',
    roles: 'Named sets of permissions.',
    grants: 'The roles of users and tokens in a workspace or the whole account.',
    permissions: 'The effective permissions of a caller.',
    tokens: 'API tokens and the sessions of people.',
    'device login': 'Sign-in of programs without a browser, in the shape of RFC 8628; without a token.',
    'passkey sign-in': 'Sign-in of people with passkeys and recovery codes, for pages of the server.',
  },
  Operator: {
    administration: 'For the platform operator only.',
    hosts: 'The servers on which instances run, and the permits by which they enrol.',
    process: 'The server process; without a token.',
  },
  Sandbox: { sandbox: 'Control over the sandbox; 404 in production.' },
  Agent: {
    'agent protocol': 'The protocol between the agents of hosts and the server, with tokens that the agents sign.',
  },
}

/** The descriptions of the areas of the reference. */
export const areas: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(areaGroups))

/** Where the server explains an area: the page of a guide or a concept. */
export const areaPages: Readonly<Record<string, string>> = {
  limits: '/docs/concepts/account-limits',
  workspaces: '/docs/concepts/access#accounts',
  'SSH keys': '/docs/concepts/instances#ssh-keys',
  roles: '/docs/concepts/rights#roles',
  grants: '/docs/concepts/rights#grants',
  names: '/docs/concepts/rights#names-of-ids',
  permissions: '/docs/concepts/rights',
  tokens: '/docs/concepts/tokens',
  'audit trail': '/docs/concepts/audit',
  events: '/docs/guides/events',
  webhooks: '/docs/concepts/events#webhooks',
  orders: '/docs/guides/trading',
  'order estimates': '/docs/concepts/money#cost-before-commitment',
  orderbook: '/docs/concepts/market',
  billing: '/docs/guides/money',
  pools: '/docs/concepts/capacity#pools',
  images: '/docs/guides/images',
  instances: '/docs/concepts/instances',
  hosts: '/docs/guides/hosts',
  deployments: '/docs/guides/spot-fleets',
  procurements: '/docs/guides/procurements',
  'agent protocol': '/docs/concepts/hosts',
}

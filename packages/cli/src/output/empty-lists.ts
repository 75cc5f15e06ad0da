/** What a list without rows says: what would be there, and the command that makes one. */
import type { OperationName } from '@bourse/api/contract.ts'

type Emptiness = {
  /** The rows in plural: `market pools`. */
  readonly what: string
  /** The command that makes a row, and what it does. */
  readonly make?: readonly [does: string, command: string]
  /** What brings a row about, where no command does. */
  readonly cause?: string
}

const lists: Readonly<Partial<Record<OperationName, Emptiness>>> = {
  list_workspaces: { what: 'workspaces', make: ['Create one', 'workspaces create --name inference'] },
  list_users: { what: 'users', make: ['Add one', 'users create --email ada@example.com'] },
  list_user_identities: { what: 'identities', cause: 'A sign-in at a provider makes one: docs/guides/sign-in.md.' },
  list_user_passkeys: { what: 'passkeys', cause: 'A person adds one on the page /sign_in/passkeys of the server.' },
  list_ssh_keys: { what: 'SSH keys', make: ['Add one', 'ssh-keys add ~/.ssh/id_ed25519.pub'] },
  list_roles: { what: 'roles', make: ['Create one', 'roles create --help'] },
  list_grants: { what: 'grants', make: ['Give a role', 'grants create --help'] },
  list_tokens: { what: 'tokens', make: ['Create one', 'tokens create --name ci'] },
  list_audit_entries: { what: 'audit entries', cause: 'Writes make them. They are kept for 400 days.' },
  list_all_audit_entries: { what: 'audit entries', cause: 'Writes make them. They are kept for 400 days.' },
  list_events: { what: 'events', cause: 'Changes on the account make them. They are kept for 7 days.' },
  list_webhooks: { what: 'webhooks', make: ['Create one', 'webhooks create --url https://example.com/hook'] },
  list_webhook_deliveries: {
    what: 'deliveries to show',
    cause: 'A delivery is shown if its first attempt failed or if it was asked for: `bourse webhooks test`.',
  },
  list_transactions: { what: 'transactions', cause: 'Trades and payments make them.' },
  list_account_transactions: {
    what: 'transactions',
    make: ['Post one', 'account-transactions create --help'],
  },
  list_pending_credits: {
    what: 'credits or credit limits that wait for a second operator',
    make: ['Request one', 'pending-credits create --help'],
  },
  list_holds: { what: 'holds', cause: 'A buy order that waits on the order book holds its money.' },
  list_usage: { what: 'rows of usage in this time', cause: 'Pools with nodes make them.' },
  list_budgets: {
    what: 'budgets',
    make: ['Create one', 'billing budgets create --period month --amount-dollars 500.00'],
  },
  list_skus: { what: 'SKUs on the market', cause: 'The operator adds them: `bourse skus create`.' },
  list_sku_properties: { what: 'properties of SKUs', cause: 'The operator adds SKUs: `bourse skus create`.' },
  list_sku_availability: { what: 'SKUs on the market', cause: 'The operator adds them: `bourse skus create`.' },
  list_pools: { what: 'pools', make: ['Create one', 'pools create --name main'] },
  list_maintenance_windows: { what: 'maintenance windows', make: ['Create one', 'maintenance-windows create --help'] },
  list_pool_transfers: { what: 'transfers', make: ['Move nodes', 'pool-transfers create --help'] },
  list_orders: { what: 'orders', make: ['Place one', 'orders buy h100-west --nodes 1 --for 2h'] },
  list_order_fills: { what: 'fills of this order', cause: 'See why: `bourse orders explain`.' },
  list_orderbook_windows: { what: 'windows with resting orders', make: ['Offer nodes', 'orders sell --help'] },
  list_orderbook_fills: { what: 'trades', cause: '`bourse book show` draws what is offered.' },
  list_price_history: { what: 'trades in this time', cause: '`bourse book show` draws what is offered.' },
  list_images: { what: 'images', make: ['Upload one', 'images upload base.qcow2'] },
  list_image_parts: { what: 'uploaded parts', make: ['Upload the image', 'images upload --help'] },
  list_firewalls: { what: 'firewalls', make: ['Create one', 'firewalls create --help'] },
  list_subnets: { what: 'subnets', make: ['Create one', 'subnets create --name storage --region us-west'] },
  list_infiniband_partitions: {
    what: 'InfiniBand partitions',
    make: ['Create one', 'infiniband-partitions create --help'],
  },
  list_instance_templates: { what: 'instance templates', make: ['Create one', 'instance-templates create --help'] },
  list_instances: { what: 'instances', make: ['Create one', 'instances create --help'] },
  list_instance_logs: { what: 'lines of console output', cause: 'The instance writes them once it has started.' },
  list_hosts: { what: 'hosts of this account', make: ['Make a permit to enrol one', 'host-enrolments create --help'] },
  list_host_enrolments: {
    what: 'permits to enrol hosts',
    make: ['Create one', 'host-enrolments create --sku h100-west'],
  },
  list_deployments: { what: 'deployments', make: ['Create one', 'deployments create --help'] },
  list_procurements: { what: 'procurements', make: ['Create one', 'procurements create --help'] },
  list_accounts: { what: 'accounts', make: ['Create one', 'accounts create --id fathom'] },
  list_account_limits: { what: 'limits' },
  list_limits: { what: 'limits' },
  list_names: {
    what: 'names for these ids',
    cause: 'Ids without a name, and those that you may not see, are left out.',
  },
  list_revenue: { what: 'trades in these months', cause: 'The fees of trades are the revenue.' },
  list_platform_orders: { what: 'orders' },
  list_platform_instances: { what: 'instances' },
  list_platform_pools: { what: 'pools' },
  list_platform_skus: { what: 'SKUs', make: ['Create one', 'skus create --help'] },
  list_platform_usage: { what: 'usage in this time' },
  list_sku_overrides: { what: 'overrides for this account', make: ['Set one', 'sku-overrides put --help'] },
  list_agent_bundles: {
    what: 'versions of the agent',
    make: ['Add one', 'platform agent-bundles add --help'],
  },
  list_agent_rollouts: {
    what: 'rollouts of the agent',
    make: ['Begin one', 'platform agent-rollouts create --help'],
  },
  list_scenarios: { what: 'scenarios' },
  list_market_makers: { what: 'market makers', make: ['Add one', 'sandbox add-maker --help'] },
  list_faults: { what: 'faults', make: ['Make something go wrong', 'sandbox fault --help'] },
}

/** What the rows were narrowed by. */
export type Narrowing = { readonly has_filters: boolean; readonly has_cursor: boolean }

/** The sentence of an empty list. */
export function emptyText(operation: string, { has_filters, has_cursor }: Narrowing): string {
  const { what, make, cause } = lists[operation as OperationName] ?? { what: 'rows' }
  if (has_cursor) return `There are no more ${what}.`
  if (has_filters) return `There are no ${what} that match. Without the filters there may be some.`
  const how = make === undefined ? cause : `${make[0]}: bourse ${make[1]}`
  return [`There are no ${what} yet.`, how].filter(Boolean).join(' ')
}

/** The commands that the sentences name, for the tests. */
export const makingCommands: readonly string[] = Object.values(lists).flatMap(({ make }) => (make ? [make[1]] : []))
/** The lists that have a sentence. */
export const listsWithText: readonly string[] = Object.keys(lists)

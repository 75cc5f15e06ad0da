/** The presentation of operations, which the contract does not contain: command names, columns, texts. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { HeatmapRow } from '@bourse/api/market/market-charts.ts'
import type { Format } from './formats.ts'

/** The exceptions of an operation from the naming rule. */
export type Presentation = {
  /** Noun and verb. The rule gives those of the client: `firewalls delete`. Two words: a group in a group. */
  readonly as?: readonly [noun: string, verb: string]
  /** Positional members of the body, in order. */
  readonly positional?: readonly string[]
  /** The member whose values are the words after the command, which its noun alone begins as well. */
  readonly words?: string
  /** Flags that stand for `null` in a member of the body. */
  readonly nulls?: Readonly<Record<string, { readonly flag: string; readonly description: string }>>
  /** What the help says behind the title, instead of the description of the contract. */
  readonly says?: string
  /** Required members that the command fills in where they are not given, with what the help says of that. */
  readonly defaulted?: Readonly<Record<string, string>>
  /** Members that people do not read. `-o json` has them, and `--columns` can name them. */
  readonly hidden?: readonly string[]
  /** The question before it, by its body and what it is about. Default: its title and what happens. */
  readonly asks?: (body: Readonly<Record<string, unknown>>, what: string) => string | undefined
  /** The rows of a response that is one object but is shown as a table. */
  readonly rows?: {
    readonly columns: readonly string[]
    /** The member of the response whose values the rows are. */
    readonly from: string
    /** Columns that are not members of these values, with the members of the response that have their type. */
    readonly besides?: Readonly<Record<string, string>>
    /** Default: tables and csv. */
    readonly formats?: readonly Format[]
    readonly of: (response: Readonly<Record<string, unknown>>) => readonly unknown[]
  }
}

type Level = Readonly<Record<string, unknown>>

/** The rows of a list that an operation returns besides those that read one. */
function listRows(columns: readonly string[]): NonNullable<Presentation['rows']> {
  return { columns, from: 'data', formats: ['table', 'csv', 'jsonl', 'id'], of: ({ data }) => data as Level[] }
}

const levelColumns = ['side', 'price_dollars_per_node_hour', 'sku', 'allocation_schedule_delta']

/** Price levels, with the best ask next to the best bid. */
function levelRows(asks: readonly (Level | null)[], bids: readonly (Level | null)[]): Level[] {
  const sided = (side: string, levels: readonly (Level | null)[]) =>
    levels.flatMap((level) => (level === null ? [] : [{ side, ...level }]))
  return [...sided('ask', asks.toReversed()), ...sided('bid', bids)]
}

const curveColumns = [
  'start_at',
  'average_price_dollars_per_node_hour',
  'limit_price_dollars_per_node_hour',
  'best_ask_dollars_per_node_hour',
  'best_bid_dollars_per_node_hour',
  'offered_node_count',
]
const boardColumns = [
  'sku',
  'best_ask_dollars_per_node_hour',
  'change_bps',
  'spread_dollars_per_node_hour',
  'last_price_dollars_per_node_hour',
  'free_node_count',
  'halted',
]
const heatmapColumns = [
  'sku',
  'start_at',
  'best_ask_dollars_per_node_hour',
  'offered_node_count',
  'last_price_dollars_per_node_hour',
]

/** The cells of a heat map, each with its SKU. */
function heatmapRows(rows: readonly HeatmapRow[]): Level[] {
  return rows.flatMap(({ sku, cells }) => cells.map((cell) => ({ sku, ...cell })))
}

/** The default columns of resources, by their titles in the contract. */
export const columnsByTitle: Readonly<Record<string, readonly string[]>> = {
  Account: ['id', 'name', 'trust_level', 'is_frozen', 'created_at'],
  AdministeredAccount: [
    'id',
    'name',
    'trust_level',
    'is_frozen',
    'balance.total_dollars',
    'balance.available_dollars',
    'created_at',
  ],
  Budget: [
    'id',
    'name',
    'workspace',
    'period',
    'amount_dollars',
    'spent_dollars',
    'held_dollars',
    'forecast_dollars',
    'reached_percent',
    'hard_stop',
  ],
  Balance: ['available_dollars', 'total_dollars', 'held_dollars', 'credit_limit_dollars'],
  Deployment: ['id', 'name', 'enabled', 'target_instance_count', 'live_instance_count', 'pool', 'sku', 'status'],
  Event: ['occurred_at', 'action', 'targets', 'actor', 'id'],
  Fault: ['id', 'kind', 'active', 'hits', 'created_at'],
  Fill: ['filled_at', 'price_dollars_per_node_hour', 'total_dollars', 'fee_dollars', 'allocation_schedule_delta', 'id'],
  Firewall: ['id', 'name', 'is_default', 'workspace', 'created_at'],
  Grant: ['id', 'principal_type', 'principal_id', 'role', 'workspace', 'created_at'],
  Hold: ['id', 'order', 'amount_dollars', 'created_at'],
  Host: ['id', 'name', 'state', 'health', 'sku', 'slots', 'used_slots', 'last_seen_at'],
  Identity: ['id', 'provider', 'subject', 'email', 'last_used_at', 'created_at'],
  ImagePart: ['part_id', 'size_bytes', 'etag', 'uploaded_at'],
  Image: ['id', 'name', 'state', 'is_public', 'size_bytes', 'created_at'],
  InfinibandPartition: ['id', 'name', 'infiniband_fabric', 'created_at'],
  Instance: ['id', 'name', 'state', 'sku', 'image', 'pool', 'created_at'],
  InstanceTemplate: ['id', 'name', 'image', 'priority_level', 'created_at'],
  Limit: ['name', 'used', 'value', 'unit', 'scope', 'source'],
  MarketMaker: [
    'sku',
    'enabled',
    'node_count',
    'base_price_dollars_per_node_hour',
    'fair_price_dollars_per_node_hour',
    'weather',
  ],
  Order: [
    'id',
    'side',
    'state',
    'sku',
    'limit_price_dollars_per_node_hour',
    'filled_average_price_dollars_per_node_hour',
    'allocation_schedule_delta',
    'created_at',
  ],
  OrderbookFill: ['filled_at', 'sku', 'price_dollars_per_node_hour', 'allocation_schedule_delta'],
  OrderbookWindow: ['start_at', 'end_at', 'sku', 'total_bid_order_count', 'total_ask_order_count'],
  PlatformInstance: ['id', 'account', 'name', 'state', 'sku', 'pool', 'created_at'],
  PlatformOrder: [
    'id',
    'account',
    'side',
    'state',
    'sku',
    'limit_price_dollars_per_node_hour',
    'allocation_schedule_delta',
    'created_at',
  ],
  PlatformPool: ['id', 'account', 'name', 'kind', 'workspace', 'created_at'],
  PlatformUsage: [
    'account',
    'allocated_node_minutes',
    'used_node_minutes',
    'bought_dollars',
    'sold_dollars',
    'effective_cost_dollars',
  ],
  PendingCredit: ['id', 'account', 'state', 'amount_dollars', 'type', 'requested_by', 'expires_at', 'decided_by'],
  Pool: ['id', 'name', 'kind', 'workspace', 'created_at'],
  Passkey: ['id', 'name', 'is_backed_up', 'last_used_at', 'created_at'],
  Procurement: ['id', 'name', 'enabled', 'target', 'managed_window_minutes', 'pool', 'sku', 'status'],
  PoolTransfer: ['id', 'state', 'from_pool', 'to_pool', 'sku', 'allocation_schedule_delta', 'created_at'],
  PriceBucket: [
    'start_at',
    'sku',
    'first_price_dollars_per_node_hour',
    'low_price_dollars_per_node_hour',
    'high_price_dollars_per_node_hour',
    'last_price_dollars_per_node_hour',
    'total_dollars',
    'fill_count',
  ],
  Revenue: ['month', 'sku', 'fees_dollars', 'volume_dollars', 'node_minutes', 'fill_count'],
  AuditEntry: ['occurred_at', 'actor', 'operation', 'targets', 'outcome', 'code', 'account', 'id'],
  Role: ['id', 'name', 'role_type', 'created_at'],
  Scenario: ['name', 'description'],
  Sku: ['id', 'alias', 'accelerator', 'num_accelerators', 'region', 'rdma_type', 'deleted_at'],
  SkuAvailability: ['sku', 'schedule'],
  SshKey: ['id', 'name', 'key_type', 'fingerprint', 'owner', 'created_at'],
  SkuOverride: ['sku', 'properties', 'updated_at'],
  SkuProperty: ['name', 'type', 'display_name', 'values'],
  Subnet: ['id', 'name', 'region', 'cidr', 'available_addresses', 'created_at'],
  SignInLink: ['url', 'expires_at'],
  Token: ['id', 'name', 'kind', 'workspace', 'expires_at', 'last_used_at', 'device', 'address'],
  Transaction: ['created_at', 'type', 'amount_dollars', 'balance_after_dollars', 'fee_dollars', 'order', 'id'],
  Usage: [
    'period_start',
    'group',
    'allocated_node_minutes',
    'used_node_minutes',
    'bought_dollars',
    'sold_dollars',
    'effective_cost_dollars',
  ],
  User: ['id', 'name', 'email', 'created_at'],
  Webhook: ['id', 'url', 'state', 'actions', 'last_success_at', 'last_failure_at', 'created_at'],
  WebhookDelivery: ['id', 'event', 'origin', 'state', 'attempts', 'next_attempt_at', 'created_at'],
  Workspace: ['id', 'name', 'created_at'],
}

/**
 * The columns that a narrow terminal leaves out, the first one first, by the titles of resources. Without an entry
 * these are all but the first two, the last one first.
 */
export const droppableByTitle: Readonly<Record<string, readonly string[]>> = {
  AuditEntry: ['id', 'account', 'code'],
  AdministeredAccount: ['created_at', 'is_frozen', 'trust_level', 'name'],
  Balance: ['credit_limit_dollars', 'held_dollars'],
  Budget: ['id', 'forecast_dollars', 'held_dollars', 'workspace', 'reached_percent', 'name', 'hard_stop'],
  Deployment: ['id', 'sku', 'pool', 'live_instance_count', 'status'],
  Event: ['id', 'actor'],
  Fill: ['id', 'fee_dollars', 'allocation_schedule_delta'],
  Host: ['last_seen_at', 'id', 'used_slots', 'slots', 'sku'],
  Image: ['created_at', 'is_public', 'size_bytes', 'id'],
  Instance: ['pool', 'created_at', 'image', 'sku', 'id'],
  Limit: ['source', 'scope'],
  Order: ['created_at', 'filled_average_price_dollars_per_node_hour', 'sku', 'allocation_schedule_delta'],
  PriceBucket: ['fill_count', 'sku', 'first_price_dollars_per_node_hour', 'total_dollars'],
  Procurement: ['id', 'sku', 'pool', 'managed_window_minutes', 'status'],
  Transaction: ['id', 'order', 'fee_dollars'],
  Usage: ['used_node_minutes', 'allocated_node_minutes', 'sold_dollars', 'bought_dollars'],
}

/** The descriptions of nouns that share an area of the contract. */
export const nounTexts: Readonly<Record<string, string>> = {
  'billing budgets': 'Limits of what the account or a workspace spends.',
  'users identities': 'Who users are at the providers by which they sign in.',
  'users passkeys': 'The keys of authenticators by which users sign in.',
  'platform agent-bundles': 'Versions of the agent that can be rolled out to hosts.',
  'platform agent-rollouts': 'Updates of the agents of all hosts, in groups.',
  accounts: 'Customers and providers. For the platform operator.',
  'account-limits': 'The limits of one account. For the platform operator.',
  'account-transactions': 'Credits and payments of an account outside trading. For the platform operator.',
  'host-enrolments': 'Permits by which hosts enrol.',
  'ssh-keys': 'The public keys with which people and programs enter instances.',
  'image-parts': 'The parts in which an image is uploaded.',
  'maintenance-windows': 'Announced maintenance of SKUs. For the platform operator.',
  market: 'Halt and resume of all trading. For the platform operator.',
  audit: 'Who did what in the account, and whether the record of it is intact.',
  platform:
    'Orders, instances, pools, SKUs, usage, revenue, ledger and audit of all accounts, agent-bundles, ' +
    'agent-rollouts. For the platform operator.',
  billing: 'Balance, holds, usage, budgets and statements.',
  hosts: 'The servers on which instances run.',
  'pending-credits': 'Credits and credit limits that a second operator approves. For the platform operator.',
  'pool-transfers': 'Transfers of allocation between pools of the account.',
  'sku-overrides': 'Properties of SKUs that differ for one account. For the platform operator.',
  'sku-properties': 'The properties of SKUs and the values in use.',
  sandbox: 'Control over a sandbox: its clock, worlds, hosts and faults. Production servers have none of it.',
}

const sinceMonth = { from: 'Default: the start of this month.' }
const wholeDays = { ...sinceMonth, to: 'Default: after today.' }

/** The operations with exceptions. */
export const presentations: Readonly<Partial<Record<OperationName, Presentation>>> = {
  create_user_sign_in_link: { as: ['users', 'sign-in-link'] },
  list_names: { words: 'ids' },
  list_audit_entries: { as: ['audit', 'list'] },
  list_all_audit_entries: { as: ['platform', 'audit'] },
  create_agent_bundle: { as: ['platform agent-bundles', 'add'], positional: ['content'] },
  list_agent_bundles: { as: ['platform agent-bundles', 'list'] },
  get_agent_bundle: { as: ['platform agent-bundles', 'get'] },
  delete_agent_bundle: { as: ['platform agent-bundles', 'delete'] },
  create_agent_rollout: { as: ['platform agent-rollouts', 'create'], positional: ['agent_version'] },
  list_agent_rollouts: { as: ['platform agent-rollouts', 'list'] },
  get_agent_rollout: { as: ['platform agent-rollouts', 'get'] },
  halt_agent_rollout: { as: ['platform agent-rollouts', 'halt'] },
  resume_agent_rollout: { as: ['platform agent-rollouts', 'resume'] },
  cancel_agent_rollout: { as: ['platform agent-rollouts', 'cancel'] },
  roll_back_agent_rollout: { as: ['platform agent-rollouts', 'roll-back'] },
  pin_host_agent: { as: ['hosts', 'pin-agent'] },
  unpin_host_agent: { as: ['hosts', 'unpin-agent'] },
  create_account_sign_in_link: { as: ['accounts', 'sign-in-link'], positional: ['user'] },
  list_user_identities: { as: ['users identities', 'list'] },
  delete_user_identity: { as: ['users identities', 'delete'] },
  list_user_passkeys: { as: ['users passkeys', 'list'] },
  update_user_passkey: { as: ['users passkeys', 'rename'], positional: ['name'] },
  delete_user_passkey: { as: ['users passkeys', 'delete'] },
  create_ssh_key: { as: ['ssh-keys', 'add'], positional: ['public_key'] },
  create_recovery_codes: { as: ['users', 'recovery-codes'] },
  list_events: {
    says:
      'Shows the events of the account in the last 7 days, newest first. Filters combine. `bourse events tail` ' +
      'follows what comes next.',
  },
  create_deployment_estimate: { as: ['deployments', 'estimate'] },
  create_deployment_update_estimate: { as: ['deployments', 'estimate-update'] },
  create_procurement_estimate: { as: ['procurements', 'estimate'] },
  create_procurement_update_estimate: { as: ['procurements', 'estimate-update'] },
  create_token: { nulls: { expires_at: { flag: 'no-expire', description: 'The token never expires.' } } },
  create_webhook: {
    says:
      'Only this response shows the secret of the webhook. The server sends each event that all filters match to the ' +
      'URL, as Standard Webhooks describes, at least once. `bourse webhooks listen` receives them here.',
  },
  rotate_webhook_secret: { as: ['webhooks', 'rotate'] },
  list_webhook_deliveries: { as: ['webhooks', 'deliveries'] },
  get_webhook_delivery: { as: ['webhooks', 'delivery'] },
  set_trust_level: { positional: ['trust_level'] },
  put_account_limit: { positional: ['value'] },
  put_credit_limit: { as: ['accounts', 'set-credit-limit'], positional: ['credit_limit_dollars'] },
  get_balance: { as: ['billing', 'balance'] },
  put_balance_threshold: { as: ['billing', 'set-low-balance'], positional: ['low_at_dollars'] },
  list_transactions: { as: ['billing', 'transactions'] },
  list_holds: { as: ['billing', 'holds'] },
  list_usage: {
    as: ['billing', 'usage'],
    defaulted: { ...sinceMonth, to: 'Default: now, with the period that runs.' },
  },
  export_usage: { as: ['billing', 'export'], defaulted: wholeDays },
  list_revenue: { as: ['platform', 'revenue'], defaulted: { from: 'Default: this month.' } },
  list_platform_orders: { as: ['platform', 'orders'] },
  list_platform_instances: { as: ['platform', 'instances'] },
  list_platform_pools: { as: ['platform', 'pools'] },
  list_platform_skus: { as: ['platform', 'skus'] },
  list_platform_usage: { as: ['platform', 'usage'], defaulted: wholeDays },
  export_ledger: { as: ['platform', 'ledger'], defaulted: wholeDays },
  get_statement: {
    as: ['billing', 'statement'],
    rows: {
      columns: ['sku', 'workspace', 'purchases_dollars', 'sales_dollars', 'fees_dollars', 'credits_dollars'],
      from: 'lines',
      formats: ['csv'],
      of: ({ lines }) => lines as Level[],
    },
  },
  list_budgets: { as: ['billing budgets', 'list'] },
  create_budget: { as: ['billing budgets', 'create'] },
  get_budget: { as: ['billing budgets', 'get'] },
  update_budget: { as: ['billing budgets', 'update'] },
  delete_budget: { as: ['billing budgets', 'delete'] },
  create_order: {
    says:
      '`bourse orders buy` and `bourse orders sell` are shorter. A buy takes the cheapest offers that cover its ' +
      'window, up to its limit price; a sell takes the best bids. What does not trade at once is cancelled, or rests ' +
      'with --allow-standing. `bourse orders estimate` shows before what it would cost.',
  },
  list_order_fills: { as: ['orders', 'fills'] },
  create_order_estimate: { as: ['orders', 'estimate'] },
  list_orderbook_windows: { as: ['book', 'windows'] },
  get_orderbook_status: { as: ['book', 'status'] },
  get_orderbook_quote: {
    as: ['book', 'quote'],
    rows: {
      columns: levelColumns,
      from: 'best_ask',
      of: ({ best_ask, best_bid }) => levelRows([best_ask as Level | null], [best_bid as Level | null]),
    },
  },
  get_orderbook_depth: {
    as: ['book', 'depth'],
    rows: { columns: levelColumns, from: 'asks', of: ({ asks, bids }) => levelRows(asks as Level[], bids as Level[]) },
  },
  get_orderbook_curve: {
    as: ['book', 'curve'],
    rows: { columns: curveColumns, from: 'points', of: ({ points }) => points as Level[] },
  },
  get_orderbook_board: {
    as: ['book', 'board'],
    rows: { columns: boardColumns, from: 'rows', of: ({ rows }) => rows as Level[] },
  },
  get_orderbook_heatmap: {
    as: ['book', 'heatmap'],
    rows: {
      columns: heatmapColumns,
      from: 'rows.cells',
      besides: { sku: 'rows.sku' },
      of: ({ rows }) => heatmapRows(rows as HeatmapRow[]),
    },
  },
  list_orderbook_fills: { as: ['book', 'fills'] },
  list_price_history: { as: ['book', 'prices'] },
  list_sku_availability: { as: ['skus', 'availabilities'] },
  get_sku_availability: { as: ['skus', 'availability'] },
  update_sku: {
    says:
      'Changes what is given; the value null clears a property. Other hardware is compared with its hosts at once, ' +
      'and new fees count for fills from then on. It cannot promise less than an override of an account.',
  },
  update_instance_priorities: { rows: listRows(['id', 'name', 'state', 'priority_level']) },
  get_market_halt: { as: ['market', 'get'] },
  retire_host: {
    asks: ({ force }, host) => {
      if (force !== true) return undefined
      return `Retire a host (${host}) by force. Its instances end at once, without notice. Is it gone for good?`
    },
  },
  halt_market: {
    asks: ({ sku }) => `Halt ${sku === undefined ? 'the whole market' : `the SKU ${sku}`}, for all accounts?`,
  },
  create_image_part: {
    says: 'Shows a URL to which one part of an image can be uploaded. `bourse images upload` does it all.',
  },
  create_image: {
    says: 'Creates an image without content, to be uploaded in parts. `bourse images upload` creates and uploads it.',
  },
  get_instance_ssh: {
    says: 'Shows the SSH address and the host keys of an instance that has booted. `bourse ssh` connects to it.',
  },
  get_instance_attestation: {
    as: ['instances', 'attestation'],
    hidden: ['jws'],
    says:
      'Shows what an instance runs on, signed by its host and the server, and verifies the signatures. It proves ' +
      'that the owner of the host states this, not that it is true.',
  },
  list_instance_logs: {
    says:
      'Shows the newest 16 MiB of the console of an instance as data, until 7 days after its end. `bourse instances ' +
      'logs` prints it as text.',
  },
  create_market_maker: { as: ['sandbox', 'add-maker'] },
  list_market_makers: { as: ['sandbox', 'makers'] },
  update_market_maker: { as: ['sandbox', 'set-maker'] },
  get_clock: { as: ['sandbox', 'clock'] },
  freeze_clock: { as: ['sandbox', 'freeze'] },
  resume_clock: { as: ['sandbox', 'resume'] },
  advance_clock: { as: ['sandbox', 'advance'], positional: ['seconds'] },
  set_clock_rate: { as: ['sandbox', 'rate'], positional: ['rate'] },
  settle: { as: ['sandbox', 'settle'] },
  list_scenarios: { as: ['sandbox', 'scenarios'] },
  load_scenario: { as: ['sandbox', 'scenario'] },
  reset_sandbox: { as: ['sandbox', 'reset'] },
  create_simulated_hosts: { as: ['sandbox', 'add-hosts'], rows: listRows(columnsByTitle.Host ?? []) },
  create_ready_image: { as: ['sandbox', 'add-image'] },
  create_fault: {
    as: ['sandbox', 'fault'],
    positional: ['kind'],
    says:
      'Makes something go wrong from now on, until its times or seconds have passed or `bourse sandbox remove-fault` ' +
      'ends it. Commands of the sandbox itself are never hit.',
  },
  list_faults: { as: ['sandbox', 'faults'] },
  delete_fault: { as: ['sandbox', 'remove-fault'] },
}

/** Operations that start an instance and can wait for it. */
export const launching: ReadonlySet<string> = new Set(['create_instance', 'replace_instance'])

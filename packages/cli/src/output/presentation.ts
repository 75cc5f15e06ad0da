/** The presentation of operations, which the contract does not contain: command names, columns, examples. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { Format } from './formats.ts'

/** The exceptions of an operation from the naming rule. */
export type Presentation = {
  /** Noun and verb. The rule gives those of the client: `firewalls delete`. Two words: a group in a group. */
  readonly as?: readonly [noun: string, verb: string]
  /** Positional members of the body, in order. */
  readonly positional?: readonly string[]
  /** Flags that stand for `null` in a member of the body. */
  readonly nulls?: Readonly<Record<string, { readonly flag: string; readonly description: string }>>
  /** The examples: the arguments after noun and verb. */
  readonly examples?: readonly string[]
  /** The rows of a response that is one object but is shown as a table. */
  readonly rows?: {
    readonly columns: readonly string[]
    /** The member of the response whose values the rows are. */
    readonly from: string
    /** Default: tables and csv. */
    readonly formats?: readonly Format[]
    readonly of: (answer: Readonly<Record<string, unknown>>) => readonly unknown[]
  }
}

type Level = Readonly<Record<string, unknown>>

const levelColumns = ['side', 'price_dollars_per_node_hour', 'sku', 'allocation_schedule_delta']

/** Price levels, with the best ask next to the best bid. */
function levelRows(asks: readonly (Level | null)[], bids: readonly (Level | null)[]): Level[] {
  const sided = (side: string, levels: readonly (Level | null)[]) =>
    levels.flatMap((level) => (level === null ? [] : [{ side, ...level }]))
  return [...sided('ask', asks.toReversed()), ...sided('bid', bids)]
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
  ImagePart: ['part_id', 'size_bytes', 'etag', 'uploaded_at'],
  Image: ['id', 'name', 'state', 'is_public', 'size_bytes', 'created_at'],
  InfinibandPartition: ['id', 'name', 'infiniband_fabric', 'created_at'],
  Instance: ['id', 'name', 'state', 'sku', 'image', 'pool', 'created_at'],
  InstanceTemplate: ['id', 'name', 'image', 'priority_level', 'created_at'],
  Limit: ['name', 'used', 'value', 'unit', 'scope', 'source'],
  MarketMaker: ['sku', 'enabled', 'node_count', 'base_price_dollars_per_node_hour', 'fair_price_dollars_per_node_hour'],
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
  Pool: ['id', 'name', 'kind', 'workspace', 'created_at'],
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
  Role: ['id', 'name', 'role_type', 'created_at'],
  Scenario: ['name', 'description'],
  Sku: ['id', 'alias', 'accelerator', 'num_accelerators', 'region', 'rdma_type', 'deleted_at'],
  SkuAvailability: ['sku', 'schedule'],
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
  accounts: 'Customers and providers. For the platform operator.',
  'account-limits': 'The limits of one account. For the platform operator.',
  'account-transactions': 'Credits and payments of an account outside trading. For the platform operator.',
  'host-enrolments': 'Permissions to enrol machines of an account as hosts.',
  'image-parts': 'The parts in which an image is uploaded.',
  'maintenance-windows': 'Maintenance windows of machines. For the platform operator.',
  market: 'Halt and resume of all trading. For the platform operator.',
  platform: 'Revenue and ledger of the whole marketplace. For the platform operator.',
  'pool-transfers': 'Transfers of allocation between pools of the account.',
  'sku-overrides': 'Properties of SKUs that differ for one account. For the platform operator.',
  'sku-properties': 'The properties of SKUs and the values in use.',
}

/** The operations with exceptions or examples. */
export const presentations: Readonly<Partial<Record<OperationName, Presentation>>> = {
  create_user_sign_in_link: { as: ['users', 'sign-in-link'], examples: ['ada'] },
  end_user_sessions: { examples: ['ada'] },
  list_events: { examples: ['--action instance.running --since -1h', '--target inst_… -o jsonl'] },
  list_skus: { examples: ['', '--include-deleted --columns id,alias,deleted_at'] },
  get_sku: { examples: ['h100-west'] },
  list_instances: {
    examples: ['--state running --state failed', '-o id | xargs -n 1 bourse instances terminate --yes'],
  },
  create_instance: {
    examples: ['--pool main --sku h100-west --image trainer-2 --name trainer --cloud-init init.yaml --wait'],
  },
  replace_instance: { examples: ['trainer --image trainer-2 --cloud-init init.yaml --wait running'] },
  terminate_instance: { examples: ['trainer --yes'] },
  delete_firewall: { examples: ['web', 'svc:firewall:acme:default:web --yes'] },
  create_deployment: {
    examples: [
      '--pool main --sku h100-west --instance-template trainer --target-instance-count 4',
      '--kind spot --pool main --sku h100-west --instance-template trainer --target-instance-count 4 ' +
        '--max-buy-price-dollars-per-node-hour 20.00',
    ],
  },
  update_deployment: { examples: ['trainers --target-instance-count 8', 'trainers --no-enabled'] },
  create_deployment_estimate: {
    as: ['deployments', 'estimate'],
    examples: [
      '--kind spot --pool main --sku h100-west --instance-template trainer --target-instance-count 4 ' +
        '--max-buy-price-dollars-per-node-hour 20.00',
    ],
  },
  create_deployment_update_estimate: {
    as: ['deployments', 'estimate-update'],
    examples: ['trainers --target-instance-count 8'],
  },
  delete_deployment: { examples: ['trainers --yes'] },
  create_procurement: {
    examples: [
      '--pool main --sku h100-west --target node_count --managed-window-minutes 1440 ' +
        '--max-buy-price-dollars-per-node-hour 20.00 --min-sell-price-dollars-per-node-hour 24.00',
    ],
  },
  create_procurement_estimate: {
    as: ['procurements', 'estimate'],
    examples: [
      '--pool main --sku h100-west --target 8 --managed-window-minutes 1440 ' +
        '--max-buy-price-dollars-per-node-hour 20.00 --min-sell-price-dollars-per-node-hour 24.00',
    ],
  },
  create_procurement_update_estimate: { as: ['procurements', 'estimate-update'], examples: ['keep --target 8'] },
  update_procurement: { examples: ['keep --target 8', 'keep --no-enabled'] },
  create_webhook: {
    examples: ['--url https://example.com/hook --actions order.filled --actions instance.*'],
  },
  list_webhooks: { examples: ['', '-o json'] },
  update_webhook: { examples: ['whk_… --no-enabled', 'whk_… --url https://example.com/other'] },
  rotate_webhook_secret: { as: ['webhooks', 'rotate'], examples: ['whk_…'] },
  test_webhook: { examples: ['whk_…'] },
  replay_webhook: { positional: ['starting_after'], examples: ['whk_… evtc_…'] },
  list_webhook_deliveries: { as: ['webhooks', 'deliveries'], examples: ['whk_… --state failed'] },
  get_webhook_delivery: { as: ['webhooks', 'delivery'], examples: ['whk_… wdlv_… -o json'] },
  redeliver_webhook_delivery: { examples: ['whk_… wdlv_…'] },
  create_firewall: {
    examples: [`--name web --rules '[{"protocol":"tcp","port_from":443,"source_cidr":"0.0.0.0/0"}]'`],
  },
  create_token: {
    nulls: { expires_at: { flag: 'no-expire', description: 'The token never expires.' } },
    examples: ['--name ci --roles operator --expires-at +30d', '--name laptop --no-expire -o json'],
  },
  delete_token: { examples: ['tokn_…', 'tokn_… --cascade --yes'] },
  set_trust_level: { positional: ['trust_level'], examples: ['acme trusted'] },
  put_account_limit: { positional: ['value'], examples: ['acme instances 100', 'acme instances null'] },
  put_credit_limit: {
    as: ['accounts', 'set-credit-limit'],
    positional: ['credit_limit_dollars'],
    examples: ['acme 500.00'],
  },
  get_balance: { as: ['billing', 'balance'], examples: ['', '-o json'] },
  list_transactions: { as: ['billing', 'transactions'], examples: ['--type buy_fill --created-after -1d'] },
  list_holds: { as: ['billing', 'holds'] },
  list_usage: {
    as: ['billing', 'usage'],
    examples: ['--from 2026-01-01T00:00Z --to 2026-02-01T00:00Z --group-by sku --group-by tag:team'],
  },
  export_usage: {
    as: ['billing', 'export'],
    examples: [
      '--from 2026-01-01T00:00Z --to 2026-02-01T00:00Z --encoding jsonl',
      '--from 2026-01-01T00:00Z --to 2026-02-01T00:00Z --encoding parquet --file january.parquet',
    ],
  },
  list_revenue: { as: ['platform', 'revenue'], examples: ['--from 2026-01', '--from 2026-01 --to 2026-12 -o csv'] },
  export_ledger: {
    as: ['platform', 'ledger'],
    examples: [
      '--from 2026-01-01T00:00Z --to 2026-02-01T00:00Z --file january.csv',
      '--from 2026-01-01T00:00Z --to 2026-02-01T00:00Z --encoding parquet --file january.parquet',
    ],
  },
  get_statement: {
    as: ['billing', 'statement'],
    examples: ['2026-01', '2026-01 -o json'],
    rows: {
      columns: ['sku', 'workspace', 'purchases_dollars', 'sales_dollars', 'fees_dollars', 'credits_dollars'],
      from: 'lines',
      formats: ['csv'],
      of: ({ lines }) => lines as Level[],
    },
  },
  list_budgets: { as: ['billing budgets', 'list'] },
  create_budget: {
    as: ['billing budgets', 'create'],
    examples: [
      '--period month --amount-dollars 5000 --hard-stop',
      "--workspace research --period day --amount-dollars 200 --thresholds-percent '[80,100]'",
    ],
  },
  get_budget: { as: ['billing budgets', 'get'], examples: ['bdgt_…'] },
  update_budget: { as: ['billing budgets', 'update'], examples: ['bdgt_… --amount-dollars 8000 --no-hard-stop'] },
  delete_budget: { as: ['billing budgets', 'delete'], examples: ['bdgt_… --yes'] },
  create_account_transaction: {
    examples: ['acme --type credit_grant --amount-dollars 1000.00 --description "To begin with."'],
  },
  create_pool: { examples: ['--name main'] },
  list_pools: { examples: ['--kind market'] },
  get_pool: { examples: ['main -o json'] },
  create_pool_transfer: {
    examples: [
      '--from-pool supply --to-pool main --sku h100-west --allocation-schedule-delta ' +
        `'[{"start_at":1767225600,"end_at":null,"node_count":2}]'`,
    ],
  },
  create_order: {
    examples: [
      '--pool main --side buy --sku h100-west --limit-price-dollars-per-node-hour 18.00 --allow-standing ' +
        `--allocation-schedule-delta '[{"start_at":1767225600,"end_at":1767232800,"node_count":2}]'`,
    ],
  },
  list_orders: { examples: ['--state standing --state partially_filled', '--pool main --side sell -o json'] },
  get_order: { examples: ['ordr_… -o json'] },
  list_order_fills: { as: ['orders', 'fills'], examples: ['ordr_…'] },
  create_order_estimate: {
    as: ['orders', 'estimate'],
    examples: ['--side buy --sku h100-west --start-at now --duration-seconds 2h --node-count 4'],
  },
  list_orderbook_windows: {
    as: ['book', 'windows'],
    examples: ['--range-start-at now --range-end-at +30d --requirements accelerator:h100'],
  },
  get_orderbook_quote: {
    as: ['book', 'quote'],
    examples: ['--start-at now --end-at +2h --requirements accelerator:h100'],
    rows: {
      columns: levelColumns,
      from: 'best_ask',
      of: ({ best_ask, best_bid }) => levelRows([best_ask as Level | null], [best_bid as Level | null]),
    },
  },
  get_orderbook_depth: {
    as: ['book', 'depth'],
    examples: ['--start-at now --end-at +2h --depth 5', '--start-at now --end-at +2h -o json'],
    rows: { columns: levelColumns, from: 'asks', of: ({ asks, bids }) => levelRows(asks as Level[], bids as Level[]) },
  },
  list_orderbook_fills: { as: ['book', 'fills'], examples: ['--start-at now --end-at +1d --limit 20'] },
  list_price_history: {
    as: ['book', 'prices'],
    examples: ['--sku h100-west --interval hour', '--sku h100-west --interval minute -o csv'],
  },
  list_sku_availability: { as: ['skus', 'availabilities'], examples: ['--requirements accelerator:h100'] },
  get_sku_availability: { as: ['skus', 'availability'], examples: ['h100-west --end-at +2d'] },
  create_market_maker: {
    as: ['sandbox', 'add-maker'],
    examples: ['--sku h100-west --base-price-dollars-per-node-hour 17.00'],
  },
  list_market_makers: { as: ['sandbox', 'makers'] },
  update_market_maker: {
    as: ['sandbox', 'set-maker'],
    examples: ['h100-west --no-enabled', 'h100-west --base-price-dollars-per-node-hour 25.00'],
  },
  get_clock: { as: ['sandbox', 'clock'] },
  freeze_clock: { as: ['sandbox', 'freeze'] },
  resume_clock: { as: ['sandbox', 'resume'] },
  advance_clock: { as: ['sandbox', 'advance'], positional: ['seconds'], examples: ['90m', '--to 2030-01-01'] },
  set_clock_rate: { as: ['sandbox', 'rate'], positional: ['rate'], examples: ['60'] },
  settle: { as: ['sandbox', 'settle'], examples: ['--timeout-seconds 30'] },
  list_scenarios: { as: ['sandbox', 'scenarios'] },
  load_scenario: { as: ['sandbox', 'scenario'], examples: ['preemption --seed 7'] },
  reset_sandbox: { as: ['sandbox', 'reset'], examples: ['--scenario quickstart --yes'] },
  create_simulated_hosts: { as: ['sandbox', 'add-hosts'], examples: ['--sku h100-west --count 4'] },
  create_ready_image: { as: ['sandbox', 'add-image'], examples: ['--name my-image'] },
  create_fault: {
    as: ['sandbox', 'fault'],
    positional: ['kind'],
    examples: ['http_error --status 503 --times 3', 'instance_unhealthy --instance trainer'],
  },
  list_faults: { as: ['sandbox', 'faults'] },
  delete_fault: { as: ['sandbox', 'remove-fault'] },
}

/** Operations that start an instance and can wait for it. */
export const launching: ReadonlySet<string> = new Set(['create_instance', 'replace_instance'])

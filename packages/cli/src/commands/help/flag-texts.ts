/** The help of flags and arguments, in the words of the command line. */
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { type Kind, kinds } from '@bourse/api/kit/ids.ts'
import type { Field } from '../../input/fields.ts'

/** Texts that hold for a member of one operation only: `operation.member`. They come before those of a member. */
const byOperation: Readonly<Record<string, string>> = {
  'create_grant.principal_id': 'User or token that gets the role: its id.',
  'create_grant.principal_type': 'Whether --principal-id is a user or a token.',
  'list_instances.name': 'Only instances with this name; * stands for any characters, as in web-*.',
  'list_platform_instances.name': 'Only instances with this name; * stands for any characters, as in web-*.',
  'create_grant.workspace': 'Workspace in which the role counts: name, id or path. Default: the whole account.',
  'list_grants.principal_id': 'Only grants of these users and tokens: ids.',
  'check_permissions.actions': 'Permission to check, such as firewall:delete.',
  'check_permissions.workspace': 'Workspace to check: name, id or path. Default: the whole account.',
  'get_permissions.principal_id': 'Whose permissions to show: id of a user or token. Default: your own.',
  'get_permissions.principal_type': 'Whether --principal-id is a user or a token. Only together with it.',
  'create_token.roles': 'Role of the token: name, id or path. Default viewer. You need all its rights yourself.',
  'create_token.allowed_cidrs': 'Network from which the token may be used, such as 203.0.113.0/24. Default: all.',
  'create_token.resources':
    'Resource that the token may act on: an id, or a path with at most one * in its name. Default: all.',
  'create_token.workspace': 'Workspace of the token: name, id or path. Default: the one of your own token.',
  'create_account_sign_in_link.user': 'User of that account who is let in: its id.',
  'update_user_passkey.name': 'New name.',
  'list_users.email': 'Only the user with this address. Upper and lower case are the same.',
  'create_role.name': 'Name of the role.',
  'create_role.policy': 'Rules of the role: which verbs it allows on which kinds of resource.',
  'update_role.policy': 'New rules of the role. They replace all old ones.',
  'list_tokens.kind': 'Only tokens of this kind.',
  'list_audit_entries.from': 'Only entries of then or later.',
  'list_audit_entries.to': 'Only entries before then.',
  'list_all_audit_entries.from': 'Only entries of then or later.',
  'list_all_audit_entries.to': 'Only entries before then.',
  'list_events.target': 'Only events about this resource: its id.',
  'list_events.starting_after': 'Start after this event: the cursor of an event or a page. Lists oldest first.',
  'list_events.on_gap': 'For streams of programs. Lists ignore it.',
  'create_webhook.starting_after':
    'Also send the events after this one: the cursor of an event. Default: only new ones.',
  'create_webhook.enabled': 'Send events at once. This is the default.',
  'create_webhook.ordering': 'per_target: events about one resource are sent one after the other. Default none.',
  'update_webhook.ordering': 'per_target: events about one resource are sent one after the other.',
  'replay_webhook.since': 'Send the events again that happened at this moment or later.',
  'replay_webhook.starting_after': 'Send the events after this one again: the cursor of an event.',
  'list_webhook_deliveries.event': 'Only deliveries of this event: its id.',
  'list_usage.from': 'First hour, day or month. Default: the start of this month.',
  'list_usage.to': 'End, not included. Default: now, with the period that runs.',
  'list_usage.granularity': 'Length of a row. Default day.',
  'list_usage.group_by': 'Split rows: workspace, pool, sku, or a tag of pools such as tag:team.',
  'export_usage.from': 'First day. Default: the start of this month.',
  'export_usage.to': 'Day at which to end, not included. Default: after today.',
  'export_ledger.from': 'First day. Default: the start of this month.',
  'export_ledger.to': 'Day at which to end, not included. Default: after today.',
  'list_platform_usage.from': 'First day. Default: the start of this month.',
  'list_platform_usage.to': 'Day at which to end, not included. Default: after today.',
  'list_revenue.from': 'First month, such as 2026-01. Default: this month.',
  'list_revenue.to': 'Last month, included. Default: the one of --from. At most 24 months in all.',
  'create_account_transaction.type': 'Why the amount is posted.',
  'create_account_transaction.amount_dollars': 'Dollars, such as 1000.00. A negative amount takes money away.',
  'create_account_transaction.description': 'Reason, shown in the statement of the account.',
  'create_pending_credit.type': 'Why the amount is credited, or credit_limit: the limit becomes the amount.',
  'create_pending_credit.amount_dollars': 'Dollars, such as 250000.00.',
  'create_pending_credit.description':
    'Reason, shown to the second operator and, of a credit, in the statement of the account.',
  'list_pending_credits.state': 'Only credits in this state.',
  'list_transactions.type': 'Only transactions of this type.',
  'list_account_transactions.type': 'Only transactions of this type.',
  'put_credit_limit.credit_limit_dollars': 'Dollars by which the balance may fall below zero, such as 500.00.',
  'put_balance_threshold.low_at_dollars':
    'Available dollars at which the balance is low, such as 50.00; null for no threshold.',
  'create_budget.workspace': 'Workspace that the budget is for: name, id or path. Default: the whole account.',
  'create_pool_transfer.allocation_schedule_delta': 'What to move: times and node counts, as in the example.',
  'create_read_only_pool.allocation_schedule': 'What the pool gets: times and node counts, as in the example.',
  'create_read_only_pool.account': 'Account that gets the pool: its id.',
  'create_read_only_pool.workspace': 'Workspace of that account: its id or path.',
  'create_read_only_pool.from_pool': 'Pool that supplies the nodes: name, id or path.',
  'create_order.allocation_schedule_delta': 'Times and number of nodes: one window, as in the example.',
  'create_order_estimate.requirements':
    'Instead of --sku: what it must have, as accelerator:h100,h200;operator_hosts_only:true, or as JSON.',
  'create_order_estimate.pool': 'Pool of the order: name, id or path. With it, limits and money are checked.',
  'list_orders.sku': 'Only orders of this SKU: alias or id.',
  'halt_market.message': 'Reason, shown to everyone whose order is refused.',
  'resume_market.message': 'Note for the log.',
  'halt_market.sku': 'Halt only this SKU: alias or id. Default: the whole market.',
  'resume_market.sku': 'Resume only this SKU: alias or id. Default: the whole market.',
  'create_maintenance_window.sku': 'SKU that it affects: alias or id. Default: all.',
  'create_maintenance_window.description': 'What happens, for customers.',
  'create_maintenance_window.start_at': 'Start.',
  'create_maintenance_window.end_at': 'End.',
  'list_orderbook_windows.range_start_at': 'Only windows that start then or later.',
  'list_orderbook_windows.range_end_at': 'Only windows that end then or earlier.',
  'list_orderbook_fills.start_at': 'Only trades of nodes after this time.',
  'list_orderbook_fills.end_at': 'Only trades of nodes before this time.',
  'get_orderbook_status.sku': 'Also whether this SKU is halted on its own: alias or id.',
  'get_orderbook_curve.from': 'Start of the first window. Default now.',
  'get_orderbook_curve.to': 'No window starts at or after it. Default: 48 windows later.',
  'get_orderbook_curve.step_minutes': 'From one start to the next: 15m, 1h, 1d. Default 1h.',
  'get_orderbook_curve.length_minutes': 'Length of each window: 90m, 4h, 1d. Default 1h.',
  'get_orderbook_curve.node_count': 'How many nodes the order would have. Default 1.',
  'get_orderbook_heatmap.step_minutes': 'Length of a cell: 15m, 1h, 1d. Default 1h.',
  'get_orderbook_heatmap.from': 'Start of the first cell. Default now.',
  'get_orderbook_heatmap.to': 'No cell starts at or after it. Default: 48 cells later.',
  'list_sku_availability.start_at': 'Start of the time to show. Default now.',
  'list_sku_availability.end_at': 'End of the time to show. Default 30 days after its start; at most 3 years.',
  'get_sku_availability.start_at': 'Start of the time to show. Default now.',
  'get_sku_availability.end_at': 'End of the time to show. Default 30 days after its start; at most 3 years.',
  'list_price_history.since': 'Start. Default: 7 days ago; with --interval minute 1 day ago.',
  'list_price_history.until': 'End. Default now.',
  'create_firewall.rules': 'Rules: what may come in, as in the example.',
  'replace_firewall_rules.rules': 'All rules from now on: what may come in, as in the example.',
  'create_subnet.region': 'Region of the SKUs whose instances may use it, such as us-west.',
  'create_instance.pool': 'Pool whose allocation it uses: name, id or path.',
  'update_instance_priorities.data': 'Instances with their priorities as JSON, instead of --priority-level.',
  'replace_instance.name': 'Name of the new instance. Default: a generated one.',
  'create_deployment.pool': 'Pool whose allocation its instances use: name, id or path.',
  'create_deployment_estimate.pool': 'Pool whose allocation its instances use: name, id or path.',
  'create_deployment.kind': 'generic: it uses what the pool has. spot: it also buys and sells nodes. Default generic.',
  'create_deployment_estimate.kind': 'As for the deployment. Default generic.',
  'deprecate_image.message': 'What to use instead, for example.',
  'deprecate_public_image.message': 'What to use instead, for example.',
  'create_procurement.pool': 'Pool that it fills: name, id or path.',
  'create_procurement_estimate.pool': 'Pool that it fills: name, id or path.',
  'drain_host.force': 'Drain even if nodes after the deadline are sold. They stay sold.',
  'create_host_enrolment.expires_in_seconds': 'How long the permit is valid. Default 1d.',
  'create_account.id': 'Id of the account: 3 to 40 small letters, digits and hyphens. It never changes.',
  'create_account_user.role': 'Role of the user in the whole account: name, id or path. Default admin.',
  'put_account_limit.value': 'The limit. null: no limit.',
  'create_fault.operation': 'Operation that it hits, such as list_skus. Default: every operation.',
  'create_fault.moment': 'Whether the connection breaks before or after the work.',
  'create_fault.kind': 'What goes wrong.',
  'create_fault.status': 'Status of the answers. 410 only with webhook_failure.',
  'create_fault.for_seconds': 'End it after this time of the sandbox clock.',
  'advance_clock.to': 'Advance to this time, instead of by a duration.',
  'advance_clock.seconds': 'By how much to advance: 90s, 10m, 2h, 1d.',
  'set_clock_rate.rate': 'Most seconds of the sandbox clock per real second.',
  'settle.timeout_seconds': 'How long to wait.',
  'load_scenario.seed': 'A number. The same number gives the same world.',
  'reset_sandbox.seed': 'A number. The same number gives the same world.',
  'create_simulated_hosts.account': 'Account that gets the hosts: its id. Default: your own.',
  'create_simulated_hosts.count': 'Number of hosts.',
  'create_simulated_hosts.slots': 'Nodes that each host can run.',
  'create_ready_image.name': 'Name of the image.',
  'create_ready_image.is_public': 'Let every account use it. Only in the workspace public of the platform account.',
  'create_market_maker.node_count': 'Number of nodes that it offers.',
  'update_market_maker.enabled': 'Let it trade.',
}

/** Texts of members that mean the same in every operation. */
const byMember: Readonly<Record<string, string>> = {
  name: 'Name. Default: a generated one.',
  email: 'E-mail address.',
  first_name: 'First name.',
  last_name: 'Last name.',
  description: 'A note for people.',
  starting_after: 'Continue after the page with this cursor.',
  ending_before: 'Show the rows before the page with this cursor.',
  action: 'Only events with exactly this action, such as order.filled.',
  actions: 'Only events with this action, such as order.filled or instance.*. Default: all.',
  target_type: 'Only events about this kind of resource, such as instance.',
  target_types: 'Only events about this kind of resource, such as instance. Default: all.',
  targets: 'Only events about this resource: its id. Default: all.',
  since: 'Only what happened then or later.',
  until: 'Only what happened then or earlier.',
  since_at: 'Only trades since this time. Default 7 days ago; at most 30.',
  created_after: 'Only what was created then or later.',
  created_before: 'Only what was created then or earlier.',
  logged_after: 'Only output from this time on.',
  logged_before: 'Only output up to this time.',
  start_at: 'Start, in whole minutes.',
  end_at: 'End, in whole minutes.',
  duration_seconds: 'Length, in whole minutes.',
  expires_at: 'When the token ends: at most 5 years from now, not after your own token. Default: in 90 days.',
  deadline_at: 'When its supply and its instances end.',
  deprecated_at: 'Since when the value is outdated.',
  deprecation_info: 'What to use instead.',
  display_name: 'The text that people read.',
  documentation_link: 'A page that explains the value.',
  state: 'Only those in this state.',
  health: 'Only those with this health.',
  side: 'Buy or sell.',
  kind: 'Only those of this kind.',
  requirements:
    "Only SKUs that fit: accelerator:h100, num_accelerators:gte:8, operator_hosts_only:true. Join several with ';'.",
  allow_standing: 'Let the part that is not filled at once wait on the order book.',
  allow_partial: 'Accept a partial fill.',
  limit_price_dollars_per_node_hour: 'Highest price of a buy, lowest of a sell, in dollars per node-hour: 18.50.',
  max_buy_price_dollars_per_node_hour: 'Highest price to buy at, in dollars per node-hour: 20.00.',
  min_sell_price_dollars_per_node_hour: 'Lowest price to sell at, in dollars per node-hour: 24.00.',
  base_price_dollars_per_node_hour: 'Price around which it trades, in dollars per node-hour: 17.00.',
  flat_fee_dollars_per_node_hour: 'Fee of the operator for each node-hour, in dollars. Default 0.',
  price_step_dollars_per_node_hour: 'Prices must be multiples of this, in dollars. Default 0.000001.',
  fee_bps: 'Fee of the operator in hundredths of a percent of the value. Default 0.',
  node_count: 'Number of nodes.',
  depth: 'Number of prices of each side.',
  interval: 'Length of a row. Default hour.',
  sort_by: 'Order of the rows. A minus before the word reverses it.',
  include_managed: 'Also show orders of procurements and spot deployments.',
  include_deleted: 'Also show retired SKUs.',
  schedule_history_minutes: 'How many minutes of the past to show.',
  tag: 'Only those with this tag, key=value. If repeated, all must match.',
  tags: 'Tag, key=value. At most 50.',
  tag_key: 'Only those that have a tag with this key. If repeated, all must match.',
  cloud_init_user_data: 'File with cloud-init user data, at most 64 KiB. - reads standard input.',
  priority_level: 'When allocation falls, lower levels end first. Default normal.',
  subnet: 'Subnet: name, id or path. Default: a private one of its own.',
  _preview_enable_public_ipv4: 'Give it a public address.',
  _preview_firewall: 'Firewall of the public address: name, id or path. Default: the one of the workspace.',
  _preview_infiniband_partition: 'InfiniBand partition: name, id or path. It cannot be changed later.',
  infiniband_fabric: 'InfiniBand fabric, such as west-ib. `bourse skus get` shows the one of a SKU.',
  cidr: 'Private IPv4 network of /16 to /28, such as 10.40.0.0/20. Default: a free one.',
  part_id: 'Number of the part. The first is 1.',
  sha256: 'SHA-256 of the whole image, as `sha256sum` prints it.',
  message: 'Note for people.',
  instance_template: 'Template of its instances: name, id or path.',
  instance_name_template: 'Pattern of the names of its instances, such as web-{{adjective}}-{{noun}}.',
  target_instance_count: 'How many instances it keeps.',
  target: 'How many nodes the pool should have; node_count: as many as it has instances of the SKU.',
  managed_window_minutes: 'How many minutes ahead it looks after: 1440 is a day.',
  enabled: 'Let it work.',
  threshold_basis: 'actual: what is spent. forecast: what the period will come to. Default actual.',
  thresholds_percent: 'Percentages of the amount that make an event, rising, such as [50,80,100].',
  hard_stop: 'Refuse buys that would exceed the amount.',
  amount_dollars: 'Amount of a period in dollars, such as 5000.00.',
  period: 'What the amount is for: a day or month of UTC, or all time.',
  format: 'FOCUS, or the ledger. Default focus.',
  focus_version: 'Version of FOCUS. Default 1.4.',
  dataset: 'Dataset of FOCUS. Default cost_and_usage.',
  encoding: 'Form of the file. Default csv.',
  url: 'https URL of the receiver. A sandbox also takes http.',
  cascade: 'Also end what was made with it or in it.',
  is_frozen: 'Only frozen accounts.',
  entity_type: 'What the account is.',
  trust_level: 'How far the account is trusted; limits depend on it.',
  maintenance_type: 'How much it disturbs.',
  title: 'Title, for customers.',
  action_message: 'What customers should do.',
  slots: 'Nodes that each host can run. Default 1.',
  uses: 'Number of hosts that may enrol with it. Default 1.',
  public_prices_exclude_related: 'Leave trades of accounts that share a person out of public prices of the SKU.',
  operator_hosts_only: 'Let only the operator of the platform supply hosts of the SKU, and no partner.',
  benchmark_figures: 'Figure of benchmarks that the SKU shows, with its unit: "memory_bandwidth GB/s". In this order.',
  listed: 'Show the SKU on the market.',
  alias: 'Alias, such as h100-west. Default: a generated one.',
  region: 'Region, such as us-west.',
  availability_zone: 'Availability zone, such as us-west-1a.',
  accelerator: 'Accelerator, such as h100.',
  form_factor: 'Form factor, such as sxm.',
  rdma_type: 'infiniband or roce.',
  num_accelerators: 'Number of accelerators.',
  num_vcpus: 'Number of virtual processors.',
  rdma_gigabits_per_second: 'Rate of the fastest RDMA port, in gigabits per second.',
  memory_bytes: 'Memory in bytes.',
  local_storage_bytes: 'Local storage in bytes.',
  supports_public_ipv4: 'Instances can have public addresses.',
  probability_percent: 'How many of the calls it hits, in percent. Default 100.',
  milliseconds: 'By how much answers are late.',
  times: 'How often it happens. 0: until it is removed. Default 1.',
  seqnum_after: 'Only chunks with this number or a higher one.',
  seqnum_before: 'Only chunks with this number or a lower one.',
  scenario: 'The world to load. Default quickstart.',
}

/** The texts of the flags that switch something off: `--no-enabled`. */
const negatives: Readonly<Record<string, string>> = {
  enabled: 'Let it pause.',
  'create_webhook.enabled': 'Create it without sending events.',
  'update_webhook.enabled': 'Send no more events.',
  'update_market_maker.enabled': 'Let it withdraw its offers and trade no more.',
  allow_standing: 'Cancel the part that is not filled at once. This is the default.',
  allow_partial: 'Fill the whole order or nothing. This is the default.',
  hard_stop: 'Do not refuse buys that exceed the amount.',
  _preview_enable_public_ipv4: 'Give it no public address. Only SSH comes in.',
  force: 'Refuse if nodes after the deadline are sold. This is the default.',
  listed: 'Hide the SKU from the market.',
  public_prices_exclude_related: 'Count all trades in public prices of the SKU. This is the default.',
  operator_hosts_only: 'Let partners supply hosts of the SKU. This is the default.',
  supports_public_ipv4: 'Instances can have no public addresses.',
  is_public: 'Keep it for the workspace. This is the default.',
  is_frozen: 'Only accounts that are not frozen.',
}

/** The text of `--no-…`; undefined where there is no such flag. */
export function negativeText({ name: operation }: Endpoint, { name, shape }: Field): string | undefined {
  return shape === 'boolean' ? (negatives[`${operation}.${name}`] ?? negatives[name]) : undefined
}

/** The text of a flag: what it is, the form of its value, and whether it must be given. */
export function flagText(endpoint: Endpoint, field: Field, { is_optional = false } = {}): string {
  const { required, shape } = field
  const isRepeated = shape === 'list' || shape === 'tags'
  const said = meaningOf(endpoint, field)
  return [
    said,
    formOf(field, said),
    choicesOf(field),
    required && !is_optional ? 'Required.' : '',
    isRepeated && !said.includes('repeated') ? 'May be repeated.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** The text of a positional argument. */
export function argumentText(endpoint: Endpoint, field: Field): string {
  const said = meaningOf(endpoint, field)
  return [said, formOf(field, said), choicesOf(field)].filter(Boolean).join(' ')
}

function meaningOf({ name: operation }: Endpoint, { name, kind, description }: Field): string {
  const own = byOperation[`${operation}.${name}`]
  if (own !== undefined) return own
  const verb = operation.split('_')[0]
  if (name === 'name' && verb === 'update') return 'New name.'
  const general = byMember[name]
  if (general !== undefined) return withoutDefault(general, verb)
  if (kind === undefined) return description
  if (verb === 'list' && name === 'id') return `Only these: ${formsOf(kind)}.`
  if (verb === 'list') return `Only those of this ${wordsOf(kind)}: ${formsOf(kind)}.`
  const place = kind === 'workspace' ? ' Default: the one of your token.' : ''
  return `${capital(wordsOf(kind))}: ${formsOf(kind)}.${place}`
}

/** A change has no defaults: what is not given stays. */
function withoutDefault(text: string, verb: string | undefined): string {
  return verb === 'update' ? text.replace(/ Default\b[^.]*(\.\d[^.]*)?\.$/, '') : text
}

const past = /^(since|until|created_|logged_|from$|deprecated_)/

/** The form of times and durations. */
function formOf({ shape, name, unit }: Field, said: string): string {
  if (shape === 'moment') return `Time: now, ${past.test(name) ? '-1h' : '+2h'}, 2026-01-31T12:00Z.`
  const isSpan = shape === 'amount' && ['milliseconds', 'seconds', 'minutes'].includes(unit ?? '')
  return isSpan && !/\d[smhd]\b/.test(said) ? 'Duration: 90s, 10m, 1h30m, 2d.' : ''
}

function choicesOf({ choices }: Field): string {
  return choices.length > 0 && choices.join('|').length > 40 ? `One of ${choices.join(', ')}.` : ''
}

/** Names of path parameters that are no ids. */
const parameters: Readonly<Record<string, string>> = {
  account: 'Account id, such as acme.',
  'get_limit.name': 'Name of the limit, such as instances.',
  'put_account_limit.name': 'Name of the limit, such as instances.',
  'delete_account_limit.name': 'Name of the limit, such as instances.',
  'load_scenario.name': 'Name of the scenario: see `bourse sandbox scenarios`.',
  'put_sku_property_value.property': 'Name of the property, such as region.',
  'put_sku_property_value.name': 'The value, such as us-east.',
  'get_statement.month': 'A month of UTC, such as 2026-01.',
}

/** The text of a path parameter. */
export function parameterText({ name: operation }: Endpoint, name: string, kind: Kind | undefined): string {
  const own = parameters[`${operation}.${name}`] ?? parameters[name]
  if (own !== undefined) return own
  return kind === undefined ? '' : `${capital(wordsOf(kind))}: ${formsOf(kind)}.`
}

/** What names a resource of a kind on the command line. */
export function formsOf(kind: Kind): string {
  if (kind === 'sku') return 'alias or id'
  if (kind === 'token') return 'name or id'
  return kinds[kind].path_segments > 0 ? 'name, id or path' : 'id'
}

/** The words of a kind: `instance template`, `SKU`. */
export function wordsOf(kind: Kind): string {
  return kind.replace('sandbox_', '').replaceAll('_', ' ').replace('infiniband', 'InfiniBand').replace('sku', 'SKU')
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

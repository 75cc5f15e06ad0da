/**
 * What people read above a column, beside a fact and at the field of a form. Most titles follow from the name of the
 * member: its unit is shown by the value, so the title leaves it out.
 */

/** Titles that do not follow from the name. */
const titles: Readonly<Record<string, string>> = {
  address: 'From',
  agent_version: 'Agent',
  alias: 'SKU',
  allocated_node_minutes: 'Allocated',
  allow_standing: 'May rest',
  allowed_cidrs: 'Only from networks',
  available_addresses: 'Free addresses',
  balance_after_dollars: 'Balance after',
  bought_dollars: 'Bought',
  cidr: 'Network',
  cloud_init_user_data: 'User data',
  created_by: 'Made by',
  decided_by: 'Decided by',
  display_name: 'Text for people',
  duration_ms: 'Latency',
  email: 'E-mail',
  entity_type: 'Kind',
  fill_count: 'Fills',
  filled_average_price_dollars_per_node_hour: 'Average price',
  infiniband_fabric: 'Fabric',
  is_default: 'Default',
  is_public: 'Public',
  last_seen_at: 'Last report',
  last_used_at: 'Last use',
  limit_price_dollars_per_node_hour: 'Limit',
  live_instance_count: 'Instances',
  managed_window_minutes: 'Looks ahead',
  max_buy_price_dollars_per_node_hour: 'Buys at most at',
  min_sell_price_dollars_per_node_hour: 'Sells at least at',
  node_count: 'Nodes',
  node_minutes: 'Node-hours',
  num_accelerators: 'Accelerators',
  num_vcpus: 'Virtual CPUs',
  occurred_at: 'When',
  period_end: 'Until',
  period_start: 'From',
  price_step_dollars_per_node_hour: 'Price step',
  private_ip: 'Private address',
  _preview_enable_public_ipv4: 'Public address',
  _preview_public_ip: 'Public address',
  priority_level: 'Priority',
  requested_by: 'Asked by',
  rdma_gigabits_per_second: 'RDMA, Gbit/s',
  rdma_type: 'RDMA',
  resources: 'Only on resources',
  role_type: 'Kind',
  size_bytes: 'Size',
  ssh_keys: 'SSH keys',
  suffix: 'Last characters',
  target_instance_count: 'Target',
  target_types: 'Kinds of resources',
  targets: 'About',
  threshold_basis: 'Thresholds compare',
  thresholds_percent: 'Thresholds in percent',
  trust_level: 'Trust',
  updated_at: 'Changed',
  used_node_minutes: 'Used',
  used_slots: 'Used',
  vcpus: 'Virtual CPUs',
  virtual_size_bytes: 'Disk',
}

/** Words that are not written as other words are. */
const spellings: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  infiniband: 'InfiniBand',
  ip: 'IP',
  ipv4: 'IPv4',
  rdma: 'RDMA',
  sha256: 'SHA-256',
  sku: 'SKU',
  skus: 'SKUs',
  ssh: 'SSH',
  url: 'URL',
}

const units = /_(at|dollars|dollars_per_node_hour|bytes|minutes|seconds|ms|percent|bps)$/

/** The title of a member: Free addresses, of `available_addresses`; Created, of `created_at`. */
export function titleOf(name: string): string {
  if (Object.hasOwn(titles, name)) return titles[name] as string
  const words = name
    .replace(/^_preview_/, '')
    .replace(units, '')
    .split('_')
  const text = words.map((word) => spellings[word] ?? word).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

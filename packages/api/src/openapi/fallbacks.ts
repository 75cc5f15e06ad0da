/** Values for the examples of fields and parameters that no recorded call has. */
import { kinds } from '../kit/ids.ts'

type FallbackSchema = {
  type?: string | string[]
  enum?: unknown[]
  pattern?: string
  default?: unknown
  format?: string
  description?: string
  minimum?: number
}

/** The moment of the recorded calls: Monday 2026-11-23, 09:00 UTC. */
const moment = 1_795_424_400
/** The ends of a range of days: that day in UTC. */
const ends: Readonly<Record<string, number>> = { from: 1_795_392_000, to: 1_795_478_400 }
const mark = 'Qw3mVtYd1ZcN0pLhXe8kR'
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** Names of resources in paths, by kind. */
const named: Readonly<Record<string, string>> = {
  workspace: 'acme:default',
  user: 'acme:ada',
  role: 'acme:auditor',
  instance: 'acme:default:notebook',
  pool: 'acme:default:training',
  procurement: 'acme:default:keep-two',
  host: 'bourse:public:rack-12-node-3',
  image: 'acme:default:trainer-2',
  instance_template: 'acme:default:trainer',
  deployment: 'acme:default:trainers',
  firewall: 'acme:default:web',
  subnet: 'acme:default:training',
  infiniband_partition: 'acme:default:training',
}

/** Values by the name of the field. The first that fits the schema is taken. */
const byName: Readonly<Record<string, readonly unknown[]>> = {
  'Idempotency-Key': ['order-2026-11-23-1'],
  'Last-Event-ID': [`evtc_${mark}`],
  'text/csv': ['id,name\ninst_Qw3mVtYd1ZcN0pLhXe8kR,notebook\n'],
  'text/event-stream': [`id: evtc_${mark}\ndata: {"object":"event"}\n\n`],
  'text/plain': ['# TYPE bourse_orders_open gauge\nbourse_orders_open 12\n'],
  'text/html': ['<!doctype html>'],
  'application/vnd.apache.parquet': ['PAR1…'],
  'application/jsonl': ['{"from":1795392000,"to":1795395600,"allocated_node_minutes":120}\n'],
  account: ['acme'],
  action: ['instance.running'],
  accelerators: ['h100', 8],
  address: ['100.112.0.7'],
  agent_version: ['0.1.0'],
  alias: ['h100-west'],
  allocation_after: [3],
  allocation_before: [4],
  amount_dollars: ['18.051298'],
  attestation_object: ['o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik'],
  authenticator_data: ['SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ'],
  challenge: ['X3pQ9vYd1ZcN0pLhXe8kRQw3mVtYd1ZcN0pLhXe8kRA'],
  client_data_json: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'],
  credential_id: ['8s0vYd1ZcN0pLhXe8kRQwA'],
  excluded_credential_ids: ['8s0vYd1ZcN0pLhXe8kRQwA'],
  fingerprint: ['SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8'],
  owner: [`usr_${mark}`],
  recovery_codes: ['7QK2M-X4D8N-RTB5V-JH3WC-9FZPE'],
  codes: ['7QK2M-X4D8N-RTB5V-JH3WC-9FZPE'],
  relying_party_id: ['bourse.example'],
  subject: ['114093382751938472615'],
  issuer: ['https://accounts.google.com'],
  provider: ['google'],
  transports: ['internal'],
  user_handle: ['dXNyX1F3M21WdFlkMVpjTjBwTGhYZThrUg'],
  user_name: ['ada'],
  audience: ['https://bourse.example'],
  cidr: ['10.40.0.0/20'],
  code: ['name_taken', 'image_digest_mismatch'],
  cpu_count: [192],
  data: ['Ym9vdGVkCg=='],
  cloud_init_user_data: ['I2Nsb3VkLWNvbmZpZwo='],
  description: ['For the training team'],
  display_value: ['US West'],
  documentation_link: ['https://bourse.example/docs/h100'],
  deprecation_info: ['Use trainer-4: it has the new driver.'],
  email: ['ada@acme.example'],
  enrol_token: [`bhe_${mark}${mark}`],
  actor: [`tokn_${mark}`],
  access_token: [`eyJhbGciOiJFZERTQSJ9.${mark}.${mark}`],
  expires_in: [2_592_000],
  device_code: [`${mark}${mark}A`],
  epoch: [3],
  fee_bps: [150],
  old_value: ['"trainer-3"'],
  new_value: ['"trainer-4"'],
  on_behalf_of: ['acme'],
  request_id: [`req_${mark}`],
  user_agent: ['bourse-sdk/1.0'],
  field: ['name'],
  first_name: ['Ada'],
  last_name: ['Adams'],
  flat_fee_dollars_per_node_hour: ['0.02'],
  for_seconds: [600],
  gap_dollars_per_node_hour: ['0.551298'],
  generation: [42],
  desired_generation: [42],
  group: ['h100-west'],
  group_by: ['sku'],
  health_message: ['A link of the fabric is down.'],
  host_address: ['10.128.0.12'],
  hostname: ['rack-12-node-3'],
  id: ['acme'],
  infiniband_fabric: ['west-ib'],
  instance_name_template: ['trainer-{{adjective}}-{{nanoid(4)}}'],
  key: ['team'],
  kind: ['http_error', 'h100'],
  mac: ['52:54:00:3a:9c:1e'],
  managed_window_minutes: [180],
  memory_bytes: [2_199_023_255_552],
  message: ['This name is taken.'],
  action_message: ['Save your work before it begins.'],
  milliseconds: [250],
  duration_ms: [184],
  month: ['2026-11'],
  name: ['trainer-3'],
  min_sell_price_dollars_per_node_hour: ['12.00'],
  network: ['full'],
  next_public_key: ['3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08='],
  next_seqnum: [8],
  node_count: [2],
  node_hours: [24],
  operation: ['create_order'],
  order: [`ordr_${mark}`],
  partition_key: [17],
  port: [22],
  port_to: [443],
  price_dollars_per_node_hour: ['18.051298'],
  price_step_dollars_per_node_hour: ['0.010000'],
  probability_percent: [25],
  property: ['region'],
  public_ip: ['198.18.0.57'],
  public_ipv4s: ['198.18.0.57'],
  public_key: ['Vw3mQtYd1ZcN0pLhXe8kRQw3mVtYd1ZcN0pLhXe8kRA'],
  reached_percent: [80],
  rejected_reason: ['The pool has less free allocation.'],
  reason: ['sold'],
  region: ['us-west'],
  report_every_seconds: [30],
  requirements: ['accelerator:h100;num_accelerators:gte:8', 'h100'],
  resource_path: ['svc:instance:acme:default:notebook'],
  role: ['role_operator'],
  seed: [1],
  seqnum: [7],
  seqnum_after: [7],
  seqnum_before: [7],
  sha256: [sha256],
  signature: [`${mark}${mark}${mark}${mark}Qw`],
  size_bytes: [1_610_612_736],
  slot: [0],
  slots: [8],
  status: [503],
  storage_bytes: [16_492_674_416_640],
  tag: ['team=training'],
  tag_key: ['team'],
  tags: ['training'],
  target: [`inst_${mark}`, 2],
  targets: [`inst_${mark}`],
  terminate_reason: ['sold'],
  thresholds_percent: [80],
  ticket: [`udt_${mark}`],
  tunnel_address: ['100.112.0.8'],
  user_data_ticket: [`udt_${mark}`],
  times: [3],
  token_lifetime_max_days: [365],
  title: ['New switches in us-west-1a'],
  type: ['instance'],
  url: ['https://hooks.acme.example/bourse', 'https://bourse.example/image_data/1'],
  value: ['us-west', 'infiniband', 8],
  vni: [4012],
  wait_seconds: [20],
  bar_bytes: [137_489_285_120],
  cores: [112],
  driver: ['vfio-pci'],
  features: ['vmx', 'avx512f'],
  form_factor: ['sxm5', 'sxm'],
  free_1gib_pages: [960],
  free_2mib_pages: [0],
  gigabits_per_second: [400],
  guid: ['a088:c203:0088:280e'],
  iommu_group: [31],
  kernel: ['6.1.0-25-amd64'],
  model: ['Intel(R) Xeon(R) Platinum 8480C'],
  node: [0],
  numa: [0],
  rdma: ['0000:18:00.0'],
  nvswitches: ['0000:07:00.0'],
  numa_node: [0],
  pci: ['0000:1b:00.0'],
  pci_id: ['10de:2330'],
  pcie_generation: [5],
  pcie_generation_max: [5],
  pcie_lanes: [16],
  pcie_lanes_max: [16],
  problems: ['port 2 of the RDMA adapter mlx5_7 has no readable link layer'],
  qemu: ['7.2.22'],
  sockets: [2],
  subnet_prefix: ['fe80:0000:0000:0000'],
  total_1gib_pages: [960],
  total_2mib_pages: [0],
  subsystem_id: ['10de:16c1'],
  threads: [224],
  device: ['mlx5_0'],
  protocol: [1],
  oldest_server_protocol: [1],
  commit: ['1a2b3c4d5e6f'],
  agent_commit: ['1a2b3c4d5e6f'],
  agent_signers: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJbLkTuOq1vT1w7Qf9c0oC3mZ5xk2Wm8b9gC4uVQ3F0a'],
  signer: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJbLkTuOq1vT1w7Qf9c0oC3mZ5xk2Wm8b9gC4uVQ3F0a'],
  manifest: ['{"object":"agent_bundle_manifest","version":"1.4.0"}'],
  content: ['H4sIAAAAAAAA'],
  health_seconds: [120],
  return_seconds: [600],
  hosts_at_once: [1],
  percent: [10],
  hosts: [12],
  pending: [3],
  updating: [1],
  updated: [8],
  failed: [0],
  skipped: [0],
  updater_version: ['1.3.0'],
  version: ['1.4.0'],
  to_version: ['1.4.0'],
  from_version: ['1.3.0'],
  halt_message: ['host_1: It was not well after 600 s.'],
  rdma_gigabits_per_second: [400],
  _preview_public_ip: ['198.18.0.57'],
  private_ip: ['10.40.0.7'],
}

/** A value of a field, by its schema and its name. Throws where neither tells one. */
export function fallbackOf(name: string, schema: Readonly<Record<string, unknown>>): unknown {
  const { enum: words, default: usual, type, pattern, format, description = '' } = schema as FallbackSchema
  if (words) return words.find((word) => word !== null)
  const types = [type].flat()
  const fits = (value: unknown) => isOfType(value, types) && isInPattern(value, pattern)
  const [, known] = /Known values: ([^,.]+)/.exec(description) ?? []
  if (known !== undefined) return known
  if (format === 'int64') return ends[name] ?? moment
  const ofForm = pattern === undefined ? [] : [ofPattern(pattern), '18.051298', '18.05', '2026-11', 'node_count']
  const value = [...(byName[name] ?? []), ...ofForm, usual, ...ofUnit(name)].find(fits)
  if (value !== undefined) return value
  if (types.includes('boolean')) return true
  throw new Error(`${name} has no example: give its schema \`examples\`, or add it to openapi/fallbacks.ts.`)
}

/** A number of a unit that the name of the field ends with. */
function ofUnit(name: string): number[] {
  const units = { count: 2, minutes: 120, seconds: 60, bytes: 1_073_741_824, percent: 80, bps: 150 }
  return Object.entries(units).flatMap(([unit, value]) => (name.endsWith(unit) ? [value] : []))
}

function isOfType(value: unknown, types: readonly unknown[]): boolean {
  return value !== undefined && types.includes(typeof value === 'number' ? 'integer' : typeof value)
}

function isInPattern(value: unknown, pattern: string | undefined): boolean {
  return typeof value !== 'string' || pattern === undefined || new RegExp(pattern, 'u').test(value)
}

/** An id, a resource path or a cursor. */
function ofPattern(pattern: string): string | undefined {
  const [, kind] = /svc:([a-z_]+):/.exec(pattern) ?? []
  if (kind !== undefined) return `svc:${kind}:${named[kind]}`
  const [, cursor] = /^\^([a-z]{2,6}c)_\[A-Za-z0-9_-\]\+\$$/.exec(pattern) ?? []
  if (cursor !== undefined) return `${cursor}_${mark}`
  const prefix = Object.values(kinds).find((naming) =>
    new RegExp(`^\\^(?:\\(\\?:)?${naming.prefix}[|_)]`).test(pattern),
  )
  return prefix && `${prefix.prefix}_${mark}`
}

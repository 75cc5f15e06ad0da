import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  array,
  boolean,
  constant,
  createdAt,
  here,
  id,
  idOrPath,
  integer,
  name,
  newName,
  nullable,
  object,
  ofThis,
  oneOf,
  onlyThis,
  openOneOf,
  optional,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { poolSummary, skuSummary, workspaceSummary } from '../kit/summaries.ts'
import { hostBenchmark } from './benchmarks.ts'
import { hostHardware, machineText } from './hardware.ts'
import { type HostHealth, type HostState, hostStates } from './host-states.ts'

const area = 'hosts'

const states = Object.keys(hostStates) as HostState[]
const healths = ['healthy', 'unreachable', 'faulted'] as const satisfies readonly HostHealth[]

/** The most accelerators and public addresses that a host reports. */
export const hostAcceleratorsMax = 256
export const hostPublicAddressesMax = 256

/** The address of a host for other hosts. */
export const hostAddress = text({ max: 15, description: 'IPv4 address at which other hosts reach the host.' })

/** What an agent reports about its host when it enrols. */
export const hostFactFields = {
  hostname: machineText({ max: 255, description: 'Host name in its operating system.' }),
  cpu_count: integer({ min: 1, description: 'Number of processors, counted in threads.' }),
  memory_bytes: integer({ unit: 'bytes', min: 0, description: 'Memory in bytes.' }),
  storage_bytes: integer({
    unit: 'bytes',
    min: 0,
    description: 'Size in bytes of the file system that stores its instances.',
  }),
  accelerators: array(machineText({ max: 64 }), {
    max: hostAcceleratorsMax,
    description: 'The kind of each GPU, up to 256. `hardware` says more.',
  }),
  network: oneOf(['full', 'ssh_only'], {
    description:
      '`ssh_only`: instances here have no outbound traffic, and instances with a subnet or public IPv4 are not ' +
      'placed here.',
  }),
  host_address: hostAddress,
  public_ipv4s: array(text({ max: 15 }), {
    max: hostPublicAddressesMax,
    description: 'Public IPv4 addresses that its instances can get.',
  }),
  sets_partitions: optional(
    boolean({ description: 'Whether the host can put machines into InfiniBand partitions. Absent: not reported.' }),
  ),
  encrypts_traffic: optional(
    boolean({ description: 'Whether the host has WireGuard for traffic to other hosts. Absent: not reported.' }),
  ),
  hardware: optional(hostHardware),
}

export const hostFacts = resource(
  'HostFacts',
  'What an agent reported about its host when it enrolled.',
  hostFactFields,
)
export type HostFacts = Static<typeof hostFacts>

export const hostTunnel = resource('HostTunnel', 'The WireGuard tunnel of a host.', {
  address: text({ max: 15, description: 'The address of the host inside of tunnels.' }),
  port: integer({ min: 1, max: 65_535, description: 'The UDP port, at the `host_address`.' }),
  public_key: text({ max: 44, description: 'WireGuard public key in base64, as `wg` shows it.' }),
  next_public_key: nullable(
    text({ max: 44, description: 'The key that it uses next. `null`: it does not change its key.' }),
  ),
  changed_at: timestamp({ description: 'When the host last declared another key or port, in Unix seconds.' }),
})
export type HostTunnel = Static<typeof hostTunnel>

const traffics = ['encrypted', 'unencrypted', 'none'] as const

export const host = resource('Host', 'A server that runs instances. Each of its slots is one node of its SKU.', {
  object: constant('host'),
  id: id('host'),
  resource_path: path('host'),
  account: accountId({ description: 'Id of the account that supplies it.' }),
  workspace: workspaceSummary,
  sku: skuSummary,
  pool: here(poolSummary, 'The originating pool that gets its nodes.'),
  name: name(),
  state: openOneOf(states, { description: 'Whether it takes instances.' }),
  health: openOneOf(healths, { description: 'Whether it reports, and can run instances.' }),
  health_message: nullable(
    text({
      max: 1024,
      description:
        'Why it is not healthy, for people: missing hardware, or the last message of its agent. `null`: nothing.',
    }),
  ),
  slots: integer({ min: 1, max: 64, description: 'Nodes of the SKU that it can run.' }),
  used_slots: integer({ min: 0, max: 64, description: 'How many of its slots are in use.' }),
  instances: array(id('instance'), { max: 64, description: 'Ids of the instances on it.' }),
  agent_version: nullable(text({ max: 64, description: 'Version of its agent. `null`: it is simulated.' })),
  agent_commit: nullable(text({ max: 64, description: 'Commit that its agent was built from. `null`: not known.' })),
  agent_managed_by: openOneOf(['updater', 'package', 'none'], {
    description: 'What updates its agent: its updater, the package manager of its system, or nothing that reports.',
  }),
  agent_pinned: boolean({ description: 'Whether rollouts of the agent leave it out.' }),
  facts: hostFacts,
  benchmark: nullable(here(hostBenchmark, 'The last figures of its benchmark. `null`: none.')),
  traffic: openOneOf(traffics, {
    description:
      'How the host carries traffic of subnets to other hosts. `none`: it has no tunnel and carries no such traffic, ' +
      'or it is simulated. `unencrypted`: it has no tunnel, and the platform operator accepts that.',
  }),
  tunnel: nullable(here(hostTunnel, 'Its WireGuard tunnel. `null`: it has none.')),
  last_seen_at: nullable(timestamp({ description: 'When it last reported, in Unix seconds. `null`: never.' })),
  drain_deadline_at: nullable(
    timestamp({ description: 'Deadline of its drain, in Unix seconds. `null`: it is not drained.' }),
  ),
  supply_ends_at: nullable(
    timestamp({ description: 'When its nodes leave their pool, in Unix seconds. `null`: it is not drained.' }),
  ),
  created_at: createdAt,
  retired_at: nullable(timestamp({ description: 'When it was retired, in Unix seconds. `null`: it is not.' })),
})
export type Host = Static<typeof host>

export const listHosts = endpoint({
  name: 'list_hosts',
  method: 'GET',
  path: '/preview/v2/hosts',
  area,
  summary: 'List hosts',
  description:
    'Newest first, including retired hosts; filter by `state` to leave them out. The platform operator also sees ' +
    'hosts of other accounts.',
  query: {
    ...pageParameters('hostc'),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    id: repeated(idOrPath('host', onlyThis)),
    sku: repeated(id('sku', ofThis('sku'))),
    state: repeated(oneOf(states, { description: 'Only hosts in this state.' })),
    health: repeated(oneOf(healths, { description: 'Only hosts with this health.' })),
    account: optional(accountId({ description: 'Only hosts of this account: its id. For the platform operator.' })),
  },
  response: pageOf(host, 'hostc'),
  access: 'host:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getHost = endpoint({
  name: 'get_host',
  method: 'GET',
  path: '/preview/v2/hosts/:id',
  area,
  summary: 'Get a host',
  description: 'Shows state, health, slots and hardware of a host, and when it last reported.',
  params: { id: idOrPath('host') },
  response: host,
  access: 'host:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

const params = { id: idOrPath('host') }
const change = {
  method: 'POST',
  area,
  params,
  success: 200,
  response: host,
  access: 'host:write',
} as const

export const updateHost = endpoint({
  name: 'update_host',
  method: 'PATCH',
  path: '/preview/v2/hosts/:id',
  area,
  summary: 'Rename a host',
  description: 'Changes the name in any state of the host. Its instances and its supply stay.',
  params,
  body: object({ name: optional(newName()) }),
  response: host,
  access: 'host:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'not_found', 'name_taken'],
})

export const cordonHost = endpoint({
  ...change,
  name: 'cordon_host',
  path: '/preview/v2/hosts/:id/cordon',
  summary: 'Cordon a host',
  description:
    'No new instance is placed on the host. Its instances run on, and its supply stays on the market. ' +
    '`uncordon_host` ends it; `drain_host` empties the host.',
  errors: ['forbidden', 'not_found', 'invalid_state'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
})

export const uncordonHost = endpoint({
  ...change,
  name: 'uncordon_host',
  path: '/preview/v2/hosts/:id/uncordon',
  summary: 'Uncordon a host',
  description:
    'Instances are placed on the host again. A drain is cancelled: its supply returns from the next minute on, and ' +
    'notices are withdrawn.',
  errors: ['forbidden', 'not_found', 'invalid_state'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
})

export const drainHost = endpoint({
  ...change,
  name: 'drain_host',
  path: '/preview/v2/hosts/:id/drain',
  summary: 'Drain a host',
  description:
    'From now on no instance is placed on the host. Its nodes leave their pool at the deadline, and instances that ' +
    'still run there get notice for that time. Only free nodes can leave: if nodes after the deadline are sold or ' +
    'offered and no other host of the pool has free nodes, the call is refused with `supply_sold`. With `force` the ' +
    'drain takes the free nodes, and the others stay sold or offered.',
  body: object({
    deadline_at: timestamp({
      description:
        'When its supply and its instances end, in Unix seconds. Not in the past. The supply ends at the start of ' +
        'this minute.',
    }),
    force: optional(
      boolean({
        default: false,
        description: 'Drain even if nodes after the deadline are sold or offered. They stay so.',
        negative: 'Refuse if nodes after the deadline are sold or offered. This is the default.',
      }),
    ),
  }),
  errors: ['forbidden', 'not_found', 'invalid_state', 'supply_sold', 'in_the_past'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  unconfirmed: 'Before its deadline uncordon_host takes it back.',
})

export const retireHost = endpoint({
  ...change,
  name: 'retire_host',
  path: '/preview/v2/hosts/:id/retire',
  summary: 'Retire a host',
  description:
    'Removes a drained host permanently: its key is no longer accepted, and it cannot enrol again. Its record stays. ' +
    'With `force` it also removes a host in any other state that is unreachable, for one that is gone for good. Its ' +
    'instances end without notice, for the reason `host_lost`, and its free nodes leave their pool; sold nodes stay ' +
    'sold. A host that still reports is refused with `invalid_state`: drain it.',
  body: object({
    force: optional(
      boolean({
        default: false,
        description: 'Retire a host that is unreachable, although it is not drained. Its instances end.',
        negative: 'Refuse if the host is not drained. This is the default.',
      }),
    ),
  }),
  errors: ['forbidden', 'not_found', 'invalid_state'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
})

export const operations = [listHosts, getHost, updateHost, cordonHost, uncordonHost, drainHost, retireHost] as const

/**
 * The desired state of each host, and the wait of its agent for the next change. Waiting agents hold no database
 * connection: one query for all of them reads the generations that were raised lately.
 */
import {
  type DesiredInstance,
  type DesiredNetwork,
  type DesiredState,
  type DesiredTunnel,
  reportEverySeconds,
} from '@bourse/api/fleet/agent.ts'
import { needsOf } from '@bourse/api/fleet/fit.ts'
import type { HostState } from '@bourse/api/fleet/host-states.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { after } from '../../core/base/clock.ts'
import { createLoader } from '../../core/base/loader.ts'
import type { Log } from '../../core/base/log.ts'
import { createNotifier, type Notifier } from '../../core/base/notifier.ts'
import { Refusal } from '../../core/base/refusal.ts'
import type { Database, Db } from '../../core/db/db.ts'
import type { PlainRequest } from '../../core/http/request-context.ts'
import { plainCommand } from '../../core/work/command.ts'
import type { AgentCaller, Ctx } from '../../core/work/ctx.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { CommandOrigin } from '../../core/work/writing.ts'
import { summaries } from '../../iam/names/names.service.ts'
import { sshKeyLines } from '../../iam/ssh-keys/ssh-keys.service.ts'
import { findImageForHost } from '../../images/images.service.ts'
import { findSkuFor } from '../../market/skus/skus.service.ts'
import { rulesOfFirewall } from '../../network/firewalls.service.ts'
import { partitionsForHosts } from '../../network/infiniband-partitions.service.ts'
import { subnetsForHosts } from '../../network/subnets.service.ts'
import { goneHost, type HostRow } from '../hosts/hosts.rules.ts'
import { findHost, lockHosts, readRealNow } from '../hosts/hosts.service.ts'
import { outrunAgents } from '../hosts/machines.service.ts'
import { type TunnelRow, trafficOf } from '../tunnels/tunnels.rules.ts'
import { tunnelsOfHosts } from '../tunnels/tunnels.service.ts'
import {
  type DesiredRow,
  listDesired,
  listGenerations,
  listNotified,
  listPeers,
  type PeerRow,
} from './desired-state.store.ts'
import { ticketOf } from './user-data-tickets.service.ts'

const openStates: readonly HostState[] = ['active']

/** How far back the query looks. A generation is visible once its transaction commits; none takes nearly as long. */
const latelySeconds = 60
/** Concurrent waits of one host; a further one ends the oldest. */
const waitersOfKeyMax = 4

/** Reads the generation of a host; callers that ask at the same time share one read. */
type GenerationLoader = (host_id: Id<'host'>) => Promise<number | undefined>

declare module '../../core/work/services.ts' {
  interface Services {
    /** Wakes the agents that wait for a change of the desired state of their host. */
    readonly desired_notifier: Notifier
    readonly host_generations: GenerationLoader
  }
}

/** Makes the loader of a server. */
export function createGenerationLoader(db: Db): GenerationLoader {
  return createLoader((ids: string[]) => listGenerations(db, ids))
}

/** Makes the notifier of a server: it polls which hosts have a new generation while agents wait. */
export function createDesiredNotifier({ database, log }: { database: Database; log: Log }): Notifier {
  return createNotifier({
    findChanged: async (waiting) => {
      const notified = await listNotified(database.reader, latelySeconds)
      const hasChanged = ([id, generation]: [string, number]) =>
        generation > (waiting.sinceOf(id) ?? Number.POSITIVE_INFINITY)
      return [...notified].filter(hasChanged).map(([id]) => id)
    },
    onFailure: (err) => log.debug({ err }, 'New generations of hosts could not be read; the read is repeated.'),
    waitersOfKeyMax,
  })
}

/** The desired state: at once if newer than what the agent has seen, else after a wait; undefined if unchanged. */
export async function awaitDesired(
  runtime: Runtime,
  { generation, wait_seconds = 0 }: { generation?: number; wait_seconds?: number },
  { agent, request_id }: PlainRequest,
): Promise<DesiredState | undefined> {
  const { host_id } = agent as AgentCaller
  const origin: CommandOrigin = { actor: { type: 'system' }, request_id, unrecorded: 'agent' }
  if (generation !== undefined) {
    const current = await runtime.services.host_generations(host_id)
    if (current !== undefined && generation > current) await outrunAgent(runtime, origin, host_id, generation)
    if (current === generation) {
      await waitForChange(runtime, host_id, { since: generation, seconds: wait_seconds })
      // Most waits end without a change. The state is composed only if there is one.
      if ((await runtime.services.host_generations(host_id)) === generation) return undefined
    }
  }
  const state = await query(runtime, origin, async (ctx) => {
    const found = await desiredState(ctx, host_id)
    if (!found) throw new Refusal(goneHost(await findHost(ctx, host_id)))
    return found
  })
  return generation !== undefined && state.generation === generation ? undefined : state
}

/** Raises the generation of a host whose agent knows a higher one, unless that has happened since it was read. */
async function outrunAgent(runtime: Runtime, origin: CommandOrigin, id: Id<'host'>, generation: number): Promise<void> {
  await plainCommand(runtime, origin, async (ctx) => {
    const [host] = await lockHosts(ctx, [id])
    if (host && generation > host.generation) await outrunAgents(ctx, [{ id, generation }])
  })
}

/** Ends all waits and refuses new ones, because the server is closing. */
export function endWaits(runtime: Runtime): void {
  runtime.services.desired_notifier.close()
}

/** What a host should run; undefined if there is no such host, or it is retired. */
export async function desiredState(ctx: Ctx, host_id: Id<'host'>): Promise<DesiredState | undefined> {
  const host = await findHost(ctx, host_id)
  if (!host || host.state === 'retired') return undefined
  // Read after the generation: an agent that has seen a generation is not told again what belongs to it.
  const rows = await listDesired(ctx.db, host_id)
  const subnet_ids = distinct(rows.map(({ subnet_id }) => subnet_id))
  const [server_time, peers, tunnels] = await Promise.all([
    host.is_simulated ? ctx.now : readRealNow(ctx),
    subnet_ids.length === 0 ? [] : listPeers(ctx.db, subnet_ids, host_id),
    tunnelsOfHosts(ctx, [host_id]),
  ])
  const carriers = carriersOf(ctx, { host, subnet_ids, peers, tunnel: tunnels.get(host_id) })
  const { generation, epoch, state } = host
  return {
    object: 'desired_state',
    generation,
    epoch,
    server_time,
    cordoned: !openStates.includes(state),
    report_every_seconds: reportEverySeconds,
    tunnel: describeTunnel(tunnels.get(host_id), [...carriers.values()]),
    instances: await describe(ctx, host, { rows, carriers }),
  }
}

/** Waits until the generation of a host is newer than `since`, for at most so many seconds. */
async function waitForChange(
  runtime: Runtime,
  host_id: Id<'host'>,
  { since, seconds }: { since: number; seconds: number },
): Promise<void> {
  if (seconds === 0) return
  const over = new AbortController()
  const cancel = after(seconds * 1000, () => over.abort())
  await runtime.services.desired_notifier.wait(host_id, since, over.signal)
  cancel()
}

async function describe(
  ctx: Ctx,
  { id: host_id, sku_id }: HostRow,
  { rows, carriers }: { rows: readonly DesiredRow[]; carriers: ReadonlyMap<string, Carrier> },
): Promise<DesiredInstance[]> {
  const [skus, names, images, subnets, partitions, rules, keys] = await Promise.all([
    loadEach(distinct(rows.map(({ account_id }) => account_id)), (accountId) => findSkuFor(ctx, accountId, sku_id)),
    summaries(
      ctx,
      rows.map(({ id }) => id),
    ),
    loadEach(distinct(rows.map(({ image_id }) => image_id)), (id) => findImageForHost(ctx, id)),
    subnetsForHosts(ctx, [...carriers.keys()] as Id<'subnet'>[]),
    partitionsForHosts(ctx, distinct(rows.map(({ infiniband_partition_id }) => infiniband_partition_id))),
    loadEach(distinct(rows.map(({ firewall_id }) => firewall_id)), (id) => rulesOfFirewall(ctx, id)),
    sshKeyLines(ctx, distinct(rows.flatMap(({ ssh_key_ids }) => ssh_key_ids))),
  ])
  return rows.map((row): DesiredInstance => {
    const { id, generation, action, slot, image_id } = row
    const sku = skus.get(row.account_id)
    return {
      id,
      generation,
      action,
      slot,
      hostname: names.get(id)?.name ?? id,
      machine: machineOf(sku, row),
      // Null if the image has been deleted: machines that were started from it keep running.
      image: images.get(image_id) ?? null,
      user_data_ticket: row.user_data_used ? ticketOf(ctx, { instance_id: id, host_id, generation }) : null,
      ...keysFor(row, keys),
      network: describeNetwork(row, { sku, subnets, partitions, rules, carriers }),
      terminate_at: row.deadline_at,
      terminate_reason: row.notice_reason,
    }
  })
}

/** The keys that a machine must have: those of its instance that nobody has deleted. */
function keysFor({ ssh_key_ids }: DesiredRow, lines: ReadonlyMap<string, string>): Pick<DesiredInstance, 'ssh_keys'> {
  const ssh_keys = ssh_key_ids.flatMap((id) => {
    const public_key = lines.get(id)
    return public_key === undefined ? [] : [{ id: id as Id<'ssh_key'>, public_key }]
  })
  return ssh_keys.length === 0 ? {} : { ssh_keys }
}

type MachineSku = Awaited<ReturnType<typeof findSkuFor>>

/** The size of the machines of an account: that of the SKU, with the properties that hold for this account. */
function sizeOf({ properties, simulated }: NonNullable<MachineSku>) {
  const { vcpus, memory_bytes, storage_bytes, accelerators, rdma } = needsOf(properties)
  const counts = {
    ...(accelerators === null ? {} : { accelerators: accelerators.count }),
    ...(rdma?.type === 'infiniband' ? { rdma: true } : {}),
  }
  return { cpu_count: vcpus, memory_bytes, storage_bytes, ...(simulated ? {} : counts) }
}

/** A machine with the devices of its slot, as many as its account is shown. */
function machineOf(sku: MachineSku, { slot_hardware }: DesiredRow): DesiredInstance['machine'] {
  if (!sku) return { cpu_count: null, memory_bytes: null, storage_bytes: null }
  const size = sizeOf(sku)
  const { accelerators = 0, rdma = false } = size
  const { accelerators: own = [], rdma: functions = [], nvswitches = [] } = slot_hardware ?? {}
  const shown = own.slice(0, accelerators).map(({ pci }) => pci)
  const devices = [...shown, ...(shown.length > 0 ? nvswitches : []), ...(rdma ? functions : [])]
  return devices.length === 0 ? size : { ...size, devices }
}

/** How the traffic of a subnet is carried, and to which machines on other hosts. */
type Carrier = { readonly traffic: DesiredNetwork['traffic']; readonly peers: readonly PeerRow[] }

type CarrierParams = {
  readonly host: HostRow
  readonly subnet_ids: readonly string[]
  readonly peers: readonly PeerRow[]
  readonly tunnel: TunnelRow | undefined
}

/** The carriers of the subnets of a host. A host that must encrypt and has no tunnel yet carries nothing. */
function carriersOf(ctx: Ctx, { host, subnet_ids, peers, tunnel }: CarrierParams): Map<string, Carrier> {
  const { accepts_unencrypted } = ctx.services.tunnel_settings
  const own = { encrypts_traffic: host.facts.encrypts_traffic ?? null }
  const bySubnet = Map.groupBy(peers, ({ subnet_id }) => subnet_id as string)
  return new Map(
    subnet_ids.map((id) => {
      const near = bySubnet.get(id) ?? []
      const traffic = trafficOf([own, ...near], accepts_unencrypted)
      return [id, { traffic, peers: traffic === 'encrypted' && !tunnel ? [] : near }]
    }),
  )
}

function describeTunnel(own: TunnelRow | undefined, carriers: readonly Carrier[]): DesiredTunnel | null {
  if (!own) return null
  const { address, public_key, next_public_key, port } = own
  const rows = carriers.flatMap(({ traffic, peers }) => (traffic === 'encrypted' ? peers : []))
  const byAddress = new Map(rows.flatMap((row) => (row.tunnel_address === null ? [] : [[row.tunnel_address, row]])))
  const peers = [...byAddress].map(([of, row]) => {
    return { address: of, host_address: row.host_address, ...keysOf(row) }
  })
  return { address, public_key, next_public_key, port, peers }
}

function keysOf({ public_key, next_public_key, port }: PeerRow) {
  return { public_key, next_public_key, port }
}

type Networks = {
  readonly sku: MachineSku
  readonly subnets: Awaited<ReturnType<typeof subnetsForHosts>>
  readonly partitions: Awaited<ReturnType<typeof partitionsForHosts>>
  readonly rules: ReadonlyMap<string, NonNullable<DesiredNetwork['firewall_rules']>>
  readonly carriers: ReadonlyMap<string, Carrier>
}

function describeNetwork(row: DesiredRow, { sku, subnets, partitions, rules, carriers }: Networks): DesiredNetwork {
  const { subnet_id, firewall_id, infiniband_partition_id } = row
  const subnet = subnet_id === null ? undefined : subnets.get(subnet_id)
  const partition = infiniband_partition_id === null ? undefined : partitions.get(infiniband_partition_id)
  const { traffic, peers } = carriers.get(subnet_id ?? '') ?? { traffic: 'encrypted', peers: [] }
  return {
    mac: row.mac,
    private_ip: row.private_ip,
    subnet: subnet_id,
    vni: subnet?.vni ?? null,
    cidr: subnet?.cidr ?? null,
    traffic,
    peers: peers.map(({ private_ip, host_address, tunnel_address }) => ({ private_ip, host_address, tunnel_address })),
    public_ip: row.public_ip,
    firewall_rules: rules.get(firewall_id ?? '') ?? null,
    infiniband_partition: infiniband_partition_id,
    // A machine without adapters is in no partition, and its host may have no command for them.
    partition_key: sku?.simulated ? null : (partition?.partition_key ?? null),
  }
}

async function loadEach<T>(
  ids: readonly string[],
  load: (id: string) => Promise<T | undefined>,
): Promise<Map<string, T>> {
  const loaded = await Promise.all(ids.map(async (id) => [id, await load(id)] as const))
  return new Map(loaded.flatMap(([id, found]) => (found === undefined ? [] : [[id, found] as const])))
}

function distinct<T extends string>(ids: readonly (T | null)[]): T[] {
  return [...new Set(ids)].filter((id) => id !== null)
}

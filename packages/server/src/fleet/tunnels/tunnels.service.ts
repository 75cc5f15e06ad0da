/**
 * The WireGuard tunnels of hosts: their public keys, ports and addresses. Hosts make their keys themselves; the server
 * only says which host has which key (docs/concepts/hosts.md, "Traffic between hosts").
 */
import type { HostTunnel } from '@bourse/api/fleet/hosts.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { tunnelNetworkDefault } from '../../core/base/server-settings.ts'
import { startProblem } from '../../core/base/start-problem.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import {
  type DeclaredTunnel,
  hasTunnelChanged,
  parseTunnelNetwork,
  refuseTunnel,
  type TunnelNetwork,
  type TunnelRow,
  tunnelAddress,
} from './tunnels.rules.ts'
import {
  findFreeNumber,
  findNextNumber,
  insertTunnel,
  listTunnels,
  removeTunnel,
  replaceTunnelKeys,
  updateTunnel,
} from './tunnels.store.ts'

/** What the operator decides about traffic between hosts. */
export type TunnelSettings = {
  /** The network of the addresses of hosts inside of tunnels. */
  readonly network: TunnelNetwork
  /** Whether hosts without WireGuard may carry traffic unencrypted. */
  readonly accepts_unencrypted: boolean
}

declare module '../../core/work/services.ts' {
  interface Services {
    readonly tunnel_settings: TunnelSettings
  }
}

/** Topic of `ctx.publish`: other hosts reach a host in another way than before. The key is the id of the host. */
export const hostEndpointChanged = 'fleet.host_endpoint_changed'

/** Reads the settings. Throws a start problem where the network is malformed. */
export function readTunnelSettings(settings: {
  readonly tunnels?: string | undefined
  readonly accepts_unencrypted?: boolean | undefined
}): TunnelSettings {
  const network = parseTunnelNetwork(settings.tunnels ?? tunnelNetworkDefault)
  if (network) return { network, accepts_unencrypted: settings.accepts_unencrypted ?? false }
  const message = 'BOURSE_TUNNEL_NETWORK must be one IPv4 network such as 100.112.0.0/12, between /8 and /30.'
  throw startProblem('bad_configuration', message)
}

/**
 * Stores what a locked host declares, and tells the hosts that share a subnet with it. Returns the address of the host
 * inside of tunnels. Refuses `tunnel_key_refused`, `tunnel_key_taken` where another host has one of the keys, and
 * `tunnel_network_full`.
 */
export async function claimTunnel(ctx: Ctx, host_id: string, declared: DeclaredTunnel): Promise<string> {
  throwIfRefused(refuseTunnel(declared))
  const [known] = await listTunnels(ctx.db, [host_id])
  if (known && !hasTunnelChanged(known, declared)) return known.address
  await claimKeys(ctx, host_id, declared)
  ctx.publish(hostEndpointChanged, host_id)
  const { public_key, next_public_key, port } = declared
  const row = { host_id, public_key, next_public_key, port, changed_at: ctx.now }
  if (!known) return giveAddress(ctx, row)
  await updateTunnel(ctx.db, { ...known, ...row })
  return known.address
}

/** Removes the tunnel of a host that is gone for good, or has none any more. */
export async function releaseTunnel(ctx: Ctx, host_id: string): Promise<void> {
  await removeTunnel(ctx.db, host_id)
}

/** The tunnels of some hosts, by the id of the host. */
export async function tunnelsOfHosts(ctx: Ctx, hostIds: readonly string[]): Promise<Map<string, TunnelRow>> {
  const rows = hostIds.length === 0 ? [] : await listTunnels(ctx.db, hostIds)
  return new Map(rows.map((row) => [row.host_id, row]))
}

/** A tunnel as the API shows it. */
export function presentTunnel({ address, port, public_key, next_public_key, changed_at }: TunnelRow): HostTunnel {
  return { address, port, public_key, next_public_key, changed_at }
}

async function claimKeys(ctx: Ctx, host_id: string, { public_key, next_public_key }: DeclaredTunnel): Promise<void> {
  const wanted = [public_key, ...(next_public_key === null ? [] : [next_public_key])]
  const given = new Set(await replaceTunnelKeys(ctx.db, host_id, wanted))
  const taken = wanted.findIndex((key) => !given.has(key))
  if (taken < 0) return
  const field = taken === 0 ? 'public_key' : 'next_public_key'
  refuse('tunnel_key_taken', 'Another host has this key. Was the directory of an agent copied?', field)
}

/** Addresses of retired hosts are given again only when those behind all others are used up. */
async function giveAddress(ctx: Ctx, row: Omit<TunnelRow, 'number' | 'address'>): Promise<string> {
  const { network } = ctx.services.tunnel_settings
  for (const find of [findNextNumber, findFreeNumber]) {
    for (let after = 0; ; ) {
      const number = await find(ctx.db, after)
      const address = tunnelAddress(network, number)
      if (address === undefined) break
      if (await insertTunnel(ctx.db, { ...row, number, address })) return address
      // After a change of the network, an address may be that of a host with another number.
      after = number
    }
  }
  refuse('tunnel_network_full', 'BOURSE_TUNNEL_NETWORK has no address left. Choose a larger network.')
}

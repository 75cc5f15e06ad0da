import { BlockList } from 'node:net'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { tunnelNetworkDefault } from '../../core/base/server-settings.ts'
import { startProblem } from '../../core/base/start-problem.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Mode } from '../../core/work/runtime.ts'
import { type HostNetworks, parseNetworks, refuseAddresses } from './host-addresses.rules.ts'
import { insertHostAddresses, removeHostAddresses } from './host-addresses.store.ts'

declare module '../../core/work/services.ts' {
  interface Services {
    /** The networks in which the operator lets hosts have addresses. */
    readonly host_networks: HostNetworks
  }
}

/** The networks of hosts as the operator writes them. */
export type HostNetworkTexts = {
  readonly hosts?: string | undefined
  readonly publics?: string | undefined
  /** The addresses of hosts inside of tunnels. */
  readonly tunnels?: string | undefined
  /** Whether hosts without WireGuard may carry traffic unencrypted. The default is false. */
  readonly accepts_unencrypted?: boolean
  /** The default is true in a sandbox only. */
  readonly are_shared?: boolean
}

/** Reads the allowed networks. Throws a start problem where one is malformed. */
export function readHostNetworks({ hosts, publics, tunnels, are_shared }: HostNetworkTexts, mode: Mode): HostNetworks {
  return {
    tunnels: parseNetworks(tunnels ?? tunnelNetworkDefault) ?? new BlockList(),
    hosts: readNetworks('BOURSE_HOST_NETWORKS', hosts),
    publics: readNetworks('BOURSE_PUBLIC_NETWORKS', publics),
    are_shared: are_shared ?? mode === 'sandbox',
  }
}

/**
 * Gives a host the addresses that it declares, in place of those that it had. Refuses `address_refused`, and
 * `address_taken` where another host has one of them.
 */
export async function claimHostAddresses(ctx: Ctx, hostId: string, facts: HostFacts): Promise<void> {
  const { host_networks } = ctx.services
  throwIfRefused(refuseAddresses(facts, host_networks))
  await removeHostAddresses(ctx.db, hostId)
  // Without networks of its own, a host only forwards ports, so several agents may share one address.
  if (facts.network !== 'full' || host_networks.are_shared) return
  const wanted = [facts.host_address, ...facts.public_ipv4s]
  const given = new Set(await insertHostAddresses(ctx.db, hostId, wanted))
  const taken = wanted.findIndex((address) => !given.has(address))
  if (taken < 0) return
  const field = taken === 0 ? 'facts.host_address' : `facts.public_ipv4s.${taken - 1}`
  refuse('address_taken', `Another host has the address ${wanted[taken]}.`, field)
}

/** Releases the addresses of a host that is gone for good. */
export async function releaseHostAddresses(ctx: Ctx, hostId: string): Promise<void> {
  await removeHostAddresses(ctx.db, hostId)
}

function readNetworks(name: string, text: string | undefined): HostNetworks['hosts'] {
  if (!text) return undefined
  const networks = parseNetworks(text)
  if (networks) return networks
  throw startProblem('bad_configuration', `${name} must be IPv4 networks such as 10.0.0.0/8, separated by commas.`)
}

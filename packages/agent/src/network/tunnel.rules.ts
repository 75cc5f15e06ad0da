// The WireGuard tunnel of this host to the hosts that share a subnet with it. Every peer may send from one address, its
// own, so that the source of a packet from the tunnel says which host has sent it.

import type { DesiredTunnel } from '@bourse/api/fleet/agent.ts'
import { isHostAddress } from './addresses.rules.ts'

/** The end of a tunnel at another host. */
type TunnelPeer = {
  readonly address: string
  readonly host_address: string
  readonly port: number
  readonly public_key: string
  /** The key that the peer uses next. Null: it does not change its key. */
  readonly next_public_key: string | null
}

/** The tunnel of this host, as it should be. */
export type PlannedTunnel = {
  readonly device: string
  readonly address: string
  readonly port: number
  /** By address. */
  readonly peers: readonly TunnelPeer[]
}

/** The routes and addresses of the device, as `ip` prints them. */
type PresentTunnel = {
  readonly addresses: readonly string[]
  readonly routes: readonly string[]
}

/** The MTU of the tunnel. 80 bytes less than that of the link suffice for IPv4 and IPv6 between hosts. */
export const tunnelMtu = 1_420
/** Keeps connections open in firewalls between hosts, and makes a device with a new key call its peers at once. */
const keepaliveSeconds = 25
const key = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

/** Plans the tunnel. Peers that {@link listUnusableTunnels} names are left out. */
export function planTunnel(device: string, desired: DesiredTunnel): PlannedTunnel {
  const { address, port } = desired
  const peers = usablePeers(desired).toSorted((a, b) => (a.address < b.address ? -1 : 1))
  return { device, address, port, peers }
}

/** Peers that cannot be used, or that claim what is another's. One of them must not stop the others. */
export function listUnusableTunnels(desired: DesiredTunnel | null): string[] {
  if (!desired) return []
  const usable = new Set(usablePeers(desired))
  const bad = desired.peers.filter((peer) => !usable.has(peer))
  return bad.map(({ address, host_address }) => `tunnel ${address} at ${host_address}`).toSorted()
}

/**
 * The configuration in the format of `wg`. A peer that changes its key has two: `followed` are the keys with which a
 * peer has called since, and an address belongs to one key at a time.
 */
export function tunnelConfig(
  { port, peers }: PlannedTunnel,
  { private_key, followed }: { readonly private_key: string; readonly followed: ReadonlySet<string> },
): string {
  const lines = peers.flatMap((peer) => {
    const { public_key, next_public_key } = peer
    if (next_public_key === null) return peerLines(peer, public_key, true)
    const hasChanged = followed.has(next_public_key)
    return [...peerLines(peer, public_key, !hasChanged), ...peerLines(peer, next_public_key, hasChanged)]
  })
  return `${['[Interface]', `PrivateKey = ${private_key}`, `ListenPort = ${port}`, ...lines].join('\n')}\n`
}

/** The next keys of peers with which these have called. `handshakes` is the output of `wg show … latest-handshakes`. */
export function followedKeys({ peers }: PlannedTunnel, handshakes: string): Set<string> {
  const called = new Set(
    handshakes.split('\n').flatMap((line) => {
      const [key = '', at] = line.split('\t')
      return Number(at) > 0 ? [key] : []
    }),
  )
  return new Set(peers.flatMap(({ next_public_key: next }) => (next !== null && called.has(next) ? [next] : [])))
}

/** The lines for `ip -batch` that give the device its address, and its peers their routes. */
export function tunnelLines({ device, address, peers }: PlannedTunnel, present: PresentTunnel): string[] {
  const own = `${address}/32`
  const routes = new Set(peers.map((peer) => peer.address))
  return [
    ...present.addresses.filter((one) => one !== own).map((one) => `addr del ${one} dev ${device}`),
    ...(present.addresses.includes(own) ? [] : [`addr add ${own} dev ${device}`]),
    `link set ${device} mtu ${tunnelMtu} up`,
    ...present.routes.filter((one) => !routes.has(one)).map((one) => `route del ${one} dev ${device}`),
    ...[...routes].map((one) => `route replace ${one}/32 dev ${device} src ${address}`),
  ]
}

function peerLines({ address, host_address, port }: TunnelPeer, publicKey: string, hasAddress: boolean): string[] {
  const lines = ['', '[Peer]', `PublicKey = ${publicKey}`, `Endpoint = ${host_address}:${port}`]
  if (!hasAddress) return [...lines, 'PersistentKeepalive = off']
  return [...lines, `AllowedIPs = ${address}/32`, `PersistentKeepalive = ${keepaliveSeconds}`]
}

function usablePeers({ address: own, public_key, next_public_key, peers }: DesiredTunnel): TunnelPeer[] {
  const taken = new Set([own, public_key, ...(next_public_key === null ? [] : [next_public_key])])
  return peers.filter((peer) => {
    const claims = [peer.address, peer.public_key, ...(peer.next_public_key === null ? [] : [peer.next_public_key])]
    const isOnce = new Set(claims).size === claims.length && claims.every((claim) => !taken.has(claim))
    const isUsable = isWellFormed(peer) && isOnce
    if (isUsable) for (const claim of claims) taken.add(claim)
    return isUsable
  })
}

function isWellFormed({ address, host_address, port, public_key, next_public_key }: TunnelPeer): boolean {
  const isPort = Number.isInteger(port) && port >= 1 && port <= 65_535
  const areKeys = key.test(public_key) && (next_public_key === null || key.test(next_public_key))
  return isHostAddress(address) && isHostAddress(host_address) && isPort && areKeys
}

/**
 * Sums of refused requests without a valid token. Anybody can send them at any rate, so a line for each would fill the
 * disk of the log: one line in ten seconds counts them, by status and by the kind of address that they came from.
 */
import { BlockList } from 'node:net'
import type { Log } from '../base/log.ts'
import { networkOf } from './rate-limits.ts'

/** Where an address lies. Behind a proxy, all requests come from the address of the proxy. */
type AddressClass = 'loopback' | 'private' | 'public' | 'unknown'

/** The sums of one edge. */
export type RefusalSums = {
  add(status: number, address: string | undefined): void
  /** Writes a line where ten seconds have passed since the first request that is not in a line. */
  check(): void
  /** Writes what has not been written. */
  flush(): void
}

const everyMilliseconds = 10_000
/** Beyond this many, networks are no longer told apart. */
const networksMax = 1_000

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
const privateRanges = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateRanges.addSubnet(network, bits, 'ipv4')
}
privateRanges.addSubnet('fc00::', 7, 'ipv6')
privateRanges.addSubnet('fe80::', 10, 'ipv6')

/** Creates the sums of one edge, empty. */
export function createRefusalSums(log: Log, now: () => number): RefusalSums {
  let since: number | undefined
  let counts: Record<string, Partial<Record<AddressClass, number>>> = {}
  let networks = new Set<string>()

  function flush(): void {
    if (since === undefined) return
    const seconds = Math.round((now() - since) / 100) / 10
    log.info({ seconds, counts, networks: networks.size }, 'Requests without a valid token were refused.')
    since = undefined
    counts = {}
    networks = new Set()
  }

  return {
    add: (status, address) => {
      since ??= now()
      counts[status] ??= {}
      const byClass = counts[status]
      const kind = addressClass(address)
      byClass[kind] = (byClass[kind] ?? 0) + 1
      if (address !== undefined && networks.size < networksMax) networks.add(networkOf(address))
    },
    check: () => {
      if (since !== undefined && now() - since >= everyMilliseconds) flush()
    },
    flush,
  }
}

/** The class of an address as a socket reports it. */
export function addressClass(address: string | undefined): AddressClass {
  if (address === undefined) return 'unknown'
  const isMapped = address.includes(':') && address.includes('.')
  const own = isMapped ? address.slice(address.lastIndexOf(':') + 1) : (address.split('%', 1)[0] as string)
  const family = own.includes(':') ? 'ipv6' : 'ipv4'
  if (loopback.check(own, family)) return 'loopback'
  return privateRanges.check(own, family) ? 'private' : 'public'
}

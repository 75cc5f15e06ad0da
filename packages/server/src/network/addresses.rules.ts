// IPv4 networks and addresses as numbers. A private address is unique only in its subnet: two customers may use the
// same.
// Not this file's work: assigning addresses to instances and freeing them (subnets.service.ts).

import type { RefusalData } from '../core/base/refusal.ts'

/** An IPv4 network without host bits. `first` is its first address as a number, `prefix` its length in bits. */
export type Cidr = { readonly first: number; readonly prefix: number }

/** The minimum and maximum prefix lengths of a subnet. */
const prefixMin = 16
const prefixMax = 28
/** Reserved addresses of a subnet: first the network, the gateway and two for services; last the broadcast address. */
const reservedAtStart = 4
const reservedAtEnd = 1
/** The space and the prefix length of subnets without a requested range. */
const defaultSpace = '10.64.0.0/10'
const defaultPrefix = 20

const octet = '(0|[1-9][0-9]{0,2})'
const address = new RegExp(`^${octet}\\.${octet}\\.${octet}\\.${octet}$`)
const privateSpaces = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(knownCidr)

/** Parses a network such as `10.0.0.0/20`. Undefined if it is invalid, has leading zeros or host bits. */
export function parseCidr(text: string): Cidr | undefined {
  const [address, length, ...rest] = text.split('/')
  if (rest.length > 0 || !/^(0|[1-9][0-9]?)$/.test(length ?? '')) return undefined
  const first = parseAddress(address as string)
  const prefix = Number(length)
  if (first === undefined || prefix > 32 || first % 2 ** (32 - prefix) !== 0) return undefined
  return { first, prefix }
}

/** Formats a network, such as `10.0.0.0/20`. */
export function formatCidr({ first, prefix }: Cidr): string {
  return `${formatAddress(first)}/${prefix}`
}

/** Parses an address such as `10.0.0.1` to a number from 0 to 2^32 − 1. Undefined if it is invalid. */
export function parseAddress(text: string): number | undefined {
  const octets = address.exec(text)?.slice(1).map(Number)
  if (!octets || octets.some((octet) => octet > 255)) return undefined
  return octets.reduce((address, octet) => address * 256 + octet, 0)
}

/** Formats an address, such as `10.0.0.1`. */
export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.')
}

/** Whether two networks share an address. */
export function overlaps(a: Cidr, b: Cidr): boolean {
  return a.first < end(b) && b.first < end(a)
}

/** Refuses an invalid range of a subnet: `invalid_cidr`. {@link refuseOverlap} checks overlaps. */
export function refuseSubnetCidr(text: string, field = 'cidr'): RefusalData | undefined {
  const refuse = (message: string): RefusalData => ({ code: 'invalid_cidr', field, message })
  const cidr = parseCidr(text)
  if (!cidr) return refuse('Specify an IPv4 network without host bits, such as 10.0.0.0/20.')
  if (cidr.prefix < prefixMin || cidr.prefix > prefixMax) {
    return refuse(`The prefix length of a subnet must be from ${prefixMin} to ${prefixMax}.`)
  }
  if (!privateSpaces.some((space) => overlaps(space, cidr))) {
    return refuse('A subnet must be in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.')
  }
  return undefined
}

/** Refuses a range that overlaps one of `others`, the ranges of its workspace: `subnet_overlap`. */
export function refuseOverlap(cidr: Cidr, others: readonly Cidr[], field = 'cidr'): RefusalData | undefined {
  const other = others.find((candidate) => overlaps(candidate, cidr))
  if (!other) return undefined
  const message = `${formatCidr(cidr)} overlaps ${formatCidr(other)}, another subnet of the workspace.`
  return { code: 'subnet_overlap', field, message }
}

/** The lowest /20 of 10.64.0.0/10 that overlaps none of `others`; undefined if all 1,024 overlap. */
export function firstFreeSubnet(others: readonly Cidr[]): Cidr | undefined {
  const space = knownCidr(defaultSpace)
  const size = 2 ** (32 - defaultPrefix)
  let first = space.first
  for (const other of others.toSorted((a, b) => a.first - b.first)) {
    if (other.first >= first + size) break
    if (end(other) > first) first = Math.ceil(end(other) / size) * size
  }
  return first < end(space) ? { first, prefix: defaultPrefix } : undefined
}

/**
 * The lowest free addresses for instances, as numbers. Throws if there are fewer than `count`; check
 * {@link availableAddresses} first.
 */
export function lowestFreeAddresses(cidr: Cidr, taken: Iterable<number>, count: number): number[] {
  const known = new Set(taken)
  const last = end(cidr) - reservedAtEnd
  const free: number[] = []
  for (let address = cidr.first + reservedAtStart; address < last && free.length < count; address++) {
    if (!known.has(address)) free.push(address)
  }
  if (free.length < count) throw new Error(`${formatCidr(cidr)} has fewer than ${count} free addresses.`)
  return free
}

/** The number of free addresses for instances in a subnet. */
export function availableAddresses(cidr: Cidr, takenCount: number): number {
  return Math.max(0, 2 ** (32 - cidr.prefix) - reservedAtStart - reservedAtEnd - takenCount)
}

/** The first address after a network. */
function end({ first, prefix }: Cidr): number {
  return first + 2 ** (32 - prefix)
}

function knownCidr(text: string): Cidr {
  return parseCidr(text) as Cidr
}

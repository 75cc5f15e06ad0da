// IPv4 networks and addresses as numbers. Private ones only matter within their subnet: two customers may use the same.
// Not decided here: who holds which address, and when it is given back.

import type { RefusalData } from '../core/base/refusal.ts'

/** An IPv4 network without host bits. `first` is its first address as a number, `prefix` its length in bits. */
export type Cidr = { readonly first: number; readonly prefix: number }

/** The shortest and the longest prefix of a subnet. */
const PREFIX_MIN = 16
const PREFIX_MAX = 28
/** Kept of each subnet: the network, its gateway and two for services at the front, broadcast at the end. */
const KEPT_AT_FRONT = 4
const KEPT_AT_END = 1
/** Where subnets without a requested range lie, and how long their prefix is. */
const DEFAULT_SPACE = '10.64.0.0/10'
const DEFAULT_PREFIX = 20

const OCTET = '(0|[1-9][0-9]{0,2})'
const ADDRESS = new RegExp(`^${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}$`)
const PRIVATE_SPACES = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(knownCidr)

/** Reads `10.0.0.0/20`; `undefined` when it is not written so: leading zeros and host bits are refused, not cleaned. */
export function parseCidr(text: string): Cidr | undefined {
  const [address, length, ...rest] = text.split('/')
  if (rest.length > 0 || !/^(0|[1-9][0-9]?)$/.test(length ?? '')) return undefined
  const first = parseAddress(address as string)
  const prefix = Number(length)
  if (first === undefined || prefix > 32 || first % 2 ** (32 - prefix) !== 0) return undefined
  return { first, prefix }
}

/** Writes a network as `10.0.0.0/20`. */
export function formatCidr({ first, prefix }: Cidr): string {
  return `${formatAddress(first)}/${prefix}`
}

/** Reads `10.0.0.1` as a number from 0 to 2^32 − 1; `undefined` when it is not written so. */
export function parseAddress(text: string): number | undefined {
  const octets = ADDRESS.exec(text)?.slice(1).map(Number)
  if (!octets || octets.some((octet) => octet > 255)) return undefined
  return octets.reduce((address, octet) => address * 256 + octet, 0)
}

/** Writes an address as `10.0.0.1`. */
export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.')
}

/** Whether two networks share an address. */
export function overlaps(a: Cidr, b: Cidr): boolean {
  return a.first < end(b) && b.first < end(a)
}

/** Why a subnet may not have this range: `invalid_cidr`, or nothing. Overlaps are {@link refuseOverlap}'s. */
export function refuseSubnetCidr(text: string, field = 'cidr'): RefusalData | undefined {
  const refuse = (message: string): RefusalData => ({ code: 'invalid_cidr', field, message })
  const cidr = parseCidr(text)
  if (!cidr) return refuse('Write an IPv4 network without host bits, such as 10.0.0.0/20.')
  if (cidr.prefix < PREFIX_MIN || cidr.prefix > PREFIX_MAX) {
    return refuse(`The prefix of a subnet is ${PREFIX_MIN} to ${PREFIX_MAX}.`)
  }
  if (!PRIVATE_SPACES.some((space) => overlaps(space, cidr))) {
    return refuse('A subnet lies in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.')
  }
  return undefined
}

/** Why a range may not stand beside those of its workspace: `subnet_overlap`, or nothing. */
export function refuseOverlap(cidr: Cidr, others: readonly Cidr[], field = 'cidr'): RefusalData | undefined {
  const other = others.find((candidate) => overlaps(candidate, cidr))
  if (!other) return undefined
  const message = `${formatCidr(cidr)} overlaps ${formatCidr(other)}, another subnet of the workspace.`
  return { code: 'subnet_overlap', field, message }
}

/** The lowest /20 of 10.64.0.0/10 that touches none of these; `undefined` when all 1,024 are touched. */
export function firstFreeSubnet(others: readonly Cidr[]): Cidr | undefined {
  const space = knownCidr(DEFAULT_SPACE)
  const size = 2 ** (32 - DEFAULT_PREFIX)
  let first = space.first
  for (const other of others.toSorted((a, b) => a.first - b.first)) {
    if (other.first >= first + size) break
    if (end(other) > first) first = Math.ceil(end(other) / size) * size
  }
  return first < end(space) ? { first, prefix: DEFAULT_PREFIX } : undefined
}

/**
 * The lowest addresses that instances may get and that are not taken, as numbers. Throws where there are not enough,
 * which {@link availableAddresses} tells beforehand.
 */
export function lowestFreeAddresses(cidr: Cidr, taken: Iterable<number>, count: number): number[] {
  const known = new Set(taken)
  const last = end(cidr) - KEPT_AT_END
  const free: number[] = []
  for (let address = cidr.first + KEPT_AT_FRONT; address < last && free.length < count; address++) {
    if (!known.has(address)) free.push(address)
  }
  if (free.length < count) throw new Error(`${formatCidr(cidr)} has fewer than ${count} free addresses.`)
  return free
}

/** How many more instances a subnet has addresses for. */
export function availableAddresses(cidr: Cidr, taken_count: number): number {
  return Math.max(0, 2 ** (32 - cidr.prefix) - KEPT_AT_FRONT - KEPT_AT_END - taken_count)
}

/** The first address behind a network. */
function end({ first, prefix }: Cidr): number {
  return first + 2 ** (32 - prefix)
}

function knownCidr(text: string): Cidr {
  return parseCidr(text) as Cidr
}

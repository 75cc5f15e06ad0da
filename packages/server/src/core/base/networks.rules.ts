/** IP networks in their one canonical form, and whether an address lies in one. */
import { isIPv4, isIPv6 } from 'node:net'

/** A network without host bits. `first` is its first address as a number. */
export type Network = { readonly family: 4 | 6; readonly first: bigint; readonly prefix: number }

const bitsOf = { 4: 32, 6: 128 } as const
/** IPv4 addresses as a socket that accepts both families shows them. */
const mappedHead = 0xffff_0000_0000n

/**
 * Parses a network such as `10.0.0.0/8` or `2001:db8::/32`. Undefined unless it is canonical: lower case, compressed,
 * no leading zeros, no host bits, and IPv4 not mapped into IPv6.
 */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', length = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^(?:0|[1-9][0-9]{0,2})$/.test(length)) return undefined
  const parsed = parsePlain(address)
  if (!parsed || parsed.canonical !== address) return undefined
  const { family, value } = parsed
  const prefix = Number(length)
  if (prefix > bitsOf[family] || (value & hostMask(family, prefix)) !== 0n) return undefined
  const isMapped = family === 6 && prefix >= 96 && value >> 32n === mappedHead >> 32n
  return isMapped ? undefined : { family, first: value, prefix }
}

/** Whether an address of a socket lies in one of some networks. IPv4 mapped into IPv6 counts as IPv4. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = parsePlain((address.split('%', 1)[0] as string).toLowerCase())
  if (!parsed) return false
  const isMapped = isMappedAddress(parsed)
  const family = isMapped ? 4 : parsed.family
  const value = isMapped ? parsed.value & 0xffff_ffffn : parsed.value
  return networks.some((network) => network.family === family && isPart(network, value))
}

/** The one text of an address, of all ways to write it. IPv4 mapped into IPv6 becomes IPv4. Undefined if it is none. */
export function canonicalAddress(text: string): string | undefined {
  const parsed = parsePlain(text)
  if (!parsed || !isMappedAddress(parsed)) return parsed?.canonical
  return [24n, 16n, 8n, 0n].map((shift) => (parsed.value >> shift) & 0xffn).join('.')
}

/** Whether every address of a network lies in another one. */
export function containsNetwork(outer: Network, inner: Network): boolean {
  return outer.family === inner.family && outer.prefix <= inner.prefix && isPart(outer, inner.first)
}

function isMappedAddress({ family, value }: Parsed): boolean {
  return family === 6 && value >> 32n === mappedHead >> 32n
}

function isPart({ family, first, prefix }: Network, value: bigint): boolean {
  return (value & ~hostMask(family, prefix)) === first
}

function hostMask(family: 4 | 6, prefix: number): bigint {
  return (1n << BigInt(bitsOf[family] - prefix)) - 1n
}

type Parsed = { readonly family: 4 | 6; readonly value: bigint; readonly canonical: string }

function parsePlain(text: string): Parsed | undefined {
  if (isIPv4(text)) {
    const value = text.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n)
    return { family: 4, value, canonical: text }
  }
  if (!isIPv6(text) || text.includes('%')) return undefined
  // The URL parser gives the canonical text of RFC 5952, in hexadecimal groups.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const groups = head === '' ? [] : head.split(':')
  const behind = tail ? tail.split(':') : []
  while (groups.length + behind.length < 8) groups.push('0')
  const value = [...groups, ...behind].reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n)
  return { family: 6, value, canonical }
}

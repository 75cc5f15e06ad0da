// IPv4 addresses and networks, and the addresses of the host's link ends. The server assigns the addresses of machines.

/** An IPv4 network. `first` is its first address as a number, `prefix` its length in bits. */
export type Cidr = { readonly first: number; readonly prefix: number }

/**
 * The links between a host and the networks of its machines use a link-local range, which is never routed. The host has
 * the same address on each link; each slot has an address of its own.
 */
export const hostEnd = '169.254.32.254'
/** The addresses of slots; a host has at most 64. */
export const slotEnds = '169.254.32.1-169.254.32.64'
const slotsMax = 64

/** The metadata address (docs/concepts/preemption.md, "Notice"). */
export const metadataAddress = '169.254.169.254'

/** The network of a machine without a subnet: the same as QEMU's user network, so that images see no difference. */
export const alone = { cidr: '10.0.2.0/24', gateway: '10.0.2.2', address: '10.0.2.15' } as const

const neverHosts = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3']

/** Whether an address can be that of another host: not loopback, link-local, multicast or reserved (RFC 6890). */
export function isHostAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== undefined && !neverHosts.some((one) => isWithin(address, parseCidr(one) as Cidr))
}

/** Parses `10.0.0.1` into a number; `undefined` if it is malformed. Some tools read leading zeros as octal. */
export function parseAddress(text: string): number | undefined {
  const octet = '(0|[1-9]\\d{0,2})'
  const octets = new RegExp(`^${[octet, octet, octet, octet].join('\\.')}$`).exec(text)?.slice(1).map(Number)
  if (!octets || octets.some((octet) => octet > 255)) return undefined
  return octets.reduce((address, octet) => address * 256 + octet, 0)
}

/** Formats a number as `10.0.0.1`. */
export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.')
}

/** Parses `10.0.0.0/20`; `undefined` if it is malformed or has host bits. */
export function parseCidr(text: string): Cidr | undefined {
  const [address, length, ...rest] = text.split('/')
  const first = parseAddress(address as string)
  if (rest.length > 0 || first === undefined || !/^\d{1,2}$/.test(length ?? '')) return undefined
  const prefix = Number(length)
  return prefix > 32 || first % 2 ** (32 - prefix) !== 0 ? undefined : { first, prefix }
}

/** Whether an address lies in a network. */
export function isWithin(address: number, { first, prefix }: Cidr): boolean {
  return address >= first && address < first + 2 ** (32 - prefix)
}

/** The first address of a network, which the server reserves for the gateway. */
export function gatewayOf({ first }: Cidr): string {
  return formatAddress(first + 1)
}

/** The link address of a slot. Throws if there is no such slot. */
export function endOfSlot(slot: number): string {
  if (!Number.isInteger(slot) || slot < 0 || slot >= slotsMax) throw new Error(`There is no slot ${slot}.`)
  return `169.254.32.${slot + 1}`
}

/** The slot with this link address; `undefined` if there is none. */
export function slotOfEnd(address: string): number | undefined {
  const [, last] = /^169\.254\.32\.(\d{1,2})$/.exec(address) ?? []
  const slot = Number(last) - 1
  return last !== undefined && slot >= 0 && slot < slotsMax ? slot : undefined
}

/** The MAC address of a host inside of an overlay subnet, derived from its IPv4 address so that no lookup is needed. */
export function carrierMac(hostAddress: string): string {
  const number = parseAddress(hostAddress)
  if (number === undefined) throw new Error(`${hostAddress} is not an IPv4 address.`)
  const octets = [24, 16, 8, 0].map((bits) => ((number >>> bits) & 255).toString(16).padStart(2, '0'))
  return ['02', '62', ...octets].join(':')
}

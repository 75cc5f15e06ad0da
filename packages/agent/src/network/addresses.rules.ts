// IPv4 on one host, as text and numbers: what a network is made of, and the addresses that this host gives to its own
// ends. Which machine may have which address is decided by the server.

/** An IPv4 network. `first` is its first address as a number, `prefix` its length in bits. */
export type Cidr = { readonly first: number; readonly prefix: number }

/**
 * The ends of the links between a host and the networks of its machines lie in one link-local range that no router
 * carries on: the host has the same address on each, and each slot one of its own.
 */
export const hostEnd = '169.254.32.254'
/** Every slot's end; a host has at most 64. */
export const slotEnds = '169.254.32.1-169.254.32.64'
const SLOTS_MAX = 64

/** Where a guest asks for what it is to know (docs/concepts/preemption.md, "Notice"). */
export const metadataAddress = '169.254.169.254'

/** What a machine without a subnet has for itself: as user networking gives it, so that images see no difference. */
export const alone = { cidr: '10.0.2.0/24', gateway: '10.0.2.2', address: '10.0.2.15' } as const

/** Reads `10.0.0.1` as a number; `undefined` when it is not written so. */
export function parseAddress(text: string): number | undefined {
  const octets = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  if (!octets || octets.some((octet) => octet > 255)) return undefined
  return octets.reduce((address, octet) => address * 256 + octet, 0)
}

/** Writes a number as `10.0.0.1`. */
export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.')
}

/** Reads `10.0.0.0/20`; `undefined` when it is not written so, or has host bits. */
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

/** The first address of a network, which the server keeps for its gateway. */
export function gatewayOf({ first }: Cidr): string {
  return formatAddress(first + 1)
}

/** The end of a slot's link. Throws for a slot that no host has. */
export function endOfSlot(slot: number): string {
  if (!Number.isInteger(slot) || slot < 0 || slot >= SLOTS_MAX) throw new Error(`There is no slot ${slot}.`)
  return `169.254.32.${slot + 1}`
}

/** The slot whose end an address is; `undefined` where it is none. */
export function slotOfEnd(address: string): number | undefined {
  const [, last] = /^169\.254\.32\.(\d{1,2})$/.exec(address) ?? []
  const slot = Number(last) - 1
  return last !== undefined && slot >= 0 && slot < SLOTS_MAX ? slot : undefined
}

/** The hardware address of a host inside of a carried subnet: told by its IPv4 address, so that nobody has to ask. */
export function carrierMac(host_address: string): string {
  const number = parseAddress(host_address)
  if (number === undefined) throw new Error(`${host_address} is no IPv4 address.`)
  const octets = [24, 16, 8, 0].map((bits) => ((number >>> bits) & 255).toString(16).padStart(2, '0'))
  return ['02', '62', ...octets].join(':')
}

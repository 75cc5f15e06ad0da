/**
 * Which addresses are public. Requests to URLs of customers go to public addresses only, so that nobody reaches the
 * network of the operator through the server.
 */
import ipaddr from 'ipaddr.js'

/** Names that never belong to a public address: RFC 6761, 6762, 8375 and 9476, and the common names of metadata. */
const privateSuffixes = [
  'localhost',
  'local',
  'internal',
  'home.arpa',
  'test',
  'invalid',
  'onion',
  'alt',
  'localdomain',
]

/** Addresses of metadata services of clouds in ranges that are public elsewhere: Azure's. */
const metadataAddresses = ['168.63.129.16']

/** The only range of IPv6 that the registries have given to the internet (RFC 4291, IANA). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is public: not private, loopback, link-local, multicast or reserved, not of the metadata service
 * of a cloud, and no form of IPv6 that carries an IPv4 address (IPv4-mapped, NAT64, 6to4, Teredo), which a router or
 * the host could take for a private one. False for text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast' || metadataAddresses.includes(address.toString())) return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast)
}

/** Whether the host of a URL may be public, as far as can be told without asking DNS. */
export function mayBePublicHost(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (ipaddr.isValid(name)) return isPublicAddress(name)
  // A name without a dot exists only in a local network.
  if (!name.includes('.')) return false
  return !privateSuffixes.some((suffix) => name.toLowerCase().endsWith(`.${suffix}`))
}

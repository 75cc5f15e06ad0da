/**
 * Which addresses a host may declare. A host that declares the address of another one takes its traffic, and one that
 * declares garbage would stop the networks of its peers.
 */
import { BlockList, isIPv4 } from 'node:net'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** The networks that the operator allows. */
export type HostNetworks = {
  /** For addresses of hosts. Undefined allows every network of hosts. */
  readonly hosts: BlockList | undefined
  /** For public addresses of machines. Undefined allows every network of hosts. */
  readonly publics: BlockList | undefined
  /** The addresses of hosts inside of tunnels, which are not addresses of links. */
  readonly tunnels: BlockList
  /** Whether hosts may share addresses and use loopback, as several agents on one computer do. For trials. */
  readonly are_shared: boolean
}

/** The most public addresses of a host: four for each of 64 slots. */
export const publicAddressesMax = 256

type NamedNetwork = { readonly name: string; readonly network: BlockList }

const loopback = named('127.0.0.0/8')
/** Networks without hosts: this network, link-local, multicast and reserved (RFC 6890). */
const reservedNetworks = ['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'].map(named)

type DeclaredAddresses = Pick<HostFacts, 'host_address' | 'public_ipv4s'>

/** Reads IPv4 networks that are separated by commas. Undefined where one is malformed or has host bits. */
export function parseNetworks(text: string): BlockList | undefined {
  const networks = new BlockList()
  for (const one of text.split(',')) {
    const [address = '', prefix = '', ...rest] = one.trim().split('/')
    if (!isIPv4(address) || !/^\d{1,2}$/.test(prefix) || Number(prefix) > 32 || rest.length > 0) return undefined
    const number = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
    if (number % 2 ** (32 - Number(prefix)) !== 0) return undefined
    networks.addSubnet(address, Number(prefix))
  }
  return networks
}

/** Refuses addresses that a host may not declare: `address_refused`. */
export function refuseAddresses(declared: DeclaredAddresses, networks: HostNetworks): RefusalData | undefined {
  const { host_address, public_ipv4s } = declared
  const nowhere = [
    ...reservedNetworks,
    { name: 'the network of tunnels (BOURSE_TUNNEL_NETWORK)', network: networks.tunnels },
  ]
  const never = networks.are_shared ? nowhere : [...nowhere, loopback]
  const refuse = (field: string, message: string): RefusalData => ({ code: 'address_refused', field, message })
  const own = problemOf(host_address, never, networks.hosts)
  if (own !== undefined) return refuse('facts.host_address', own)
  if (public_ipv4s.length > publicAddressesMax) {
    return refuse('facts.public_ipv4s', `A host declares at most ${publicAddressesMax} public addresses.`)
  }
  const seen = new Set([host_address])
  for (const [index, address] of public_ipv4s.entries()) {
    const field = `facts.public_ipv4s.${index}`
    const problem = problemOf(address, [...nowhere, loopback], networks.publics)
    if (problem !== undefined) return refuse(field, problem)
    if (seen.has(address)) return refuse(field, `${address} is declared twice, or is the address of the host itself.`)
    seen.add(address)
  }
  return undefined
}

function problemOf(text: string, never: readonly NamedNetwork[], allowed: BlockList | undefined): string | undefined {
  if (!isIPv4(text)) return 'Declare an IPv4 address, such as 192.0.2.7.'
  const found = never.find(({ network }) => network.check(text))
  if (found) return `${text} is in ${found.name}, where no other host can reach it.`
  if (!allowed || allowed.check(text)) return undefined
  return `${text} is in none of the networks that the operator allows.`
}

function named(name: string): NamedNetwork {
  return { name, network: parseNetworks(name) as BlockList }
}

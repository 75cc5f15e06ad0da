// Which keys a host may declare for its tunnel, and the addresses of hosts inside of tunnels.

import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import type { RefusalData } from '../../core/base/refusal.ts'

/** The key and the port that a host declares for its tunnel. */
export type DeclaredTunnel = {
  readonly public_key: string
  readonly next_public_key: string | null
  readonly port: number
}

/** A tunnel as it is stored. */
export type TunnelRow = DeclaredTunnel & {
  readonly host_id: string
  /** Its address follows from the number, which no other host has. */
  readonly number: number
  readonly address: string
  readonly changed_at: number
}

/** An IPv4 network. `first` is its first address as a number, `prefix` its length in bits. */
export type TunnelNetwork = { readonly first: number; readonly prefix: number }

/** The largest network that is accepted, and the smallest: one of four addresses. */
const prefixMin = 8
const prefixMax = 30

/** Numbers of the field of Curve25519 are below 2^255 - 19; a key has one encoding. */
const field = 2n ** 255n - 19n

/**
 * Any private key shows whether a public key is of low order: all private keys are multiples of the cofactor, so their
 * shared secret with such a key is zero.
 */
const probe = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), Buffer.alloc(32, 0x42)]),
  format: 'der',
  type: 'pkcs8',
})

/** Reads the network of tunnels. Undefined where it is malformed, too large or too small. */
export function parseTunnelNetwork(text: string): TunnelNetwork | undefined {
  const [, address = '', length = ''] = /^((?:\d{1,3}\.){3}\d{1,3})\/(\d{1,2})$/.exec(text) ?? []
  const octets = address.split('.').map(Number)
  const prefix = Number(length)
  if (octets.length !== 4 || octets.some((octet) => octet > 255) || prefix < prefixMin || prefix > prefixMax) {
    return undefined
  }
  const first = octets.reduce((sum, octet) => sum * 256 + octet, 0)
  return first % 2 ** (32 - prefix) === 0 ? { first, prefix } : undefined
}

/** The address of the host with a number, counted from 1. Undefined where the network has no more addresses. */
export function tunnelAddress({ first, prefix }: TunnelNetwork, number: number): string | undefined {
  // The first and the last address of a network are not used.
  if (number < 1 || number > 2 ** (32 - prefix) - 2) return undefined
  const address = first + number
  return [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.')
}

/** Refuses keys with which no secret can be agreed on, and one key twice: `tunnel_key_refused`. */
export function refuseTunnel({ public_key, next_public_key }: DeclaredTunnel): RefusalData | undefined {
  const refuse = (field: string, message: string): RefusalData => ({ code: 'tunnel_key_refused', field, message })
  if (isWeakKey(public_key)) return refuse('public_key', 'This is not a key of Curve25519, or a weak one.')
  if (next_public_key === null) return undefined
  if (isWeakKey(next_public_key)) return refuse('next_public_key', 'This is not a key of Curve25519, or a weak one.')
  return next_public_key === public_key ? refuse('next_public_key', 'The next key is the present one.') : undefined
}

/** Whether a declaration differs from what is stored. */
export function hasTunnelChanged(known: DeclaredTunnel | undefined, declared: DeclaredTunnel): boolean {
  const { public_key, next_public_key, port } = declared
  return known?.public_key !== public_key || known.next_public_key !== next_public_key || known.port !== port
}

/** Whether traffic of a subnet is encrypted: always, unless the operator accepts less and a host has no WireGuard. */
export function trafficOf(
  hosts: readonly { readonly encrypts_traffic: boolean | null }[],
  acceptsUnencrypted: boolean,
): 'encrypted' | 'unencrypted' {
  const isLacking = hosts.some(({ encrypts_traffic }) => encrypts_traffic === false)
  return acceptsUnencrypted && isLacking ? 'unencrypted' : 'encrypted'
}

function isWeakKey(publicKey: string): boolean {
  const bytes = Buffer.from(publicKey, 'base64')
  if (bytes.length !== 32 || BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) >= field) return true
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: bytes.toString('base64url') }, format: 'jwk' })
  try {
    return diffieHellman({ privateKey: probe, publicKey: key }).every((byte) => byte === 0)
  } catch {
    // OpenSSL refuses a secret of zeros.
    return true
  }
}

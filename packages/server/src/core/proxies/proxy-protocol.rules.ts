/**
 * The header of the PROXY protocol, version 2, that a balancer sends before the bytes of its client
 * (https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt, section 2.2).
 */
import { canonicalAddress } from '../base/networks.rules.ts'

/** With these bytes a header begins. No HTTP request does. */
export const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')

/** Signature, version and command, family and transport, length of the rest. */
const fixedLength = signature.length + 4
/** Balancers add names and certificates of clients to the addresses. More than a few kilobytes has no use here. */
export const proxyHeaderLengthMax = 4_096

/**
 * What the first bytes of a connection are. `partial`: a header that is not complete. Of a whole one `length` says
 * where it ends, and `address` who the client is; undefined if the balancer speaks for itself or knows no address.
 */
export type FirstBytes =
  | { readonly kind: 'partial' }
  | { readonly kind: 'no_header' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'too_long' }
  | { readonly kind: 'header'; readonly length: number; readonly address: string | undefined }

/** Reads the first bytes of a connection. */
export function readProxyHeader(bytes: Buffer): FirstBytes {
  const begun = Math.min(bytes.length, signature.length)
  if (signature.compare(bytes, 0, begun, 0, begun) !== 0) return { kind: 'no_header' }
  if (bytes.length < fixedLength) return { kind: 'partial' }
  const length = fixedLength + bytes.readUInt16BE(signature.length + 2)
  if (length > proxyHeaderLengthMax) return { kind: 'too_long' }
  if (bytes.length < length) return { kind: 'partial' }
  const address = clientIn(bytes.subarray(signature.length, length))
  return address === 'malformed' ? { kind: 'malformed' } : { kind: 'header', length, address }
}

/** Version 2 with the command LOCAL: the balancer speaks for itself, as for a health check. */
const local = 0x20
const proxy = 0x21

const tcpOverIpv4 = 0x11
const tcpOverIpv6 = 0x21
const unixStream = 0x31

/** Bytes of the addresses and ports by family and transport. Only streams carry HTTP. 0: the balancer does not know. */
const blockLengths = new Map([
  [0, 0],
  [tcpOverIpv4, 12],
  [tcpOverIpv6, 36],
  [unixStream, 216],
])

/** The source address in what follows the signature. */
function clientIn(bytes: Buffer): string | undefined | 'malformed' {
  const [command = 0, family = 0] = bytes
  if (command === local) return undefined
  const length = blockLengths.get(family)
  const block = bytes.subarray(4)
  if (command !== proxy || length === undefined || block.length < length) return 'malformed'
  if (family === tcpOverIpv4) return block.subarray(0, 4).join('.')
  if (family !== tcpOverIpv6) return undefined
  const groups = Array.from({ length: 8 }, (_, at) => block.readUInt16BE(2 * at).toString(16))
  return canonicalAddress(groups.join(':'))
}

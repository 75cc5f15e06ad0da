// A DHCP server (RFC 2131). Each guest always gets the same lease, whatever it requests. Every image supports DHCP.

/** The lease of a guest. Addresses are IPv4 text. */
export type Lease = {
  readonly address: string
  readonly prefix: number
  readonly gateway: string
  readonly nameservers: readonly string[]
  readonly mtu: number
  readonly mac: string
}

const bootRequest = 1
const bootReply = 2
const ethernet = 1
/** The length of the fixed fields before the options, and the offsets of client address and hardware address. */
const headerBytes = 236
const yourAddressAt = 16
const serverAddressAt = 20
const hardwareAt = 28
const cookie = Buffer.from([99, 130, 83, 99])
/** The least size of a BOOTP packet; some clients drop shorter ones. */
const replyBytesMin = 300
const message = { discover: 1, offer: 2, request: 3, ack: 5, inform: 8 } as const
const option = { mask: 1, router: 3, names: 6, mtu: 26, lease: 51, type: 53, server: 54, end: 255 } as const
/** Infinite: the address never changes, and the guest must not lose it while the agent is not running. */
const leaseSeconds = 0xffff_ffff

/** The reply to a packet; `undefined` if there is none. */
export function answerDhcp(packet: Buffer, lease: Lease): Buffer | undefined {
  if (packet.length < headerBytes + cookie.length || packet[0] !== bootRequest || packet[1] !== ethernet)
    return undefined
  if (!packet.subarray(headerBytes, headerBytes + cookie.length).equals(cookie)) return undefined
  const hardware = packet.toString('hex', hardwareAt, hardwareAt + 6)
  if (hardware !== lease.mac.replaceAll(':', '')) return undefined
  const asked = typeOf(packet)
  if (asked === message.discover) return reply(packet, message.offer, lease)
  return asked === message.request || asked === message.inform ? reply(packet, message.ack, lease) : undefined
}

function typeOf(packet: Buffer): number | undefined {
  for (let at = headerBytes + cookie.length; at + 1 < packet.length && packet[at] !== option.end; ) {
    // A pad option is one byte without a length.
    if (packet[at] === 0) at += 1
    else if (packet[at] === option.type) return packet[at + 2]
    else at += 2 + (packet[at + 1] as number)
  }
  return undefined
}

function reply(packet: Buffer, type: number, lease: Lease): Buffer {
  const { address, prefix, gateway, nameservers, mtu } = lease
  const header = Buffer.alloc(headerBytes)
  // Transaction, flags and hardware address are copied from the request.
  packet.copy(header, 0, 0, hardwareAt + 16)
  header[0] = bootReply
  header[3] = 0
  header.fill(0, yourAddressAt, hardwareAt)
  bytesOf(address).copy(header, yourAddressAt)
  bytesOf(gateway).copy(header, serverAddressAt)
  const mask = Buffer.alloc(4)
  mask.writeUInt32BE((0xffff_ffff << (32 - prefix)) >>> 0)
  const whole = Buffer.concat([
    header,
    cookie,
    field(option.type, Buffer.from([type])),
    field(option.server, bytesOf(gateway)),
    field(option.lease, number(leaseSeconds, 4)),
    field(option.mask, mask),
    field(option.router, bytesOf(gateway)),
    ...(nameservers.length === 0 ? [] : [field(option.names, Buffer.concat(nameservers.map(bytesOf)))]),
    field(option.mtu, number(mtu, 2)),
    Buffer.from([option.end]),
  ])
  return Buffer.concat([whole, Buffer.alloc(Math.max(0, replyBytesMin - whole.length))])
}

function field(code: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([code, value.length]), value])
}

function number(value: number, length: 2 | 4): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}

function bytesOf(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

import { carrierMac } from '../../src/network/addresses.rules.ts'

/** The ends of a packet: where VXLAN is sent from and to, and the machines. */
type Carried = { vni: number; from: string; to: string; source: string; target: string }

/** A datagram in a VXLAN packet (RFC 7348), in base64. Its checksum may be zero (RFC 768). */
export function carriedDatagram({ vni, from, to, source, target }: Carried, output: string): string {
  const bytes = (mac: string) => Buffer.from(mac.replaceAll(':', ''), 'hex')
  const address = (of: string) => Buffer.from(of.split('.').map(Number))
  const datagram = Buffer.concat([Buffer.alloc(8), Buffer.from(output)])
  datagram.writeUInt16BE(9000, 0)
  datagram.writeUInt16BE(9000, 2)
  datagram.writeUInt16BE(datagram.length, 4)
  const header = Buffer.concat([
    Buffer.from([0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0]),
    address(source),
    address(target),
  ])
  header.writeUInt16BE(header.length + datagram.length, 2)
  let sum = 0
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at)
  header.writeUInt16BE(~((sum & 0xffff) + (sum >>> 16)) & 0xffff, 10)
  const outer = Buffer.alloc(8)
  outer.writeUInt8(0x08, 0)
  outer.writeUInt32BE(vni << 8, 4)
  const frame = Buffer.concat([bytes(carrierMac(to)), bytes(carrierMac(from)), Buffer.from([0x08, 0])])
  return Buffer.concat([outer, frame, header, datagram]).toString('base64')
}

/** The curves of ECDSA keys (SEC 2, version 2): whether a point that somebody sends is one of the curve. */

type Curve = { readonly prime: bigint; readonly b: bigint; readonly coordinate_bytes: number; readonly bits: number }

const curves: Readonly<Record<string, Curve>> = {
  nistp256: {
    prime: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    coordinate_bytes: 32,
    bits: 256,
  },
  nistp384: {
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    coordinate_bytes: 48,
    bits: 384,
  },
  nistp521: {
    prime: 2n ** 521n - 1n,
    b: BigInt(
      '0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1' +
        '56193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00',
    ),
    coordinate_bytes: 66,
    bits: 521,
  },
}

/** The bits of a curve. */
export function curveBits(name: string): number {
  return curves[name]?.bits ?? 0
}

/** Whether bytes are an uncompressed point of a curve (SEC 1, section 2.3.3). The other forms are not used in keys. */
export function isPointOf(name: string, bytes: Uint8Array): boolean {
  const curve = curves[name]
  if (!curve || bytes.length !== 1 + 2 * curve.coordinate_bytes || bytes[0] !== 4) return false
  const { prime, b, coordinate_bytes } = curve
  const x = bigEndian(bytes.subarray(1, 1 + coordinate_bytes))
  const y = bigEndian(bytes.subarray(1 + coordinate_bytes))
  if (x >= prime || y >= prime) return false
  return (y * y - (x * x * x - 3n * x + b)) % prime === 0n
}

/** The number that bytes are, the highest first. */
export function bigEndian(bytes: Uint8Array): bigint {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return BigInt(`0x0${digits}`)
}

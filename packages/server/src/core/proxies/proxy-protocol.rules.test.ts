import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { proxyHeaderLengthMax, readProxyHeader, signature } from './proxy-protocol.rules.ts'

const addresses4 = Buffer.from([192, 0, 2, 1, 10, 0, 0, 1, 0x13, 0x88, 0, 80])
const addresses6 = Buffer.from('20010db80002000000000000000000010a000000000000000000000000000001138801bb', 'hex')
const mapped = Buffer.from('00000000000000000000ffffc00002010a000000000000000000000000000001138801bb', 'hex')
const extension = Buffer.from([0x04, 0, 3, 1, 2, 3])

type HeaderFields = {
  readonly command?: number
  readonly family?: number
  readonly length?: number
  readonly rest?: Buffer
}

function header({ command = 0x21, family = 0x11, rest = addresses4, length = rest.length }: HeaderFields = {}): Buffer {
  return Buffer.concat([signature, Buffer.from([command, family, length >> 8, length & 255]), rest])
}

test('a header says who the client is, or that the balancer speaks for itself', () => {
  const headers: readonly (readonly [HeaderFields, string | undefined])[] = [
    [{}, '192.0.2.1'],
    [{ rest: Buffer.concat([addresses4, extension]) }, '192.0.2.1'],
    [{ family: 0x21, rest: addresses6 }, '2001:db8:2::1'],
    [{ family: 0x21, rest: Buffer.concat([addresses6, extension]) }, '2001:db8:2::1'],
    [{ family: 0x21, rest: mapped }, '192.0.2.1'],
    [{ command: 0x20, family: 0x00, rest: Buffer.alloc(0) }, undefined],
    [{ command: 0x20 }, undefined],
    [{ command: 0x20, family: 0xff }, undefined],
    [{ family: 0x00, rest: extension }, undefined],
    [{ family: 0x31, rest: Buffer.alloc(216, 'a') }, undefined],
    [{ rest: Buffer.concat([addresses4, Buffer.alloc(proxyHeaderLengthMax - 28)]) }, '192.0.2.1'],
  ]
  for (const [fields, address] of headers) {
    const bytes = header(fields)
    const read = { kind: 'header' as const, length: bytes.length, address }
    assert.deepEqual(readProxyHeader(bytes), read)
    assert.deepEqual(readProxyHeader(Buffer.concat([bytes, Buffer.from('GET / HTTP/1.1\r\n')])), read)
  }
})

test('other versions, commands, transports and lengths are no header', () => {
  const malformed: readonly HeaderFields[] = [
    { command: 0x11 },
    { command: 0x31 },
    { command: 0x22 },
    { family: 0x12 },
    { family: 0x22, rest: addresses6 },
    { family: 0x32, rest: Buffer.alloc(216) },
    { family: 0x01 },
    { family: 0x41 },
    { family: 0x11, rest: addresses4.subarray(1) },
    { family: 0x21, rest: addresses6.subarray(1) },
    { family: 0x31, rest: Buffer.alloc(215) },
  ]
  for (const fields of malformed) assert.deepEqual(readProxyHeader(header(fields)), { kind: 'malformed' })
})

test('a header that is too long is refused as soon as it says so', () => {
  const begun = (length: number) => readProxyHeader(header({ length }).subarray(0, 16)).kind
  assert.deepEqual([begun(proxyHeaderLengthMax - 16), begun(proxyHeaderLengthMax - 15)], ['partial', 'too_long'])
  assert.equal(begun(0xffff), 'too_long')
})

test('what begins otherwise has no header', () => {
  for (const text of ['GET / HTTP/1.1\r\n', 'PROXY TCP4 192.0.2.1 10.0.0.1 5000 80\r\n', '\r\n\r\nGET /', '\r\n\r\r']) {
    assert.deepEqual(readProxyHeader(Buffer.from(text)), { kind: 'no_header' }, text)
  }
})

test('a header is read whole, in whatever pieces it arrives', () => {
  const whole = header({ rest: Buffer.concat([addresses4, extension]) })
  for (let length = 0; length < whole.length; length++) {
    assert.deepEqual(readProxyHeader(whole.subarray(0, length)), { kind: 'partial' }, `${length} bytes`)
  }
})

test('any bytes behind the signature are read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (rest) => {
      const bytes = Buffer.concat([signature, rest])
      const read = readProxyHeader(bytes)
      if (read.kind === 'header') assert.ok(read.length <= bytes.length)
    }),
  )
})

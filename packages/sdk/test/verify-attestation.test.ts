import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'vitest'
import { AttestationVerificationError } from '../src/errors.ts'
import type { InstanceAttestation, JsonWebKeySet } from '../src/generated/types.ts'
import { type VerifyAttestationOptions, verifyAttestation } from '../src/verify-attestation.ts'

const at = 1_800_000_000
const [server, machine, other] = [newKey(), newKey(), newKey()]
const keys: JsonWebKeySet = { keys: [jwkOf(other, 'old'), jwkOf(server, 'now')] }
const instance = 'inst_a'
const hardware = { accelerators: [{ pci: '0000:1b:00.0' }], numa_nodes: 2, qemu: null }
const stated = { sub: instance, iat: at - 100, exp: at + 7100, slot: 0, hardware }
const shown = { sku: 'sku_a', host: 'abc', simulated: false }
const claimed = { iss: 'https://bourse.example', sub: instance, ...shown, iat: at - 50, exp: at + 7100 }

function newKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey
}

function xOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'jwk' }).x as string
}

function jwkOf(key: KeyObject, kid: string): JsonWebKeySet['keys'][number] {
  return { kty: 'OKP', crv: 'Ed25519', x: xOf(key), kid, use: 'sig', alg: 'EdDSA' }
}

function signed(key: KeyObject, header: object, claims: object): string {
  const parts = [{ alg: 'EdDSA', ...header }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return `${parts.join('.')}.${sign(null, Buffer.from(parts.join('.')), key).toString('base64url')}`
}

const statementOf = (more: object = {}, key = machine, typ = 'bourse-machine+jwt') =>
  signed(key, { typ }, { ...stated, ...more })

/** A signed text of the server. By default it is valid. */
function tokenOf(more: object = {}, { key = server, typ = 'bourse-attestation+jwt', kid = 'now' } = {}): string {
  const cnf = { jwk: { kty: 'OKP', crv: 'Ed25519', x: xOf(machine) } }
  return signed(key, { typ, kid }, { ...claimed, cnf, statement: statementOf(), ...more })
}

const good = {
  object: 'instance_attestation',
  instance,
  ...shown,
  attested_at: at - 50,
  expires_at: at + 7100,
  hardware,
  jws: tokenOf(),
} as unknown as InstanceAttestation

async function assertRefused(attestation: InstanceAttestation | string, message: RegExp, more: object = {}) {
  const options: VerifyAttestationOptions = { keys, at, ...more }
  await assert.rejects(verifyAttestation(attestation, options), (error: Error) => {
    assert.ok(error instanceof AttestationVerificationError, String(error))
    assert.match(error.message, message)
    return true
  })
}

test('a genuine attestation gives what the host stated, from the whole of it or from its jws', async () => {
  const issuer = 'https://bourse.example'
  for (const [attestation, known] of [
    [good, keys],
    [good.jws, keys.keys],
  ] as const) {
    assert.deepEqual(await verifyAttestation(attestation, { keys: known, at, instance, issuer }), {
      instance,
      ...shown,
      issuer,
      signed_by_host: true,
      stated_at: at - 100,
      expires_at: at + 7100,
      hardware,
    })
  }
})

test('a signature that is changed, or by a key of somebody else, is refused', async () => {
  const [head, body, signature] = good.jws.split('.') as [string, string, string]
  const forged = Buffer.from(JSON.stringify({ ...claimed, host: 'another' })).toString('base64url')
  await assertRefused(`${head}.${forged}.${signature}`, /A signature is not valid/)
  await assertRefused(tokenOf({}, { key: other }), /A signature is not valid/)
  await assertRefused(tokenOf({}, { kid: 'old' }), /A signature is not valid/)
  await assertRefused(tokenOf({}, { kid: 'unknown' }), /None of the keys/)
  await assertRefused(tokenOf({ statement: statementOf({}, other) }), /A signature is not valid/)
  const none = Buffer.from('{"alg":"none","typ":"bourse-attestation+jwt","kid":"now"}').toString('base64url')
  await assertRefused(`${none}.${body}.`, /not of the type/)
})

test('a signed text of another kind is none', async () => {
  await assertRefused(tokenOf({}, { typ: 'bourse-api+jwt' }), /not of the type/)
  await assertRefused(tokenOf({ statement: statementOf({}, machine, 'bourse-machine-key+jwt') }), /not of the type/)
  for (const text of ['', 'a.b', 'a.b.c', '!.e30.x', 'x'.repeat(100_000)]) await assertRefused(text, /not valid\. /)
  const key = { jwk: { kty: 'OKP', crv: 'Ed25519', x: 'short' } }
  await assertRefused(tokenOf({ cnf: key }), /wrong length/)
  await assertRefused(tokenOf({ cnf: 'none' }), /names no key/)
})

test('an attestation of another instance, server or host is refused', async () => {
  await assertRefused(good, /about another instance: inst_a/, { instance: 'inst_b' })
  await assertRefused(good, /Another server/, { issuer: 'https://other.example' })
  await assertRefused(tokenOf({ statement: statementOf({ sub: 'inst_b' }) }), /statement of the host is about another/)
  await assertRefused(
    { ...good, jws: tokenOf({ sub: 'inst_b', statement: statementOf({ sub: 'inst_b' }) }) },
    /instance/,
  )
})

test('it is refused once the statement or the attestation has expired, and before its time', async () => {
  for (const token of [tokenOf({ exp: at }), tokenOf({ statement: statementOf({ exp: at }) })]) {
    await assertRefused(token, /It expired at/)
    assert.equal((await verifyAttestation(token, { keys, at: at - 1 })).instance, instance)
  }
  await assertRefused(tokenOf({ iat: at + 61 }), /from a later time/)
  await assertRefused(tokenOf({ statement: statementOf({ iat: at + 61 }) }), /from a later time/)
  await assertRefused(tokenOf({ exp: 'never' }), /It has no times/)
  await assertRefused(good.jws, /It expired at/, { at: at + 9000 })
})

test('members beside the jws must be those that were signed', async () => {
  for (const [changed, message] of [
    [{ instance: 'inst_b' }, /Its instance is not/],
    [{ sku: 'sku_b' }, /Its sku is not/],
    [{ host: 'xyz' }, /Its host is not/],
    [{ simulated: true }, /Its simulated is not/],
    [{ hardware: { ...hardware, numa_nodes: 4 } }, /Its hardware is not/],
    [{ hardware: { ...hardware, accelerators: [] } }, /Its hardware is not/],
    [{ hardware: { ...hardware, more: 1 } }, /Its hardware is not/],
  ] as const) {
    await assertRefused({ ...good, ...changed } as InstanceAttestation, message)
  }
})

test('only a simulated host need not sign', async () => {
  const bare = { ...claimed, hardware }
  const token = (simulated: boolean) =>
    signed(server, { typ: 'bourse-attestation+jwt', kid: 'now' }, { ...bare, simulated })
  await assertRefused(token(false), /The host has not signed it/)
  const verified = await verifyAttestation(token(true), { keys, at })
  assert.deepEqual([verified.simulated, verified.signed_by_host, verified.hardware], [true, false, hardware])
})

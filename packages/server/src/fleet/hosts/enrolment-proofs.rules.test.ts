import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { enrolmentProofText } from '@bourse/api/fleet/agent.ts'
import { test } from 'vitest'
import { isProven } from './enrolment-proofs.rules.ts'

const now = 1_800_000_000
const host = keyPair()
const other = keyPair()

function keyPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { public_key: publicKey.export({ format: 'jwk' }).x as string, privateKey }
}

function introduced(change: { by?: typeof host; signed_at?: number; enrol_token?: string } = {}) {
  const { by = host, signed_at = now, enrol_token = 'bhe_a' } = change
  const text = enrolmentProofText({ enrol_token, public_key: host.public_key, signed_at })
  const signature = sign(null, Buffer.from(text), by.privateKey).toString('base64url')
  return { enrol_token: 'bhe_a', public_key: host.public_key, proof: { signed_at, signature } }
}

test('a proof holds for the key, the permit and five minutes', () => {
  assert.ok(isProven(introduced(), now))
  assert.ok(isProven(introduced({ signed_at: now - 300 }), now))
  assert.ok(isProven(introduced({ signed_at: now + 300 }), now))
})

test('a proof by another key, for another permit, of another time or of no key is refused', () => {
  for (const [what, body] of Object.entries({
    'another key': introduced({ by: other }),
    'another permit': introduced({ enrol_token: 'bhe_b' }),
    'the proof of another request': { ...introduced(), enrol_token: 'bhe_b' },
    'too old': introduced({ signed_at: now - 301 }),
    'too early': introduced({ signed_at: now + 301 }),
    'another time': { ...introduced(), proof: { ...introduced().proof, signed_at: now - 1 } },
    'a key of no host': { ...introduced(), public_key: other.public_key },
    none: { ...introduced(), proof: undefined },
  })) {
    assert.equal(isProven(body, now), false, what)
  }
  const zeros = { ...introduced(), public_key: 'A'.repeat(43) }
  assert.equal(isProven(zeros, now), false)
})

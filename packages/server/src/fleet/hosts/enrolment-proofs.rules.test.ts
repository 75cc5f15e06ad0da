import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { enrolmentProofText } from '@bourse/api/fleet/agent.ts'
import { test } from 'vitest'
import { judgeProof, proofOf, refuseEarly } from './enrolment-proofs.rules.ts'

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

function isProven(body: Parameters<typeof proofOf>[0], at = now): boolean {
  return proofOf(body, at) !== undefined
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

/** What is stored of a request that got an epoch. */
function accepted(body: ReturnType<typeof introduced>, epoch = 7) {
  const proof = proofOf(body, now)
  assert.ok(proof)
  return { ...proof, epoch }
}

test('a request counts once: after it only one that is signed later does', () => {
  const [last, later] = [introduced(), introduced({ signed_at: now + 1 })]
  assert.deepEqual(judgeProof(last, now, undefined), { next: proofOf(last, now) })
  assert.deepEqual(judgeProof(later, now, accepted(last)), { next: proofOf(later, now) })
  assert.deepEqual(judgeProof(last, now, accepted(last)), { repeats: accepted(last) })
  assert.deepEqual(judgeProof(last, now, accepted(introduced({ signed_at: now + 2 }))), {
    refusal: {
      code: 'stale_enrolment',
      message: 'The host has enrolled by a request that it signed later. Enrol again in 3 s.',
    },
  })
})

test('the same proof with something else is refused', () => {
  const last = introduced()
  const judged = judgeProof({ ...last, ...{ agent_version: '2' } }, now, accepted(last))
  assert.ok('refusal' in judged)
  assert.equal(judged.refusal.code, 'stale_enrolment')
})

test('a request without a proof that holds is refused, also if the same one was accepted', () => {
  const last = introduced()
  for (const [body, at] of [
    [introduced({ by: other }), now],
    [{ ...last, proof: undefined }, now],
    [last, now + 301],
  ] as const) {
    const judged = judgeProof(body, at, accepted(last))
    assert.ok('refusal' in judged)
    assert.equal(judged.refusal.code, 'authentication_error')
  }
})

test('a first request is refused only if its proof will hold later', () => {
  assert.equal(refuseEarly(introduced({ signed_at: now + 301 }), now)?.code, 'authentication_error')
  for (const [what, body] of Object.entries({
    'within five minutes': introduced({ signed_at: now + 300 }),
    'of the past': introduced({ signed_at: now - 86_400 }),
    'by another key': introduced({ signed_at: now + 301, by: other }),
    'without a proof': { ...introduced(), proof: undefined },
  })) {
    assert.equal(refuseEarly(body, now), undefined, what)
  }
})

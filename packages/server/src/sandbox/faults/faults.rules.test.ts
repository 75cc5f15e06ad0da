import assert from 'node:assert/strict'
import { type FaultKind, faultKinds } from '@bourse/api/sandbox/faults.ts'
import { test } from 'vitest'
import { type FaultParams, isActive, refuseFault, timesOf } from './faults.rules.ts'

const whole: Readonly<Record<FaultKind, readonly object[]>> = {
  http_error: [{ status: 500 }],
  http_latency: [{ milliseconds: 5 }],
  connection_cut: [{ moment: 'before' }],
  database_down: [{}],
  market_halt: [{}],
  host_silent: [{ host: 'h' }],
  host_crash: [{ host: 'h' }],
  start_failure: [{ host: 'h' }, { instance: 'i' }],
  checksum_mismatch: [{ host: 'h' }, { instance: 'i' }],
  instance_unhealthy: [{ instance: 'i' }],
  webhook_failure: [{ webhook: 'w', status: 500 }],
  preempt: [{ instance: 'i' }, { pool: 'p', sku: 's', node_count: 1 }],
}
const every = { status: 500, milliseconds: 5, moment: 'after', operation: 'x', probability_percent: 5 }
const all: Readonly<Record<string, unknown>> = {
  ...every,
  host: 'h',
  instance: 'i',
  pool: 'p',
  sku: 's',
  node_count: 1,
  webhook: 'w',
}

const kinds = Object.keys(faultKinds) as FaultKind[]
const codeOf = (params: object) => refuseFault(params as FaultParams)?.code

test('each kind accepts its required and optional fields, and no others', () => {
  for (const kind of kinds) {
    for (const fields of whole[kind]) {
      assert.equal(codeOf({ kind, ...fields }), undefined, kind)
      const known = [...faultKinds[kind].one_of.flat(), ...faultKinds[kind].also] as string[]
      for (const [field, value] of Object.entries(all)) {
        const code = codeOf({ kind, ...fields, [field]: value })
        if (field in fields || (faultKinds[kind].also as readonly string[]).includes(field))
          assert.equal(code, undefined)
        else assert.equal(code, known.includes(field) ? 'mutually_exclusive' : 'not_applicable', `${kind} ${field}`)
      }
      for (const field of Object.keys(fields)) {
        const { [field]: _left, ...rest } = fields as Record<string, unknown>
        const refusal = refuseFault({ kind, ...rest } as FaultParams)
        assert.equal(refusal?.code, 'required', `${kind} without ${field}`)
      }
    }
  }
})

test('the message for a missing field names every set of fields that the kind accepts', () => {
  const messageOf = (params: FaultParams) => refuseFault(params)?.message
  assert.equal(messageOf({ kind: 'host_crash' }), 'A fault of kind host_crash needs host.')
  assert.equal(messageOf({ kind: 'preempt' }), 'A fault of kind preempt needs instance; or pool, sku, node_count.')
  assert.equal(messageOf({ kind: 'preempt', pool: 1 }), 'A fault of kind preempt needs pool, sku, node_count.')
})

test('a fault hits `times` times; by default once, or without limit if it lasts until an end', () => {
  assert.deepEqual([timesOf({ kind: 'market_halt' }), timesOf({ kind: 'market_halt', for_seconds: 9 })], [0, 0])
  assert.deepEqual(
    [codeOf({ kind: 'market_halt', times: 2 }), codeOf({ kind: 'preempt', instance: 'i', times: 1 })],
    ['not_applicable', 'not_applicable'],
  )
  for (const kind of kinds.filter((one) => one !== 'market_halt')) {
    assert.equal(timesOf({ kind }), 1)
    assert.equal(timesOf({ kind, times: 7, for_seconds: 9 }), 7)
    assert.equal(timesOf({ kind, for_seconds: 9 }), ['database_down', 'host_silent'].includes(kind) ? 0 : 1)
  }
})

test('a fault is active until its end or its last hit; host_silent only until its end', () => {
  const life = { kind: 'http_error', times: 2, hits: 0, ends_at: null }
  assert.equal(isActive(life, 100), true)
  assert.equal(isActive({ ...life, hits: 2 }, 100), false)
  assert.equal(isActive({ ...life, times: 0, hits: 50 }, 100), true)
  assert.equal(isActive({ ...life, ends_at: 101 }, 100), true)
  assert.equal(isActive({ ...life, ends_at: 100 }, 100), false)
  assert.equal(isActive({ ...life, kind: 'host_silent', hits: 2 }, 100), true)
  assert.equal(isActive({ ...life, kind: 'host_silent', ends_at: 100 }, 100), false)
})

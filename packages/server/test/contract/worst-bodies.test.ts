import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { agentEndpoints, endpoints } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { object } from '@bourse/api/kit/schema.ts'
import { test } from 'vitest'
import { jsonLimitsOf } from '../../src/core/base/json-limits.ts'
import { isRefusal } from '../../src/core/base/refusal.ts'
import { parseStrictJson } from '../../src/core/base/strict-json.ts'
import { checkOf } from '../../src/core/base/validate.ts'
import { inputReader } from '../../src/core/http/input.ts'
import { worstBodiesOf } from './worst-bodies.ts'

type WithBody = Endpoint & { readonly body: NonNullable<Endpoint['body']> }

const all: readonly Endpoint[] = [...endpoints, ...agentEndpoints]
const withBody = all.filter((operation): operation is WithBody => operation.body !== undefined)
const headers: IncomingHttpHeaders = { 'content-type': 'application/json' }

/** A value that counts how often its members and entries are read. */
function counted(value: unknown, count: () => void): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get: (target, name) => {
      count()
      return counted(Reflect.get(target, name), count)
    },
    getOwnPropertyDescriptor: (target, name) => {
      count()
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
  })
}

/** The number of values that validation reads; 0 where the text is refused before it is parsed. */
function readsOf({ body }: WithBody, bytes: Buffer): number {
  const parsed = parseStrictJson(bytes, jsonLimitsOf(body))
  let reads = 0
  if (parsed.ok) checkOf(body)(counted(parsed.value, () => reads++))
  return reads
}

/** Measures the processor time, in milliseconds, that reading a body takes. */
function meterOf(operation: WithBody): (bytes: Buffer) => number {
  // The path and the query have validations of their own.
  const read = inputReader({ ...operation, params: object({}), query: object({}) })
  const spend = (body: Buffer) => {
    const began = process.cpuUsage()
    try {
      read({ params: {}, query: '', body }, headers)
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
    return process.cpuUsage(began).user / 1000
  }
  // The first call compiles the schema.
  spend(Buffer.from('{"a":0}'))
  return spend
}

test('no body makes validation read more values than a few times those of the largest valid body', async ({
  annotate,
}) => {
  const worst: { label: string; milliseconds: number }[] = []
  let bodies = 0
  for (const operation of withBody) {
    const spend = meterOf(operation)
    const most = 5 * jsonLimitsOf(operation.body).values_max + 10_000
    let slowest = 0
    let label = ''
    for (const { label: filling, bytes } of worstBodiesOf(operation)) {
      bodies += 1
      const reads = readsOf(operation, bytes)
      assert.ok(reads <= most, `${operation.name}, ${filling}: ${reads} reads, at most ${most} expected`)
      // Repeated, since other processes and garbage collections disturb single measurements.
      const milliseconds = spend(bytes) > slowest ? Math.min(spend(bytes), spend(bytes)) : 0
      if (milliseconds <= slowest) continue
      slowest = milliseconds
      label = filling
    }
    worst.push({ label: `${operation.name}, ${label}`, milliseconds: slowest })
  }
  assert.ok(bodies > 3000, `${bodies} bodies`)
  const ranked = worst.toSorted((a, b) => b.milliseconds - a.milliseconds)
  for (const { label, milliseconds } of ranked.slice(0, 10)) await annotate(`${milliseconds.toFixed(1)} ms: ${label}`)
})

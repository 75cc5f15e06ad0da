import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openLog } from '../../src/core/base/log.ts'
import { openTestServer } from '../support/server.ts'

test('refused requests without a token are logged in sums, and those with a token one by one', async () => {
  const lines: Record<string, unknown>[] = []
  const server = await openTestServer({ log: openLog('info', { write: (line) => void lines.push(JSON.parse(line)) }) })
  const before = lines.length
  for (let at = 0; at < 40; at++) {
    await server.request('POST', '/absent', { token: null, body: {} })
    await server.request('DELETE', '/v2/skus', { token: null })
    await server.attempt('enrol_host', { token: null, raw: '{' })
  }
  assert.deepEqual(lines.slice(before), [])
  await server.attempt('create_instance', { body: 7 })
  assert.deepEqual(
    lines.slice(before).map(({ msg, status }) => [msg, status]),
    [['request', 400]],
  )
  await server[Symbol.asyncDispose]()
  const [sum, ...more] = lines.filter(({ counts }) => counts !== undefined)
  assert.deepEqual(more, [])
  assert.deepEqual(sum?.counts, { 400: { loopback: 40 }, 404: { loopback: 40 }, 405: { loopback: 40 } })
})

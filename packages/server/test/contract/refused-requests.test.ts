import assert from 'node:assert/strict'
import { test } from 'vitest'
import { openLog } from '../../src/core/base/log.ts'
import { openTestServer } from '../support/server.ts'

test('a read that the server fails is logged like a write, and one that succeeds is not', async () => {
  const lines: Record<string, unknown>[] = []
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  await using server = await openTestServer({ log })
  await server.call('create_fault', { body: { kind: 'http_error', status: 503, operation: 'list_skus', times: 1 } })
  const before = lines.length
  const failed = await server.attempt('list_skus')
  await server.call('list_skus')
  assert.equal(failed.status, 503)
  assert.deepEqual(
    lines.slice(before).map(({ msg, method, status, request_id }) => [msg, method, status, request_id]),
    [['request', 'GET', 503, failed.headers.get('x-request-id')]],
  )
})

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

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { recordingFetch, sentRequests } from './requests.ts'

test('reads do not push out what was done', async () => {
  const server = createServer((_, response) => void response.end('{"id":"ordr_1"}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/orders`
  await recordingFetch(url, { method: 'POST', body: '{}' })
  for (let reads = 0; reads < 120; reads++) await (await recordingFetch(url)).text()
  // An estimate has a body, and reads all the same: a ticket asks for one at each key.
  for (let reads = 0; reads < 120; reads++) {
    await (await recordingFetch(url.replace('/orders', '/order_estimates'), { method: 'POST', body: '{}' })).text()
  }
  const kept = sentRequests()
  assert.equal(kept.length, 101)
  assert.deepEqual([kept.at(-1)?.method, kept.at(-1)?.made, kept[0]?.path], ['POST', 'ordr_1', '/v2/order_estimates'])
  server.closeAllConnections()
  server.close()
})

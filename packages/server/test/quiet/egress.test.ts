import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { test } from 'vitest'
import { requestMilliseconds } from '../../src/core/egress/egress.ts'
import { openRaw, post, somewhere, using } from '../webhooks/egress-calls.ts'

test('a receiver that answers too slowly is given up after 15 seconds', async () => {
  await using silent = await openRaw(() => {})
  await using headers = await openRaw((socket) => {
    const drip = () => {
      if (!socket.destroyed && socket.write('H')) void pause(1_000).then(drip)
    }
    drip()
  })
  await using bodyless = await openRaw((socket) => socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 9\r\n\r\n'))
  await using halfway = await openRaw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'))
  const began = performance.now()
  await using({ ...somewhere }, async (egress) => {
    const [one, two, three, four] = await Promise.all(
      [silent, headers, bodyless, halfway].map(({ url }) => post(egress, url)),
    )
    assert.deepEqual(one, { error: 'timeout' })
    assert.ok(two && 'error' in two)
    assert.deepEqual(three, { status: 204, retry_after: undefined })
    assert.deepEqual(four, { status: 200, retry_after: undefined })
  })
  const took = performance.now() - began
  assert.ok(took > requestMilliseconds - 100 && took < requestMilliseconds + 10_000, `${took} ms`)
})

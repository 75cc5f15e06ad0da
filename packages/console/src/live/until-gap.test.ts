import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@bourse/sdk'
import { onTestFinished, test } from 'vitest'
import { followUntilGap } from './until-gap.ts'

/** A gap, and an event that comes together with it. */
const gapAndEvent = 'event: gap\nid: cursor_1\ndata: {}\n\nid: cursor_2\ndata: {"cursor":"cursor_2"}\n\n'

test('an event that comes together with a gap is not read: it would be the place to go on from', async () => {
  const server = createServer(({ url }, response) => {
    if (url?.startsWith('/preview/v2/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      // The stream stays open.
      return void response.write(gapAndEvent)
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"server":{"now":1000}}')
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ baseUrl, token: 'token' })
  const read: unknown[] = []
  const isGap = await followUntilGap(
    client,
    { after: 'cursor_0', since: 900 },
    { onEvent: ({ cursor }) => read.push(cursor), onGap: (now) => read.push(now) },
  )
  assert.deepEqual([isGap, read], [true, [1000]])
})

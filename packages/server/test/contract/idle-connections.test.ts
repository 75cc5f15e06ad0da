import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startTestServer } from '../support/server.ts'

/** Sends requests as a proxy does: over connections that it keeps. Returns a response and its connection. */
function openProxy(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  atEnd(() => agent.destroy())
  return (): Promise<{ answer: IncomingMessage; socket: Socket }> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/healthz`, { agent }, (answer) => {
        const { socket } = answer
        answer.resume().on('end', () => resolve({ answer, socket }))
      })
      sent.on('error', reject).end()
    })
}

test('a connection stays open for longer than the 60 seconds of proxies, which use it again', async () => {
  const { url } = await startTestServer()
  const ask = openProxy(url)
  const first = await ask()
  assert.equal(first.answer.headers['keep-alive'], 'timeout=75')
  assert.equal((await ask()).socket, first.socket)
})

test('an idle connection ends after the time that is set, and the next request has another one', async () => {
  const { url } = await startTestServer({ keep_alive_seconds: 1 })
  const ask = openProxy(url)
  const { answer, socket } = await ask()
  assert.equal(answer.headers['keep-alive'], 'timeout=1')
  await eventually('the server has closed the connection', () => socket.destroyed)
  assert.notEqual((await ask()).socket, socket)
})

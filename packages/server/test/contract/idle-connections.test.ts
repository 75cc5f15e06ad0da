import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { startTestServer } from '../support/server.ts'

/** Sends requests as a proxy does: over connections that it keeps. Returns a response and its connection. */
function openProxy(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  atEnd(() => agent.destroy())
  return (): Promise<{ response: IncomingMessage; socket: Socket }> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/healthz`, { agent }, (response) => {
        const { socket } = response
        response.resume().on('end', () => resolve({ response, socket }))
      })
      sent.on('error', reject).end()
    })
}

test('a connection stays open for longer than the 60 seconds of proxies, which use it again', async () => {
  const { url } = await startTestServer()
  const ask = openProxy(url)
  const first = await ask()
  assert.equal(first.response.headers['keep-alive'], 'timeout=75')
  assert.equal((await ask()).socket, first.socket)
})

test('an idle connection ends after the time that is set, and the next request has another one', async () => {
  const { url } = await startTestServer({ keep_alive_seconds: 1 })
  const ask = openProxy(url)
  const { response, socket } = await ask()
  assert.equal(response.headers['keep-alive'], 'timeout=1')
  await eventually('the server has closed the connection', () => socket.destroyed)
  assert.notEqual((await ask()).socket, socket)
})

/** The bytes of all buffers that something still refers to. */
function bufferBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().arrayBuffers
}

test('an idle connection does not keep the body of its last request', async () => {
  const { url, platform_token } = await startTestServer({ keep_alive_seconds: 3600 })
  const connections = 50
  const body = JSON.stringify({ name: 'x'.repeat(100 * 1024) })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  atEnd(() => agent.destroy())
  const headers = { authorization: `Bearer ${platform_token}`, 'content-type': 'application/json' }
  const send = () =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${url}/preview/v2/roles`, { agent, method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode as number))
      })
      sent.on('error', reject).end(body)
    })
  await send()
  const before = bufferBytes()
  const statuses = await Promise.all(Array.from({ length: connections }, send))
  assert.deepEqual([...new Set(statuses)], [400])
  const idle = () => Object.values(agent.freeSockets).flat().length
  await eventually('all connections are idle', () => idle() === connections)
  await eventually('the buffers of the bodies have gone', () => {
    const kept = (bufferBytes() - before) / body.length
    assert.equal(idle(), connections)
    assert.ok(kept < connections / 4, `of ${connections} bodies ${kept.toFixed(1)} are still there`)
    return true
  })
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { onTestFinished, test, vi } from 'vitest'
import { hasBanner } from './tools.ts'

/** Whether a port that answers with this text is taken for SSH. */
async function isShell(text: string): Promise<boolean> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const found = await hasBanner('127.0.0.1', (server.address() as AddressInfo).port)
  await new Promise((resolve) => server.close(resolve))
  return found
}

test('a machine whose port answers with the banner of SSH is reached', async () => {
  assert.equal(await isShell('SSH-2.0-x\r\n'), true)
  assert.equal(await isShell('HTTP/1.1 400\r\n\r\n'), false)
})

test('a guest that sends no end of its banner is left after more bytes than a banner has', async () => {
  // The time limit never comes, so only the number of bytes can end the connection.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  assert.equal(await isShell(`SSH-2.0-${'x'.repeat(300)}`), false)
})

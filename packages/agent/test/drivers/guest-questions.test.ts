import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import type { MachineSpec } from '../../src/drivers/driver.ts'
import { files } from '../../src/drivers/qemu/command-line.rules.ts'
import { answerGuest, writeNotice } from '../../src/drivers/qemu/metadata.ts'

const question = 'GET /bourse/v1/termination HTTP/1.1\r\nHost: 169.254.169.254\r\n\r\n'

/** The guest at the other end of the socket. */
async function meetGuest() {
  const spec = { directory: await mkdtemp(join(tmpdir(), 'bourse-guest-')) } as MachineSpec
  const server = createServer({ pauseOnConnect: true }).listen(join(spec.directory, files.metadata))
  await once(server, 'listening')
  const [agent, [guest]] = [answerGuest(spec), (await once(server, 'connection')) as [Socket]]
  onTestFinished(async () => {
    agent.destroy()
    guest.destroy()
    server.close()
    await rm(spec.directory, { recursive: true })
  })
  return { spec, agent, guest }
}

test('a guest reads its present notice', async () => {
  const { spec, guest } = await meetGuest()
  guest.setEncoding('latin1').resume()
  guest.write(question)
  assert.match((await once(guest, 'data'))[0], /^HTTP\/1\.1 404 /)
  await writeNotice(spec, { deadline_at: 1_900_000_000, reason: 'allocation_ended' })
  guest.write(question)
  assert.match((await once(guest, 'data'))[0], /"deadline_at":1900000000/)
})

test('the driver stops reading requests of a guest that reads no responses, until the guest reads', async () => {
  const { spec, agent, guest } = await meetGuest()
  let output = 0
  const ask = (count: number) => {
    guest.write(question.repeat(count))
    output += count * question.length
  }
  const outcome = () => (agent.bytesRead === output ? 'read' : agent.writableNeedDrain && 'full')
  do {
    ask(1)
    assert.ok(output < 20_000 * question.length, 'all requests were read')
    // Each piece that is read gets one response, so the requests are read one by one.
  } while ((await eventually('the request is read, or responses wait', outcome, { every_milliseconds: 0 })) === 'read')
  ask(20_000)
  // The driver looks into the folder for each piece that it reads, so it would come to the last one meanwhile.
  for (let look = 0; look < 1_000; look++) await readdir(spec.directory)
  assert.ok(agent.bytesRead < output, 'all requests were read')
  guest.resume()
  await eventually('all requests are read', () => agent.bytesRead === output)
})

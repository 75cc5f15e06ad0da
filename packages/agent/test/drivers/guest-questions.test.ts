import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { waitFor } from '../../../server/src/core/base/wait.ts'
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
  const { agent, guest } = await meetGuest()
  let output = 0
  const isHeard = () =>
    waitFor(() => agent.bytesRead === output, { every_milliseconds: 0, at_most_milliseconds: 1_000 })
  do {
    guest.write(question)
    output += question.length
    assert.ok(output < 20_000 * question.length, 'all requests were read')
  } while (await isHeard())
  guest.resume()
  assert.ok(await waitFor(() => agent.bytesRead === output, { at_most_milliseconds: 30_000 }))
})

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { openKernelTree } from '../test/support/kernel-tree.ts'
import { filesOf, writeTree } from '../test/support/machine-trees.ts'
import { runAgent } from './agent.ts'
import { openHostDevices } from './devices/host-devices.ts'
import { simulatedDriver } from './drivers/simulated/simulated.ts'
import { writeEnrolment } from './identity.ts'

const pci = '0000:0f:00.0'

/** A server that refuses all requests of agents. */
async function refusing(headers: Record<string, string>): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { type: 'authentication_error', message: 'Refused.' } }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  atEnd(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Runs an agent until it is refused. Returns the driver of a device that a machine had, and what the agent says. */
async function refusedBy(headers: Record<string, string>) {
  const { tree, driverOf } = await openKernelTree(filesOf('hgx-a100'), [pci])
  const directory = writeTree(new Map())
  const devices = await openHostDevices({ directory, tree, ownerOf: () => 59_000, log: () => {} })
  await devices.take({ id: 'inst_a', slot: 0, size: { accelerators: 1, devices: [pci] } })
  await devices.release('inst_a')
  const enrolment = { host: 'host_a', epoch: 1, audience: 'bourse', accepts_http: true }
  await writeEnrolment(directory, { server: await refusing(headers), ...enrolment })
  const [said, stopped] = [[] as string[], new AbortController()]
  const options = { directory, devices, driver: simulatedDriver(), random: () => 1 }
  await runAgent(
    {
      ...options,
      readHardware: () => Promise.reject(new Error('It is not read here.')),
      log: (message) => {
        said.push(message)
        if (message.startsWith('Refused.')) stopped.abort()
      },
    },
    stopped.signal,
  )
  return { driver: await driverOf(pci), said: said.join(' ') }
}

test('a host gives its devices back when it is retired, and not when its clock is off', async () => {
  const retired = await refusedBy({ 'x-error-code': 'host_retired' })
  assert.equal(retired.driver, 'nvidia')
  const late = await refusedBy({ date: new Date(Date.now() - 3_600_000).toUTCString() })
  assert.match(late.said, /The clock of this host is 3\d{3} s ahead/)
  assert.equal(late.driver, 'vfio-pci')
})

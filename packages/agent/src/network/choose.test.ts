import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { simulatedDriver } from '../drivers/simulated/simulated.ts'
import { writeEnrolment } from '../identity.ts'
import { chooseNetwork, type NetworkParams } from './choose.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-choice-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const simulated = simulatedDriver()
/** A driver whose machines can be attached to networks of the host. */
const wired: Driver = { ...simulated, network: 'ssh_only', ownerOf: (slot) => slot }
// No machine is reachable at this address, so the host lacks full networks whatever its rights.
const choice: NetworkParams = { mode: 'auto', directory, host_address: '127.0.0.1', reachable: [] }

test('a driver with its own networks needs none of the host', async () => {
  const { network, finding, open } = await chooseNetwork(choice, simulated)
  assert.deepEqual([network, finding, open], ['full', undefined, undefined])
})

test('a host that cannot create networks provides SSH only, and reports what is missing', async () => {
  const { network, finding, open } = await chooseNetwork(choice, wired)
  assert.deepEqual([network, finding?.is_good, finding?.is_optional, open], ['ssh_only', false, true, undefined])
  assert.match(
    finding?.message ?? '',
    /SSH only: no subnets, .*For full networks: (install: apt-get|machines cannot be reached at 127\.0\.0\.1)/,
  )
  const full = await chooseNetwork({ ...choice, mode: 'full' }, wired)
  assert.deepEqual([full.finding?.is_good, full.finding?.is_optional], [false, false])
  const less = await chooseNetwork({ ...choice, mode: 'ssh_only' }, wired)
  assert.deepEqual([less.network, less.finding?.is_good], ['ssh_only', true])
})

test('a host that cannot encrypt has no networks, unless its operator accepts that now or at enrolment', async () => {
  const path = process.env.PATH
  process.env.PATH = directory
  try {
    const lacksTunnel = async (params: Partial<NetworkParams> = {}) =>
      /traffic to other hosts cannot be encrypted: apt-get install .* wireguard-tools wireguard-go/.test(
        (await chooseNetwork({ ...choice, ...params }, wired)).finding?.message ?? '',
      )
    assert.equal(await lacksTunnel(), true)
    assert.equal(await lacksTunnel({ accepts_unencrypted: true }), false)
    const enrolment = { server: 'https://bourse.example', host: 'host_a', epoch: 1, audience: 'x' }
    const consenting = mkdtempSync(join(directory, 'consenting-'))
    await writeEnrolment(consenting, { ...enrolment, accepts_unencrypted: true })
    assert.equal(await lacksTunnel({ directory: consenting }), false)
  } finally {
    process.env.PATH = path
  }
})

test('a host that was enrolled with full networks does not run without them', async () => {
  const enrolment = { server: 'https://bourse.example', host: 'host_a', epoch: 1, audience: 'https://bourse.example' }
  await writeEnrolment(directory, { ...enrolment, network: 'full' })
  for (const mode of ['auto', 'ssh_only']) {
    const { finding } = await chooseNetwork({ ...choice, mode }, wired)
    assert.deepEqual([finding?.is_good, finding?.is_optional], [false, undefined])
    assert.match(finding?.message ?? '', /enrolled with full networks\. Repair it or enrol again/)
  }
})

test('malformed addresses are reported', async () => {
  await assert.rejects(chooseNetwork({ ...choice, reachable: ['10.0.0.1/8'] }, wired), /--reachable 10\.0\.0\.1\/8/)
  await assert.rejects(
    chooseNetwork({ ...choice, nameservers: ['dns'] }, wired),
    /--nameserver dns is not an IPv4 address/,
  )
})

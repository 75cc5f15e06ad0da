import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { portOf, portsOf } from '../../src/drivers/qemu/ports.ts'
import { processOf } from '../../src/drivers/qemu/process.ts'
import { qemuDriver } from '../../src/drivers/qemu/qemu.ts'
import { readRooms } from '../../src/drivers/qemu/resources.ts'
import { firstUid } from '../../src/drivers/qemu/user.rules.ts'
import { openTree } from '../../src/facts/tree.ts'
import { spoken } from '../support/boot-sectors.ts'
import { consoleSays } from '../support/driver-contract.ts'
import { writeTree } from '../support/machine-trees.ts'
import { openQemu, type QemuMachines, runDeaf } from '../support/qemu-machines.ts'

// A host with one node binds no memory, so the driver is shown a second one, which it does not need.
const [room] = await readRooms(openTree('/'))
const { node = 0, processors = [] } = room ?? {}
const memory = 'Node 0 MemTotal:       8388608 kB\n'
const opened = await openQemu(
  writeTree(
    new Map([
      ['/sys/devices/system/cpu/online', processors.join()],
      [`/sys/devices/system/node/node${node}/cpulist`, processors.join()],
      [`/sys/devices/system/node/node${node}/meminfo`, memory],
      [`/sys/devices/system/node/node${node + 1}/meminfo`, memory],
    ]),
  ),
)
const skip = opened.missing
const qemu = opened.qemu as QemuMachines
const isRoot = process.getuid?.() === 0

test(
  'a machine runs as its own user without rights, and other users cannot open its files',
  leftOut(skip),
  async () => {
    await runDeaf(qemu, {}, async (spec) => {
      const status = readFileSync(`/proc/${await processOf(spec)}/status`, 'utf8')
      const value = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1]?.trim().split(/\s+/)
      assert.deepEqual([value('NoNewPrivs'), value('Seccomp'), value('CapEff')], [['1'], ['2'], ['0000000000000000']])
      const own = isRoot ? firstUid + spec.slot : process.getuid?.()
      assert.deepEqual(value('Uid'), Array<string>(4).fill(`${own}`))
      assert.equal(statSync(spec.directory).uid, process.getuid?.())
      for (const name of ['', 'console.log', 'seed.iso', 'disk.qcow2', 'qemu.err']) {
        assert.equal(statSync(join(spec.directory, name)).mode & 0o077, 0, name)
      }
    })
  },
)

test('a machine runs on its own processors, and its memory is bound to its node', leftOut(skip), async () => {
  await runDeaf(qemu, {}, async (spec) => {
    const pid = await processOf(spec)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    assert.equal(/^Cpus_allowed_list:\s+(.*)$/m.exec(status)?.[1], `${processors[0]}`)
    const policies = readFileSync(`/proc/${pid}/numa_maps`, 'utf8').split(/\s/)
    assert.ok(policies.includes(`bind:${node}`))
  })
})

test('the console is read from the last position on', leftOut(skip), async () => {
  const { driver } = qemu
  await runDeaf(qemu, {}, async (spec) => {
    await consoleSays(driver, spec, spoken)
    const read = async (from: number, most: number) => (await driver.console(spec, from, most)).bytes
    const all = await read(0, 2 ** 20)
    assert.deepEqual(Buffer.concat([await read(0, 10), await read(10, 2 ** 20)]), all)
    assert.equal((await read(all.length, 100)).length, 0)
  })
})

test('a machine gets another port if its port is in use, and fails if none is free', leftOut(skip), async () => {
  const slot = 63
  const ports = portsOf(slot)
  const servers = ports.slice(0, -1).map((port) => createServer().listen(port, '127.0.0.1'))
  atEnd(() => servers.map((server) => server.close()))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  await runDeaf(qemu, { slot }, async (spec) => assert.equal(await portOf(spec), ports.at(-1)))
  const last = createServer().listen(ports.at(-1), '127.0.0.1')
  servers.push(last)
  await once(last, 'listening')
  const started = runDeaf(qemu, { slot }, async () => {})
  await assert.rejects(started, { name: 'StartFailure', reason: 'port_taken' })
})

test('a host without the configured host address is refused', leftOut(skip), async () => {
  const elsewhere = qemuDriver({ ...qemu.options, host_address: '192.0.2.7' })
  await elsewhere.probe()
  const started = runDeaf({ ...qemu, driver: elsewhere }, {}, async () => {})
  await assert.rejects(started, { name: 'StartFailure', reason: 'host_address_wrong' })
})

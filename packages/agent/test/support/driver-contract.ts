/** What every driver keeps. One set of tests, run against each of them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { waitFor } from '../../src/clock.ts'
import type { DriverOptions } from '../../src/drivers/choose.ts'
import type { Driver, MachineEnd, MachineSpec } from '../../src/drivers/driver.ts'

/** What a machine starts from. */
export type Guest = {
  readonly image_file: string | null
  readonly user_data: Buffer | null
  /** What the console says sooner or later. */
  readonly says: string
}

/** A guest that comes up and stays, one that hears no power button, or one that ends in a certain way. */
export type GuestKind = 'usual' | 'deaf' | MachineEnd

/** A driver under test. */
export type Subject = {
  readonly driver: Driver
  /** How the same driver is opened by another process. */
  readonly options: DriverOptions
  readonly guest: (kind: GuestKind) => Guest
  /** Has a machine that runs end in a way, where its guest does not do so by itself. */
  readonly provoke: (spec: MachineSpec, end: MachineEnd) => Promise<void>
  /** What is left of a machine after it was destroyed, and should not be. */
  readonly left: (spec: MachineSpec) => Promise<string[]>
}

/** How long anything may take: a machine that emulates machines beside others is slow. */
export const timeout = { every: 100, at_most: 120_000 }
const quickGraceSeconds = 1
const graceSeconds = 20
const program = join(import.meta.dirname, 'driver-process.ts')
const ends: readonly MachineEnd[] = ['guest_shutdown', 'guest_panicked', 'machine_lost', 'crash_loop']
let made = 0

/** A folder for machines, gone when the test file ends. */
export function machinesFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-machines-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A machine that nobody else has, in a folder of its own. */
export function newSpec(root: string, image_file: string | null): MachineSpec {
  made += 1
  const id = `inst_${process.pid}_${made}`
  const directory = join(root, id)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const network: MachineSpec['network'] = {
    mac: '02:00:00:00:00:01',
    private_ip: null,
    subnet: null,
    vni: null,
    cidr: null,
    peers: [],
    public_ip: null,
    firewall_rules: null,
    infiniband_partition: null,
    partition_key: null,
  }
  const size = { cpu_count: 1, memory_bytes: 2 ** 27, storage_bytes: null }
  return { id, directory, hostname: `host-${made}`, slot: made % 64, size, network, image_file }
}

/** All that the console of a machine has said. */
export async function consoleOf(driver: Driver, spec: MachineSpec): Promise<string> {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const piece = await driver.console(spec, at, 1_000)
    if (piece.length === 0) return Buffer.concat(pieces).toString()
    pieces.push(piece)
    at += piece.length
  }
}

/** Waits until a console has said what its guest says. */
async function hasSpoken(driver: Driver, spec: MachineSpec, { says }: Guest): Promise<void> {
  const look = async () => (await consoleOf(driver, spec)).includes(says) || undefined
  if (!(await waitFor(look, timeout))) assert.fail(`Its console says: ${await consoleOf(driver, spec)}`)
}

/** Runs the tests. */
export function testDriver(subject: Subject): void {
  const bench = benchOf(subject)
  testLife(bench)
  testEnds(bench)
  testClearing(bench)
}

type Bench = ReturnType<typeof benchOf>

function benchOf(subject: Subject) {
  const { driver } = subject
  const root = machinesFolder()
  const ended: { id: string; end: MachineEnd }[] = []
  driver.onEnd((id, end) => void ended.push({ id, end }))
  return {
    ...subject,
    /** What was told, in its order. */
    ended,
    /** A machine of a guest for one test: whatever comes of it, nothing may be left. */
    withMachine: async (kind: GuestKind, work: (spec: MachineSpec, guest: Guest) => Promise<void>) => {
      const guest = subject.guest(kind)
      const spec = newSpec(root, guest.image_file)
      try {
        await work(spec, guest)
      } finally {
        await driver.destroy(spec)
      }
      assert.deepEqual(await subject.left(spec), [])
    },
    start: async (spec: MachineSpec, { user_data }: Guest) => {
      await driver.prepare(spec, user_data)
      await driver.start(spec, new AbortController().signal)
    },
    /** Starts a machine by an agent that is killed at once. */
    startElsewhere: async (spec: MachineSpec, { user_data }: Guest) => {
      const input = JSON.stringify({ options: subject.options, spec, user_data: user_data?.toString('base64') ?? null })
      const child = spawn(process.execPath, [program, input], { stdio: ['ignore', 'pipe', 'pipe'] })
      const output = text(child.stderr)
      const exit = once(child, 'exit')
      const isUp = await Promise.race([once(child.stdout, 'data').then(() => true), exit.then(() => false)])
      assert.ok(isUp, isUp ? '' : await output)
      child.kill('SIGKILL')
      await exit
    },
  }
}

function testLife({ driver, ended, withMachine, start, startElsewhere }: Bench): void {
  test('a machine runs, speaks on its console, shows host keys, is taken up by another agent and stops', async () => {
    await withMachine('usual', async (spec, guest) => {
      await startElsewhere(spec, guest)
      assert.equal(await driver.adopt(spec), undefined)
      const ssh = await waitFor(() => driver.endpoints(spec), timeout)
      assert.ok(ssh && ssh.port > 0 && ssh.hostname !== '', 'its secure shell never answered')
      assert.ok(ssh.host_keys.every(({ key }) => Buffer.from(key, 'base64').length >= 32))
      await hasSpoken(driver, spec, guest)
      await driver.stop(spec, graceSeconds)
      assert.equal(await driver.endpoints(spec), undefined)
      assert.equal(await driver.adopt(spec), 'machine_lost')
      assert.deepEqual(ended, [], 'a machine that was asked to end is not told')
    })
  })

  test('a machine whose guest does not listen is gone when the grace is over', async () => {
    await withMachine('deaf', async (spec, guest) => {
      await start(spec, guest)
      await driver.stop(spec, quickGraceSeconds)
      assert.equal(await driver.adopt(spec), 'machine_lost')
      assert.deepEqual(ended, [])
    })
  })
}

function testEnds({ driver, ended, withMachine, start, startElsewhere, provoke }: Bench): void {
  for (const end of ends) {
    test(`the end of a machine is told once, as what it was: ${end}`, async () => {
      await withMachine(end, async (spec, guest) => {
        await start(spec, guest)
        await provoke(spec, end)
        const notices = () => ended.find(({ id }) => id === spec.id)
        if (!(await waitFor(notices, timeout))) assert.fail(`Nothing was told. ${await consoleOf(driver, spec)}`)
        assert.deepEqual(ended.splice(0), [{ id: spec.id, end }])
        await driver.stop(spec, quickGraceSeconds)
        assert.deepEqual(ended, [])
      })
    })
  }

  test('how a machine ended while no agent was there is found out by the next one', async () => {
    await withMachine('guest_shutdown', async (spec, guest) => {
      await startElsewhere(spec, guest)
      await provoke(spec, 'guest_shutdown')
      await hasSpoken(driver, spec, guest)
      // It speaks and ends in one breath: whoever is this fast may hear it end.
      const found = await driver.adopt(spec)
      const notices = await waitFor(() => found ?? ended.find(({ id }) => id === spec.id)?.end, timeout)
      assert.equal(notices, 'guest_shutdown')
      assert.equal(await driver.endpoints(spec), undefined)
      ended.length = 0
    })
  })
}

function testClearing({ driver, ended, withMachine, start, startElsewhere }: Bench): void {
  test('a machine that starts over clears away what was left of an earlier try', async () => {
    await withMachine('deaf', async (spec, guest) => {
      await startElsewhere(spec, guest)
      await start(spec, guest)
      assert.equal(await driver.adopt({ ...spec, id: `${spec.id}x` }), 'machine_lost')
      assert.deepEqual(ended, [])
    })
  })

  test('a start that nobody wants any more leaves no machine', async () => {
    await withMachine('deaf', async (spec, { user_data }) => {
      await driver.prepare(spec, user_data)
      await driver.start(spec, AbortSignal.abort())
      assert.equal(await driver.adopt(spec), 'machine_lost')
    })
  })

  test('what never ran can be stopped and destroyed, and destroyed again', async () => {
    await withMachine('deaf', async (spec) => {
      await driver.stop(spec, quickGraceSeconds)
      await driver.destroy(spec)
      assert.equal(await driver.adopt(spec), 'machine_lost')
      assert.equal(await consoleOf(driver, spec), '')
      assert.equal(await driver.endpoints(spec), undefined)
    })
  })
}

/** The contract of drivers: one set of tests that runs against each driver. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import type { DriverOptions } from '../../src/drivers/choose.ts'
import type { Driver, MachineEnd, MachineSpec } from '../../src/drivers/driver.ts'
import { newSpec } from './new-spec.ts'

/** The image and data from which a machine starts. */
export type ContractGuest = {
  readonly image_file: string | null
  readonly user_data: Buffer | null
  /** A text that the console eventually contains. */
  readonly says: string
}

/** A guest that boots and stays, one that ignores the power button, or one that ends in a certain way. */
export type GuestKind = 'usual' | 'deaf' | MachineEnd

/** A driver under test. */
export type Subject = {
  readonly driver: Driver
  /** The options with which another process opens the same driver. */
  readonly options: DriverOptions
  readonly guest: (kind: GuestKind) => ContractGuest
  /** Makes a running machine end in a way, if its guest does not do so by itself. */
  readonly provoke: (spec: MachineSpec, end: MachineEnd) => Promise<void>
  /** Whether a machine runs, without asking its driver. */
  readonly isUp: (spec: MachineSpec) => Promise<boolean>
  /** The remains of a destroyed machine. There should be none. */
  readonly left: (spec: MachineSpec) => Promise<string[]>
}

/** What an emulated machine usually takes to boot, or for another step. */
export const booting = { usual_seconds: 10, every_milliseconds: 100 }
const quickGraceSeconds = 1
const graceSeconds = 20
const program = join(import.meta.dirname, 'driver-process.ts')
const ends: readonly MachineEnd[] = ['guest_shutdown', 'guest_panicked', 'machine_lost', 'crash_loop']

/** A folder for machines, removed at the end of the test file. */
export function machinesFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-machines-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** The whole console output of a machine. */
async function consoleOf(driver: Driver, spec: MachineSpec): Promise<string> {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const { bytes: piece } = await driver.console(spec, at, 1_000)
    if (piece.length === 0) return Buffer.concat(pieces).toString()
    pieces.push(piece)
    at += piece.length
  }
}

/** Waits until the console of a machine contains a text of its guest. */
export async function consoleSays(driver: Driver, spec: MachineSpec, text: string): Promise<void> {
  const look = async () => {
    const output = await consoleOf(driver, spec)
    assert.ok(output.includes(text), `Its console contains: ${output}`)
    return true
  }
  await eventually(`the console contains ${JSON.stringify(text)}`, look, booting)
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
    /** The reported ends, in order. */
    ended,
    /** Runs work with a machine of a guest. Nothing of the machine may remain, even if the work fails. */
    withMachine: async (kind: GuestKind, work: (spec: MachineSpec, guest: ContractGuest) => Promise<void>) => {
      const guest = subject.guest(kind)
      const spec = newSpec(root, guest.image_file)
      try {
        await work(spec, guest)
      } finally {
        await driver.destroy(spec)
      }
      assert.deepEqual(await subject.left(spec), [])
    },
    start: async (spec: MachineSpec, { user_data }: ContractGuest) => {
      await driver.prepare(spec, user_data)
      await driver.start(spec, new AbortController().signal)
    },
    /** Starts a machine by an agent that is then killed, at once or when a condition holds. */
    startElsewhere: async (spec: MachineSpec, { user_data }: ContractGuest, condition = async () => true) => {
      const input = JSON.stringify({ options: subject.options, spec, user_data: user_data?.toString('base64') ?? null })
      const child = spawn(process.execPath, [program, input], { stdio: ['ignore', 'pipe', 'pipe'] })
      const output = text(child.stderr)
      const exit = once(child, 'exit')
      const isUp = await Promise.race([once(child.stdout, 'data').then(() => true), exit.then(() => false)])
      try {
        if (isUp) await eventually('the moment to kill the agent comes', condition, booting)
      } finally {
        child.kill('SIGKILL')
        await exit
      }
      if (!isUp) assert.fail(await output)
    },
  }
}

function testLife({ driver, ended, withMachine, start, startElsewhere }: Bench): void {
  test('a machine runs, writes to its console, shows host keys, is adopted by another agent and stops', async () => {
    await withMachine('usual', async (spec, guest) => {
      await startElsewhere(spec, guest)
      assert.equal(await driver.adopt(spec), undefined)
      const ssh = await eventually('its SSH server responds', () => driver.endpoints(spec), booting)
      assert.ok(ssh.port > 0 && ssh.hostname !== '', JSON.stringify(ssh))
      assert.ok(ssh.host_keys.every(({ key }) => Buffer.from(key, 'base64').length >= 32))
      await consoleSays(driver, spec, guest.says)
      await driver.stop(spec, graceSeconds)
      assert.equal(await driver.endpoints(spec), undefined)
      assert.equal(await driver.adopt(spec), 'machine_lost')
      assert.deepEqual(ended, [], 'a machine that was asked to end is not told')
    })
  })

  test('a machine whose guest ignores the power button is ended after the grace period', async () => {
    await withMachine('deaf', async (spec, guest) => {
      await start(spec, guest)
      await driver.stop(spec, quickGraceSeconds)
      assert.equal(await driver.adopt(spec), 'machine_lost')
      assert.deepEqual(ended, [])
    })
  })
}

function testEnds({ driver, ended, withMachine, start, startElsewhere, provoke, isUp }: Bench): void {
  for (const end of ends) {
    test(`the end of a machine is reported once, with its kind: ${end}`, async () => {
      await withMachine(end, async (spec, guest) => {
        await start(spec, guest)
        await provoke(spec, end)
        const isReported = async () => {
          assert.ok(
            ended.some(({ id }) => id === spec.id),
            `Its console contains: ${await consoleOf(driver, spec)}`,
          )
          return true
        }
        await eventually('the end is reported', isReported, booting)
        assert.deepEqual(ended.splice(0), [{ id: spec.id, end }])
        await driver.stop(spec, quickGraceSeconds)
        assert.deepEqual(ended, [])
      })
    })
  }

  test('the next agent finds out how a machine ended while no agent ran', async () => {
    await withMachine('guest_shutdown', async (spec, guest) => {
      await startElsewhere(spec, guest)
      await provoke(spec, 'guest_shutdown')
      await consoleSays(driver, spec, guest.says)
      // It writes and ends almost at once, so a fast agent may still see it end.
      const found = await driver.adopt(spec)
      const told = () => found ?? ended.find(({ id }) => id === spec.id)?.end
      assert.equal(await eventually('the end is found or reported', told, booting), 'guest_shutdown')
      assert.equal(await driver.endpoints(spec), undefined)
      ended.length = 0
    })
  })

  test('a machine whose agent saw its end and was killed before it could say so is found with its end', async () => {
    await withMachine('guest_shutdown', async (spec, guest) => {
      const hasEnded = async () => {
        await provoke(spec, 'guest_shutdown')
        return !(await isUp(spec))
      }
      await startElsewhere(spec, guest, hasEnded)
      assert.equal(await driver.adopt(spec), 'guest_shutdown')
      ended.length = 0
      await driver.stop(spec, quickGraceSeconds)
      assert.equal(await driver.adopt(spec), 'machine_lost', 'an end is told of one start')
    })
  })
}

function testClearing({ driver, ended, withMachine, start, startElsewhere }: Bench): void {
  test('a new start of a machine removes the remains of an earlier attempt', async () => {
    await withMachine('deaf', async (spec, guest) => {
      await startElsewhere(spec, guest)
      await start(spec, guest)
      assert.equal(await driver.adopt({ ...spec, id: `${spec.id}x` }), 'machine_lost')
      assert.deepEqual(ended, [])
    })
  })

  test('an aborted start leaves no machine', async () => {
    await withMachine('deaf', async (spec, { user_data }) => {
      await driver.prepare(spec, user_data)
      await driver.start(spec, AbortSignal.abort())
      assert.equal(await driver.adopt(spec), 'machine_lost')
    })
  })

  test('a machine that never ran can be stopped, destroyed, and destroyed again', async () => {
    await withMachine('deaf', async (spec) => {
      await driver.stop(spec, quickGraceSeconds)
      await driver.destroy(spec)
      assert.equal(await driver.adopt(spec), 'machine_lost')
      assert.equal(await consoleOf(driver, spec), '')
      assert.equal(await driver.endpoints(spec), undefined)
    })
  })
}

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import {
  callsWith,
  contextWith,
  desiredWith,
  devicesWith,
  networkWith,
  recordWith,
} from '../test/support/agent-context.ts'
import { writeTree } from '../test/support/machine-trees.ts'
import type { ConsolePart, Driver, MachineEnd } from './drivers/driver.ts'
import { simulatedDriver } from './drivers/simulated/simulated.ts'
import {
  adopt,
  keepMachine,
  lookAfterKeys,
  recordEnd,
  reportOf,
  setDesired,
  shipConsole,
  tryAgain,
} from './supervisor.ts'

const id = 'inst_a'
const record = recordWith()
const toStop = desiredWith({ generation: 2, action: 'stop' })
const shutdown: MachineEnd = 'guest_shutdown'
const given = { pci: '0000:01:00.0', bar_bytes: 0, numa: null }

/** A promise that the test resolves with `open`. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** A simulated driver, but for what a test changes. */
function driverWith(changes: Partial<Driver>): Driver {
  return { ...simulatedDriver(), ...changes }
}

/** A context with a real journal. Its machine has console output, and is destroyed when `destroyed` resolves. */
async function openContext(destroyed: Promise<void> = Promise.resolve(), reports: Promise<void> = Promise.resolve()) {
  const directory = writeTree(new Map())
  const console = async () => ({ first_byte: 0, bytes: Buffer.from('said') })
  const driver = driverWith({ console, destroy: () => destroyed })
  const context = contextWith({ driver, calls: callsWith({ appendLogs: () => reports.then(() => 2) }) }, directory)
  await context.journal.write(record)
  return { context, folder: join(directory, 'machines', id) }
}

for (const first of ['the console', 'the removal'] as const) {
  test(`a machine that is removed while its console is sent leaves nothing, with ${first} finished first`, async () => {
    const [destroyed, reports] = [gate(), gate()]
    const { context, folder } = await openContext(destroyed.opened, reports.opened)
    const managed = keepMachine(context, id, record)
    const { signal } = new AbortController()
    const shipped = shipConsole(managed, signal)
    setDesired(managed, undefined)
    const later = shipConsole(managed, signal)
    const [one, other] = first === 'the console' ? [reports, destroyed] : [destroyed, reports]
    one.open()
    if (first === 'the console') await shipped
    else await managed.work
    other.open()
    await Promise.all([shipped, later])
    await managed.work
    assert.equal(existsSync(folder), false)
  })
}

test('console output that arrives during the removal of its machine creates no file', async () => {
  const [asked, output] = [gate(), gate()]
  const { context, folder } = await openContext()
  const console = async () => {
    asked.open()
    await output.opened
    return { first_byte: 0, bytes: Buffer.from('said') }
  }
  // The console responds as soon as the removal reaches the record.
  const release = async () => void setImmediate(output.open)
  const slow = { ...context, driver: { ...context.driver, console }, network: networkWith({ release }) }
  const managed = keepMachine(slow, id, record)
  const shipped = shipConsole(managed, new AbortController().signal)
  await asked.opened
  setDesired(managed, undefined)
  await Promise.all([shipped, managed.work])
  assert.equal(existsSync(folder), false)
})

/** A machine whose driver gives a part of its console at each read, and the chunks that were sent. */
async function openConsole(partOf: (read: number, from: number) => ConsolePart, answers: (number | Error)[]) {
  const { context } = await openContext()
  const asked: number[] = []
  const sent: { seqnum: number; text: string }[][] = []
  const console = async (_spec: unknown, from: number, most: number) => {
    const part = partOf(asked.length, from)
    asked.push(most)
    return { ...part, bytes: part.bytes.subarray(0, most) }
  }
  const appendLogs = async (_id: string, chunks: readonly { seqnum: number; data: string }[]) => {
    sent.push(chunks.map(({ seqnum, data }) => ({ seqnum, text: Buffer.from(data, 'base64').toString() })))
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer ?? (chunks.at(-1)?.seqnum ?? 0) + 1
  }
  const driver = { ...context.driver, console }
  const managed = keepMachine({ ...context, driver, calls: callsWith({ appendLogs }) }, id, record)
  const ship = () => shipConsole(managed, new AbortController().signal)
  return { asked, sent, managed, ship }
}

test('output that is gone from the host is replaced by a line, numbered behind all that may have arrived', async () => {
  const partOf = (read: number) => {
    if (read === 0) return { first_byte: 0, bytes: Buffer.from('lost on the way') }
    return { first_byte: 500, bytes: Buffer.from('new') }
  }
  const { sent, managed, ship } = await openConsole(partOf, [new Error('no answer')])
  await assert.rejects(ship(), /no answer/)
  await ship()
  assert.deepEqual(sent[1], [{ seqnum: 257, text: '\n[500 bytes dropped]\n' }])
  await ship()
  assert.deepEqual(sent[2], [{ seqnum: 258, text: 'new' }])
  assert.equal(managed.record?.console_byte, 503)
})

test('a console without end is sent within its budget, and what was sent in vain is sent again whole', async () => {
  const endless = Buffer.alloc(2 ** 20, 'y')
  const partOf = (_read: number, from: number) => ({ first_byte: from, bytes: endless })
  const { asked, sent, ship } = await openConsole(partOf, [new Error('no answer')])
  await assert.rejects(ship(), /no answer/)
  await ship()
  assert.deepEqual(sent[1], sent[0])
  for (let index = 0; index < 4; index++) await ship()
  assert.deepEqual([asked[0], asked[1]], [2 ** 20, 2 ** 20])
  assert.ok(
    asked.slice(2).every((most) => most < 2 ** 19),
    `${asked}`,
  )
  assert.equal(sent.length, 2 + asked.slice(2).filter((most) => most > 0).length)
})

test('a machine that runs keeps the size that it was started with, whatever others get from now on', async () => {
  const { context } = await openContext()
  const size = record.wanted.machine
  const managed = keepMachine(context, id, recordWith({ phase: 'running' }))
  setDesired(managed, desiredWith({ generation: 2, terminate_at: 600, machine: { ...size, memory_bytes: 2 ** 31 } }))
  await managed.work
  const { generation, wanted } = managed.record ?? assert.fail('It is gone.')
  assert.deepEqual([generation, wanted.terminate_at, wanted.machine], [2, 600, size])
})

test('the devices of a machine are reset and checked before its end is reported', async () => {
  const { context } = await openContext()
  const said: string[] = []
  const release = async () => void said.push('devices reset')
  const checked = {
    ...context,
    driver: { ...context.driver, stop: async () => void said.push('machine stopped') },
    devices: devicesWith({ devicesOf: () => [given], release }),
    verifySlot: async ({ slot }: { slot: number }) => void said.push(`slot ${slot} checked`),
    notify: () => {
      if (managed.record?.phase === 'stopped') said.push('stopped')
    },
  }
  const managed = keepMachine(checked, id, recordWith({ phase: 'running' }))
  setDesired(managed, toStop)
  await managed.work
  assert.deepEqual(said.slice(0, 4), ['machine stopped', 'devices reset', 'slot 0 checked', 'stopped'])
})

test('a guest that shut itself down keeps its devices until its process is gone, also over a restart', async () => {
  const done: string[] = []
  let isStuck = true
  const stop = async (_spec: unknown, grace: number) => {
    done.push(`stop ${grace}`)
    if (isStuck) throw new Error('Its process does not end.')
  }
  const devices = devicesWith({ release: async () => void done.push('release') })
  const context = contextWith({ driver: driverWith({ stop }), devices })
  const first = keepMachine(context, id, recordWith({ phase: 'running' }))
  await recordEnd(first, 'guest_shutdown')
  assert.deepEqual([done, first.record?.phase], [['stop 0'], 'running'])
  const [kept] = await context.journal.read()
  const next = keepMachine(context, id, kept)
  const restart = async () => {
    await adopt(next)
    await next.ending
  }
  await restart()
  assert.deepEqual([done, next.record?.phase], [['stop 0', 'stop 0'], 'running'])
  isStuck = false
  await restart()
  assert.deepEqual(done.slice(2), ['stop 0', 'release'])
  assert.deepEqual(
    (await context.journal.read()).map(({ phase, reason, ended }) => [phase, reason, ended]),
    [['stopped', 'guest_shutdown', undefined]],
  )
})

test('a machine joins its partition with the adapters that it got, and keeps no devices if that fails', async () => {
  const { context } = await openContext()
  const done: string[] = []
  let own: (typeof given)[] = []
  const devices = devicesWith({
    take: async () => {
      own = [given]
    },
    devicesOf: () => own,
    adaptersOf: async () => own.map(({ pci }) => ({ pci, guid: '0xb8cef60300abcd12' })),
    release: async () => void done.push('devices reset'),
  })
  let isRefused = true
  const usual = networkWith({})
  const network = networkWith({
    attach: async (machine) => {
      done.push(`attached ${(machine.adapters ?? []).map(({ pci }) => pci)}`)
      if (isRefused) throw new Error('no such key')
      return usual.attach(machine)
    },
    release: async () => void done.push('detached'),
  })
  const driver = {
    ...context.driver,
    start: async () => void done.push('started'),
    stop: async () => void done.push('stopped'),
  }
  const started = async (generation: number, action: 'run' | 'stop' = 'run') => {
    const known = action === 'run' ? undefined : recordWith({ phase: 'running' })
    const managed = keepMachine({ ...context, driver, devices, network }, id, known)
    setDesired(managed, desiredWith({ generation, action }))
    await managed.work
    return managed.record?.phase
  }
  assert.equal(await started(2), 'start_failed')
  assert.deepEqual(done.splice(0), ['attached 0000:01:00.0', 'stopped', 'devices reset'])
  isRefused = false
  assert.equal(await started(3), 'running')
  assert.deepEqual(done.splice(0), ['attached 0000:01:00.0', 'started'])
  assert.equal(await started(4, 'stop'), 'stopped')
  assert.deepEqual(done, ['stopped', 'detached', 'devices reset'])
})

test('while the slot of a guest that shut itself down is checked, it has not ended, whoever asks again', async () => {
  const [begun, checked] = [gate(), gate()]
  const { context } = await openContext()
  const done: string[] = []
  let own = [given]
  const release = async () => {
    done.push('release')
    own = []
  }
  const verifySlot = async () => {
    begun.open()
    await checked.opened
    done.push('checked')
  }
  const guarded = {
    ...context,
    verifySlot,
    driver: { ...context.driver, stop: async () => void done.push('stop') },
    devices: devicesWith({ devicesOf: () => own, release }),
    notify: () => {
      if (managed.record?.phase === 'stopped') done.push('stopped')
    },
  }
  const managed = keepMachine(guarded, id, recordWith({ phase: 'running' }))
  const ended = recordEnd(managed, 'guest_shutdown')
  await begun.opened
  setDesired(managed, toStop)
  tryAgain(managed)
  assert.deepEqual([done, managed.record?.phase], [['stop', 'release'], 'running'])
  checked.open()
  await ended
  await managed.work
  // A second way to the end would stop the machine once more.
  assert.deepEqual([...new Set(done)], ['stop', 'release', 'checked', 'stopped'])
  assert.equal(done.filter((one) => one === 'stop').length, 1)
})

/** A machine that runs with a device, and what is done until it is stopped. `stop`: what its driver does. */
async function openRunning(stop: () => Promise<void> = async () => {}) {
  const { context } = await openContext()
  const done: string[] = []
  let own = [given]
  const release = async () => {
    done.push('release')
    own = []
  }
  const stopped = () => {
    done.push('stop')
    return stop()
  }
  const guarded = {
    ...context,
    driver: { ...context.driver, stop: stopped },
    devices: devicesWith({ devicesOf: () => own, release }),
    verifySlot: async () => void done.push('check begins'),
  }
  return { done, managed: keepMachine(guarded, id, recordWith({ phase: 'running' })) }
}

test('a stop and an end at the same moment clear a machine once', async () => {
  for (const isEndFirst of [true, false]) {
    const { done, managed } = await openRunning()
    const ended = isEndFirst ? recordEnd(managed, 'guest_shutdown') : undefined
    setDesired(managed, toStop)
    await (ended ?? recordEnd(managed, 'guest_shutdown'))
    await managed.work
    assert.deepEqual(done, ['stop', 'release', 'check begins'], isEndFirst ? 'the end first' : 'the stop first')
    assert.equal(managed.record?.phase, 'stopped')
  }
})

test('a stop waits for an end that is tried again', async () => {
  const [failed, stopped] = [gate(), gate()]
  let tries = 0
  const { done, managed } = await openRunning(async () => {
    tries += 1
    if (tries > 1) return stopped.opened
    await failed.opened
    throw new Error('Its process does not end.')
  })
  void recordEnd(managed, 'guest_shutdown')
  await eventually('its end has begun', () => tries === 1)
  setDesired(managed, toStop)
  const again = managed.ending?.then(() => tryAgain(managed))
  failed.open()
  await again
  await eventually('its end is tried again', () => tries > 1)
  stopped.open()
  await managed.work
  assert.deepEqual(done, ['stop', 'stop', 'release', 'check begins'])
})

test('an agent starts while the machine of a guest that shut itself down is being cleared', async () => {
  for (const ended of [undefined, 'guest_shutdown'] as const) {
    const cleared = gate()
    const { context } = await openContext()
    const driver = { ...context.driver, adopt: async () => shutdown, stop: () => cleared.opened }
    const managed = keepMachine({ ...context, driver }, id, recordWith({ phase: 'running', ended }))
    await adopt(managed)
    assert.equal(managed.record?.phase, 'running')
    cleared.open()
    await managed.ending
    assert.equal(managed.record?.phase, 'stopped')
  }
})

test('an end that cannot be written down at the start of the agent is logged, and the agent starts', async () => {
  const { context } = await openContext()
  const log: string[] = []
  let writes = 0
  const write = async () => {
    writes += 1
    if (writes === 2) throw new Error('The disk is full.')
  }
  const failing = {
    ...context,
    journal: { ...context.journal, write },
    driver: { ...context.driver, adopt: async () => shutdown },
    log: (message: string, fields: object) => void log.push(`${message} ${JSON.stringify(fields)}`),
  }
  const managed = keepMachine(failing, id, recordWith({ phase: 'running' }))
  await adopt(managed)
  await managed.ending?.catch(() => {})
  assert.match(log.join(), /inst_a.*The disk is full/)
})

test('a machine that is being removed ends no second time, whoever tells its end', async () => {
  const [asked, destroyed, reported] = [gate(), gate(), gate()]
  const { context, folder } = await openContext(Promise.resolve(), reported.opened)
  const done: string[] = []
  const destroy = () => {
    asked.open()
    return destroyed.opened
  }
  const driver = { ...context.driver, destroy, stop: async () => void done.push('stop') }
  const leaving = { ...context, driver, whenReported: () => reported.opened }
  const managed = keepMachine(leaving, id, recordWith({ phase: 'running', ended: shutdown }))
  const told = recordEnd(managed, 'guest_panicked')
  setDesired(managed, undefined)
  await asked.opened
  tryAgain(managed)
  reported.open()
  await told
  assert.deepEqual([done, managed.record?.phase], [[], 'running'])
  destroyed.open()
  await managed.work
  assert.equal(existsSync(folder), false)
})

test('a machine starts with its keys, and loses a deleted one while it runs', async () => {
  const asked: (readonly string[])[] = []
  const driver = driverWith({
    syncKeys: async ({ ssh_keys = [] }, { placed }) => {
      asked.push(placed)
      return ssh_keys.map((key) => key.id)
    },
  })
  const managed = keepMachine(contextWith({ driver }), id, undefined)
  const [one, two] = ['sshk_a', 'sshk_b'].map((key) => ({ id: key as 'sshk_a', public_key: `ssh-ed25519 AAAA ${key}` }))
  const ssh_keys = [one, two].filter((key) => key !== undefined)
  setDesired(managed, desiredWith({ ssh_keys }))
  await managed.work
  const shown = () => {
    const { ssh_keys: ids, guest_agent: has_channel } = reportOf(managed) ?? {}
    return { has_channel, ids }
  }
  assert.deepEqual(shown(), { has_channel: false, ids: 'sshk_a sshk_b' })
  lookAfterKeys(managed)
  await managed.key_sync
  assert.deepEqual(shown(), { has_channel: true, ids: 'sshk_a sshk_b' })
  // Without a new generation of the machine, and at once.
  setDesired(managed, desiredWith({ ssh_keys: ssh_keys.slice(1) }))
  await managed.work
  await managed.key_sync
  assert.deepEqual(shown(), { has_channel: true, ids: 'sshk_b' })
  lookAfterKeys(managed)
  assert.equal(managed.key_sync, undefined, 'what is so needs no question')
  assert.deepEqual(asked, [
    ['sshk_a', 'sshk_b'],
    ['sshk_a', 'sshk_b'],
  ])
})

test('a machine without a guest agent keeps the keys of its first boot, and is asked again', async () => {
  const driver = driverWith({ syncKeys: async () => undefined })
  const managed = keepMachine(contextWith({ driver }), id, undefined)
  setDesired(managed, desiredWith({ ssh_keys: [{ id: 'sshk_a', public_key: 'ssh-ed25519 AAAA sshk_a' }] }))
  await managed.work
  setDesired(managed, desiredWith())
  await managed.work
  await managed.key_sync
  assert.deepEqual([reportOf(managed)?.ssh_keys, reportOf(managed)?.guest_agent], ['sshk_a', false])
  managed.keys_after = 0
  lookAfterKeys(managed)
  assert.notEqual(managed.key_sync, undefined)
  await managed.key_sync
})

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitUntil } from '../test/support/wait-until.ts'
import type { ConsolePart, Driver } from './drivers/driver.ts'
import { openJournal } from './journal.ts'
import type { MachineRecord } from './machine.rules.ts'
import { type AgentContext, adopt, keepMachine, recordEnd, setDesired, shipConsole, tryAgain } from './supervisor.ts'

const id = 'inst_a'
const record = {
  id,
  generation: 1,
  phase: 'stopped',
  reason: null,
  next_seqnum: 1,
  console_byte: 0,
  wanted: { hostname: 'a', slot: 0, network: {}, machine: {} },
} as unknown as MachineRecord

/** A promise that the test resolves with `open`. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** A context with a real journal. Its machine has console output, and is destroyed when `destroyed` resolves. */
async function openContext(destroyed: Promise<void>, reports: Promise<void>) {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-keeper-'))
  const driver = {
    console: async () => ({ first_byte: 0, bytes: Buffer.from('said') }),
    destroy: () => destroyed,
  } as unknown as Driver
  const calls = { appendLogs: () => reports.then(() => 2) }
  const journal = openJournal(directory)
  await journal.write(record)
  const context = { driver, journal, calls, notify: () => {}, log: () => {} } as unknown as AgentContext
  return { directory, context, folder: join(directory, 'machines', id) }
}

for (const first of ['the console', 'the removal'] as const) {
  test(`a machine that is removed while its console is sent leaves nothing, with ${first} finished first`, async () => {
    const [destroyed, reports] = [gate(), gate()]
    const { directory, context, folder } = await openContext(destroyed.opened, reports.opened)
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
    await rm(directory, { recursive: true })
  })
}

test('console output that arrives during the removal of its machine creates no file', async () => {
  const [asked, output] = [gate(), gate()]
  const { directory, context, folder } = await openContext(Promise.resolve(), Promise.resolve())
  const console = async () => {
    asked.open()
    await output.opened
    return { first_byte: 0, bytes: Buffer.from('said') }
  }
  // The console responds as soon as the removal reaches the record.
  const release = async () => void setImmediate(output.open)
  const slow = {
    ...context,
    driver: { ...context.driver, console },
    network: { release, attachmentOf: () => undefined },
  } as unknown as AgentContext
  const managed = keepMachine(slow, id, record)
  const shipped = shipConsole(managed, new AbortController().signal)
  await asked.opened
  setDesired(managed, undefined)
  await Promise.all([shipped, managed.work])
  assert.equal(existsSync(folder), false)
  await rm(directory, { recursive: true })
})

/** A machine whose driver gives a part of its console at each read, and the chunks that were sent. */
async function openConsole(partOf: (read: number, from: number) => ConsolePart, answers: (number | Error)[]) {
  const { directory, context } = await openContext(Promise.resolve(), Promise.resolve())
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
  const calls = { appendLogs } as unknown as AgentContext['calls']
  const driver = { ...context.driver, console } as unknown as Driver
  const managed = keepMachine({ ...context, driver, calls }, id, record)
  const ship = () => shipConsole(managed, new AbortController().signal)
  return { asked, sent, managed, ship, close: () => rm(directory, { recursive: true }) }
}

test('output that is gone from the host is replaced by a line, numbered behind all that may have arrived', async () => {
  const partOf = (read: number) => {
    if (read === 0) return { first_byte: 0, bytes: Buffer.from('lost on the way') }
    return { first_byte: 500, bytes: Buffer.from('new') }
  }
  const { sent, managed, ship, close } = await openConsole(partOf, [new Error('no answer')])
  await assert.rejects(ship(), /no answer/)
  await ship()
  assert.deepEqual(sent[1], [{ seqnum: 257, text: '\n[500 bytes dropped]\n' }])
  await ship()
  assert.deepEqual(sent[2], [{ seqnum: 258, text: 'new' }])
  assert.equal(managed.record?.console_byte, 503)
  await close()
})

test('a console without end is sent within its budget, and what was sent in vain is sent again whole', async () => {
  const endless = Buffer.alloc(2 ** 20, 'y')
  const partOf = (_read: number, from: number) => ({ first_byte: from, bytes: endless })
  const { asked, sent, ship, close } = await openConsole(partOf, [new Error('no answer')])
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
  await close()
})

test('a machine that runs keeps the size that it was started with, whatever others get from now on', async () => {
  const { directory, context } = await openContext(Promise.resolve(), Promise.resolve())
  const size = { cpu_count: 2, memory_bytes: 2 ** 30, storage_bytes: null }
  const running = { ...record, phase: 'running', wanted: { ...record.wanted, machine: size } } as MachineRecord
  const driver = { ...context.driver, setNotice: async () => {} } as unknown as Driver
  const managed = keepMachine({ ...context, driver }, id, running)
  const newest = { ...running.wanted, id, generation: 2, action: 'run', user_data_ticket: null, terminate_at: 600 }
  const larger = { ...newest, machine: { ...size, memory_bytes: 2 ** 31 } } as unknown as typeof managed.wanted
  setDesired(managed, larger)
  await managed.work
  const { generation, wanted } = managed.record ?? assert.fail('It is gone.')
  assert.deepEqual([generation, wanted.terminate_at, wanted.machine], [2, 600, size])
  await rm(directory, { recursive: true })
})

test('the devices of a machine are reset and checked before its end is reported', async () => {
  const { directory, context } = await openContext(Promise.resolve(), Promise.resolve())
  const said: string[] = []
  const managed = keepMachine(
    {
      ...context,
      driver: { ...context.driver, stop: async () => void said.push('machine stopped') },
      devices: {
        devicesOf: () => [{ pci: '0000:01:00.0', bar_bytes: 0 }],
        release: async () => void said.push('devices reset'),
        withheld: () => new Map(),
      },
      verifySlot: async ({ slot }: { slot: number }) => void said.push(`slot ${slot} checked`),
      notify: () => {
        if (managed.record?.phase === 'stopped') said.push('stopped')
      },
    } as unknown as AgentContext,
    id,
    { ...record, phase: 'running' },
  )
  setDesired(managed, { ...record.wanted, id, generation: 2, action: 'stop' } as unknown as typeof managed.wanted)
  await managed.work
  assert.deepEqual(said.slice(0, 4), ['machine stopped', 'devices reset', 'slot 0 checked', 'stopped'])
  await rm(directory, { recursive: true })
})

test('a guest that shut itself down keeps its devices until its process is gone, also over a restart', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-keeper-'))
  const journal = openJournal(directory)
  const done: string[] = []
  let isStuck = true
  const stop = async (_spec: unknown, grace: number) => {
    done.push(`stop ${grace}`)
    if (isStuck) throw new Error('Its process does not end.')
  }
  const devices = { release: async () => void done.push('release'), devicesOf: () => [], withheld: () => new Map() }
  const context = {
    ...{ driver: { stop }, devices, journal, notify: () => {}, log: () => {} },
    whenReported: async () => {},
  } as unknown as AgentContext
  const first = keepMachine(context, id, { ...record, phase: 'running' })
  await recordEnd(first, 'guest_shutdown')
  assert.deepEqual([done, first.record?.phase], [['stop 0'], 'running'])
  const [kept] = await journal.read()
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
    (await journal.read()).map(({ phase, reason, ended }) => [phase, reason, ended]),
    [['stopped', 'guest_shutdown', undefined]],
  )
  await rm(directory, { recursive: true })
})

test('a machine joins its partition with the adapters that it got, and keeps no devices if that fails', async () => {
  const { directory, context } = await openContext(Promise.resolve(), Promise.resolve())
  const done: string[] = []
  let own: { pci: string }[] = []
  const devices = {
    take: async () => {
      own = [{ pci: '0000:18:00.0' }]
    },
    devicesOf: () => own,
    adaptersOf: async () => own.map(({ pci }) => ({ pci, guid: '0xb8cef60300abcd12' })),
    release: async () => void done.push('devices reset'),
    withheld: () => new Map(),
  }
  let isRefused = true
  const network = {
    attach: async ({ adapters = [] }: { adapters?: { pci: string }[] }) => {
      done.push(`attached ${adapters.map(({ pci }) => pci)}`)
      if (isRefused) throw new Error('no such key')
    },
    attachmentOf: () => undefined,
    release: async () => void done.push('detached'),
    setNotice: async () => {},
  }
  const driver = {
    ...{ ...context.driver, needs_image: false, setNotice: async () => {}, prepare: async () => {} },
    start: async () => void done.push('started'),
    stop: async () => void done.push('stopped'),
  }
  const whole = { ...context, driver, devices, network, whenReported: async () => {} } as unknown as AgentContext
  const wanted = { ...record.wanted, id, generation: 2, action: 'run', user_data_ticket: null, terminate_at: null }
  const started = async (generation: number, action = 'run') => {
    const managed = keepMachine(whole, id, action === 'run' ? undefined : { ...record, phase: 'running' })
    setDesired(managed, { ...wanted, generation, action } as unknown as typeof managed.wanted)
    await managed.work
    return managed.record?.phase
  }
  assert.equal(await started(2), 'start_failed')
  assert.deepEqual(done.splice(0), ['attached 0000:18:00.0', 'stopped', 'devices reset'])
  isRefused = false
  assert.equal(await started(3), 'running')
  assert.deepEqual(done.splice(0), ['attached 0000:18:00.0', 'started'])
  assert.equal(await started(4, 'stop'), 'stopped')
  assert.deepEqual(done, ['stopped', 'detached', 'devices reset'])
  await rm(directory, { recursive: true })
})

test('while the slot of a guest that shut itself down is checked, it has not ended, whoever asks again', async () => {
  const [begun, checked] = [gate(), gate()]
  const { directory, context } = await openContext(Promise.resolve(), Promise.resolve())
  const done: string[] = []
  let own = [{ pci: '0000:01:00.0', bar_bytes: 0 }]
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
    ...{ ...context, verifySlot, whenReported: async () => {} },
    driver: { ...context.driver, stop: async () => void done.push('stop') },
    devices: { devicesOf: () => own, release, withheld: () => new Map() },
    notify: () => {
      if (managed.record?.phase === 'stopped') done.push('stopped')
    },
  } as unknown as AgentContext
  const managed = keepMachine(guarded, id, { ...record, phase: 'running' })
  const ended = recordEnd(managed, 'guest_shutdown')
  await begun.opened
  setDesired(managed, { ...record.wanted, id, generation: 2, action: 'stop' } as unknown as typeof managed.wanted)
  tryAgain(managed)
  assert.deepEqual([done, managed.record?.phase], [['stop', 'release'], 'running'])
  checked.open()
  await ended
  await managed.work
  // A second way to the end would stop the machine once more.
  assert.deepEqual([...new Set(done)], ['stop', 'release', 'checked', 'stopped'])
  assert.equal(done.filter((one) => one === 'stop').length, 1)
  await rm(directory, { recursive: true })
})

/** A machine that runs with a device, and what is done until it is stopped. `stop`: what its driver does. */
async function openRunning(stop: () => Promise<void> = async () => {}) {
  const { directory, context } = await openContext(Promise.resolve(), Promise.resolve())
  const done: string[] = []
  let own = [{ pci: '0000:01:00.0', bar_bytes: 0 }]
  const release = async () => {
    done.push('release')
    own = []
  }
  const guarded = {
    ...context,
    driver: {
      ...context.driver,
      stop: async () => {
        done.push('stop')
        await stop()
      },
    },
    devices: { devicesOf: () => own, release, withheld: () => new Map() },
    verifySlot: async () => void done.push('check begins'),
    whenReported: async () => {},
  } as unknown as AgentContext
  const managed = keepMachine(guarded, id, { ...record, phase: 'running' })
  const wanted = { ...record.wanted, id, generation: 2, action: 'stop' } as unknown as typeof managed.wanted
  return { done, managed, wanted, close: () => rm(directory, { recursive: true }) }
}

test('a stop and an end at the same moment clear a machine once', async () => {
  for (const isEndFirst of [true, false]) {
    const { done, managed, wanted, close } = await openRunning()
    const ended = isEndFirst ? recordEnd(managed, 'guest_shutdown') : undefined
    setDesired(managed, wanted)
    await (ended ?? recordEnd(managed, 'guest_shutdown'))
    await managed.work
    assert.deepEqual(done, ['stop', 'release', 'check begins'], isEndFirst ? 'the end first' : 'the stop first')
    assert.equal(managed.record?.phase, 'stopped')
    await close()
  }
})

test('a stop waits for an end that is tried again', async () => {
  const [failed, stopped] = [gate(), gate()]
  let tries = 0
  const { done, managed, wanted, close } = await openRunning(async () => {
    tries += 1
    if (tries > 1) return stopped.opened
    await failed.opened
    throw new Error('Its process does not end.')
  })
  void recordEnd(managed, 'guest_shutdown')
  await waitUntil('its end has begun', () => tries === 1)
  setDesired(managed, wanted)
  const again = managed.ending?.then(() => tryAgain(managed))
  failed.open()
  await again
  await waitUntil('its end is tried again', () => tries > 1)
  stopped.open()
  await managed.work
  assert.deepEqual(done, ['stop', 'stop', 'release', 'check begins'])
  await close()
})

test('an agent starts while the machine of a guest that shut itself down is being cleared', {
  timeout: 60_000,
}, async () => {
  for (const ended of [undefined, 'guest_shutdown'] as const) {
    const cleared = gate()
    const { directory, context } = await openContext(Promise.resolve(), Promise.resolve())
    const driver = { ...context.driver, adopt: async () => 'guest_shutdown', stop: () => cleared.opened }
    const managed = keepMachine({ ...context, driver: driver as unknown as Driver }, id, {
      ...{ ...record, phase: 'running' },
      ended,
    })
    await adopt(managed)
    assert.equal(managed.record?.phase, 'running')
    cleared.open()
    await managed.ending
    assert.equal(managed.record?.phase, 'stopped')
    await rm(directory, { recursive: true })
  }
})

test('an end that cannot be written down at the start of the agent is logged, and the agent starts', async () => {
  const { directory, context } = await openContext(Promise.resolve(), Promise.resolve())
  const log: string[] = []
  let writes = 0
  const write = async () => {
    writes += 1
    if (writes === 2) throw new Error('The disk is full.')
  }
  const failing = {
    ...{ ...context, journal: { ...context.journal, write } },
    driver: { ...context.driver, adopt: async () => 'guest_shutdown', stop: async () => {} },
    log: (message: string, fields: object) => void log.push(`${message} ${JSON.stringify(fields)}`),
  } as unknown as AgentContext
  const managed = keepMachine(failing, id, { ...record, phase: 'running' })
  await adopt(managed)
  await managed.ending?.catch(() => {})
  assert.match(log.join(), /inst_a.*The disk is full/)
  await rm(directory, { recursive: true })
})

test('a machine that is being removed ends no second time, whoever tells its end', async () => {
  const [asked, destroyed, reported] = [gate(), gate(), gate()]
  const { directory, context, folder } = await openContext(Promise.resolve(), reported.opened)
  const done: string[] = []
  const destroy = () => {
    asked.open()
    return destroyed.opened
  }
  const driver = { ...context.driver, destroy, stop: async () => void done.push('stop') }
  const leaving = { ...context, driver, whenReported: () => reported.opened } as unknown as AgentContext
  const managed = keepMachine(leaving, id, { ...record, phase: 'running', ended: 'guest_shutdown' })
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
  await rm(directory, { recursive: true })
})

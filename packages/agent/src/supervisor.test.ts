import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Driver } from './drivers/driver.ts'
import { openJournal } from './journal.ts'
import type { MachineRecord } from './machine.rules.ts'
import { type AgentContext, keepMachine, setDesired, shipConsole } from './supervisor.ts'

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
  const driver = { console: async () => Buffer.from('said'), destroy: () => destroyed } as unknown as Driver
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
    return Buffer.from('said')
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

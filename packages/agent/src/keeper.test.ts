import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Driver } from './drivers/driver.ts'
import { openJournal } from './journal.ts'
import { type Household, openKeeping, shipConsole, wish } from './keeper.ts'
import type { MachineRecord } from './machine.rules.ts'

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

/** Steps that are stopped at until they are let go on. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** A household with a real journal, whose machine has said something and takes its time to be destroyed. */
async function openHousehold(destroyed: Promise<void>, heard: Promise<void>) {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-keeper-'))
  const driver = { console: async () => Buffer.from('said'), destroy: () => destroyed } as unknown as Driver
  const calls = { appendLogs: () => heard.then(() => 2) }
  const journal = openJournal(directory)
  await journal.write(record)
  const household = { driver, journal, calls, tell: () => {}, note: () => {} } as unknown as Household
  return { directory, household, folder: join(directory, 'machines', id) }
}

for (const first of ['the console', 'the removal'] as const) {
  test(`a machine that is removed while its console is handed in leaves nothing, ${first} done first`, async () => {
    const [destroyed, heard] = [gate(), gate()]
    const { directory, household, folder } = await openHousehold(destroyed.opened, heard.opened)
    const keeping = openKeeping(household, id, record)
    const { signal } = new AbortController()
    const shipped = shipConsole(keeping, signal)
    wish(keeping, undefined)
    const later = shipConsole(keeping, signal)
    const [one, other] = first === 'the console' ? [heard, destroyed] : [destroyed, heard]
    one.open()
    if (first === 'the console') await shipped
    else await keeping.work
    other.open()
    await Promise.all([shipped, later])
    await keeping.work
    assert.equal(existsSync(folder), false)
    await rm(directory, { recursive: true })
  })
}

test('a console that answers while its machine is removed brings nothing back', async () => {
  const [asked, said] = [gate(), gate()]
  const { directory, household, folder } = await openHousehold(Promise.resolve(), Promise.resolve())
  const console = async () => {
    asked.open()
    await said.opened
    return Buffer.from('said')
  }
  // Answered as soon as the removal has come to the record.
  const release = async () => void setImmediate(said.open)
  const slow = {
    ...household,
    driver: { ...household.driver, console },
    network: { release, wiringOf: () => undefined },
  } as unknown as Household
  const keeping = openKeeping(slow, id, record)
  const shipped = shipConsole(keeping, new AbortController().signal)
  await asked.opened
  wish(keeping, undefined)
  await Promise.all([shipped, keeping.work])
  assert.equal(existsSync(folder), false)
  await rm(directory, { recursive: true })
})

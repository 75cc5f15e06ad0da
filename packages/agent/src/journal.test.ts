import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { openJournal } from './journal.ts'
import type { MachineRecord } from './machine.rules.ts'

test('records are read back as written, and a folder without a record is removed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-journal-'))
  const journal = openJournal(directory)
  const record = { id: 'inst_kept', generation: 3, phase: 'running' } as MachineRecord
  await journal.write(record)
  const left = await journal.folderOf('inst_left')
  const again = openJournal(directory)
  assert.deepEqual(await again.read(), [record])
  assert.equal(existsSync(left), false)
  await again.remove(record.id)
  assert.deepEqual(await openJournal(directory).read(), [])
  await rm(directory, { recursive: true })
})

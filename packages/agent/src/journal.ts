/** The journal of the agent: one folder for each machine, written before each step, so that a restart can continue. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, removeAll, writeWhole } from './files.ts'
import type { MachineRecord } from './machine.rules.ts'
import { openTurns } from './turns.ts'

/** The journal of one agent. */
export type Journal = {
  /** The folder of a machine. Creates it if necessary. */
  folderOf(id: string): Promise<string>
  read(): Promise<MachineRecord[]>
  write(record: MachineRecord): Promise<void>
  remove(id: string): Promise<void>
}

const recordFile = 'machine.json'

/** Opens the journal in the state directory of an agent. */
export function openJournal(directory: string): Journal {
  const root = join(directory, 'machines')
  const pathOf = (id: string) => join(root, id)
  // Serialised for each machine: a write during the removal would create the folder again.
  const inTurn = openTurns()
  return {
    folderOf: (id) =>
      inTurn(id, async () => {
        await mkdir(pathOf(id), { recursive: true, mode: 0o700 })
        return pathOf(id)
      }),
    read: async () => {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const records = await Promise.all(
        (await readdir(root)).map(async (id) => {
          const text = await readIfThere(join(pathOf(id), recordFile))
          // A folder without a record is left from a removal, or from a machine that was never started.
          if (text === undefined) await removeAll(pathOf(id))
          return text === undefined ? [] : [JSON.parse(text) as MachineRecord]
        }),
      )
      return records.flat()
    },
    write: (record) => inTurn(record.id, () => writeWhole(join(pathOf(record.id), recordFile), JSON.stringify(record))),
    remove: (id) =>
      inTurn(id, async () => {
        // The record is removed first. The next start of the agent removes what is left.
        await removeAll(join(pathOf(id), recordFile))
        await removeAll(pathOf(id))
      }),
  }
}

/** What the agent knows of its machines, one folder for each; written before each step, so that a restart goes on. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, removeAll, writeWhole } from './files.ts'
import type { MachineRecord } from './machine.rules.ts'

/** The journal of one agent. */
export type Journal = {
  /** The folder of a machine; it is there. */
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
  return {
    folderOf: async (id) => {
      await mkdir(pathOf(id), { recursive: true, mode: 0o700 })
      return pathOf(id)
    },
    read: async () => {
      await mkdir(root, { recursive: true, mode: 0o700 })
      const records = await Promise.all(
        (await readdir(root)).map(async (id) => {
          const text = await readIfThere(join(pathOf(id), recordFile))
          // A folder without a record is what is left of a removal, or of a machine that was never begun.
          if (text === undefined) await removeAll(pathOf(id))
          return text === undefined ? [] : [JSON.parse(text) as MachineRecord]
        }),
      )
      return records.flat()
    },
    write: (record) => writeWhole(join(pathOf(record.id), recordFile), JSON.stringify(record)),
    remove: async (id) => {
      // The record goes first: what is left is cleared away by the next start.
      await removeAll(join(pathOf(id), recordFile))
      await removeAll(pathOf(id))
    },
  }
}

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
  const last = new Map<string, Promise<unknown>>()
  // One after the other for each machine: what is written while it is removed would bring its folder back.
  const inTurn = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(id) ?? Promise.resolve()).then(work, work)
    last.set(id, turn)
    const leave = () => void (last.get(id) === turn && last.delete(id))
    turn.then(leave, leave)
    return turn
  }
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
          // A folder without a record is what is left of a removal, or of a machine that was never begun.
          if (text === undefined) await removeAll(pathOf(id))
          return text === undefined ? [] : [JSON.parse(text) as MachineRecord]
        }),
      )
      return records.flat()
    },
    write: (record) => inTurn(record.id, () => writeWhole(join(pathOf(record.id), recordFile), JSON.stringify(record))),
    remove: (id) =>
      inTurn(id, async () => {
        // The record goes first: what is left is cleared away by the next start.
        await removeAll(join(pathOf(id), recordFile))
        await removeAll(pathOf(id))
      }),
  }
}

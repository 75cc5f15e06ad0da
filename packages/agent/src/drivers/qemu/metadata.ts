/** Answers a guest at the metadata address, over the socket that its QEMU puts all of its questions into. */
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { readIfThere, removeAll, writeWhole } from '../../files.ts'
import type { MachineSpec, TerminationNotice } from '../driver.ts'
import { files } from './command-line.rules.ts'
import { converse } from './metadata.rules.ts'

const noticeFile = 'notice.json'

/** Notes what a guest may know of its end, also for the agent that comes after this one. */
export async function noteNotice({ directory }: MachineSpec, notice: TerminationNotice | null): Promise<void> {
  const path = join(directory, noticeFile)
  await (notice ? writeWhole(path, JSON.stringify(notice)) : removeAll(path))
}

/** Begins to answer; ends with the socket. A guest whose agent is away waits for its answer. */
export function answerGuest({ directory }: MachineSpec): Socket {
  const socket = connect(join(directory, files.metadata))
  let said = ''
  const hear = async (piece: string) => {
    said += piece
    const text = await readIfThere(join(directory, noticeFile))
    const { answer, rest } = converse(said, text === undefined ? null : (JSON.parse(text) as TerminationNotice))
    said = rest
    if (answer !== undefined) socket.write(answer)
  }
  let last = Promise.resolve()
  socket.setEncoding('latin1')
  socket.on('data', (piece: string) => {
    last = last.then(() => hear(piece)).catch((error) => void socket.destroy(error))
  })
  // The machine is what counts: that it is gone is heard elsewhere.
  socket.on('error', () => {})
  return socket
}

/** Answers a guest at the metadata address, over the socket that its QEMU puts all of its questions into. */
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
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

/**
 * Begins to answer; ends with the socket. A guest whose agent is away waits for its answer, and one that does not read
 * its answers is asked for no more questions.
 */
export function answerGuest({ directory }: MachineSpec): Socket {
  const socket = connect(join(directory, files.metadata))
  socket.setEncoding('latin1')
  const answers = async function* (pieces: AsyncIterable<string>) {
    let said = ''
    for await (const piece of pieces) {
      const text = await readIfThere(join(directory, noticeFile))
      const notice = text === undefined ? null : (JSON.parse(text) as TerminationNotice)
      const { answer, rest } = converse(said + piece, notice)
      said = rest
      if (answer !== undefined) yield answer
    }
  }
  // The machine is what counts: that it is gone is heard elsewhere.
  pipeline(socket, answers, socket).catch(() => {})
  return socket
}

/** Serves the metadata address of a machine, over the socket to which its QEMU forwards all requests. */
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readIfThere, removeAll, writeWhole } from '../../files.ts'
import type { MachineSpec, TerminationNotice } from '../driver.ts'
import { files } from './command-line.rules.ts'
import { answerMetadata } from './metadata.rules.ts'

const noticeFile = 'notice.json'

/** Stores the termination notice of a guest in a file, so that it survives a restart of the agent. */
export async function writeNotice({ directory }: MachineSpec, notice: TerminationNotice | null): Promise<void> {
  const path = join(directory, noticeFile)
  await (notice ? writeWhole(path, JSON.stringify(notice)) : removeAll(path))
}

/**
 * Serves requests until the socket closes. While the agent is not running, a guest waits for its answer. If a guest
 * does not read answers, no further requests are read.
 */
export function answerGuest({ directory }: MachineSpec): Socket {
  const socket = connect(join(directory, files.metadata))
  socket.setEncoding('latin1')
  const responses = async function* (pieces: AsyncIterable<string>) {
    let received = ''
    for await (const piece of pieces) {
      const text = await readIfThere(join(directory, noticeFile))
      const notice = text === undefined ? null : (JSON.parse(text) as TerminationNotice)
      const { response, rest } = answerMetadata(received + piece, notice)
      received = rest
      if (response !== undefined) yield response
    }
  }
  // Errors are ignored: the end of the machine is detected by its monitor.
  pipeline(socket, responses, socket).catch(() => {})
  return socket
}

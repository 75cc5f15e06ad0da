/**
 * Asks the QEMU guest agent of a machine, over a virtio-serial port: one JSON object a line. The guest may answer
 * anything, late, or never, so each conversation is bounded in time and bytes.
 */
import { connect } from 'node:net'
import { pause } from '@bourse/text/time/pause.ts'
import { monotonic } from '../../clock.ts'

/** Asks one question. Throws if the guest refuses it. */
export type AskGuest = (command: string, input?: object) => Promise<unknown>

const conversationMilliseconds = 4_000
const refusalName = 'GuestRefusal'
const bytesMax = 1_048_576
/** The agent drops what it has received so far when it reads this byte, and sends it before its answer. */
const delimiter = 0xff

/** Holds a conversation; undefined if no guest agent answers. */
export async function askGuestAgent<T>(path: string, talk: (ask: AskGuest) => Promise<T>): Promise<T | undefined> {
  const socket = connect(path)
  // The reader of its lines gets the error too.
  socket.on('error', () => {})
  const over = new AbortController()
  const tooLate = pause(conversationMilliseconds, over.signal).then(() => {
    if (!over.signal.aborted) socket.destroy(new Error('The guest agent did not answer.'))
  })
  const lines = linesOf(socket)
  const ask: AskGuest = async (command, input) => {
    socket.write(question(command, input))
    return answerOf(await nextLine(lines))
  }
  try {
    // Another one than in earlier conversations, whose answers may come first.
    const id = Math.floor(monotonic() * 1000)
    socket.write(Buffer.concat([Buffer.from([delimiter]), Buffer.from(question('guest-sync-delimited', { id }))]))
    while (syncIdOf(await nextLine(lines)) !== id);
    return await talk(ask)
  } catch (error) {
    if (isGuestRefusal(error)) throw error
    return undefined
  } finally {
    over.abort()
    socket.destroy()
    await tooLate
  }
}

/** Whether a guest agent has answered that it does not carry out a command. */
export function isGuestRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === refusalName
}

function question(command: string, input: object | undefined): string {
  return `${JSON.stringify({ execute: command, ...(input ? { arguments: input } : {}) })}\n`
}

async function* linesOf(socket: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let rest = Buffer.alloc(0)
  let received = 0
  for await (const piece of socket) {
    received += piece.length
    if (received > bytesMax) throw new Error('The guest agent answers without end.')
    rest = Buffer.concat([rest, piece])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end)
      rest = rest.subarray(end + 1)
      yield line.subarray(line.lastIndexOf(delimiter) + 1).toString('utf8')
    }
  }
}

async function nextLine(lines: AsyncGenerator<string, void>): Promise<string> {
  const { value, done } = await lines.next()
  if (done || value === undefined) throw new Error('The guest agent is gone.')
  return value
}

function syncIdOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { return?: unknown }).return
  } catch {
    return undefined
  }
}

function answerOf(line: string): unknown {
  const { error, ...answer } = JSON.parse(line) as { return?: unknown; error?: { desc?: unknown } }
  if (error) {
    const message = String(error.desc ?? 'The guest agent refuses.').slice(0, 255)
    throw Object.assign(new Error(message), { name: refusalName })
  }
  return answer.return
}

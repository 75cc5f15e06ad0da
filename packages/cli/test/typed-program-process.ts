/**
 * Runs command lines of the program for shells, all in this one process, because starting Node costs more than most
 * commands. Prints the port of a socket on 127.0.0.1. A shell sends the number of its variables, the variables, the
 * number of words and the words, each with a NUL behind it. Every line of the response begins with what it is: 1 and 2
 * of standard output and standard error, p of standard output without an end of line, and = the exit code at the end.
 */
import { createServer, type Socket } from 'node:net'
import { run } from '../src/run.ts'

const server = createServer((socket) => {
  let text = ''
  // A reader that has seen enough closes the pipe (`| head`).
  socket.on('error', () => {})
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
    const call = readCall(text)
    if (call) void answer(socket, call)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(address?.port)
})
// The parent holds the other end, and this process ends with it.
process.stdin.resume().once('end', () => process.exit(0))

type ProgramCall = { readonly variables: Readonly<Record<string, string>>; readonly words: readonly string[] }

/** The call; undefined as long as a part of it is missing. */
function readCall(text: string): ProgramCall | undefined {
  const parts = text.split('\0')
  const variableCount = Number(parts[0])
  const wordCount = Number(parts[variableCount + 1])
  const end = variableCount + wordCount + 2
  // Behind the last NUL is an empty part.
  if (Number.isNaN(end) || parts.length <= end) return undefined
  const variables = parts.slice(1, variableCount + 1).map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  return { variables: Object.fromEntries(variables), words: parts.slice(variableCount + 2, end) }
}

async function answer(socket: Socket, { variables, words }: ProgramCall): Promise<void> {
  const send = (kind: '1' | '2', text: string) => {
    for (const line of text.split('\n')) socket.write(`${kind}${line}\n`)
  }
  const plain = (text: string) => text
  const terminal = {
    data: (text: string) => send('1', text),
    raw: (bytes: Uint8Array) => {
      const lines = Buffer.from(bytes).toString().split('\n')
      const rest = lines.pop()
      for (const line of lines) socket.write(`1${line}\n`)
      if (rest) socket.write(`p${rest}\n`)
    },
    note: (text: string) => send('2', text),
    ask: async () => undefined,
    width: undefined,
    dim: plain,
    red: plain,
    bidColour: plain,
    askColour: plain,
  }
  const code = await run(words, { terminal, variables })
  socket.end(`=${code}\n`)
}

/**
 * An HTTP client that uses less processor time than Node's own, for load programs that share a core with the database.
 */
import { connect, type Socket } from 'node:net'

/** A connection that sends one request after the other. */
export type Conversation = {
  /** Sends a complete request. Returns the body of a 201; throws on any other response or without one. */
  ask(request: string): Promise<string>
  close(): void
}

type WaitingQuestion = { resolve(answer: string): void; reject(error: Error): void }
type SocketLine = { readonly socket: Socket; got: string; waiting: WaitingQuestion | undefined }

/**
 * Opens a conversation with a server of this machine. If the server has closed the idle connection, the next request
 * opens a new one.
 */
export async function converse(port: number): Promise<Conversation> {
  let line = await openLine(port)
  return {
    ask: async (request) => {
      if (line.socket.readyState !== 'open') line = await openLine(port)
      const { socket } = line
      return new Promise((resolve, reject) => {
        line.waiting = { resolve, reject }
        socket.write(request)
      })
    },
    close: () => line.socket.destroy(),
  }
}

function openLine(port: number): Promise<SocketLine> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const line: SocketLine = { socket, got: '', waiting: undefined }
    const end = (error: Error) => {
      reject(error)
      line.waiting?.reject(error)
      line.waiting = undefined
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => receive(line, chunk))
    socket.on('error', end)
    socket.on('close', () => end(new Error('The server closed the connection before its response.')))
    socket.on('connect', () => resolve(line))
  })
}

function receive(line: SocketLine, chunk: string): void {
  line.got += chunk
  const { got, waiting } = line
  const end = got.indexOf('\r\n\r\n')
  const length = /content-length: (\d+)/i.exec(got)?.[1]
  if (end < 0 || length === undefined || got.length < end + 4 + Number(length)) return
  line.got = ''
  line.waiting = undefined
  if (got.startsWith('HTTP/1.1 201')) waiting?.resolve(got.slice(end + 4))
  else waiting?.reject(new Error(got))
}

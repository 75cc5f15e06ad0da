/** Sends bytes to the server, and parses the received bytes as far as they are HTTP. */
import { connect } from 'node:net'
import { limitSeconds } from '../../../../../test/eventually.ts'

/** One response as received. */
export type RawResponse = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** It has no body despite its Content-Length: the response to a HEAD. */
  readonly isBare: boolean
}

/** The result of a conversation. */
export type RawConversation = {
  readonly responses: readonly RawResponse[]
  /** Bytes after the last complete response. */
  readonly rest: string
  /** Whether the connection was still open without data at the end of the wait. */
  readonly hangs: boolean
}

/** A conversation without data for longer counts as ended. */
const timeoutMilliseconds = limitSeconds(0.5) * 1000
/** The time without data after which the client ends its half of the connection. */
const idleMilliseconds = 60

/**
 * Sends pieces one by one and waits for `awaited` responses. Then ends its half of the connection, and reads until the
 * server closes it.
 */
export function converse(url: string, pieces: readonly Buffer[], awaited = 0): Promise<RawConversation> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const received: Buffer[] = []
    let waitsLong = false
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true })
    const end = (hangs: boolean) => {
      socket.destroy()
      resolve({ ...hear(), hangs })
    }
    const hear = () => readResponses(Buffer.concat(received).toString('latin1'))
    // The server ends the conversation when the client ends its half, so the client does so after the responses.
    const sendEnd = () => {
      socket.setTimeout(timeoutMilliseconds)
      socket.end()
    }
    const finish = () => {
      if (socket.writableEnded) return end(true)
      if (hear().responses.length >= awaited || waitsLong) return sendEnd()
      waitsLong = true
      socket.setTimeout(timeoutMilliseconds)
    }
    socket.on('timeout', finish)
    socket.on('data', (piece: Buffer) => {
      received.push(piece)
      if (awaited > 0 && hear().responses.length >= awaited && !socket.writableEnded) sendEnd()
    })
    // A reset counts as a close.
    socket.on('error', () => {})
    socket.once('end', () => end(false))
    socket.once('close', () => end(false))
    socket.once('connect', () => sendNext(0))
    const sendNext = (index: number) => {
      const piece = pieces[index]
      if (!piece) return void socket.setTimeout(idleMilliseconds)
      socket.write(piece, () => sendNext(index + 1))
    }
  })
}

function readResponses(text: string): Pick<RawConversation, 'responses' | 'rest'> {
  const responses: RawResponse[] = []
  let rest = text
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[!-9;-~]+: [^\r\n]*\r\n)*)\r\n/.exec(rest)
    if (!head) return { responses, rest }
    const status = Number(head[1])
    const lines = (head[2] as string).split('\r\n').filter((line) => line !== '')
    const headers = new Map(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: /, '')]),
    )
    const behind = rest.slice(head[0].length)
    const output = status < 200 ? 0 : Number(headers.get('content-length') ?? 0)
    const isBare = output > 0 && (behind === '' || behind.startsWith('HTTP/1.1 '))
    const length = isBare ? 0 : output
    if (behind.length < length) return { responses, rest }
    const body = Buffer.from(behind.slice(0, length), 'latin1').toString('utf8')
    responses.push({ status, headers, body, isBare })
    rest = behind.slice(length)
  }
}

/** An HTTP client of one replica with keep-alive connections. */
import { Agent, request as open } from 'node:http'

export type ReplicaRequest = {
  readonly method: string
  readonly path: string
  readonly token?: string | undefined
  readonly body?: unknown
  /** Sent unchanged instead of a JSON body. */
  readonly bytes?: Buffer | undefined
  readonly accept?: string | undefined
  readonly key?: string | undefined
  readonly request_id: string
}

/** A response. The body is parsed JSON, undefined for an empty one. */
export type ReplicaResponse = { status: number; body: any; text: string; replayed: boolean }

export type ReplicaClient = { send(sent: ReplicaRequest): Promise<ReplicaResponse>; close(): void }

export function openClient(port: number): ReplicaClient {
  const line: ClientLine = { agent: new Agent({ keepAlive: true }), port, isClosed: false }
  const close = () => {
    line.isClosed = true
    line.agent.destroy()
  }
  return { send: (sent) => send(line, sent), close }
}

type ClientLine = { readonly agent: Agent; readonly port: number; isClosed: boolean }

function send(line: ClientLine, sent: ReplicaRequest): Promise<ReplicaResponse> {
  const { agent, port } = line
  const { method, path, token, body, key, request_id, accept } = sent
  const bytes = sent.bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
  const headers: Record<string, string | number> = { 'x-request-id': request_id }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  if (accept !== undefined) headers.accept = accept
  if (body !== undefined) headers['content-type'] = 'application/json'
  headers['content-length'] = bytes?.length ?? 0
  if (key !== undefined) headers['idempotency-key'] = key
  return new Promise((resolve, reject) => {
    const request = open({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(pieces).toString()
        const replayed = response.headers['idempotency-replayed'] === 'true'
        const isJson = text !== '' && /^application\/json(;|$)/.test(response.headers['content-type'] ?? '')
        resolve({ status: response.statusCode as number, body: isJson ? JSON.parse(text) : undefined, text, replayed })
      })
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection just when it is reused. Nothing is sent again to a killed replica: the
      // retry would wait six seconds for that connection to end.
      if (request.reusedSocket && error.code === 'ECONNRESET' && !line.isClosed) resolve(send(line, sent))
      else reject(error)
    })
    request.end(bytes)
  })
}

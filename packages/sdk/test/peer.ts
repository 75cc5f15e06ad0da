/**
 * An HTTP server whose responses a test defines, for cases that a real server rarely shows: broken connections, no
 * response, responses of other programs. It does not simulate the Bourse server.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../../../test/at-end.ts'

/** A received request. */
export type Arrived = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Responds to a request. `number` counts the requests from 0. */
export type Answerer = (response: ServerResponse, request: Arrived, number: number) => void

export type Peer = { readonly url: string; readonly requests: Arrived[] }

/** Starts a peer that stops at the end of the test file. */
export async function startPeer(answer: Answerer): Promise<Peer> {
  const requests: Arrived[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const arrived = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    answer(response, arrived, requests.push(arrived) - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Responds with JSON. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

/** Responds with an error envelope. */
export function answerError(
  response: ServerResponse,
  status: number,
  type: string,
  { codes = [], headers = {} }: { codes?: string[]; headers?: Record<string, string> } = {},
): void {
  const details = codes.map((code) => ({ field: null, code, message: `It is ${code}.` }))
  const error = { type, message: `This is ${type}.`, ...(details.length > 0 ? { details } : {}) }
  answerJson(response, status, { error }, headers)
}

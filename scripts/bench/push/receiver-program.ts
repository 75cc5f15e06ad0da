/**
 * A receiver of webhooks. The first line has its port; each response has what arrived since the last question. Times
 * are those of its own clock, in milliseconds.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

let count = 0
let first = 0
let last = 0
let lags: number[] = []
/** The last message, without the headers of the connection. */
let message: { headers: Record<string, unknown>; body: string } | undefined
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => {
    text += chunk
  })
  request.on('end', () => {
    // A receiver that hangs.
    if (request.url === '/hang') return
    last = performance.now()
    if (count++ === 0) first = last
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    message = { headers, body: text }
    // The target of an event says when it was written.
    const written = /"id":"at_(\d+)"/.exec(text)?.[1]
    if (written !== undefined) lags.push(Date.now() - Number(written))
    response.writeHead(200).end()
  })
})
server.keepAliveTimeout = 30_000
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))
for await (const _line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify({ count, first, last, lags, message }))
  count = 0
  lags = []
}
server.close()
server.closeAllConnections()

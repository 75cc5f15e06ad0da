/** The baseline: a bare `node:http` server that sends the last received body from a ready Buffer. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

let body = Buffer.from('{}')
const server = createServer((_request, response) => {
  response.writeHead(200, ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)])
  response.end(body)
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))
for await (const line of createInterface({ input: process.stdin })) {
  body = Buffer.from((JSON.parse(line) as { body: string }).body)
  console.log('{}')
}
server.close()
server.closeAllConnections()

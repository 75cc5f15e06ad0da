/**
 * The baseline: a bare `node:http` server that writes each text that it reads to all open responses. Each line that it
 * prints has its resident memory in bytes.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

const responses = new Set<ServerResponse>()
const server = createServer((_request, response) => {
  response.writeHead(200, ['Content-Type', 'text/event-stream; charset=utf-8', 'Cache-Control', 'no-store'])
  response.write('retry: 2000\n\n')
  responses.add(response)
})
const address = { host: '127.0.0.1', port: 0, backlog: 4096 }
server.listen(address, () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))
for await (const line of createInterface({ input: process.stdin })) {
  const { write = '' } = JSON.parse(line) as { write?: string }
  const bytes = Buffer.from(write)
  if (bytes.length > 0) for (const response of responses) response.write(bytes)
  const { rss } = process.memoryUsage()
  console.log(JSON.stringify({ rss }))
}
server.close()
server.closeAllConnections()

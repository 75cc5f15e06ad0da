/**
 * The baseline: a bare `node:http` server that sends the responses of another server from ready buffers, looked up by
 * their URL. It asks the other server for each of them before: the same bytes, the same headers, as many buffers as
 * URLs, because one that is sent again and again stays in the caches of the processor.
 */
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'

/** Where the responses come from. The token of a path is that of the same index, counted round. */
export type BareSource = {
  readonly port: number
  readonly paths: readonly string[]
  readonly tokens: readonly string[]
}

type ReadyResponse = { readonly head: readonly string[]; readonly body: Buffer }

const together = 16
/** Headers of one connection or of one moment, which the server writes itself. */
const ownHeaders = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

const responses = new Map<string, ReadyResponse>()
const server = createServer((request, response) => {
  const ready = responses.get(request.url as string)
  if (ready === undefined) {
    response.writeHead(404, ['Content-Length', '0']).end()
    return
  }
  response.writeHead(200, ready.head as string[])
  response.end(ready.body)
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })))
for await (const line of createInterface({ input: process.stdin })) {
  await fill(JSON.parse(line) as BareSource)
  console.log('{}')
}
server.close()
server.closeAllConnections()

async function fill({ port, paths, tokens }: BareSource): Promise<void> {
  responses.clear()
  const left = [...new Map(paths.map((path, index) => [path, tokens[index % tokens.length]]))]
  const next = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const [path, token] = one
      responses.set(path, await read(`http://127.0.0.1:${port}${path}`, token as string))
    }
  }
  await Promise.all(Array.from({ length: together }, next))
}

async function read(url: string, token: string): Promise<ReadyResponse> {
  const request = get(url, { headers: { authorization: `Bearer ${token}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = await buffer(response)
  if (response.statusCode !== 200) throw new Error(`${url} returned ${response.statusCode}: ${body}`)
  // Names and values alternate, as they were sent.
  const raw = response.rawHeaders
  const head = raw.filter((_, index) => !ownHeaders.has((raw[index - (index % 2)] as string).toLowerCase()))
  return { head, body }
}

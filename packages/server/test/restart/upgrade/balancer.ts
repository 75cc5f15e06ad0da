/**
 * A simple load balancer: it asks each replica whether it is ready, sends a request to the next one that is, and never
 * sends a request again.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pause } from '@bourse/text/time/pause.ts'

const pollMilliseconds = 100
/** Older servers close connections that are idle for 5 s. One that is used at that moment would fail its request. */
const idleMilliseconds = 1_000

export type Balancer = AsyncDisposable & {
  readonly url: string
  add(url: string): void
  remove(url: string): void
  /** Whether a replica was ready when it was last asked. */
  isReady(url: string): boolean
}

type Upstream = { readonly url: string; readonly agent: Agent; isReady: boolean; isRemoved: boolean }

/** Starts one. A replica that does not answer within `limit_milliseconds` is not ready. */
export async function startBalancer({ limit_milliseconds = 60_000 } = {}): Promise<Balancer> {
  const upstreams: Upstream[] = []
  let turn = 0
  const server = createServer((asked, response) => {
    const ready = upstreams.filter(({ isReady }) => isReady)
    const upstream = ready[turn++ % Math.max(1, ready.length)]
    if (upstream) forward(upstream, asked, response)
    else response.writeHead(502).end('no replica is ready')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const remove = (url: string) => {
    const at = upstreams.findIndex((one) => one.url === url)
    const [upstream] = at < 0 ? [] : upstreams.splice(at, 1)
    if (!upstream) return
    upstream.isRemoved = true
    upstream.agent.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => {
      const upstream = {
        url,
        agent: new Agent({ keepAlive: true, timeout: idleMilliseconds }),
        isReady: false,
        isRemoved: false,
      }
      upstreams.push(upstream)
      void watch(upstream, limit_milliseconds)
    },
    remove,
    isReady: (url) => upstreams.some((one) => one.url === url && one.isReady),
    [Symbol.asyncDispose]: async () => {
      for (const { url } of [...upstreams]) remove(url)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function watch(upstream: Upstream, limit: number): Promise<void> {
  while (!upstream.isRemoved) {
    upstream.isReady = await fetch(`${upstream.url}/readyz`, { signal: AbortSignal.timeout(limit) }).then(
      async (response) => {
        await response.text()
        return response.status === 200
      },
      () => false,
    )
    await pause(pollMilliseconds)
  }
}

function forward({ url, agent }: Upstream, asked: IncomingMessage, response: ServerResponse): void {
  const { connection: _, 'keep-alive': __, ...headers } = asked.headers
  const sent = request(`${url}${asked.url}`, { method: asked.method, headers, agent }, (received) => {
    const { connection: ___, 'keep-alive': ____, ...shown } = received.headers
    response.writeHead(received.statusCode as number, shown)
    received.pipe(response)
  })
  sent.on('error', (error) => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end(`${url}: ${error.message}`)
  })
  asked.pipe(sent)
}

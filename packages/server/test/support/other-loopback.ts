/** Requests from another address of this machine than the one that a server listens on. */
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import type { TestServer } from './server.ts'

/** Why such requests cannot be sent; false where they can. */
export const noOtherLoopback = process.platform === 'linux' ? false : 'this system has one loopback address'

/** The head of a response. */
type ResponseHead = { readonly status: number | undefined; readonly headers: IncomingHttpHeaders }

/** Sends a request without a body from a loopback address, such as 127.0.0.2. `at` is a path or a URL. */
export function sendFrom(
  localAddress: string,
  server: TestServer,
  at: string,
  options: Pick<RequestOptions, 'method' | 'headers'> = {},
): Promise<ResponseHead> {
  const { port } = new URL(server.url)
  const { pathname, search } = new URL(at, server.url)
  const target = { host: '127.0.0.1', port, path: pathname + search, localAddress, agent: false, ...options }
  return new Promise((resolve, reject) => {
    const sent = request(target, (response) => {
      const { statusCode, headers } = response.resume()
      resolve({ status: statusCode, headers })
    })
    sent.on('error', reject).end()
  })
}

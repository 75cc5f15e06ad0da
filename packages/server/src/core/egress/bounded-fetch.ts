/**
 * Requests of the server to addresses that its operator has configured, which may be private ones. Redirects are not
 * followed; time and size of a response are bounded.
 */
import { Agent, type BodyInit, type Dispatcher, fetch as fetchByUndici } from 'undici'

/** The bounds of a request. */
type FetchBounds = { readonly milliseconds: number; readonly bytes_max: number }

type FetchOptions = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: BodyInit | null | undefined
  readonly signal?: AbortSignal
}

/** Sends a request and reads its whole response. */
export type BoundedFetch = (url: string, options: FetchOptions) => Promise<Response>

/** Creates a `fetch` with bounds. Its connections close when they are idle. */
export function createBoundedFetch({ milliseconds, bytes_max }: FetchBounds): BoundedFetch {
  let agent: Dispatcher | undefined
  return async (url, { method = 'GET', headers = {}, body }) => {
    agent ??= new Agent({ connect: { timeout: milliseconds }, keepAliveTimeout: 1_000, connections: 8 })
    const signal = AbortSignal.timeout(milliseconds)
    const sent = { method, headers, body: body ?? null, redirect: 'manual' as const }
    const response = await fetchByUndici(url, { ...sent, signal, dispatcher: agent })
    const pieces: Uint8Array[] = []
    let length = 0
    for await (const piece of response.body ?? []) {
      length += piece.length
      // Leaving the loop ends the connection.
      if (length > bytes_max) throw new Error(`The response of ${new URL(url).host} is longer than ${bytes_max} bytes.`)
      pieces.push(piece)
    }
    const { status } = response
    const content = status === 204 || status === 304 ? null : Buffer.concat(pieces)
    return new Response(content, { status, headers: [...response.headers] })
  }
}

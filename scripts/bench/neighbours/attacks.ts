/** The ways in which one account can burden a server: what a connection sends, and whether it reads the responses. */

/** How a connection of an attack behaves. */
export type Attack = {
  readonly connections: number
  /** The requests that a connection sends at once, as bytes of HTTP. `number` is that of the connection. */
  readonly bytes: (number: number) => Buffer
  /** Whether it reads the responses, and sends again when it has as many as it sent requests. */
  readonly reads: boolean
  readonly requests: number
}

/** The tokens of the account that attacks. */
type Tokens = readonly string[]

const bodyBytes = 128 * 1024 - 64
const enrolmentBytes = 8 * 1024 - 64

/** The attacks of an account, by their names. */
export function attacksOf(tokens: Tokens): Readonly<Record<string, Attack>> {
  const token = (number: number) => tokens[number % tokens.length] as string
  const reading = (path: string, requests: number) => (number: number) =>
    Buffer.from(requestOf('GET', path, { token: token(number) }).repeat(requests))
  return {
    wrong_bodies: {
      connections: 16,
      reads: true,
      requests: 1,
      bytes: (number) => {
        const body = `{"policy":{"rules":[${Array(Math.floor(bodyBytes / 3))
          .fill('{}')
          .join()}]}}`
        return Buffer.from(requestOf('POST', '/preview/v2/roles', { token: token(number), body }))
      },
    },
    wrong_enrolments: {
      connections: 16,
      reads: true,
      requests: 1,
      bytes: () => {
        const body = `{"facts":{"accelerators":[${Array(Math.floor(enrolmentBytes / 2))
          .fill('0')
          .join()}]}}`
        return Buffer.from(requestOf('POST', '/agent/v1/enrol', { body }))
      },
    },
    unread_pages: { connections: 100, reads: false, requests: 4, bytes: reading('/preview/v2/events?limit=200', 4) },
    unread_documents: { connections: 100, reads: false, requests: 15, bytes: reading('/openapi.json', 15) },
    deployment_deletes: {
      connections: 64,
      reads: true,
      requests: 1,
      bytes: () => Buffer.from(requestOf('DELETE', '/preview/v2/deployments/depl_absent', { token: token(0) })),
    },
    large_reads: { connections: 32, reads: true, requests: 1, bytes: reading('/preview/v2/events?limit=200', 1) },
    pipelines: { connections: 4, reads: true, requests: 1000, bytes: reading('/healthz', 1000) },
    unknown_paths: { connections: 32, reads: true, requests: 1, bytes: reading('/absent', 1) },
  }
}

type RequestOptions = { readonly token?: string; readonly body?: string }

function requestOf(method: string, path: string, { token, body }: RequestOptions): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost']
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`)
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${body.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

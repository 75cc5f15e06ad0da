/** Formats a request as an equivalent curl command. */
import { singleQuoted } from '@bourse/text/shell.ts'

/** The shell variable of the token, so that the command works without showing the token. */
const tokenVariable = '$BOURSE_API_TOKEN'

/** Thrown with the command where `--curl` prevents sending. */
export type CurlShown = Error & { readonly command: string }

/** Whether an error is a command to print, possibly as the cause of another error. */
export function findCurl(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined
  return thrown.name === 'CurlShown' ? (thrown as CurlShown).command : findCurl(thrown.cause)
}

/** A `fetch` that sends nothing and throws the equivalent command. */
export function curlFetch({ token, showToken }: { token: string; showToken: boolean }): typeof fetch {
  return async (url, init = {}) => {
    const shown = showToken ? token : undefined
    throw Object.assign(new Error('not sent'), { name: 'CurlShown', command: curlOf(String(url), init, shown) })
  }
}

/** Formats a curl command. Without a token, the command takes it from the environment. */
export function curlOf(url: string, init: RequestInit, token?: string): string {
  const { method = 'GET', body } = init
  const headers = Object.entries((init.headers ?? {}) as Record<string, string>)
  const words = ['curl', '-sS']
  if (method !== 'GET') words.push('-X', method)
  for (const [name, value] of headers) {
    if (name === 'authorization') words.push('-H', authorizationWord(token))
    else if (name === 'content-type' || name === 'idempotency-key') words.push('-H', singleQuoted(`${name}: ${value}`))
  }
  if (body !== undefined && body !== null) words.push('--data-raw', singleQuoted(String(body)))
  return [...words, singleQuoted(url)].join(' ')
}

function authorizationWord(token: string | undefined): string {
  return token === undefined
    ? `"Authorization: Bearer ${tokenVariable}"`
    : singleQuoted(`Authorization: Bearer ${token}`)
}

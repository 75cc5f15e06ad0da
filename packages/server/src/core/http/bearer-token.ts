import type { IncomingMessage } from 'node:http'

/** The token of `Authorization: Bearer …`; undefined where the header is missing or repeated. */
export function bearerToken({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const header = headers.authorization
  if (header === undefined) return undefined
  let found = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') found++
  }
  if (found !== 1 || !/^bearer /i.test(header)) return undefined
  return header.slice(7)
}

/** A request of the fuzzer: its parts, which can be reduced, and its bytes. */
import type { FuzzedOperation } from './document.ts'

/** The caller. */
export type FuzzActor = {
  readonly name: string
  readonly token: string | undefined
  readonly account: string
  /** Whether the token is valid for the whole run. */
  readonly isLasting: boolean
  /** Whether the token may be used from other networks only. */
  readonly isElsewhere?: boolean
}

/** The one rule that a request breaks, and the expected refusal. */
export type Flaw = {
  readonly rule: string
  readonly status: 400 | 413 | 415
  /** The expected code of a detail. A more specific code, which is not only about shape, is also accepted. */
  readonly code?: string
  /** The field of that detail; null for the whole body. */
  readonly field?: string | null
  /** The URL is invalid, so it is refused before routing and authentication. */
  readonly isUnrouted?: true
}

/** A query parameter. A raw one is not encoded. */
export type QueryPair = { readonly name: string; readonly value: string; readonly isRaw?: boolean }

export type FuzzRequest = {
  readonly operation: FuzzedOperation
  readonly actor: FuzzActor
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly QueryPair[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The bytes of the body, if they differ from JSON.stringify. */
  readonly bytes?: Buffer
  readonly flaw?: Flaw
  /** The earlier response to the same request with the same key, and how often worlds had been wiped by then. */
  readonly expected?: { readonly status: number; readonly text: string; readonly wipes: number }
}

/** The sent request. */
export type WireRequest = { method: string; target: string; headers: Record<string, string>; body: Buffer | undefined }

/** Serialises a request. */
export function written(request: FuzzRequest): WireRequest {
  const { operation, actor, params, query, flaw } = request
  const escaped = encodeURIComponent
  const inPath = (value: string) => (flaw?.isUnrouted && value.startsWith('%') ? value : escaped(value))
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath(params[name] ?? ''))
  const pairs = query.map(({ name, value, isRaw }) => (isRaw ? value : `${escaped(name)}=${escaped(value)}`))
  const body = request.bytes ?? (request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body)))
  const headers: Record<string, string> = { ...request.headers, 'content-length': String(body?.length ?? 0) }
  if (actor.token !== undefined) headers.authorization = `Bearer ${actor.token}`
  if (body && headers['content-type'] === undefined) headers['content-type'] = 'application/json'
  return { method: operation.method, target: pairs.length > 0 ? `${path}?${pairs.join('&')}` : path, headers, body }
}

/** A request as a curl command for a POSIX shell, which holds the caller's token in a variable. */
export function curlOf(url: string, request: FuzzRequest): string {
  const { method, target, headers, body } = written(request)
  const words = ['curl', '-sSi', '--path-as-is', '-X', method]
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'authorization') words.push('-H', '"Authorization: Bearer $BOURSE_API_TOKEN"')
    else if (name !== 'content-length') words.push('-H', quoted(`${name}: ${value}`))
  }
  const text = body?.toString('utf8')
  const isText = body !== undefined && Buffer.from(text as string).equals(body) && !text?.includes('\0')
  if (isText) words.push('--data-raw', quoted(text as string))
  const line = [...words, quoted(url + target)].join(' ')
  if (body === undefined || isText) return line
  return `echo ${body.toString('base64')} | base64 -d | ${line} --data-binary @-`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

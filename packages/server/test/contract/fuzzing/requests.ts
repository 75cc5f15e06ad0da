/** A request of the fuzzer: its parts, as they can be made smaller, and what becomes of them on the wire. */
import type { Operation } from './document.ts'

/** Who calls. */
export type Actor = {
  readonly name: string
  readonly token: string | undefined
  readonly account: string
  /** Whether the token is good for as long as the run lasts. */
  readonly isLasting: boolean
}

/** The one rule that a request breaks, and what the refusal has to say about it. */
export type Flaw = {
  readonly rule: string
  readonly status: 400 | 413
  /** The code of some detail. Another one is right where it says more: one that is not about shape alone. */
  readonly code?: string
  /** The field of that detail; `null` for the whole. */
  readonly field?: string | null
  /** The URL is none, so nobody looks at operation and token. */
  readonly isUnrouted?: true
}

/** A query parameter; a raw one stands in the URL as it is. */
export type Pair = { readonly name: string; readonly value: string; readonly isRaw?: boolean }

export type Request = {
  readonly operation: Operation
  readonly actor: Actor
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly Pair[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** How the body is spelled, where it is not as JSON.stringify has it. */
  readonly bytes?: Buffer
  readonly flaw?: Flaw
  /** The answer that the same request has had before, under its key. */
  readonly expected?: { readonly status: number; readonly text: string }
}

/** What goes over the wire. */
export type Sent = { method: string; target: string; headers: Record<string, string>; body: Buffer | undefined }

/** Writes a request down as it is sent. */
export function written(request: Request): Sent {
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
export function curlOf(url: string, request: Request): string {
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

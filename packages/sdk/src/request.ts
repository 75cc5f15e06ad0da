/** Turns a call of a method into a request: URL, body, headers. */
import type { Endpoint } from '../../api/src/kit/endpoint.ts'
import type { RequestOptions } from './call.ts'
import { BourseError } from './errors.ts'

/** One request, the same over all of its attempts. */
export type Prepared = {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** What a success is written in. */
  readonly media_type: string
  /** Whether anybody may send it, without a token. */
  readonly isPublic: boolean
  /** Whether sending it twice does no more than sending it once. */
  readonly repeatable: boolean
  /** Whether a success is to go on as server-sent events; its data is then the body, or undefined. */
  readonly streams?: boolean
}

type Values = Readonly<Record<string, unknown>>

/** Takes the arguments of a method apart: path parameters, body or query, options. */
export function splitArguments(endpoint: Endpoint, given: readonly unknown[]) {
  const names = Object.keys(endpoint.params.properties)
  const [first, ...others] = given
  const rest = names.length === 0 ? given : others
  const params = names.length === 1 ? { [names[0] as string]: first } : ((names.length === 0 ? {} : first) as Values)
  const takesQuery = !endpoint.body && Object.keys(endpoint.query.properties).length > 0
  const takesInput = endpoint.body !== undefined || takesQuery
  const input = takesInput ? rest[0] : undefined
  return {
    params: params ?? {},
    body: endpoint.body ? (input ?? {}) : undefined,
    query: (takesQuery ? (input ?? {}) : {}) as Values,
    options: (rest[takesInput ? 1 : 0] ?? {}) as RequestOptions,
  }
}

/** Makes the request. A creating call gets an idempotency key where it was given none. */
export function prepare(endpoint: Endpoint, split: ReturnType<typeof splitArguments>, newKey: () => string): Prepared {
  const { params, body, query, options } = split
  const key = options.idempotencyKey || (endpoint.idempotent ? newKey() : undefined)
  return {
    operation: endpoint.name,
    method: endpoint.method,
    path: pathOf(endpoint, params) + queryOf(query),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...options.headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    media_type: endpoint.media_type,
    isPublic: endpoint.access === 'public',
    repeatable: endpoint.method !== 'POST' || endpoint.idempotent,
  }
}

function pathOf({ name, path }: Endpoint, params: Values): string {
  return path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const value = String(params[parameter] ?? '')
    // An empty segment, or one that a URL parser takes for "here" or "above", would reach another operation.
    if (value === '' || value === '.' || value === '..') {
      throw new BourseError(`${name} needs the path parameter \`${parameter}\`; it is ${JSON.stringify(value)}.`)
    }
    return encodeURIComponent(value)
  })
}

function queryOf(query: Values): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

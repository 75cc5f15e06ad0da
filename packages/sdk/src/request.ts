/** Builds the request of a method call: URL, headers and body. */
import type { RequestOptions } from './call.ts'
import { BourseError } from './errors.ts'
import { type Operation, pathParameters } from './operation.ts'

/** One request. All of its attempts send the same. */
export type PreparedRequest = {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The media type of a successful response. */
  readonly media_type: string
  /** Whether the operation needs no token. */
  readonly isPublic: boolean
  /** Whether the request is idempotent, so that an attempt may be repeated. */
  readonly repeatable: boolean
  /** Whether to request server-sent events. The data of the reply is then the body stream, or undefined. */
  readonly streams?: boolean
}

type RequestValues = Readonly<Record<string, unknown>>

/** Splits the arguments of a method into path parameters, body or query, and options. */
export function splitArguments(operation: Operation, given: readonly unknown[]) {
  const names = pathParameters(operation)
  const [first, ...others] = given
  const rest = names.length === 0 ? given : others
  const params =
    names.length === 1 ? { [names[0] as string]: first } : ((names.length === 0 ? {} : first) as RequestValues)
  const takesBody = operation.takes_body === true
  const takesQuery = !takesBody && operation.query !== undefined
  const takesInput = takesBody || takesQuery
  const input = takesInput ? rest[0] : undefined
  return {
    params: params ?? {},
    body: takesBody ? (input ?? {}) : undefined,
    query: (takesQuery ? (input ?? {}) : {}) as RequestValues,
    options: (rest[takesInput ? 1 : 0] ?? {}) as RequestOptions,
  }
}

/**
 * Builds the request. An operation that accepts an idempotency key gets one from `newKey` unless the options have one.
 * Throws BourseError if a path parameter is missing or unsafe.
 */
export function prepare(
  operation: Operation,
  split: ReturnType<typeof splitArguments>,
  newKey: () => string,
): PreparedRequest {
  const { params, body, query, options } = split
  const key = options.idempotencyKey || (operation.is_idempotent ? newKey() : undefined)
  return {
    operation: operation.name,
    method: operation.method,
    path: pathOf(operation, params) + queryOf(query),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...options.headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    media_type: operation.media_type ?? 'application/json',
    isPublic: operation.is_public === true,
    repeatable: operation.method !== 'POST' || operation.is_idempotent === true,
  }
}

function pathOf({ name, path }: Operation, params: RequestValues): string {
  return path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
    const value = String(params[parameter] ?? '')
    // A URL parser drops or resolves these segments, so the request would reach another operation.
    if (value === '' || value === '.' || value === '..') {
      throw new BourseError(`${name} needs the path parameter \`${parameter}\`; it is ${JSON.stringify(value)}.`)
    }
    return encodeURIComponent(value)
  })
}

function queryOf(query: RequestValues): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

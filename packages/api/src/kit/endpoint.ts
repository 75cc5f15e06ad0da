import { bodyCodes, type ErrorCode, idempotencyCodes, shapeCodes } from './errors.ts'
import type { Permission } from './permissions.ts'
import { object, type Static, schemaOf, type TObject, type TProperties, type TSchema } from './schema.ts'
import type { OperationTrust } from './trust.ts'

/**
 * Who may call: a caller with a permission, with any valid API token (`open`), the agent of a host with its own token
 * (`agent`), or any caller without a token (`public`). An operation with a permission that does not list `forbidden`
 * omits entries that the caller may not see instead of refusing.
 */
export type Access = Permission | 'open' | 'agent' | 'public'

/** A permission that an operation needs only for what some requests lead to. `when` completes "Also needs it ". */
export type ConditionalAccess = { readonly permission: Permission; readonly when: string }

/** The token bucket of a call. `none` is for the one operation that must never be refused. */
export type RateClass = 'read' | 'write' | 'events' | 'reports' | 'none'

/**
 * `destroys`: ends or deletes something that cannot be brought back as it was, or stops what others do. `spends`: can
 * spend money or sell capacity, now or later; the client shows an estimate first.
 */
export type Consequence = 'destroys' | 'spends'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One public operation of the API. The server, SDK, command line, reference and tests are derived from it. */
export type Endpoint<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  N extends string = string,
> = {
  readonly name: N
  readonly method: Method
  readonly path: string
  /** A second path of the same operation, such as one that it had before. The reference does not list it. */
  readonly other_path?: string
  readonly area: string
  /** The title: at most five words, imperative, without a full stop, such as "Create an order". */
  readonly summary: string
  /** What happens, what stays as it is, and what comes next, in sentences that do not repeat the title. */
  readonly description: string
  readonly params: P
  readonly query: Q
  readonly body?: B
  readonly success: 200 | 201 | 202 | 204
  readonly response?: R
  /** Whether it may respond with 204 and no body. */
  readonly may_be_empty: boolean
  /** The maximum size of the body in bytes. */
  readonly body_bytes_max: number
  readonly access: Access
  /** Further permissions that the operation needs. */
  readonly also_access: readonly Permission[]
  /** Further permissions that some requests need, because of what they lead to. */
  readonly conditional_access: readonly ConditionalAccess[]
  /** What it asks besides permissions. Operations of agents ask nothing: no API token may call them. */
  readonly trust?: OperationTrust
  /** What a person is asked about before it is sent. */
  readonly consequence?: Consequence
  /** Why it is sent at once, although it ends or spends something by its method, name or permission. */
  readonly unconfirmed?: string
  /** The scope of the permission: the resource's workspace, or the whole account. */
  readonly scope: 'workspace' | 'account'
  /**
   * Whether it writes nothing: a GET, except those whose reading is itself recorded, or a question that needs a body.
   */
  readonly is_reading: boolean
  /** Whether it takes `Idempotency-Key`. */
  readonly idempotent: boolean
  /** The codes that it may return besides those of every operation. */
  readonly errors: readonly ErrorCode[]
  readonly rate: RateClass
  /** Whether caches must not store the response. */
  readonly no_store: boolean
  /** Secret members of the response: they are not stored under the idempotency key and are restored at a replay. */
  readonly secret_fields: readonly string[]
  /** The media type of a success. All except the process endpoints return JSON. */
  readonly media_type: string
  /** Further media types of a success, of which the input chooses one. */
  readonly also_media_types: readonly string[]
  /** Whether the list is also available as `text/csv`. */
  readonly also_csv: boolean
  /** The list is also available as `text/event-stream`, with one event for each entry of `data`. */
  readonly also_stream?: ListStream
}

/**
 * The stream of a list: the same operation, at a path of its own. The path of the list has it too, for requests that
 * accept `text/event-stream`. The reference shows it as an operation, so that the list has one form of answer.
 */
export type ListStream = {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Parameters of the query that say nothing to the list. */
  readonly own_query?: readonly string[]
}

/** The input of a handler, by the contract's schemas. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B, TSchema>
    ? { params: Static<P>; query: Static<Q>; body: TSchema extends B ? undefined : Static<B> }
    : never

/** The result of a handler, by the contract's schemas. */
export type Output<E> =
  E extends Endpoint<TObject, TObject, TSchema, infer R> ? (TSchema extends R ? void : Static<R>) : never

type Definition<
  P extends TProperties,
  Q extends TProperties,
  B extends TSchema,
  R extends TSchema,
  N extends string,
> = {
  name: N
  method: Method
  path: string
  other_path?: string
  area: string
  summary: string
  description: string
  params?: P
  query?: Q
  body?: B
  success?: 200 | 201 | 202 | 204
  response?: R
  may_be_empty?: boolean
  body_bytes_max?: number
  access: Access
  also_access?: readonly Permission[]
  conditional_access?: readonly ConditionalAccess[]
  trust?: OperationTrust
  consequence?: Consequence
  unconfirmed?: string
  scope?: 'workspace' | 'account'
  is_reading?: boolean
  idempotent?: boolean
  errors?: readonly ErrorCode[]
  rate?: RateClass
  no_store?: boolean
  secret_fields?: readonly string[]
  media_type?: string
  also_media_types?: readonly string[]
  also_csv?: boolean
  also_stream?: ListStream
}

const usualBodyBytesMax = 128 * 1024

/**
 * Defines one operation. Path parameters are written `:name`. Without `success` a POST returns 201, a DELETE 204,
 * all others 200.
 */
export function endpoint<
  P extends TProperties = Record<never, never>,
  Q extends TProperties = Record<never, never>,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  const N extends string = string,
>(definition: Definition<P, Q, B, R, N>): Endpoint<TObject<P>, TObject<Q>, B, R, N> {
  const { method } = definition
  return {
    also_access: [],
    conditional_access: [],
    scope: 'workspace',
    is_reading: method === 'GET',
    idempotent: false,
    errors: [],
    may_be_empty: false,
    body_bytes_max: usualBodyBytesMax,
    rate: method === 'GET' ? 'read' : 'write',
    no_store: false,
    secret_fields: [],
    media_type: 'application/json',
    also_media_types: [],
    also_csv: false,
    success: method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
    ...definition,
    params: object(definition.params ?? ({} as P)),
    query: object(definition.query ?? ({} as Q)),
  }
}

/** The operations as the reference shows them: the stream of a list follows it as an operation of its own. */
export function withStreams(operations: readonly Endpoint[]): Endpoint[] {
  return operations.flatMap((one) => (one.also_stream ? [one, streamOf(one, one.also_stream)] : [one]))
}

function streamOf({ also_stream: _, other_path: __, ...list }: Endpoint, own: ListStream): Endpoint {
  const { name, path, summary, description } = own
  const response = schemaOf<string>({ type: 'string', description: streamForm })
  const answer = { response, media_type: 'text/event-stream', may_be_empty: true, no_store: true }
  return { ...list, name, path, summary, description, ...answer }
}

const streamForm =
  'Server-sent events: one for each new entry of `data` of the list, with an `id` for `Last-Event-ID`. A comment ' +
  'every 15 s. The stream closes after an hour, and when the token expires. The status is 204 if the reader has all ' +
  'entries and no more can follow.'

/** Whether an operation lists `rate_limited`. */
export function hasRateLimit({ access, rate }: Pick<Endpoint, 'access' | 'rate'>): boolean {
  return access !== 'public' && rate !== 'none'
}

/** All codes that an operation may return: those that it lists and those of its kind. Sorted, without duplicates. */
export function codesOf(operation: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...shapeCodes, ...operation.errors, 'api_error', 'unavailable'])
  if (!operation.body) for (const code of bodyCodes) codes.delete(code)
  if (operation.access !== 'public') codes.add('authentication_error')
  if (operation.access === 'agent') codes.add('host_retired')
  if (operation.access !== 'public' && operation.access !== 'agent') codes.add('network_not_allowed')
  if (hasRateLimit(operation)) codes.add('rate_limited')
  if (operation.idempotent) for (const code of idempotencyCodes) codes.add(code)
  return [...codes].sort()
}

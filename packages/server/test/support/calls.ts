/** Calls of operations by their names, with inputs and results of the types of the contract. */
import { agentEndpoints, endpoints } from '@bourse/api/contract.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import type { ErrorDetail } from '@bourse/api/kit/errors.ts'

type AnyOperation = (typeof endpoints)[number] | (typeof agentEndpoints)[number]

/** The name of an operation of customers, operators or agents. */
export type CallName = AnyOperation['name']

type ByName = { readonly [O in AnyOperation as O['name']]: O }

type InputOf<N extends CallName> = Input<ByName[N]>

/**
 * A result as a test reads it. The contract says that a member may be null and that an entry may be absent; a test that
 * reads on from one fails there, so it need not ask before. Without this most lines of the tests would.
 */
export type ShownResult<T> = T extends null | undefined
  ? never
  : T extends string | number | boolean
    ? T
    : T extends readonly (infer E)[]
      ? ShownList<ShownResult<E>>
      : T extends object
        ? { [K in keyof T]-?: ShownResult<T[K]> }
        : T

/** A list as a test reads it: with its first entries, and with what a search in it finds. */
export interface ShownList<E> extends Array<E> {
  0: E
  1: E
  2: E
  3: E
  at(index: number): E
  find(is: (entry: E, index: number, all: E[]) => unknown): E
  filter(is: (entry: E, index: number, all: E[]) => unknown): ShownList<E>
}

/** The body of the success of an operation. */
export type CallResult<N extends CallName> = ShownResult<Exclude<Output<ByName[N]>, void>>

/** The query of a valid call of an operation. */
export type CallQuery<N extends CallName> = GivenInput<InputOf<N>['query']>

/** The body of a valid call of an operation. */
export type CallBody<N extends CallName> = GivenInput<InputOf<N>['body']>

type CallCredentials = {
  /** The default is the token of the platform. Null sends none. */
  token?: string | null | undefined
  headers?: Record<string, string> | undefined
}

/** Valid input as a test writes it. Any text is an id or a path, a member may be undefined, a number may be large. */
export type GivenInput<T> = T extends string
  ? Record<never, never> extends Record<T, unknown>
    ? string
    : T
  : T extends bigint
    ? number | bigint
    : T extends readonly (infer E)[]
      ? readonly GivenInput<E>[]
      : T extends object
        ? { [K in keyof T]: GivenInput<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never) }
        : T

/** Required, unless nothing in it is. */
type CallPart<K extends string, T, Other = never> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [P in K]?: GivenInput<T> | Other | undefined }
    : { [P in K]: GivenInput<T> | Other }

/** What a valid call of an operation takes. The query may also be text, which is sent as it is. */
export type OperationCall<N extends CallName> = CallCredentials &
  CallPart<'params', InputOf<N>['params']> &
  CallPart<'query', InputOf<N>['query'], string> &
  CallPart<'body', InputOf<N>['body']>

/** What an attempt takes: also input that the contract refuses. */
export type CallAttempt = CallCredentials & {
  params?: Record<string, string> | undefined
  /** Text is sent as it is. */
  query?: Record<string, unknown> | string | undefined
  body?: unknown
  /** The text of the body, in place of `body`. */
  raw?: string | undefined
}

/** A response. The body is parsed JSON, or undefined without JSON. */
export type TestResponse<B = any> = { status: number; headers: Headers; body: B; text: string }

/** The body of a response with an error. */
export type Refusal = { error: { type: string; message: string; details: ShownList<ShownResult<ErrorDetail>> } }

type AnyResult<N extends CallName> = [CallResult<N>] extends [never] ? Refusal : CallResult<N> & Refusal

/** Sends a request. The query is a part of the path. */
export type SendRequest = (method: string, path: string, options?: TestRequest) => Promise<TestResponse>

/** The options of a request. The default token is that of the platform; null sends none. */
export type TestRequest = { token?: string | null; body?: unknown; headers?: Record<string, string>; raw?: string }

/** Calls of operations. */
export type Calls = {
  /** Calls an operation with valid input, and returns the body. Throws unless it succeeds. */
  call<N extends CallName>(name: N, ...options: CallArguments<N>): Promise<CallResult<N>>
  /** Calls an operation, also with invalid input, and returns the answer whatever it is. */
  attempt<N extends CallName>(name: N, options?: CallAttempt): Promise<TestResponse<AnyResult<N>>>
}

type CallArguments<N extends CallName> =
  Record<never, never> extends OperationCall<N> ? [options?: OperationCall<N>] : [options: OperationCall<N>]

const operations = new Map<string, { method: string; path: string }>(
  [...endpoints, ...agentEndpoints].map((operation) => [operation.name, operation]),
)

/** Calls of operations by a way to send requests. A call without a parameter of its path throws. */
export function callsBy(send: SendRequest): Calls {
  const responseOf = async (name: CallName, { params = {}, query = {}, ...options }: CallAttempt = {}) => {
    const { method, path } = operations.get(name) as { method: string; path: string }
    const filled = path.replaceAll(/:(\w+)/g, (_, parameter: string) => {
      const value = params[parameter]
      if (value === undefined) throw new Error(`${name} needs the parameter ${parameter} of its path.`)
      return encodeURIComponent(value)
    })
    return send(method, filled + queryText(query), options as TestRequest)
  }
  return {
    attempt: (name, options) => responseOf(name, options),
    call: async (name, ...[options]) => {
      const { status, body, text } = await responseOf(name, options as CallAttempt)
      if (status >= 300) throw new Error(`${name} returned ${status}: ${text}`)
      return body
    },
  }
}

/** A list becomes a repeated parameter, and what is undefined is left out. */
function queryText(query: Record<string, unknown> | string): string {
  if (typeof query === 'string') return query === '' || query.startsWith('?') ? query : `?${query}`
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values = [value].flat().filter((one) => one !== undefined)
    return values.map((one): [string, string] => [name, String(one)])
  })
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/**
 * Binds the contract's endpoints to functions of the areas. The contract types the input and the result of each
 * function. Not this file's work: what happens between a request and its response (handlers.ts).
 */
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import type { ResourceReader } from '../audit/request-trail.ts'
import type { AgentCaller, Ctx } from '../work/ctx.ts'
import type { Runtime } from '../work/runtime.ts'
import {
  type BatchedOperation,
  type BodySecret,
  batchHandler,
  bytesHandler,
  commandHandler,
  type Download,
  downloadHandler,
  type OperationRun,
  queryHandler,
  type ReaderInput,
  type ReadPart,
  type RuntimeRun,
  runtimeHandler,
  streamHandler,
} from './handlers.ts'
import { inputReader } from './input.ts'
import type { StreamOpener } from './long-responses.ts'
import type { Bytes } from './rendering.ts'
import type { Restore } from './replay.ts'
import type { AnyEndpoint, EndpointHandler } from './request-context.ts'
import { type StaticContent, staticResponse } from './static-content.ts'

/** One endpoint and its handler. */
export type Route = {
  readonly endpoint: AnyEndpoint
  readonly handler: EndpointHandler
  /** Serves the path of the stream, where the operation has one. */
  readonly stream?: EndpointHandler
  /** Whether the validated input of a URL is kept for the next request with the same one. */
  readonly is_ready: boolean
  /** Reads one resource within a command, for the audit trail. */
  readonly read?: ResourceReader['read']
}

/** Options for serving an operation. */
type HandleOptions<E> = {
  readonly restore?: Restore
  readonly secret?: BodySecret
  /** Serves the path of the stream, and requests that accept `text/event-stream`. */
  readonly stream?: StreamOpener<E>
}

/** Serves an endpoint by a function of an area: as a query if it changes nothing, otherwise as a command. */
export function handle<E extends AnyEndpoint>(
  endpoint: E,
  run: (ctx: Ctx, input: Input<E>) => Promise<Output<E>>,
  { restore, secret, stream }: HandleOptions<E> = {},
): Route {
  if (!endpoint.is_reading)
    return { endpoint, handler: commandHandler(endpoint, run, { restore, secret }), is_ready: false }
  const read = run as ResourceReader['read']
  const isResource = endpoint.method === 'GET'
  const parts = { ...(isResource ? { read } : {}), ...streamPart(endpoint, stream) }
  return { endpoint, handler: queryHandler(endpoint, run, stream), is_ready: false, ...parts }
}

/** `get_host` as the name of a variable: `getHost`. */
type CamelCase<N extends string> = N extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : N

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never

type PathArguments<P> = [keyof P] extends [never] ? [] : IsUnion<keyof P> extends false ? [P[keyof P]] : [P]
type QueryArguments<Q> = [keyof Q] extends [never] ? [] : [Q]
type BodyArguments<B> = undefined extends B ? [] : [B]

/** The input of an operation as arguments: its one path parameter or all of them, then its query, then its body. */
type OperationArguments<E> = [
  ...PathArguments<Input<E>['params']>,
  ...QueryArguments<Input<E>['query']>,
  ...BodyArguments<Input<E>['body']>,
]

/** A function for each operation, which has the name of the operation. */
type ServiceOf<E extends AnyEndpoint> = {
  readonly [One in E as CamelCase<One['name']>]: (ctx: Ctx, ...input: OperationArguments<One>) => Promise<Output<One>>
}

type OperationFunction = (ctx: Ctx, ...input: unknown[]) => Promise<Output<AnyEndpoint>>

/**
 * Serves the operations of a file of the contract, each by the function of the service that has its name. `byHand` has
 * the routes of those that are served otherwise.
 */
export function handleAll<
  const E extends readonly AnyEndpoint[],
  const H extends Partial<Record<string, Route>> = object,
>(operations: E, service: ServiceOf<Exclude<E[number], { readonly name: keyof H }>>, byHand?: H): Route[] {
  const functions = new Map<string, OperationFunction>(Object.entries(service))
  return operations.map((endpoint) => {
    const own = byHand?.[endpoint.name]
    if (own) return own
    const run = functions.get(endpoint.name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()))
    if (!run) throw new Error(`The service has no function for ${endpoint.name}.`)
    const argumentsOf = argumentReader(endpoint)
    return handle(endpoint, (ctx, input) => run(ctx, ...argumentsOf(input)))
  })
}

function argumentReader({ params, query, body }: AnyEndpoint): (input: Input<AnyEndpoint>) => unknown[] {
  const names = Object.keys(params.properties)
  const hasQuery = Object.keys(query.properties).length > 0
  return (input) => {
    const given: unknown[] = []
    if (names.length === 1) given.push((input.params as Record<string, unknown>)[names[0] as string])
    else if (names.length > 1) given.push(input.params)
    if (hasQuery) given.push(input.query)
    if (body) given.push(input.body)
    return given
  }
}

function streamPart<E extends AnyEndpoint>(endpoint: E, open: StreamOpener<E> | undefined): Pick<Route, 'stream'> {
  return endpoint.also_stream ? { stream: streamHandler(endpoint, open) } : {}
}

/** Serves a request of a host's agent, as a command or as a query. */
export function handleAgent<E extends AnyEndpoint>(
  endpoint: E,
  run: (ctx: Ctx, input: Input<E>, agent: AgentCaller) => Promise<Output<E>>,
): Route {
  const runForAgent: OperationRun<E> = (ctx, input, { agent }) => {
    if (!agent) throw new Error(`${endpoint.name} is served to agents only.`)
    return run(ctx, input, agent)
  }
  const handler = endpoint.is_reading ? queryHandler(endpoint, runForAgent) : commandHandler(endpoint, runForAgent)
  return { endpoint, handler, is_ready: false }
}

/**
 * Serves an endpoint that is about the process, the sandbox or a browser, and opens its commands itself, one or many or
 * none.
 */
export function handleRuntime<E extends AnyEndpoint>(endpoint: E, run: RuntimeRun<E, Output<E>>): Route {
  return handleLongPoll(endpoint, run)
}

/** Serves content that stays the same while the process runs. It is created on the first request. */
export function handleStatic(endpoint: AnyEndpoint, content: () => StaticContent): Route {
  const read = inputReader(endpoint)
  const handler: EndpointHandler = ({ incoming }, raw) => {
    read(raw, incoming.headers)
    return staticResponse(content(), incoming.headers)
  }
  return { endpoint, handler, is_ready: false }
}

/** Serves a query that may have no result, such as a wait for a change. Undefined becomes 204. */
export function handleLongPoll<E extends AnyEndpoint>(endpoint: E, run: RuntimeRun<E, Output<E> | undefined>): Route {
  return { endpoint, handler: runtimeHandler(endpoint, run), is_ready: false }
}

/** Serves an endpoint whose response is produced while it is sent, compressed where the client accepts that. */
export function handleDownload<E extends AnyEndpoint>(
  endpoint: E,
  run: (read: ReadPart, input: Input<E>, runtime: Runtime) => Promise<Download>,
): Route {
  return { endpoint, handler: downloadHandler(endpoint, run), is_ready: false }
}

/** Serves a frequently read list with bytes that are ready or joined from ready parts; for reads only. */
export function handleBytes<E extends AnyEndpoint>(
  endpoint: E,
  run: (reading: ReaderInput, input: Input<E>) => Bytes | Promise<Bytes>,
  { stream }: Pick<HandleOptions<E>, 'stream'> = {},
): Route {
  return { endpoint, handler: bytesHandler(endpoint, run, stream), is_ready: true, ...streamPart(endpoint, stream) }
}

/** Serves an operation whose requests share transactions. */
export function handleBatched<E extends AnyEndpoint, I>(endpoint: E, batched: BatchedOperation<E, I>): Route {
  return { endpoint, handler: batchHandler(endpoint, batched), is_ready: false }
}

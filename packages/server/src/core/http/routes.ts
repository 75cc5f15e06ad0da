/** Binds the contract's endpoints to functions of the areas. What a handler gets and gives is typed by the contract. */
import type { Endpoint, Input, Output } from '@bourse/api/kit/endpoint.ts'
import type { TObject, TSchema } from '@bourse/api/kit/schema.ts'
import type { BatchEntry, BatchOutcome } from '../work/batch-command.ts'
import type { AgentCaller, Caller, Ctx } from '../work/ctx.ts'
import type { Runtime } from '../work/runtime.ts'
import type { StreamEntries } from './event-stream.ts'

type AnyEndpoint = Endpoint<TObject, TObject, TSchema, TSchema>

/** What a reader gets that answers with ready bytes. */
export type Reading = {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly request_id: string
  /** The query as it was sent, without the question mark. */
  readonly query_text: string
  /** Where the operation may note something for the next request with the same query. */
  readonly notes: { kept?: unknown }
}

/** One endpoint and what serves it. */
export type Route = {
  readonly endpoint: AnyEndpoint
  readonly serve:
    | {
        readonly kind: 'ctx'
        readonly reads: boolean
        readonly run: (ctx: Ctx, input: never, agent: never) => Promise<unknown>
        readonly restore?: Restore
        readonly stream?: OpenStream
      }
    | {
        readonly kind: 'batch'
        readonly read: (input: never) => unknown
        readonly prepare: (ctx: Ctx, input: never) => Promise<unknown>
        readonly enqueue: (runtime: Runtime, entry: BatchEntry<never>, answer: never) => Promise<BatchOutcome<unknown>>
      }
    | { readonly kind: 'bytes'; readonly run: (reading: Reading, input: never) => Bytes | Promise<Bytes> }
    | {
        readonly kind: 'runtime'
        readonly run: (runtime: Runtime, input: never, request: PlainRequest) => Promise<unknown>
      }
}

/** What a reader of a stream says besides its input. */
export type StreamRequest = {
  readonly runtime: Runtime
  /** The id of the last entry that it has. */
  readonly last_event_id: string | undefined
}

/** A stream that may be read. */
export type StreamPlan = {
  readonly entries: StreamEntries
  /** How many streams the account may have open; null = no limit. */
  readonly streams_max: number | null
}

/** Judges a reader within a query; gives the stream, or undefined where nothing will ever follow: 204. */
type OpenStream = (ctx: Ctx, input: never, request: StreamRequest) => Promise<StreamPlan | undefined>

/**
 * A ready JSON body, and what stands before it, all ASCII, where most of it is shared with other answers. `half_price`
 * marks an empty page of events.
 */
export type Bytes = { readonly body: Buffer; readonly lead?: string; readonly half_price?: boolean }

/** Puts the secrets back into a stored answer before it is replayed. */
export type Restore = (ctx: Ctx, body: Record<string, unknown>) => Promise<Record<string, unknown>>

/** What is known of a request besides its input. */
export type PlainRequest = {
  readonly caller: Caller | undefined
  readonly agent: AgentCaller | undefined
  readonly request_id: string
}

/** What is special about how an operation is served. */
type HandleOptions<E> = {
  readonly restore?: Restore
  readonly reads?: boolean
  /** Serves those who ask for `text/event-stream`. */
  readonly stream?: (ctx: Ctx, input: Input<E>, request: StreamRequest) => Promise<StreamPlan | undefined>
}

/** Serves an endpoint by a function of an area: a GET as a query, everything else as a command. */
export function handle<E extends AnyEndpoint>(
  endpoint: E,
  run: (ctx: Ctx, input: Input<E>) => Promise<Output<E>>,
  { restore, stream, reads = endpoint.method === 'GET' }: HandleOptions<E> = {},
): Route {
  const more = { ...(restore ? { restore } : {}), ...(stream ? { stream: stream as OpenStream } : {}) }
  return { endpoint, serve: { kind: 'ctx', run: run as never, reads, ...more } }
}

/** Serves a question that may have no answer, as one that waits for news: nothing is 204. */
export function handleQuestion<E extends AnyEndpoint>(
  endpoint: E,
  run: (runtime: Runtime, input: Input<E>, request: PlainRequest) => Promise<Output<E> | undefined>,
): Route {
  return { endpoint, serve: { kind: 'runtime', run: run as never } }
}

/** Serves what the agent of a host asks, as a command or as a query. */
export function handleAgent<E extends AnyEndpoint>(
  endpoint: E,
  run: (ctx: Ctx, input: Input<E>, agent: AgentCaller) => Promise<Output<E>>,
  { reads = endpoint.method === 'GET' }: { reads?: boolean } = {},
): Route {
  return { endpoint, serve: { kind: 'ctx', run: run as never, reads } }
}

/** How an operation is served whose requests are decided together. */
export type Batched<E, I> = {
  /** Prepares a request of which nothing needs to be looked up; undefined where something does. */
  readonly read?: (input: Input<E>) => I | undefined
  /** Reads and judges what needs no lock: references and rights. A query. */
  readonly prepare: (ctx: Ctx, input: Input<E>) => Promise<I>
  /** Hands a prepared request to those that it waits with. */
  readonly enqueue: (
    runtime: Runtime,
    entry: BatchEntry<I>,
    answer: (result: Output<E>) => { status: number; body: string },
  ) => Promise<BatchOutcome<Output<E>>>
}

/** Serves an operation whose requests share transactions. */
export function handleBatched<E extends AnyEndpoint, I>(endpoint: E, batched: Batched<E, I>): Route {
  const { read = () => undefined, prepare, enqueue } = batched
  return {
    endpoint,
    serve: { kind: 'batch', read: read as never, prepare: prepare as never, enqueue: enqueue as never },
  }
}

/** Serves a hot list with bytes that are ready or joined from ready parts; for reads only. */
export function handleBytes<E extends AnyEndpoint>(
  endpoint: E,
  run: (reading: Reading, input: Input<E>) => Bytes | Promise<Bytes>,
): Route {
  return { endpoint, serve: { kind: 'bytes', run: run as never } }
}

/** Serves an endpoint that is about the process or the sandbox and opens its commands itself, one or many or none. */
export function handleRuntime<E extends AnyEndpoint>(
  endpoint: E,
  run: (runtime: Runtime, input: Input<E>, request: PlainRequest) => Promise<Output<E>>,
): Route {
  return { endpoint, serve: { kind: 'runtime', run: run as never } }
}

/**
 * The handlers of endpoints: what happens between a request that may run and its response. Each closes over its
 * endpoint, so the pipeline does not depend on the types. Not this file's work: which one an endpoint has (routes.ts).
 */
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import { again, recording } from '../audit/request-trail.ts'
import { accepts, prefers } from '../base/accept.ts'
import { Refusal } from '../base/refusal.ts'
import type { BatchQueue } from '../work/batch-queue.ts'
import { type CommandOptions, command } from '../work/command.ts'
import type { Caller, Ctx } from '../work/ctx.ts'
import type { StoredResponse } from '../work/idempotency.ts'
import { query } from '../work/query.ts'
import type { Runtime } from '../work/runtime.ts'
import type { Services } from '../work/services.ts'
import { unauthenticated } from './credentials.ts'
import { inputReader } from './input.ts'
import { asksForStream, type StreamOpener, streamResponse } from './long-responses.ts'
import { limitCodeOf, rateLimited } from './rate-limits.ts'
import { type Bytes, bodyCheck, csvResponse, renderer, varying } from './rendering.ts'
import {
  claimOf,
  originOf,
  type Restore,
  recordedRequestOf,
  recordingOf,
  replay,
  storedBody,
  storedDespite,
} from './replay.ts'
import type { AnyEndpoint, EndpointHandler, PlainRequest, RequestContext, Response } from './request-context.ts'

/** What an operation does with a request in its transaction. */
export type OperationRun<E> = (ctx: Ctx, input: Input<E>, context: RequestContext) => Promise<Output<E>>

/** Runs one read. */
export function queryHandler<E extends AnyEndpoint>(
  endpoint: E,
  run: OperationRun<E>,
  openStream?: StreamOpener<E>,
): EndpointHandler {
  const read = inputReader(endpoint)
  const render = renderer(endpoint)
  return async (context, raw) => {
    const { edge, incoming } = context
    const input = read(raw, incoming.headers)
    if (asksForStream(endpoint, context))
      return varying(await streamResponse(endpoint, openStream, context, { input, raw }))
    const result = await inTurn(context, 'queries', () =>
      query(edge.runtime, originOf(context), (ctx) => run(ctx, input, context)),
    )
    const response = render(edge, result)
    if (!endpoint.also_csv) return endpoint.also_stream ? varying(response) : response
    const isCsv = prefers(incoming.headers.accept, 'text/csv')
    return varying(isCsv ? csvResponse(endpoint, result, raw.query) : response)
  }
}

/** Options of a command. */
type CommandHandling = { readonly restore?: Restore | undefined; readonly secret?: BodySecret | undefined }

/** Runs one write in a transaction of its own. */
export function commandHandler<E extends AnyEndpoint>(
  endpoint: E,
  run: OperationRun<E>,
  { restore, secret }: CommandHandling = {},
): EndpointHandler {
  const read = inputReader(endpoint)
  const render = renderer(endpoint)
  const responseOf = (result: unknown) => ({ status: endpoint.success, body: storedBody(result, endpoint) })
  return async (context, raw) => {
    const { edge, incoming } = context
    const inspect = secret && ((body: unknown) => admitBySecret(context, secret, body))
    const input = read(raw, incoming.headers, inspect)
    const claim = claimOf(endpoint, context, raw, input.body)
    const options: CommandOptions<Output<E>> = claim ? { claim, response: responseOf } : {}
    let response: Response | undefined
    // Rendered inside the work, so that a result that breaks its schema is not committed.
    const work = async (ctx: Ctx) => {
      const result = await run(ctx, input, context)
      response = render(edge, result)
      return result
    }
    const trail = context.target?.trail
    const request = trail && recordedRequestOf(context, input.body)
    const recorded = request ? recording(trail, request, work) : work
    const runInTurn = () =>
      inTurn(context, 'commands', () => command(edge.runtime, originOf(context), recorded, options))
    const outcome = await again(runInTurn)
    if (outcome.replayed) return replay(context, { endpoint, claim, stored: outcome.stored, restore })
    return response as Response
  }
}

/** For a caller who sends a secret in the body instead of a token. */
export type BodySecret = {
  /**
   * The key of the caller's rate limit; undefined where the secret is not valid. Runs before the rest of the body is
   * validated, and before a transaction begins.
   */
  readonly keyOf: (runtime: Runtime, body: unknown) => string | undefined
  /** The message of the refusal. */
  readonly message: string
}

/** Refuses a caller whose secret is not valid or whose bucket is empty. */
function admitBySecret(context: RequestContext, { keyOf, message }: BodySecret, body: unknown): void {
  const { runtime, rate_limits } = context.edge
  const key = keyOf(runtime, body)
  if (key === undefined) throw new Refusal(unauthenticated(context, message))
  const verdict = rate_limits.take({ rate: 'write', token_id: key, account_id: key })
  if (!verdict.allowed) throw new Refusal(rateLimited(verdict))
}

/**
 * Runs work at the database in the turn of its account, so that no account delays another by many requests. Operations
 * that share transactions have queues of their own.
 */
async function inTurn<T>(
  { edge, caller, agent, target }: RequestContext,
  kind: keyof RequestContext['edge']['turns'],
  work: () => Promise<T>,
): Promise<T> {
  const key = caller?.account_id ?? agent?.host_id ?? ''
  const release = await edge.turns[kind].enter(key, limitCodeOf(target?.endpoint))
  try {
    return await work()
  } finally {
    release()
  }
}

/** Serves the path of the stream of an operation. */
export function streamHandler<E extends AnyEndpoint>(endpoint: E, open: StreamOpener<E> | undefined): EndpointHandler {
  const read = inputReader(endpoint)
  return (context, raw) => streamResponse(endpoint, open, context, { input: read(raw, context.incoming.headers), raw })
}

/** The steps of an operation whose requests are decided together. */
export type BatchedOperation<E, I> = {
  /** Prepares a request that needs no read of the database; undefined where it needs one. */
  readonly read?: (input: Input<E>) => I | undefined
  /** Reads and checks everything that needs no lock: references and rights. A query. */
  readonly prepare: (ctx: Ctx, input: Input<E>) => Promise<I>
  /** The queue in which a prepared request waits for the next batch. */
  readonly queueOf: (services: Services) => BatchQueue<I, Output<E>>
}

type PreparedCommand<I> = { readonly input: I; readonly asked: Ctx['asked'] } | { readonly stored: StoredResponse }

/** Runs requests in transactions that they share. */
export function batchHandler<E extends AnyEndpoint, I>(endpoint: E, batched: BatchedOperation<E, I>): EndpointHandler {
  const read = inputReader(endpoint)
  const render = renderer(endpoint)
  return async (context, raw) => {
    const { runtime } = context.edge
    const input = read(raw, context.incoming.headers)
    const origin = originOf(context)
    const claim = claimOf(endpoint, context, raw, input.body)
    const prepareByReading = async (): Promise<PreparedCommand<I>> => {
      let asked: Ctx['asked'] = []
      try {
        const prepared = await query(runtime, origin, (ctx) => {
          asked = ctx.asked
          return batched.prepare(ctx, input)
        })
        return { input: prepared, asked }
      } catch (error) {
        return { stored: await storedDespite(error, context, claim) }
      }
    }
    const known = batched.read?.(input)
    const prepared = known === undefined ? await prepareByReading() : { input: known, asked: [] }
    if ('stored' in prepared) return replay(context, { endpoint, claim, stored: prepared.stored })
    const trail = context.target?.trail
    const enqueue = batched.queueOf(runtime.services)
    const request = trail && recordedRequestOf(context, input.body)
    const audit = request && ((result: unknown) => trail.recorder.done(request, { result }))
    const outcome = await enqueue({ origin, claim, ...prepared, ...(audit ? { audit } : {}) })
    if ('refusal' in outcome) throw new Refusal(outcome.refusal, outcome.cause)
    if (outcome.replayed) return replay(context, { endpoint, claim, stored: outcome.stored })
    return render(context.edge, outcome.result)
  }
}

/** Headers of one response, as names and values in turn. A handler adds to them. */
export type OwnHeaders = string[]

/** What an operation that opens its transactions itself does with a request. */
export type RuntimeRun<E, T> = (
  runtime: Runtime,
  input: Input<E>,
  request: PlainRequest,
  headers: OwnHeaders,
) => Promise<T>

/** Runs work that opens its transactions itself. No result becomes 204. */
export function runtimeHandler<E extends AnyEndpoint>(
  endpoint: E,
  run: RuntimeRun<E, Output<E> | undefined>,
): EndpointHandler {
  const read = inputReader(endpoint)
  const render = renderer(endpoint)
  return async (context, raw) => {
    const input = read(raw, context.incoming.headers)
    const { runtime } = context.edge
    const headers: OwnHeaders = []
    const { request, recordRest } = recordingOf(context, input.body)
    const result = await run(runtime, input, request, headers)
    await recordRest(result)
    const response = render(context.edge, result)
    return headers.length === 0 ? response : { ...response, headers: [...response.headers, ...headers] }
  }
}

/** The input of a reader that returns ready bytes. */
export type ReaderInput = {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly request_id: string
  /** The query as it was sent, without the question mark. */
  readonly query_text: string
  /** A cache of the operation for the next request with the same query. */
  readonly notes: { kept?: unknown }
}

/** Reads with bytes that are ready or joined from ready parts. */
export function bytesHandler<E extends AnyEndpoint>(
  endpoint: E,
  run: (reading: ReaderInput, input: Input<E>) => Bytes | Promise<Bytes>,
  stream?: StreamOpener<E>,
): EndpointHandler {
  const read = inputReader(endpoint)
  const check = bodyCheck(endpoint)
  const headers = endpoint.also_stream ? varyHeaders : noHeaders
  const render = (context: RequestContext, { body, lead, half_price }: Bytes): Response => {
    const { edge, caller } = context
    if (edge.check_responses) check(lead === undefined ? body : Buffer.concat([Buffer.from(lead), body]))
    if (half_price && caller) context.rate = edge.rate_limits.refundHalf(caller)
    return lead === undefined ? { status: 200, body, headers } : { status: 200, body, lead, headers }
  }
  return (context, raw) => {
    const { edge, caller, request_id, incoming } = context
    if (!caller) throw new Error(`${endpoint.name} is served to callers with a token only.`)
    let input = raw.validated as Input<E> | undefined
    if (input === undefined) {
      input = read(raw, incoming.headers)
      // Callers with the same URL share the cache.
      Object.freeze((input as { query: object }).query)
      raw.validated = input
    }
    if (asksForStream(endpoint, context)) return streamResponse(endpoint, stream, context, { input, raw }).then(varying)
    const bytes = run({ runtime: edge.runtime, caller, request_id, query_text: raw.query, notes: raw }, input)
    return bytes instanceof Promise ? bytes.then((ready) => render(context, ready)) : render(context, bytes)
  }
}

const noHeaders: readonly string[] = []
const varyHeaders: readonly string[] = ['Vary', 'Accept']

/** A body that is produced in parts: one is written when its reader has taken the part before it. */
export type Download = {
  readonly media_type: string
  readonly file_name: string
  readonly parts: AsyncIterable<string | Uint8Array>
  /** Whether the parts are compressed, so that compressing them again saves nothing. */
  readonly is_compressed?: boolean
}

/** Runs one read of a download in the turns of its account. No connection is held between two reads. */
export type ReadPart = <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>

/** Produces the response while it is sent, compressed where the client accepts that. */
export function downloadHandler<E extends AnyEndpoint>(
  endpoint: E,
  run: (read: ReadPart, input: Input<E>, runtime: Runtime) => Promise<Download>,
): EndpointHandler {
  const read = inputReader(endpoint)
  return async (context, raw) => {
    const { edge, incoming } = context
    const input = read(raw, incoming.headers)
    const readPart: ReadPart = (work) =>
      inTurn(context, 'queries', () => query(edge.runtime, originOf(context), (ctx) => work(ctx)))
    const { media_type, file_name, parts, is_compressed = false } = await run(readPart, input, edge.runtime)
    const is_packed = !is_compressed && accepts(incoming.headers['accept-encoding'], 'gzip')
    const headers = ['Content-Disposition', `attachment; filename="${file_name}"`, 'Vary', 'Accept-Encoding']
    if (is_packed) headers.push('Content-Encoding', 'gzip')
    const content = { size_bytes: undefined, is_packed, open: () => bytesWhileOpen(edge, parts) }
    return { status: 200, body: undefined, headers, media_type, content }
  }
}

/** Ends with an error when the server stops, so that the client sees that the body is incomplete. */
async function* bytesWhileOpen(edge: RequestContext['edge'], parts: Download['parts']): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    if (edge.is_closing) throw new Error('The server stops during a download.')
    yield typeof part === 'string' ? Buffer.from(part) : part
  }
}

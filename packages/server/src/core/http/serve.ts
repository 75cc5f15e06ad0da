/** Serves one endpoint: reads its input, runs its function, renders its answer. Made once for each, at start. */
import { codesOf, type Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { ErrorCode } from '@bourse/api/kit/errors.ts'
import type { TObject, TSchema } from '@bourse/api/kit/schema.ts'
import { prefers, ranksAsHigh } from '../base/accept.ts'
import { csvOf } from '../base/csv.ts'
import { isRefusal, Refusal, refuse } from '../base/refusal.ts'
import { checkOf } from '../base/validate.ts'
import { type CommandOptions, command } from '../work/command.ts'
import type { Actor, Ctx } from '../work/ctx.ts'
import { type Claim, findStoredAnswer, type StoredAnswer } from '../work/idempotency.ts'
import { query } from '../work/query.ts'
import type { Runtime } from '../work/runtime.ts'
import type { Origin } from '../work/writing.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import type { Exchange } from './exchange.ts'
import type { HttpOptions } from './http.ts'
import { fingerprintOf, inputReader, readIdempotencyKey } from './input.ts'
import type { Bytes, Route } from './routes.ts'

type AnyEndpoint = Endpoint<TObject, TObject, TSchema, TSchema>
/** What was sent, before it is read. The query is the text behind the question mark. */
export type RawInput = {
  readonly params: Record<string, unknown>
  readonly query: string
  readonly body: Buffer | undefined
  /** What it was read as, where it is remembered: what a query says never changes. */
  known?: ReadInput
  /** What the operation noted of it. */
  kept?: unknown
}
type ReadInput = { params: unknown; query: unknown; body: unknown }

/** What the edge needs to know of an endpoint. */
export type Serving = {
  readonly endpoint: AnyEndpoint
  readonly takesBody: boolean
  mayRefuse(code: ErrorCode): boolean
  serve(exchange: Exchange, input: RawInput): Answer | Promise<Answer>
}

/** Makes what serves one route. */
export function createServing(route: Route, options: HttpOptions): Serving {
  const { endpoint } = route
  const reader = inputReader(endpoint)
  const render = renderer(endpoint, options)
  const listed = new Set(codesOf(endpoint))
  const read = (input: RawInput, exchange: Exchange): ReadInput => ({
    params: reader.params(input.params),
    query: reader.query(input.query),
    body: reader.body(input.body, exchange.request.headers),
  })
  const run = runnerOf(route, options, render)
  return {
    endpoint,
    takesBody: endpoint.body !== undefined,
    mayRefuse: (code) => listed.has(code),
    serve: (exchange, input) => run(exchange, input.known ?? read(input, exchange), input),
  }
}

type Render = (result: unknown) => Answer
type Run = (exchange: Exchange, input: ReadInput, raw: RawInput) => Answer | Promise<Answer>

function renderer(endpoint: AnyEndpoint, options: HttpOptions): Render {
  const headers = ownHeaders(endpoint)
  const check = answerCheck(endpoint, options)
  return (result) => {
    if (result === undefined && endpoint.may_be_empty) return { status: 204, body: undefined, headers }
    if (endpoint.response === undefined) return { status: endpoint.success, body: undefined, headers }
    if (endpoint.media_type !== 'application/json') return textAnswer(endpoint, result)
    const answer = jsonAnswer(endpoint.success, result, headers)
    check?.(answer.body)
    return answer
  }
}

/** In tests: throws where a body breaks the endpoint's schema. */
function answerCheck(
  endpoint: AnyEndpoint,
  { check_answers }: HttpOptions,
): ((body: Buffer | undefined) => void) | undefined {
  if (!check_answers || endpoint.response === undefined) return undefined
  const check = checkOf(endpoint.response)
  return (body) => {
    const details = check(JSON.parse(String(body)))
    if (details) throw new Error(`${endpoint.name} answered against its schema: ${JSON.stringify(details)}`)
  }
}

function ownHeaders({ no_store }: AnyEndpoint): string[] {
  return no_store ? ['Cache-Control', 'no-store'] : []
}

function textAnswer({ success, media_type }: AnyEndpoint, result: unknown): Answer {
  return { status: success, body: Buffer.from(String(result)), headers: [], media_type: `${media_type}; charset=utf-8` }
}

type List = { data: Record<string, unknown>[]; has_more: boolean; cursor?: string }

/** The same page as CSV. What JSON says beside its rows, where to go on, stands in a header (RFC 8288). */
function csvAnswer({ path, response }: AnyEndpoint, { data, has_more, cursor }: List, query_text: string): Answer {
  const { properties } = (response as unknown as { properties: { data: { items: { properties: object } } } }).properties
    .data.items
  const body = Buffer.from(
    csvOf(
      data,
      Object.keys(properties).filter((name) => name !== 'object'),
    ),
  )
  const query = new URLSearchParams(query_text)
  const way = query.has('ending_before') ? 'ending_before' : 'starting_after'
  if (cursor !== undefined) query.set(way, cursor)
  const headers = has_more ? ['Link', `<${path}?${query}>; rel="next"`] : []
  return { status: 200, body, headers, media_type: 'text/csv; charset=utf-8; header=present' }
}

// What operators, the sandbox's controls and hosts do is written down as the system's doing.
const systemPaths = /^\/(preview\/v2\/admin|sandbox|agent)\//

function originOf({ caller, request_id, serving }: Exchange): Origin {
  const isSystem = !caller || (serving !== undefined && systemPaths.test(serving.endpoint.path))
  const actor: Actor = isSystem ? { type: 'system' } : { type: 'token', id: caller.token_id }
  return { ...(caller ? { caller } : {}), actor, request_id }
}

function runnerOf(route: Route, options: HttpOptions, render: Render): Run {
  const { serve, endpoint } = route
  const { runtime } = options
  switch (serve.kind) {
    case 'bytes':
      return bytesRunner(serve.run, endpoint, options)
    case 'batch':
      return batchRunner(route, options, render)
    case 'runtime':
      return async (exchange, input) => render(await serve.run(runtime, input as never, exchange))
    case 'ctx':
      if (!serve.reads) return commandRunner(route, options, render)
      return async (exchange, input, raw) => {
        if (asksForStream(endpoint, exchange)) return streamAnswer(serve.stream, exchange, input, runtime)
        const work = (ctx: Ctx) => serve.run(ctx, input as never, exchange.agent as never)
        const result = await query(runtime, originOf(exchange), work)
        const answer = render(result)
        if (!endpoint.also_csv) return endpoint.also_stream ? varying(answer) : answer
        const isCsv = prefers(exchange.request.headers.accept, 'text/csv')
        return varying(isCsv ? csvAnswer(endpoint, result as List, raw.query) : answer)
      }
  }
}

/** A head has no stream behind it: it is that of the list. */
function asksForStream({ also_stream }: AnyEndpoint, { request }: Exchange): boolean {
  return also_stream && request.method === 'GET' && ranksAsHigh(request.headers.accept, 'text/event-stream')
}

async function streamAnswer(
  open: Extract<Route['serve'], { kind: 'ctx' }>['stream'],
  exchange: Exchange,
  input: ReadInput,
  runtime: Runtime,
): Promise<Answer> {
  if (!open) throw new Error('An operation whose contract has a stream serves none.')
  const last = exchange.request.headers['last-event-id']
  const last_event_id = last === '' ? undefined : last?.toString()
  let asked: Ctx['asked'] = []
  const plan = await query(runtime, originOf(exchange), (ctx) => {
    asked = ctx.asked
    return open(ctx, input as never, { runtime, last_event_id })
  })
  if (!plan) return varying({ status: 204, body: undefined, headers: [] })
  return varying({ status: 200, body: undefined, headers: [], stream: { ...plan, asked } })
}

function varying(answer: Answer): Answer {
  return { ...answer, headers: [...answer.headers, 'Vary', 'Accept'] }
}

function bytesRunner(run: (reading: never, input: never) => unknown, endpoint: AnyEndpoint, options: HttpOptions): Run {
  const headers: string[] = []
  const check = answerCheck(endpoint, options)
  const finish = (exchange: Exchange, got: Bytes): Answer => {
    const { caller } = exchange
    const { body, lead } = got
    check?.(lead === undefined ? body : Buffer.concat([Buffer.from(lead), body]))
    if (got.half_price && caller) exchange.rate = options.rate_limits.refundHalf(caller)
    return lead === undefined ? { status: 200, body, headers } : { status: 200, body, lead, headers }
  }
  return (exchange, input, raw) => {
    if (!raw.known) {
      Object.freeze(input.query)
      raw.known = input
    }
    const reading = {
      runtime: options.runtime,
      caller: exchange.caller,
      request_id: exchange.request_id,
      query_text: raw.query,
      notes: raw,
    }
    const got = run(reading as never, input as never) as Bytes | Promise<Bytes>
    return got instanceof Promise ? got.then((ready) => finish(exchange, ready)) : finish(exchange, got)
  }
}

function commandRunner(route: Route, options: HttpOptions, render: Render): Run {
  const { endpoint, serve } = route
  if (serve.kind !== 'ctx') throw new Error(`${endpoint.name} is not served by a ctx function.`)
  const { runtime } = options
  return async (exchange, input, raw) => {
    const origin = originOf(exchange)
    const claim = claimOf(endpoint, options, exchange, input, raw)
    let rendered: Answer | undefined
    const commandOptions: CommandOptions<unknown> = claim
      ? {
          claim,
          answer: (result) => ({ status: endpoint.success, body: JSON.stringify(withoutSecrets(result, endpoint)) }),
        }
      : {}
    // Rendered inside the work, so that an answer that breaks its schema takes nothing with it.
    const work = async (ctx: Ctx) => {
      const result = await serve.run(ctx, input as never, exchange.agent as never)
      rendered = render(result)
      return result
    }
    const outcome = await command(runtime, origin, work, commandOptions)
    if (!outcome.replayed) return rendered as Answer
    return replay({ route, options, origin, claim }, outcome.stored)
  }
}

type Replaying = { route: Route; options: HttpOptions; origin: Origin; claim: Claim | undefined }

/** Shows a stored answer to a caller who may now see it. */
async function replay({ route, options, origin, claim }: Replaying, stored: StoredAnswer): Promise<Answer> {
  const { serve, endpoint } = route
  const restore = serve.kind === 'ctx' ? serve.restore : undefined
  const answer = await query(options.runtime, origin, async (ctx) => {
    options.gate.judge(ctx, stored.asked)
    if (!claim || !stored.fingerprint.equals(claim.fingerprint)) {
      refuse('idempotency_key_reused', 'This key was used with another request.', 'Idempotency-Key')
    }
    const body = JSON.parse(stored.body) as Record<string, unknown>
    return jsonAnswer(stored.status, restore ? await restore(ctx, body) : body)
  })
  return { ...answer, headers: [...ownHeaders(endpoint), 'Idempotency-Replayed', 'true'] }
}

function batchRunner(route: Route, options: HttpOptions, render: Render): Run {
  const { endpoint, serve } = route
  if (serve.kind !== 'batch') throw new Error(`${endpoint.name} is not served in batches.`)
  const { runtime } = options
  const answer = (result: unknown) => ({ status: endpoint.success, body: JSON.stringify(result) })
  return async (exchange, input, raw) => {
    const origin = originOf(exchange)
    const claim = claimOf(endpoint, options, exchange, input, raw)
    let asked: Ctx['asked'] = []
    const prepare = (ctx: Ctx) => {
      asked = ctx.asked
      return serve.prepare(ctx, input as never)
    }
    const prepareByReading = () =>
      query(runtime, origin, prepare).catch(async (error) => {
        // What the request names may be gone by now; the key still stands for what came of it.
        const stored = claim && isRefusal(error) && (await findStoredAnswer(runtime.database.reader, claim))
        if (!stored) throw error
        return { stored }
      })
    const prepared = serve.read(input as never) ?? (await prepareByReading())
    const isStored = typeof prepared === 'object' && prepared !== null && 'stored' in prepared
    if (isStored) return replay({ route, options, origin, claim }, prepared.stored as StoredAnswer)
    const outcome = await serve.enqueue(runtime, { origin, input: prepared as never, claim, asked }, answer as never)
    if ('refusal' in outcome) throw new Refusal(outcome.refusal)
    return outcome.replayed ? replay({ route, options, origin, claim }, outcome.stored) : render(outcome.result)
  }
}

function claimOf(endpoint: AnyEndpoint, options: HttpOptions, exchange: Exchange, input: ReadInput, raw: RawInput) {
  if (!endpoint.idempotent || !exchange.caller) return undefined
  const key = readIdempotencyKey(exchange.request.headers['idempotency-key'])
  if (key === undefined) return undefined
  const fingerprint = fingerprintOf(options.fingerprint_secret, endpoint.name, raw.params, input.body)
  return { account_id: exchange.caller.account_id, operation: endpoint.name, key, fingerprint }
}

function withoutSecrets(result: unknown, { secret_fields }: AnyEndpoint): unknown {
  if (secret_fields.length === 0) return result
  return Object.fromEntries(Object.entries(result as object).filter(([name]) => !secret_fields.includes(name)))
}

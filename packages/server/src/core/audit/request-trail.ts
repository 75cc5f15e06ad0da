/**
 * Records the requests of one endpoint in the audit trail, in the transaction of the request. Not this file's work:
 * what an entry contains (request-entries.ts), entries of refused requests (entry-queue.ts).
 */
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { TObject, TSchema } from '@bourse/api/kit/schema.ts'
import { isRefusal, Refusal } from '../base/refusal.ts'
import { statement } from '../db/db.ts'
import { plainCommand } from '../work/command.ts'
import type { Caller, Ctx } from '../work/ctx.ts'
import type { Runtime } from '../work/runtime.ts'
import type { CommandOrigin } from '../work/writing.ts'
import { createRequestRecorder, isRecorded, type RecordedRequest, type RequestRecorder } from './request-entries.ts'

type TrailEndpoint = Endpoint<TObject, TObject, TSchema, TSchema>
type Params = Readonly<Record<string, string>>

/** An operation that reads one resource: its contract, and the function that serves it. */
export type ResourceReader = {
  readonly endpoint: TrailEndpoint
  readonly read: (ctx: Ctx, input: { params: Params; query: object; body: undefined }) => Promise<unknown>
}

/** The trail of the requests of one endpoint. */
export type RequestTrail = {
  readonly recorder: RequestRecorder
  /** Reads the resource that a request changes, as the API shows it; undefined for requests that change none. */
  readonly reader: ResourceReader | undefined
}

declare module '../work/services.ts' {
  interface Services {
    /** Makes of a caller one of the same account that may do everything there. */
    readonly withAllRights: (caller: Caller) => Caller
  }
}

/** Thrown where the caller may change a resource but not read it. The request then runs again. */
const beforeUnknown = new Refusal({ code: 'unavailable', message: 'The request is run again.' })

const lockTarget = statement<never>('core.lock_audited', 'select pg_advisory_xact_lock(hashtextextended($1, 0))')

/** The trail of an endpoint; undefined if its requests are not recorded. `readers` are those of all endpoints. */
export function trailOf(endpoint: TrailEndpoint, readers: readonly ResourceReader[]): RequestTrail | undefined {
  if (!isRecorded(endpoint)) return undefined
  const reader = endpoint.method === 'GET' ? undefined : readerOf(endpoint, readers)
  return { recorder: createRequestRecorder(endpoint), reader }
}

/** The operation that reads what an endpoint responds with, at its own path or one above. */
function readerOf({ path, response }: TrailEndpoint, readers: readonly ResourceReader[]): ResourceReader | undefined {
  const title = (response as { title?: string } | undefined)?.title
  for (let at = path; at.includes('/:'); at = at.slice(0, at.lastIndexOf('/'))) {
    const found = readers.find(({ endpoint }) => endpoint.path === at)
    if (found) return (found.endpoint.response as { title?: string } | undefined)?.title === title ? found : undefined
  }
  return undefined
}

/** Wraps the work of a request, so that its transaction also records it. Run it with {@link again}. */
export function recording<R>(
  { recorder, reader }: RequestTrail,
  request: RecordedRequest,
  work: (ctx: Ctx) => Promise<R>,
): (ctx: Ctx) => Promise<R> {
  let isAllowed = false
  return async (ctx) => {
    const before = reader && (await readBefore(ctx, reader, { params: request.params, isAllowed }))
    const result = await work(ctx)
    if (reader && before === undefined && !isAllowed) {
      isAllowed = true
      throw beforeUnknown
    }
    for (const entry of recorder.done(request, { before, result })) ctx.record(entry)
    return result
  }
}

/** Runs a request; a second time if it was allowed to a caller who may not read what it changes. */
export async function again<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error !== beforeUnknown) throw error
    return await run()
  }
}

/** Records a request that has several transactions, or none, after it is done: even if it has ended its own token. */
export async function recordAfterwards(
  runtime: Runtime,
  { actor, request_id }: CommandOrigin,
  { trail, request, result }: { trail: RequestTrail; request: RecordedRequest; result: unknown },
): Promise<void> {
  await plainCommand(runtime, { actor, request_id }, async (ctx) => {
    for (const entry of trail.recorder.done(request, { result })) ctx.record(entry)
  })
}

/**
 * The resource before the request, as its caller sees it; once the request is known to be allowed, as an admin does.
 * The advisory lock comes before all row locks, so no other request changes the resource between this read and the
 * work.
 */
async function readBefore(
  ctx: Ctx,
  { read }: ResourceReader,
  { params, isAllowed }: { params: Params; isAllowed: boolean },
): Promise<unknown> {
  const caller = isAllowed && ctx.caller ? ctx.services.withAllRights(ctx.caller) : ctx.caller
  const own: Ctx = { ...ctx, caller, asked: [] }
  const find = async () => {
    try {
      return await read(own, { params, query: {}, body: undefined })
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }
  const given = Object.values(params).join(' ')
  const named = given.includes('svc:') ? ((await find()) as { id?: string } | undefined)?.id : undefined
  await ctx.db.run(lockTarget, [named ?? given])
  return find()
}

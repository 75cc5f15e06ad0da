/**
 * Runs every write in the same five steps: claim the idempotency key, run the work, store the answer, write due rows
 * and events, commit. Everything after the work is sent in one round trip. A command can run again after a
 * serialization failure, because ctx is its only way to have effects. Not this file's work: HTTP (http.ts), due work
 * (reconciler.ts), reads (query.ts).
 */

import { Refusal } from '../base/refusal.ts'
import { inSpans } from '../trace/tracing.ts'
import type { Ctx } from './ctx.ts'
import type { StepEnd } from './due.ts'
import { type Claim, claimKey, findStoredResponse, type StoredResponse, storeResponse } from './idempotency.ts'
import type { Runtime } from './runtime.ts'
import {
  begin,
  commitUnitOfWork,
  databaseSpan,
  tokenEnded,
  withFinishCallbacks,
  withRetries,
  withSession,
} from './transaction.ts'
import { type CommandOrigin, openUnitOfWork } from './writing.ts'

/** The options of a command. */
export type CommandOptions<T> = {
  /** The idempotency key, if the caller sent one. */
  readonly claim?: Claim
  /** Converts the result to the response that is stored under the key, without secrets. */
  readonly response?: (result: T) => { status: number; body: string }
  /** What a reconciler's step leaves in its own row; undefined where the row stays unchanged. */
  readonly end_step?: (result: T) => StepEnd | undefined
}

/** The result of the work, or the stored response of an earlier call with the same key. */
export type CommandOutcome<T> =
  | { readonly replayed: false; readonly result: T }
  | { readonly replayed: true; readonly stored: StoredResponse }

/** The origin of what the server does by itself: reconcilers, start-up, the control of a sandbox. */
export const systemOrigin: CommandOrigin = { actor: { type: 'system' }, request_id: 'system', unrecorded: 'by_itself' }

/** Runs one write. Throws a Refusal where the write is refused; the transaction is then rolled back. */
export function command<T>(
  runtime: Runtime,
  origin: CommandOrigin,
  work: (ctx: Ctx) => Promise<T>,
  options: CommandOptions<T> = {},
): Promise<CommandOutcome<T>> {
  const span = { name: 'transaction', attributes: databaseSpan }
  return withRetries(runtime, () => inSpans([origin.span], span, () => runOnce(runtime, origin, work, options)))
}

/** Runs a write without an idempotency key, which is never a replay. */
export async function plainCommand<T>(
  runtime: Runtime,
  origin: CommandOrigin,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const outcome = await command(runtime, origin, work)
  if (outcome.replayed) throw new Error('Work without a key cannot be replayed.')
  return outcome.result
}

/** Runs a write in the name of the system. */
export function systemCommand<T>(runtime: Runtime, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return plainCommand(runtime, systemOrigin, work)
}

/** The refusal of a call whose key belongs to another call that has not ended. */
export function keyInUse(message: string): Refusal {
  return new Refusal({ code: 'idempotency_key_in_use', field: 'Idempotency-Key', message, retry_after_seconds: 1 })
}

function runOnce<T>(
  runtime: Runtime,
  origin: CommandOrigin,
  work: (ctx: Ctx) => Promise<T>,
  options: CommandOptions<T>,
): Promise<CommandOutcome<T>> {
  const { claim, response } = options
  return withSession(runtime, async (session): Promise<CommandOutcome<T>> => {
    await runtime.failpoint?.('before_claim', origin.request_id)
    const {
      begun,
      claimed: isFresh,
      ended,
    } = await begin(runtime, session, {
      callers: [origin.caller],
      claim: async () => !claim || claimKey(session, claim, origin),
    })
    if (ended.size > 0) throw new Refusal(tokenEnded())
    if (claim && !isFresh) {
      const stored = await findStoredResponse(session, claim)
      if (!stored) throw keyInUse('The first request with this key has just ended. Try again.')
      await session.command('rollback')
      return { replayed: true, stored }
    }
    await runtime.failpoint?.('after_claim', origin.request_id)
    const workUnit = openUnitOfWork(runtime, session, origin, () => begun)
    const result = await withFinishCallbacks(workUnit, async () => {
      const done = await work(workUnit.ctx)
      await runtime.failpoint?.('after_work', origin.request_id)
      const responses =
        claim && response ? [() => storeResponse(session, claim, response(done), workUnit.asked, workUnit.ctx.now)] : []
      await commitUnitOfWork(runtime, session, workUnit, {
        responses,
        end_step: options.end_step?.(done),
        begun,
      })
      return done
    })
    await runtime.failpoint?.('after_commit', origin.request_id)
    return { replayed: false, result }
  })
}

/** Runs commands on behalf of the accounts of a sandbox, through the services that requests with their tokens use. */
import { command } from '../../core/work/command.ts'
import type { Caller, Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { ensureAdminToken } from '../../iam/accounts/bootstrap.service.ts'
import { readCaller } from '../../iam/tokens/gate.service.ts'

/** Runs a command as the admin of an account. Its events name the system as actor, as for all sandbox control. */
export type ActAs = <T>(accountId: string, work: (ctx: Ctx) => Promise<T>) => Promise<T>

/** Creates an {@link ActAs} that caches the callers of the accounts. */
export function createActAs(runtime: Runtime): ActAs {
  const callers = new Map<string, Caller>()
  const callerOf = async (accountId: string): Promise<Caller> => {
    const known = callers.get(accountId) ?? (await readCaller(runtime, await ensureAdminToken(runtime, accountId)))
    if (!known) throw new Error(`The account ${accountId} has no valid admin token.`)
    callers.set(accountId, known)
    return known
  }
  return async (accountId, work) => {
    const caller = await callerOf(accountId)
    const origin = { caller, actor: { type: 'system' }, request_id: 'sandbox', unrecorded: 'sandbox' } as const
    const outcome = await command(runtime, origin, work)
    if (outcome.replayed) throw new Error('A command without an idempotency key was replayed.')
    return outcome.result
  }
}

/** Runs commands on behalf of the accounts of a sandbox, through the services that requests with their tokens use. */
import { command } from '../../core/work/command.ts'
import type { Caller, Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { ensureAdminToken } from '../../iam/accounts/bootstrap.service.ts'
import { readCaller } from '../../iam/tokens/gate.service.ts'

/** Runs a command as the admin of an account. Its events name the system as actor, as for all sandbox control. */
export type ActAs = <T>(account_id: string, work: (ctx: Ctx) => Promise<T>) => Promise<T>

/** Creates an {@link ActAs} that caches the callers of the accounts. */
export function createActAs(runtime: Runtime): ActAs {
  const callers = new Map<string, Caller>()
  const callerOf = async (account_id: string): Promise<Caller> => {
    const known = callers.get(account_id) ?? (await readCaller(runtime, await ensureAdminToken(runtime, account_id)))
    if (!known) throw new Error(`The account ${account_id} has no valid admin token.`)
    callers.set(account_id, known)
    return known
  }
  return async (account_id, work) => {
    const caller = await callerOf(account_id)
    const origin = { caller, actor: { type: 'system' }, request_id: 'sandbox', unrecorded: 'sandbox' } as const
    const outcome = await command(runtime, origin, work)
    if (outcome.replayed) throw new Error('A command without an idempotency key was replayed.')
    return outcome.result
  }
}

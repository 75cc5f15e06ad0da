/** Credits and credit limits that one operator requests and another one approves. Nothing changes before that. */
import type {
  createPendingCredit as createContract,
  listPendingCredits as listContract,
  PendingCredit,
} from '@bourse/api/billing/pending-credits.ts'
import type { EventAction } from '@bourse/api/events/actions.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { printDollars } from '@bourse/text/money.ts'
import { refuse, throwIfRefused } from '../core/base/refusal.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { among, conditions, pageResponse } from '../core/work/page.ts'
import { rightOfCallerSince } from '../iam/access/grants.service.ts'
import { allow, refuseNotFound, rightsOfCaller } from '../iam/access/permissions.service.ts'
import { requireAccount, requirePlatformAccount } from '../iam/accounts/accounts.service.ts'
import { isCallerSameAs, lineageOfCaller } from '../iam/tokens/lineage.service.ts'
import { readCreditLimitMicros } from './credit-limits.service.ts'
import { amountOf, postBy, setCreditLimit } from './money.service.ts'
import {
  pendingSeconds,
  refuseChangedLimit,
  refuseEnded,
  refuseNewRight,
  refuseNoRaise,
} from './pending-credits.rules.ts'
import {
  type CreditOperator,
  decidePendingCredit,
  findPendingCredit,
  insertPendingCredit,
  listPendingCredits as listRows,
  type PendingCreditRow,
  pendingCreditLock,
} from './pending-credits.store.ts'

/** Kind of the due rows that end credits that nobody approved. The key is the id of the credit. */
export const pendingCreditEnd = 'billing.pending_credit_end'

/** Requests a credit or a higher credit limit. */
export async function createPendingCredit(
  ctx: Ctx,
  account_id: string,
  body: Input<typeof createContract>['body'],
): Promise<PendingCredit> {
  await allow(ctx, 'platform:write', null)
  await requireAccount(ctx, account_id)
  const amount_micros = amountOf(body.amount_dollars, 'amount_dollars')
  if (amount_micros === 0n) refuse('out_of_range', 'The amount must not be zero.', 'amount_dollars')
  const limit_before_micros = body.type === 'credit_limit' ? await limitBelow(ctx, account_id, amount_micros) : null
  const { token_id, user_id } = operatorOf(ctx)
  const id = ctx.newId('pending_credit')
  const expires_at = ctx.now + pendingSeconds
  await insertPendingCredit(ctx.db, {
    id,
    account_id,
    type: body.type,
    amount_micros,
    limit_before_micros,
    description: body.description,
    requested_by_token_id: token_id,
    requested_by_user_id: user_id,
    requested_by_lineage: [...(await lineageOfCaller(ctx)).ids],
    requested_by_right_since: await rightOfCallerSince(ctx, 'platform:write'),
    created_at: ctx.now,
    expires_at,
  })
  ctx.schedule(pendingCreditEnd, id, expires_at)
  await announce(ctx, 'credit.requested', id)
  return readOne(ctx, id)
}

/** The present credit limit of an account, which the wanted one has to raise. */
async function limitBelow(ctx: Ctx, account_id: string, wanted: bigint): Promise<bigint> {
  const present = await readCreditLimitMicros(ctx, account_id)
  throwIfRefused(refuseNoRaise({ present, wanted }))
  return present
}

/** Lists credits to all accounts. */
export async function listPendingCredits(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'platform:read', null)
  const where = conditions().addIf('p.account_id = $', query.account)
  // The index by account has no state.
  if (query.account !== undefined) where.checkIf('p.state = any($)', query.state)
  const states = query.account === undefined ? query.state : undefined
  const page = await listRows(ctx, query, { where, among: among('p.state', states) })
  return pageResponse(page, page.rows.map(present))
}

/** Reads one credit. */
export async function getPendingCredit(ctx: Ctx, id: Id<'pending_credit'>): Promise<PendingCredit> {
  await allow(ctx, 'platform:read', null)
  return readOne(ctx, id)
}

/** Approves a request of another operator, and posts the credit or sets the limit. */
export async function approvePendingCredit(ctx: Ctx, id: Id<'pending_credit'>): Promise<PendingCredit> {
  const row = await lockOpen(ctx, id)
  if (await isCallerSameAs(ctx, requesterOf(row))) {
    refuse(
      'same_operator',
      'You requested this credit, or your token belongs to who did. Another operator approves it.',
    )
  }
  if (ctx.services.dual_control_micros !== undefined) {
    const approver = await rightOfCallerSince(ctx, 'platform:write')
    const requester = row.requested_by_right_since ?? row.created_at
    throwIfRefused(refuseNewRight({ requester, approver }, ctx.now))
  }
  const transaction_id = await carryOut(ctx, row)
  return decide(ctx, id, { state: 'approved', transaction_id }, 'credit.approved')
}

/** Posts an approved credit and returns the transaction, or sets the limit. */
async function carryOut(ctx: Ctx, row: PendingCreditRow): Promise<Id<'transaction'> | null> {
  const { account_id, type, amount_micros, limit_before_micros: before, description } = row
  if (type === 'credit_limit') {
    await setCreditLimit(ctx, account_id, amount_micros, ({ credit_limit_micros: present }) =>
      refuseChangedLimit({ before, present }),
    )
    return null
  }
  const by = { maker: requesterOf(row), approver: operatorOf(ctx) }
  const { id } = await postBy(ctx, account_id, { type, amount_micros, description }, by)
  return id
}

/** Refuses a credit. The requester may do so too. */
export async function refusePendingCredit(ctx: Ctx, id: Id<'pending_credit'>): Promise<PendingCredit> {
  await lockOpen(ctx, id)
  return decide(ctx, id, { state: 'refused', transaction_id: null }, 'credit.refused')
}

/** Ends a credit whose time is over. Returns the time of its end if that is in the future. */
export async function expirePendingCredit(ctx: Ctx, id: Id<'pending_credit'>): Promise<number | undefined> {
  const row = await lockCredit(ctx, id)
  if (row?.state !== 'pending') return undefined
  if (row.expires_at > ctx.now) return row.expires_at
  await decidePendingCredit(ctx.db, id, { state: 'expired', transaction_id: null, by: null, at: ctx.now })
  await announce(ctx, 'credit.expired', id)
  return undefined
}

async function lockOpen(ctx: Ctx, id: Id<'pending_credit'>): Promise<PendingCreditRow> {
  await allow(ctx, 'platform:write', null)
  const row = (await lockCredit(ctx, id)) ?? refuseNotFound()
  throwIfRefused(refuseEnded(row, ctx.now))
  return row
}

async function lockCredit(ctx: Ctx, id: Id<'pending_credit'>): Promise<PendingCreditRow | undefined> {
  const [locked] = await ctx.lock(pendingCreditLock, [id])
  return locked === undefined ? undefined : findPendingCredit(ctx.db, id)
}

type CreditOutcome = {
  readonly state: 'approved' | 'refused'
  readonly transaction_id: Id<'transaction'> | null
}

async function decide(
  ctx: Ctx,
  id: Id<'pending_credit'>,
  outcome: CreditOutcome,
  action: EventAction,
): Promise<PendingCredit> {
  await decidePendingCredit(ctx.db, id, { ...outcome, by: operatorOf(ctx), at: ctx.now })
  ctx.unschedule(pendingCreditEnd, id)
  await announce(ctx, action, id)
  return readOne(ctx, id)
}

async function announce(ctx: Ctx, action: EventAction, id: Id<'pending_credit'>): Promise<void> {
  const account_id = await requirePlatformAccount(ctx)
  ctx.emit({ account_id, workspace_id: null, action, target_type: 'pending_credit', target_id: id })
}

function operatorOf(ctx: Ctx): CreditOperator {
  const caller = callerOf(ctx)
  return { token_id: caller.token_id, user_id: rightsOfCaller(caller).user_id }
}

type Requester = Parameters<typeof isCallerSameAs>[1]

function requesterOf(row: PendingCreditRow): Requester {
  const { requested_by_token_id: token_id, requested_by_user_id: user_id, requested_by_lineage: ids } = row
  return { token_id, user_id, ids }
}

async function readOne(ctx: Ctx, id: Id<'pending_credit'>): Promise<PendingCredit> {
  return present((await findPendingCredit(ctx.db, id)) ?? refuseNotFound())
}

function present(row: PendingCreditRow): PendingCredit {
  const requester = { token_id: row.requested_by_token_id, user_id: row.requested_by_user_id }
  const decider = row.decided_by_token_id && { token_id: row.decided_by_token_id, user_id: row.decided_by_user_id }
  return {
    object: 'pending_credit',
    id: row.id,
    account: row.account_id,
    state: row.state,
    type: row.type,
    amount_dollars: printDollars(row.amount_micros),
    limit_before_dollars: row.limit_before_micros === null ? null : printDollars(row.limit_before_micros),
    description: row.description,
    requested_by: presentOperator(requester, row.requested_by_name, row.requested_by_email),
    requested_at: row.created_at,
    expires_at: row.expires_at,
    decided_by: decider ? presentOperator(decider, row.decided_by_name, row.decided_by_email) : null,
    decided_at: row.decided_at,
    transaction: row.transaction_id,
  }
}

function presentOperator(
  { token_id, user_id }: CreditOperator,
  name: string | null,
  email: string | null,
): PendingCredit['requested_by'] {
  if (user_id !== null) return { type: 'user', id: user_id, email }
  return { type: 'token', id: token_id, ...(name === null ? {} : { name }) }
}

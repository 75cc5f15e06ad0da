import type { postingTypes } from '@bourse/api/billing/billing.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../core/db/db.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { defineLock } from '../core/work/locks.ts'
import { type ListFilters, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'

/** Who requested or decided: the token, and its user if it is a session. */
export type CreditOperator = { readonly token_id: Id<'token'>; readonly user_id: Id<'user'> | null }

/** What is posted, or the credit limit that follows the one at the request. */
type CreditKind =
  | { readonly type: (typeof postingTypes)[number]; readonly limit_before_micros: null }
  | { readonly type: 'credit_limit'; readonly limit_before_micros: bigint }

export type PendingCreditRow = CreditKind & {
  readonly id: Id<'pending_credit'>
  readonly account_id: string
  readonly amount_micros: bigint
  readonly description: string
  readonly state: 'pending' | 'approved' | 'refused' | 'expired'
  readonly requested_by_token_id: Id<'token'>
  readonly requested_by_user_id: Id<'user'> | null
  readonly requested_by_lineage: string[]
  /** Since when the requester has had the right. Null in requests of programs of before schema 83. */
  readonly requested_by_right_since: number | null
  readonly requested_by_name: string | null
  readonly requested_by_email: string | null
  readonly created_at: number
  readonly expires_at: number
  readonly decided_by_token_id: Id<'token'> | null
  readonly decided_by_user_id: Id<'user'> | null
  readonly decided_by_name: string | null
  readonly decided_by_email: string | null
  readonly decided_at: number | null
  readonly transaction_id: Id<'transaction'> | null
}

/** The columns of a new row. */
type NewPendingCredit = Pick<
  PendingCreditRow,
  | 'id'
  | 'account_id'
  | 'type'
  | 'amount_micros'
  | 'limit_before_micros'
  | 'description'
  | 'requested_by_token_id'
  | 'requested_by_user_id'
  | 'requested_by_lineage'
  | 'requested_by_right_since'
  | 'created_at'
  | 'expires_at'
>

/** How a credit ends. */
type CreditDecision = Pick<PendingCreditRow, 'state' | 'transaction_id'> & {
  readonly by: CreditOperator | null
  readonly at: number
}

const select = `select p.id, p.account_id, p.type, p.amount_micros::numeric as amount_micros,
     p.limit_before_micros::numeric as limit_before_micros, p.description, p.state, p.requested_by_token_id,
     p.requested_by_user_id, p.requested_by_lineage, p.requested_by_right_since, rn.name as requested_by_name,
     ru.email as requested_by_email, p.created_at, p.expires_at, p.decided_by_token_id, p.decided_by_user_id,
     dn.name as decided_by_name, du.email as decided_by_email, p.decided_at, p.transaction_id
   from pending_credits p
   left join names rn on rn.id = p.requested_by_token_id
   left join users ru on ru.id = p.requested_by_user_id
   left join names dn on dn.id = p.decided_by_token_id
   left join users du on du.id = p.decided_by_user_id`

const selectOne = statement<PendingCreditRow>(
  'billing.find_pending_credit',
  `${select}
   where p.id = $1`,
)
const insertOne = statement<never>(
  'billing.insert_pending_credit',
  `insert into pending_credits (id, account_id, type, amount_micros, limit_before_micros, description, state,
     requested_by_token_id, requested_by_user_id, requested_by_lineage, requested_by_right_since, created_at,
     expires_at)
   values ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10, $11, $12)`,
)
const updateOne = statement<never>(
  'billing.decide_pending_credit',
  `update pending_credits
   set state = $2, decided_by_token_id = $3, decided_by_user_id = $4, decided_at = $5, transaction_id = $6
   where id = $1`,
)

/** Taken to decide on a credit. */
export const pendingCreditLock = defineLock(
  'pending_credit',
  'claimed_work',
  `select id
   from pending_credits
   where id = any($1)
   order by id
   for update`,
)

export function findPendingCredit(db: Db, id: string): Promise<PendingCreditRow | undefined> {
  return db.row(selectOne, [id])
}

export async function insertPendingCredit(db: Db, row: NewPendingCredit): Promise<void> {
  const { id, account_id, type, amount_micros, limit_before_micros, description, created_at, expires_at } = row
  const request = [id, account_id, type, amount_micros, limit_before_micros, description]
  const requester = [row.requested_by_token_id, row.requested_by_user_id, row.requested_by_lineage]
  await db.run(insertOne, [...request, ...requester, row.requested_by_right_since, created_at, expires_at])
}

/** Stores how a locked credit ended. */
export async function decidePendingCredit(db: Db, id: string, decision: CreditDecision): Promise<void> {
  const { state, by, at, transaction_id } = decision
  await db.run(updateOne, [id, state, by?.token_id ?? null, by?.user_id ?? null, at, transaction_id])
}

/** A page of credits. */
export function listPendingCredits(ctx: Ctx, query: PageQuery, list: ListFilters): Promise<Page<PendingCreditRow>> {
  return readPage<PendingCreditRow>(ctx, { prefix: 'pcrdc', query, select, ...list, sort: newestFirst('p') })
}

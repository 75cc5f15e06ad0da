/** Lists the audit trail of an account, and for operators those of all accounts. */

import {
  auditRetentionDays,
  type listAllAuditEntries as listAllContract,
  type listAuditEntries as listContract,
} from '@bourse/api/iam/audit-entries.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { type Conditions, conditions, pageResponse } from '../../core/work/page.ts'
import { allow } from '../access/permissions.service.ts'
import { listEntries } from './entries.store.ts'

type EntriesQuery = Input<typeof listContract>['query']

/** For how long entries are listed and kept. */
export const retentionSeconds = auditRetentionDays * daySeconds

/** Lists the trail of the caller's account. */
export async function listAuditEntries(ctx: Ctx, query: EntriesQuery): Promise<Output<typeof listContract>> {
  await allow(ctx, 'audit:list', null)
  const where = filtersOf(ctx, query).add('e.account_id = $', callerOf(ctx).account_id)
  const page = await listEntries(ctx, { query, where, list: 'audit_entries' })
  return pageResponse(page, page.rows)
}

/** Lists the trails of all accounts, or of one. */
export async function listAllAuditEntries(
  ctx: Ctx,
  query: Input<typeof listAllContract>['query'],
): Promise<Output<typeof listAllContract>> {
  await allow(ctx, 'platform:read', null)
  const where = filtersOf(ctx, query).addIf('e.account_id = $', query.account)
  const page = await listEntries(ctx, { query, where, list: 'all_audit_entries' })
  return pageResponse(page, page.rows)
}

function filtersOf({ now }: Ctx, { actor, operation, target, outcome, from, to }: EntriesQuery): Conditions {
  if (from !== undefined && to !== undefined && to <= from) {
    refuse('invalid_range', 'This must be later than from.', 'to')
  }
  return conditions()
    .add('e.occurred_at >= $', Math.max(from ?? 0, now - retentionSeconds))
    .addIf('e.occurred_at < $', to)
    .checkIf('e.actor_id = $', actor)
    .checkIf('e.operation = $', operation)
    .checkIf('$ = any(e.target_ids)', target)
    .checkIf('e.outcome = $', outcome)
}

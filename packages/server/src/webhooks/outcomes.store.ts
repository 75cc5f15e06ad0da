import { type Db, statement } from '../core/db/db.ts'
import type { WebhookRow } from './webhooks.rules.ts'

/** The columns of a webhook that attempts change. */
export type HealthColumns = Pick<
  WebhookRow,
  | 'id'
  | 'enabled'
  | 'disabled_reason'
  | 'failures'
  | 'failures_since'
  | 'is_failing'
  | 'last_success_at'
  | 'last_failure_at'
  | 'paused_until'
>

const updateHealth = statement<never>(
  'webhooks.put_health',
  `update webhooks w set
     enabled = n.enabled,
     disabled_reason = n.disabled_reason,
     failures = n.failures,
     failures_since = n.failures_since,
     is_failing = n.is_failing,
     last_success_at = n.last_success_at,
     last_failure_at = n.last_failure_at,
     paused_until = n.paused_until,
     replay_position = case when n.enabled then w.replay_position end,
     replay_position_at = case when n.enabled then w.replay_position_at end,
     replay_until = case when n.enabled then w.replay_until end,
     replay_until_at = case when n.enabled then w.replay_until_at end
   from jsonb_to_recordset($1::jsonb) as n(
     id text, enabled boolean, disabled_reason text, failures integer, failures_since bigint, is_failing boolean,
     last_success_at bigint, last_failure_at bigint, paused_until bigint)
   where w.id = n.id`,
)

/** Writes what attempts say about webhooks, which the caller has locked. A disabled webhook ends its replay. */
export async function putHealth(db: Db, rows: readonly HealthColumns[]): Promise<void> {
  if (rows.length > 0) await db.run(updateHealth, [JSON.stringify(rows)])
}

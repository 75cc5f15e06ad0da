import { defineAudit } from '../core/work/auditor.ts'

/** The invariants of webhooks. */
export const webhookAudits = [
  // A cursor behind the end of the log would skip the events that come next.
  defineAudit(
    'webhooks.cursor',
    `select w.id, w.position, w.replay_until, c.position as counted
     from webhooks w
     left join event_counters c on c.account_id = w.account_id
     where w.deleted_at is null
       and (w.position > coalesce(c.position, 0) or coalesce(w.replay_until, 0) > coalesce(c.position, 0))`,
  ),
  // A pending delivery has a time, or waits for an earlier one of its target.
  defineAudit(
    'webhooks.deliveries',
    `select d.id, d.webhook_id, d.state, d.next_attempt_at, d.place
     from (
       select d.id, d.webhook_id, d.origin, d.state, d.attempts, d.next_attempt_at, w.enabled, w.ordering,
         row_number() over (
           partition by d.webhook_id, d.origin, d.target_id, d.state
           order by d.position
         ) as place
       from webhook_deliveries d
       join webhooks w on w.id = d.webhook_id
       where w.deleted_at is null
     ) d
     where jsonb_array_length(d.attempts) > 8
       or d.state = 'succeeded' and jsonb_array_length(d.attempts) = 0
       or d.state = 'pending' and d.next_attempt_at is null
         and (d.ordering = 'none' or d.place = 1 or d.origin not in ('event', 'replay'))
       or d.state = 'pending' and not d.enabled and d.origin in ('event', 'replay')`,
  ),
  // Workers find due deliveries by this column.
  defineAudit(
    'webhooks.next_attempt',
    `select w.id, w.next_attempt_at, d.next_attempt_at as first
     from webhooks w
     left join (
       select webhook_id, min(next_attempt_at) as next_attempt_at
       from webhook_deliveries
       where state = 'pending'
       group by webhook_id
     ) d on d.webhook_id = w.id
     where w.deleted_at is null
       and w.next_attempt_at is distinct from d.next_attempt_at
       and (w.next_attempt_at is null or d.next_attempt_at is null or w.next_attempt_at < d.next_attempt_at
         or w.paused_until is null)`,
  ),
  defineAudit(
    'webhooks.lease',
    `select id, worker_id, epoch
     from webhooks
     where worker_id is not null and (epoch = 0 or deleted_at is not null)`,
  ),
] as const

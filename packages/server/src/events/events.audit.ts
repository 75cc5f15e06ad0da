import { defineAudit } from '../core/auditor.ts'

// Seven days, as readers see the log (decision I14).
const retentionSeconds = 7 * 86_400

/** The invariants of the event log that SQL can check; what was purged is out of sight. */
export const eventAudits = [
  // The counter is the last position, unless all that it counted has been purged.
  defineAudit(
    'events.dense',
    `select coalesce(c.account_id, e.account_id) as account_id, c.position as counted, e.first, e.last, e.kept
     from event_counters c full join (
       select account_id, min(position) as first, max(position) as last, count(*) as kept,
         count(distinct position) as different
       from events group by account_id
     ) e on e.account_id = c.account_id
     where e.kept <> e.last - e.first + 1 or e.different <> e.kept or e.first < 1
       or c.position is distinct from e.last
         and (c.position is null or e.last is not null
           or c.position > 0 and c.occurred_at >= bourse_now() - ${retentionSeconds})`,
  ),
  defineAudit(
    'events.clock',
    `select account_id, position, occurred_at, before from (
       select account_id, position, occurred_at,
         lag(occurred_at) over (partition by account_id order by position) as before
       from events
     ) e where occurred_at < before`,
  ),
  defineAudit(
    'events.lifecycle',
    `select account_id, target_id, string_agg(action, ' ' order by position) as actions
     from events where target_type = 'instance' group by account_id, target_id
     having count(*) filter (where action = 'instance.created') > 1
       or count(*) filter (where action = 'instance.running') > 1
       or count(*) filter (where action = 'instance.terminated') > 1
       or count(*) filter (where action = 'instance.failed') > 1
       or max(position) > min(position) filter (where action = 'instance.terminated')
       or min(position) < min(position) filter (where action = 'instance.created')`,
  ),
  // The actor stands in a column and in the body, and is a token of the account.
  defineAudit(
    'events.actor',
    `select e.account_id, e.position, e.actor_token_id from events e
     where case when e.actor_token_id is null then strpos(e.body, '"actor":{"type":"system"}') = 0
       else strpos(e.body, '"actor":{"type":"token","id":"' || e.actor_token_id || '"}') = 0
         or not exists (select from tokens t where t.id = e.actor_token_id and t.account_id = e.account_id) end`,
  ),
] as const

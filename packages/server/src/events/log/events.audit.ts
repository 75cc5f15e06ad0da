import { weekSeconds } from '@bourse/text/time/units.ts'
import { defineAudit } from '../../core/work/auditor.ts'

// Readers can list events for seven days (docs/concepts/events.md, "Retention").
const retentionSeconds = weekSeconds

/** The invariants of the event log that SQL can check. Purged events are not checked. */
export const eventAudits = [
  // The counter equals the last position, unless all events have been purged.
  defineAudit(
    'events.dense',
    `select coalesce(c.account_id, e.account_id) as account_id, c.position as counted, e.first, e.last, e.kept
     from event_counters c
     full join (
       select account_id, min(position) as first, max(position) as last, count(*) as kept,
         count(distinct position) as different
       from events
       group by account_id
     ) e on e.account_id = c.account_id
     where e.kept <> e.last - e.first + 1
       or e.different <> e.kept
       or e.first < 1
       or c.position is distinct from e.last
         and (c.position is null or e.last is not null
           or c.position > 0 and c.occurred_at >= (select bourse_now()) - ${retentionSeconds})`,
  ),
  defineAudit(
    'events.clock',
    `select account_id, position, occurred_at, before
     from (
       select account_id, position, occurred_at,
         lag(occurred_at) over (partition by account_id order by position) as before
       from events
     ) e
     where occurred_at < before`,
  ),
  defineAudit(
    'events.lifecycle',
    `select account_id, target_id, string_agg(action, ' ' order by position) as actions
     from events
     where target_type = 'instance'
     group by account_id, target_id
     having count(*) filter (where action = 'instance.created') > 1
       or count(*) filter (where action = 'instance.running') > 1
       or count(*) filter (where action = 'instance.terminated') > 1
       or count(*) filter (where action = 'instance.failed') > 1
       or max(position) > min(position) filter (where action = 'instance.terminated')
       or min(position) < min(position) filter (where action = 'instance.created')`,
  ),
  // The summaries of a closed day equal its events, which are older than the events of later days.
  defineAudit(
    'events.summaries',
    `select coalesce(s.account_id, e.account_id) as account_id, coalesce(s.stored_on, e.stored_on)::text as stored_on,
       s.first_position, e.first_position as first, s.last_position, e.last_position as last
     from event_summaries s
     full join (
       select account_id, stored_on, min(first_position) as first_position, min(first_at) as first_at,
         max(last_position) as last_position, max(last_at) as last_at,
         jsonb_agg(jsonb_build_array(workspace, action, target_type, events) order by workspace, action, target_type)
           as kinds
       from (
         select account_id, stored_on, coalesce(workspace_id, '') as workspace, action, target_type, count(*) as events,
           min(position) as first_position, min(occurred_at) as first_at, max(position) as last_position,
           max(occurred_at) as last_at
         from events
         where stored_on in (select stored_on from closed_event_days)
         group by account_id, stored_on, workspace, action, target_type
       ) k
       group by account_id, stored_on
     ) e using (account_id, stored_on)
     where s.account_id is null
       or e.account_id is null
       or (s.first_position, s.first_at, s.last_position, s.last_at)
         <> (e.first_position, e.first_at, e.last_position, e.last_at)
       or s.kinds is not null and e.kinds is distinct from (
         select jsonb_agg(kind order by (kind ->> 0) collate "C", (kind ->> 1) collate "C", (kind ->> 2) collate "C")
         from jsonb_array_elements(s.kinds) kind
       )
       or s.is_before_later_days and exists (
         select
         from events later
         where later.account_id = s.account_id and later.stored_on > s.stored_on
           and (later.occurred_at, later.position) < (s.last_at, s.last_position)
       )`,
  ),
  // The actor is a token of the account, also a session that has ended, or the system. It is the same in its column and
  // in the body.
  defineAudit(
    'events.actor',
    `select e.account_id, e.position, e.actor_token_id
     from events e
     left join (
       select id, account_id
       from tokens
       union all
       select token_id, account_id
       from ended_sessions
     ) t on t.id = e.actor_token_id and t.account_id = e.account_id
     where case
       when e.actor_token_id is null then strpos(e.body, '"actor":{"type":"system"}') = 0
       else t.id is null or strpos(e.body, '"actor":{"type":"token","id":"' || e.actor_token_id || '"}') = 0
     end`,
  ),
] as const

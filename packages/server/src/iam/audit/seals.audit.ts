import { hourSeconds } from '@bourse/text/time/units.ts'
import { defineAudit } from '../../core/work/auditor.ts'

/** The seals whose entries are compared each hour. `bourse audit verify` compares all. */
const comparedSeconds = 26 * hourSeconds

/**
 * The invariants of the audit trail that SQL can check. Signatures need the keys: `bourse audit verify`. The digest of
 * an entry is that of core/work/audit-log.ts.
 */
export const auditTrailAudits = [
  defineAudit(
    'audit.append-only',
    `select t.name, p.privilege
     from (values ('audit_entries'), ('audit_seals')) as t (name)
     cross join (values ('UPDATE'), ('DELETE'), ('TRUNCATE')) as p (privilege)
     where has_table_privilege(current_user, t.name, p.privilege)`,
  ),
  defineAudit(
    'audit.seals',
    `select number, before_number, until::text as until, before_until::text as before_until
     from (
       select number, until, chain, lag(number) over w as before_number, lag(until) over w as before_until,
         lag(chain) over w as before_chain
       from audit_seals
       window w as (order by number)
     ) s
     where number <> coalesce(before_number, 0) + 1
       or until <= coalesce(before_until, 0)
       or chain <> before_chain`,
  ),
  defineAudit(
    'audit.entries',
    `select s.number, s.parts, s.found
     from (
       select s.number, s.parts, (
           select coalesce(jsonb_agg(to_jsonb(f) order by f.month), '[]')
           from (
             select to_char(e.stored_on, 'YYYY-MM') as month, count(*) as entries,
               encode(sha256(string_agg(e.digest, ''::bytea order by e.write_order, e.id)), 'hex') as digest
             from (
               select stored_on, write_order, id, sha256(convert_to(concat_ws(' ',
                 to_char(stored_on, 'YYYY-MM-DD'), write_order, occurred_at,
                 octet_length(account_id) || ':' || account_id,
                 octet_length(id) || ':' || id,
                 octet_length(operation) || ':' || operation,
                 octet_length(coalesce(actor_id, '')) || ':' || coalesce(actor_id, ''),
                 octet_length(outcome) || ':' || outcome,
                 octet_length(array_to_json(target_ids)::text) || ':' || array_to_json(target_ids),
                 octet_length(body) || ':' || body), 'UTF8')) as digest
               from audit_entries
             ) e
             where e.write_order >= s.begins and e.write_order < s.until
             group by month
           ) f
         ) as found
       from (
         select number, sealed_at, until, parts, lag(until, 1, 0::bigint) over (order by number) as begins
         from audit_seals
       ) s
       where s.sealed_at >= (select bourse_now()) - ${comparedSeconds}
     ) s
     where s.parts <> s.found`,
  ),
] as const

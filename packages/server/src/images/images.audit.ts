import { type Audit, defineAudit } from '../core/work/auditor.ts'

/** Invariants between images, their parts and the limit of their account. */
export const imageAudits: readonly Audit[] = [
  defineAudit(
    'images.bytes',
    `select account_id, held, counted
     from (
       select account_id, sum(held)::bigint as held, sum(counted)::bigint as counted
       from (
         select i.account_id, p.size_bytes as held, 0 as counted
         from image_parts p
         join images i on i.id = p.image_id
         union all
         select account_id, 0, used
         from limit_usage
         where name = 'image_bytes'
         union all
         select account_id, 0, amount
         from limit_changes
         where name = 'image_bytes'
       ) amounts
       group by account_id
     ) totals
     where held <> counted`,
  ),
  defineAudit(
    'images.whole',
    `select i.id, i.size_bytes, count(p.part_id) as parts, sum(p.size_bytes)::bigint as held
     from images i
     join image_uploads u on u.image_id = i.id
     left join image_parts p on p.image_id = i.id
     where i.state in ('completed', 'revoked')
     group by i.id, i.size_bytes
     having sum(p.size_bytes) is distinct from i.size_bytes
       or max(p.part_id) <> count(p.part_id)
       or count(p.etag) <> count(p.part_id)`,
  ),
  defineAudit(
    'images.gone',
    `select p.image_id, p.part_id, i.state
     from image_parts p
     left join images i on i.id = p.image_id
     where i.id is null
       or i.deleted_at is not null
       or i.state in ('started', 'failed')`,
  ),
]

import { defineAudit } from '../../core/work/auditor.ts'

/** A replacement writes the end of the old instance, then the beginning of the new one, in one transaction. */
export const replacementAudits = [
  defineAudit(
    'events.replace',
    `select o.id, o.replaced_by, t.position as terminated, c.position as created
     from instances o
     left join events t on t.account_id = o.account_id and t.target_id = o.id and t.action = 'instance.terminated'
     left join events c on c.account_id = o.account_id
       and c.target_id = o.replaced_by
       and c.action = 'instance.created'
     where o.replaced_by is not null
       and (t.position is not null or c.position is not null)
       and (
         t.position is null
         or c.position is null
         or c.position <= t.position
         or c.occurred_at <> t.occurred_at
         or c.actor_token_id is distinct from t.actor_token_id
       )`,
  ),
] as const

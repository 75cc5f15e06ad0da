import { type Db, statement } from '../../core/db/db.ts'
import type { LineageRow } from './lineage.rules.ts'

// Goes through deleted tokens, as what they made descends from them still.
const listLineageOf = statement<LineageRow>(
  'iam.list_token_lineage',
  `with recursive lineage as (
     select t.id, t.user_id, t.created_by_token_id, t.created_by_user_id,
       coalesce(t.let_in_by, s.let_in_by) as let_in_by
     from tokens t
     left join sessions s on s.token_id = t.id
     where t.id = $1
     union
     select t.id, t.user_id, t.created_by_token_id, t.created_by_user_id, coalesce(t.let_in_by, s.let_in_by)
     from lineage l
     join tokens t on t.id = l.created_by_token_id or t.id = any(l.let_in_by)
     left join sessions s on s.token_id = t.id
   )
   select id, user_id, created_by_user_id, let_in_by
   from lineage`,
)

/** A token and all from which it descends, also by links. Includes deleted ones. */
export function listLineage(db: Db, id: string): Promise<LineageRow[]> {
  return db.rows(listLineageOf, [id])
}

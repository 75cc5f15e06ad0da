import { type Db, statement } from '../../core/db/db.ts'
import type { LineageRow } from './lineage.rules.ts'

// Goes through deleted tokens, as what they made descends from them still.
const listLineageOf = statement<LineageRow>(
  'iam.list_token_lineage',
  `with recursive lineage as (
     select id, user_id, created_by_token_id, created_by_user_id
     from tokens
     where id = $1
     union
     select t.id, t.user_id, t.created_by_token_id, t.created_by_user_id
     from lineage l
     join tokens t on t.id = l.created_by_token_id
   )
   select id, user_id, created_by_user_id
   from lineage`,
)

/** A token and all from which it descends. Includes deleted ones. */
export function listLineage(db: Db, id: string): Promise<LineageRow[]> {
  return db.rows(listLineageOf, [id])
}

import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A token of a descent. */
export type DescentRow = {
  id: Id<'token'>
  workspace_id: Id<'workspace'>
  kind: 'service' | 'session'
  user_id: Id<'user'> | null
  allowed_cidrs: string[] | null
  resources: string[] | null
  is_deleted: boolean
}

// Goes through deleted tokens, because what they made lives on. Rows of sessions go, so what was made in a session
// names it and those that it descends from; what service tokens made there is found through their rows.
const listDescentOf = statement<DescentRow>(
  'iam.list_token_descent',
  `with recursive descent as (
     select id
     from tokens
     where id = any($1) or made_in_sessions && $3::text[]
     union
     select t.id
     from descent d
     join tokens t on t.created_by_token_id = d.id
     where $2::boolean
   )
   select t.id, t.workspace_id, t.kind, t.user_id, t.allowed_cidrs, t.resources, t.deleted_at is not null as is_deleted
   from descent d
   join tokens t using (id)
   order by t.id`,
)

const markDeleted = statement<never>(
  'iam.remove_tokens',
  `update tokens
   set deleted_at = $2
   where id = any($1) and deleted_at is null`,
)

/** Whose descent to list: by creation if `is_whole`; also what was made in some sessions. */
export type DescentRoots = {
  readonly ids: readonly string[]
  readonly is_whole: boolean
  readonly session_ids: readonly string[]
}

/** Tokens and those that descend from them. Includes deleted ones. */
export function listDescent(db: Db, { ids, is_whole, session_ids }: DescentRoots): Promise<DescentRow[]> {
  return db.rows(listDescentOf, [ids, is_whole, session_ids])
}

/** Marks tokens as deleted. */
export function removeTokens(db: Db, ids: readonly string[], now: number): Promise<number> {
  return db.run(markDeleted, [ids, now])
}

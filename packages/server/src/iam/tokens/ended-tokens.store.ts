import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** What decides whether a token is still accepted. */
type TokenLifeRow = {
  id: Id<'token'>
  user_id: Id<'user'> | null
  created_at: number
  expires_at: number | null
  last_used_at: number | null
}

const listLives = statement<TokenLifeRow>(
  'iam.list_token_lives',
  `select id, user_id, created_at, expires_at, last_used_at
   from tokens
   where id = any($1) and deleted_at is null`,
)

/** Those of some tokens that are not deleted. */
export function listTokenLives(db: Db, tokenIds: readonly string[]): Promise<TokenLifeRow[]> {
  return db.rows(listLives, [tokenIds])
}

import { api, type Mutant, server } from '../mutant.ts'

/** What ends with a token or a session. */
export const cascadeMutants: readonly Mutant[] = [
  {
    wrong: 'A cascade stops at a token that was deleted before.',
    file: server('iam/tokens/token-ends.store.ts'),
    text: 'join tokens t on t.created_by_token_id = d.id\n',
    replacement: 'join tokens t on t.created_by_token_id = d.id and t.deleted_at is null\n',
    test: api('token-lifetimes'),
    caught_by: 'a cascade ends a token and all that descend from it',
  },
  {
    wrong: 'What was made in a session stays when all that descends from it ends.',
    file: server('iam/tokens/token-ends.store.ts'),
    text: 'where id = any($1) or made_in_sessions && $3::text[]',
    replacement: 'where id = any($1) or $3::text[] is null',
    test: api('session-cascades'),
    caught_by: 'a cascade ends what was made in a session, and by that',
  },
  {
    wrong: 'Links stay when all that descends from their session ends.',
    file: server('iam/tokens/ways-in.store.ts'),
    text: 'where made_by_token_id = any($1) or made_in_sessions && $2::text[]',
    replacement: 'where made_by_token_id = any($1)',
    test: api('session-cascades'),
    caught_by: 'a cascade of a session ends links and approvals made in it that are not used',
  },
]

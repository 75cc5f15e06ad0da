import { api, type Mutant, server } from './mutant.ts'

/** What a right may not become: longer than its maker's, larger than it is called, or without what its effects need. */
export const rightsMutants: readonly Mutant[] = [
  {
    wrong: 'A token without expiry may be made by a token that ends.',
    file: server('iam/tokens/tokens.rules.ts'),
    text: 'return latest !== null && (expires_at === null || expires_at > latest)',
    replacement: 'return latest !== null && expires_at !== null && expires_at > latest',
    test: server('iam/tokens/tokens.rules.test.ts'),
    caught_by: 'an expiry after the end of the maker is refused',
    in_commit: true,
  },
  {
    wrong: 'A replay gives a token that outlives the caller.',
    file: server('iam/tokens/tokens.service.ts'),
    text: 'if (row && outlives(row.expires_at, await latestEndByCaller(ctx))) {',
    replacement: 'if (row && outlives(row.expires_at, null)) {',
    test: api('token-lifetimes'),
    caught_by: 'a token that ends early gets no token that lives longer out of a replay',
  },
  {
    wrong: 'A token that was deleted a moment ago makes another one.',
    file: server('iam/tokens/tokens.service.ts'),
    text: "  if (isOver) refuse('authentication_error'",
    replacement: "  if (isOver && maker) refuse('authentication_error'",
    test: api('token-lifetimes'),
    caught_by: 'a token that was just deleted makes no other token',
  },
  {
    wrong: 'A cascade stops at a token that was deleted before.',
    file: server('iam/tokens/tokens.store.ts'),
    text: 'join tokens t on t.created_by_token_id = d.id\n',
    replacement: 'join tokens t on t.created_by_token_id = d.id and t.deleted_at is null\n',
    test: api('token-lifetimes'),
    caught_by: 'a cascade ends a token and all that descend from it',
  },
  {
    wrong: 'A token can be deleted by a caller that lacks rights of it.',
    file: server('iam/tokens/tokens.service.ts'),
    text: '  await refuseEndBeyondRights(ctx, account_id, descent)\n',
    replacement: '',
    test: api('token-lifetimes'),
    caught_by: 'deleting a token needs every right that it holds',
  },
  {
    wrong: 'An admin that ends within the hour counts as one.',
    file: server('iam/access/grants.store.ts'),
    text: 'const shortestLifeOfAdmin = 3_600',
    replacement: 'const shortestLifeOfAdmin = 0',
    test: api('token-lifetimes'),
    caught_by: 'an admin that ends within the hour does not count',
  },
  {
    wrong: 'A user that cannot sign in counts as an admin.',
    file: server('iam/access/grants.store.ts'),
    text: 'a.id <> all($3) and t.id is not null',
    replacement: "a.id <> all($3) and (t.id is not null or a.principal_id like 'usr_%')",
    test: api('token-lifetimes'),
    caught_by: 'a user does not count as an admin',
  },
]

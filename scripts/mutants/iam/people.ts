import { api, level, type Mutant, server } from '../mutant.ts'

/** How people come in, and what may not act in their name. */
export const peopleMutants: readonly Mutant[] = [
  {
    wrong: 'Scripts can read the cookie.',
    file: server('core/http/credentials.ts'),
    text: 'HttpOnly;',
    replacement: '',
    test: api('sign-in'),
    caught_by: 'a link gives the browser a cookie that scripts and other sites do not get',
  },
  {
    wrong: 'A link works twice for two requests at a time.',
    file: server('iam/people/sign-in-links.service.ts'),
    text: '  const link = await readSignInLink(ctx, text)\n',
    replacement: '  const link = seen\n',
    test: level('contract/sign-in-races'),
    caught_by: 'of two requests that have seen an open sign-in link, one opens a session',
  },
  {
    wrong: 'A session outlives the token that made its link.',
    file: server('iam/people/sign-in.rules.ts'),
    text: 'return earlierEnd(now + lifeSeconds[use], ends_by) as number',
    replacement: 'return earlierEnd(now + lifeSeconds[use], null) as number',
    test: server('iam/people/sign-in.rules.test.ts'),
    caught_by: 'a session ends after its time, or with the token that it descends from',
    in_commit: true,
  },
  {
    wrong: 'The signature of an ID token is not verified.',
    file: server('iam/providers/provider-clients.service.ts'),
    text: '  library.enableNonRepudiationChecks(client)\n',
    replacement: '',
    test: api('providers'),
    caught_by: 'an answer that is not from the provider, for this server and this sign-in signs nobody in',
  },
  {
    wrong: 'A challenge signs in twice.',
    file: server('iam/passkeys/passkeys.service.ts'),
    text: 'const isFirst = await useAttempt(ctx, attempt)',
    replacement: 'const isFirst = (await useAttempt(ctx, attempt)) || true',
    test: api('passkeys'),
    caught_by: 'a challenge signs in once, at the browser that asked for it, within five minutes',
  },
]

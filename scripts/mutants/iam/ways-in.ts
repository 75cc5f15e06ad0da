import { api, level, type Mutant, server } from '../mutant.ts'

/** What protects the ways in, and each way in from being used again. */
export const wayInMutants: readonly Mutant[] = [
  {
    wrong: 'The cookie of a session comes along on links of other sites.',
    file: server('core/http/credentials.ts'),
    text: `HttpOnly;\${secure} SameSite=Strict`,
    replacement: `HttpOnly;\${secure} SameSite=Lax`,
    test: api('sign-in'),
    caught_by: 'a link gives the browser a cookie that scripts and other sites do not get',
  },
  {
    wrong: 'A subdomain can set the cookie of a session.',
    file: server('core/http/credentials.ts'),
    text: `return isSecure(site) ? \`__Host-\${name}\` : name`,
    replacement: 'return site ? name : name',
    test: api('sessions'),
    caught_by: 'a production server marks its cookie for https and for its host alone',
  },
  {
    wrong: 'A credit is approved while something else ends it.',
    file: server('billing/pending-credits.store.ts'),
    text: '\n   for update`,',
    replacement: '`,',
    test: level('contract/sign-in-races'),
    caught_by: 'an approval of a credit waits for what ends it, and then posts nothing',
  },
  {
    wrong: 'Responses do not tell browsers to use https.',
    file: server('core/http/response.ts'),
    text: '  for (const text of edge.transport_headers ?? noHeaders) headers.push(text)\n',
    replacement: '',
    test: api('sessions'),
    caught_by: 'every response of a host of https tells browsers to use nothing else',
  },
  {
    wrong: 'The name of a program has tag characters.',
    file: 'packages/api/src/kit/shown-names.ts',
    text: `\`^[\${visible}]+$\``,
    replacement: `\`^[\${visible}\\\\ud800-\\\\udfff]+$\``,
    test: 'packages/api/src/kit/shown-names.test.ts',
    caught_by: 'a name has no invisible character',
    in_commit: true,
  },
]

import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  givenName,
  here,
  id,
  idOrPath,
  name,
  nullable,
  object,
  ofThis,
  oneOf,
  onlyThis,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { principal, userSummary, workspaceSummary } from '../kit/summaries.ts'

const area = 'tokens'

/** The origin of a token: created through the API, or opened by a user who signed in. */
export const tokenKinds = ['service', 'session'] as const

const device = text({
  max: 255,
  description:
    'The program that signed in, as the program names itself. Only of your own sessions, or with `user:write`.',
  examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
})
const address = text({
  max: 64,
  description: 'IP address from which it signed in. Only of your own sessions, or with `user:write`.',
  examples: ['198.51.100.7'],
})

const allowedCidrs = (without: string) =>
  array(text({ max: 43, examples: ['203.0.113.0/24', '2001:db8::/32'] }), {
    min: 1,
    max: 16,
    description:
      `Networks from which the token may be used, such as 203.0.113.0/24. ${without}: all. Each is in its shortest ` +
      'form, without host bits. Behind a proxy, the server sees the address of the proxy. Other addresses get 403 ' +
      '`network_not_allowed`.',
  })
const resources = (without: string) =>
  array(text({ max: 512, examples: ['svc:deployment:acme:default:web-*'] }), {
    min: 1,
    max: 64,
    description:
      `Resources that the token may act on: ids, or paths with at most one \`*\` in the name. ${without}: all. Each ` +
      'resource that a request uses has to match, also pools, templates and images. Others appear to be absent.',
  })

const fields = {
  object: constant('token'),
  id: id('token'),
  workspace: workspaceSummary,
  name: name(),
  kind: oneOf(tokenKinds, {
    description: '`service`: made for a program. `session`: of a user who has signed in.',
  }),
  user: nullable(here(userSummary, 'The user of a session. `null`: it is a token of a program.')),
  device: nullable(device),
  address: nullable(address),
  suffix: text({ max: 6, description: 'The last six characters of the token.' }),
  allowed_cidrs: nullable(allowedCidrs('`null`')),
  resources: nullable(resources('`null`')),
  expires_at: nullable(timestamp({ description: 'When it ends, in Unix seconds. `null`: never.' })),
  last_used_at: nullable(
    timestamp({ description: 'When it was last used, in Unix seconds, exact to a minute. `null`: never.' }),
  ),
  created_at: createdAt,
  created_by: principal,
}

export const token = resource('Token', 'An API token, without the secret itself.', fields)
export type Token = Static<typeof token>

/** The secret of an API token: a JWT. */
export const tokenSecret = text({ max: 4096, description: 'The JWT. Shown here only.' })

export const createdToken = resource('CreatedToken', 'A new API token, with the secret itself.', {
  ...fields,
  token: tokenSecret,
})
export type CreatedToken = Static<typeof createdToken>

const params = { id: id('token') }

export const createToken = endpoint({
  name: 'create_token',
  method: 'POST',
  path: '/preview/v2/tokens',
  area,
  summary: 'Create a token',
  description:
    'Creates an API token in a workspace; only this response shows it, so store it as a secret. Without `roles` it ' +
    'may only read (`role_viewer`). It gets only rights that its maker has. One that a token creates ends no later ' +
    'than its maker would; if the maker is deleted before, it lives on, except after a cascade. Without `expires_at` ' +
    'it ends after 90 days; with `null` it does not end by itself. It can be limited to networks and to resources. ' +
    'Tokens that a limited token creates have the same or narrower limits.',
  body: object({
    name: optional(givenName()),
    workspace: optional(
      idOrPath('workspace', {
        description: 'Workspace of the token. Default: that of the token that makes it.',
      }),
    ),
    roles: optional(
      array(idOrPath('role'), {
        min: 1,
        max: 10,
        description:
          'Roles of the token in its workspace. Default: `viewer`. You need all rights of these roles yourself.',
      }),
    ),
    expires_at: optional(
      nullable(
        timestamp({
          description:
            'When the token ends, in Unix seconds. At most 5 years ahead, and not after the token that makes it; ' +
            '`null`: never. Default: in 90 days, or when that token ends if it is earlier. A session makes tokens ' +
            'for at most `token_lifetime_max_days` of the account.',
        }),
      ),
    ),
    allowed_cidrs: optional(allowedCidrs('Default')),
    resources: optional(resources('Default')),
  }),
  response: createdToken,
  access: 'token:create',
  trust: { limited: 'any', recent_sign_in: 'always', trail: 'entry' },
  idempotent: true,
  no_store: true,
  secret_fields: ['token'],
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'token_lifetime_exceeded',
    'invalid_cidr',
    'name_taken',
    'reference_not_found',
    'limit_exceeded',
  ],
})

export const listTokens = endpoint({
  name: 'list_tokens',
  method: 'GET',
  path: '/preview/v2/tokens',
  area,
  summary: 'List tokens',
  description:
    'Newest first. Deleted tokens are left out, and no entry shows the secret. With `kind=session` a person gets all ' +
    'of their own sessions and no others, and needs no permission. A service token gets the sessions of all users in ' +
    'the workspaces where it may list tokens.',
  query: {
    ...pageParameters('tokc'),
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    id: repeated(id('token', onlyThis)),
    kind: optional(oneOf(tokenKinds, { description: 'Only tokens of this kind.' })),
  },
  response: pageOf(token, 'tokc'),
  access: 'token:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getToken = endpoint({
  name: 'get_token',
  method: 'GET',
  path: '/preview/v2/tokens/:id',
  area,
  summary: 'Get a token',
  description:
    'Shows name, limits, last use and end of a token, but not the secret itself. A token may always read itself, ' +
    'and a person their own sessions.',
  params,
  response: token,
  access: 'token:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

const deleteTokenText = `Ends an API token with its grants, or a session: no further request is made with it. This needs
every permission that the token holds. A token may always delete itself, and a person their own sessions.

With \`cascade\` the tokens and sessions that descend from it end too, even if a token between them has ended before.
This needs the permissions of each of them. Unused sign-in links, passkeys, recovery codes, identities and SSH keys that
descend from it also end. If a user loses such credentials, a person who calls needs a recent sign-in, and
\`user:write\` for other users.`

export const deleteToken = endpoint({
  name: 'delete_token',
  method: 'DELETE',
  path: '/preview/v2/tokens/:id',
  area,
  summary: 'Delete a token',
  description: deleteTokenText,
  params,
  query: {
    cascade: optional(
      boolean({
        description: 'Also end the tokens, sessions and credentials that were made with it or in it. Default false.',
      }),
    ),
  },
  access: 'token:delete',
  trust: { limited: 'any', recent_sign_in: 'partly', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'last_admin'],
})

export const operations = [createToken, listTokens, getToken, deleteToken] as const

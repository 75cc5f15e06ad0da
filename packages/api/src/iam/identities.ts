import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  createdAt,
  id,
  idOrPath,
  nullable,
  resource,
  type Static,
  shortListOf,
  text,
  timestamp,
} from '../kit/schema.ts'

const area = 'users'

/** The most identities of a user. */
export const identitiesMax = 20

/** The name of a provider, as the operator has configured it. */
export const providerName = text({
  min: 1,
  max: 32,
  pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
  form: 'a name of a provider',
  description: 'Name of the sign-in provider, as the platform operator has set it up.',
})

export const identity = resource('Identity', 'Who a user is at a provider of OpenID Connect.', {
  object: constant('identity'),
  id: id('identity'),
  provider: providerName,
  issuer: text({ max: 2048, description: 'URL of the issuer, as the provider states it in its tokens.' }),
  subject: text({
    max: 255,
    description: 'Permanent name of the person at the issuer. Issuer and subject together are the identity.',
  }),
  email: nullable(
    text({ max: 254, description: 'E-mail address that the provider sent last. It is shown and never compared.' }),
  ),
  created_at: createdAt,
  last_used_at: nullable(
    timestamp({ description: 'When the user last signed in with it, in Unix seconds. `null`: never.' }),
  ),
})
export type Identity = Static<typeof identity>

export const listUserIdentities = endpoint({
  name: 'list_user_identities',
  method: 'GET',
  path: '/preview/v2/users/:id/identities',
  area,
  summary: 'List identities of a user',
  description:
    'Shows the accounts at sign-in providers by which the user signs in. Users may always list their own identities. ' +
    '`delete_user_identity` removes an identity.',
  params: { id: idOrPath('user') },
  response: shortListOf(identity, identitiesMax),
  access: 'user:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const deleteUserIdentity = endpoint({
  name: 'delete_user_identity',
  method: 'DELETE',
  path: '/preview/v2/users/:id/identities/:identity',
  area,
  summary: 'Remove an identity',
  description:
    'The identity no longer signs the user in; open sessions stay. Where the provider adds users, the same person ' +
    'can sign in again, as another user. For another user this needs every right that the user has.',
  params: { id: idOrPath('user'), identity: id('identity') },
  access: 'user:write',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'last_admin'],
})

export const operations = [listUserIdentities, deleteUserIdentity] as const

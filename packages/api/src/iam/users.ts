import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  givenName,
  id,
  idOrPath,
  name,
  newName,
  nullable,
  object,
  onlyThis,
  optional,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { shownEmailPattern } from '../kit/shown-names.ts'
import { keyedInstance, keyedInstancesMax } from './ssh-keys.ts'

const area = 'users'

/** The most characters of an e-mail address. */
export const emailLengthMax = 254

/** An e-mail address; unique within the account. */
export const emailAddress = text({
  min: 3,
  max: emailLengthMax,
  pattern: shownEmailPattern,
  form: 'an e-mail address without invisible characters, and without / ? # % : and \\ in its domain',
  description:
    'E-mail address, unique in the account without regard to case. Stored in Unicode form NFC, with the domain in ' +
    'lower case.',
})

const firstName = text({ max: 100, description: 'First name.' })
const lastName = text({ max: 100, description: 'Last name.' })

export const user = resource('User', 'A person who belongs to an account.', {
  object: constant('user'),
  id: id('user'),
  resource_path: path('user'),
  name: name({ description: 'Name, unique in the account.' }),
  email: nullable(emailAddress),
  first_name: nullable(firstName),
  last_name: nullable(lastName),
  created_at: createdAt,
})
export type User = Static<typeof user>

/** The body of the creation of a user. */
export const newUserFields = {
  email: emailAddress,
  name: optional(givenName()),
  first_name: optional(firstName),
  last_name: optional(lastName),
}

export const deletedUser = resource('DeletedUser', 'A deleted user, and the instances that its SSH keys still open.', {
  object: constant('deleted_user'),
  id: id('user'),
  instances: array(keyedInstance, {
    max: keyedInstancesMax,
    description: 'Instances that had an SSH key of the user. Instances that keep a key come first. At most 100.',
  }),
})
export type DeletedUser = Static<typeof deletedUser>

const params = { id: idOrPath('user') }

export const createUser = endpoint({
  name: 'create_user',
  method: 'POST',
  path: '/preview/v2/users',
  area,
  summary: 'Add a user',
  description:
    'Adds a person to the account, without any right. `create_grant` gives rights, and `create_user_sign_in_link` ' +
    'lets the person in for the first time.',
  body: object(newUserFields),
  response: user,
  access: 'user:create',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  idempotent: true,
  errors: ['insufficient_user_authentication', 'forbidden', 'name_taken', 'email_taken', 'limit_exceeded'],
})

export const listUsers = endpoint({
  name: 'list_users',
  method: 'GET',
  path: '/preview/v2/users',
  area,
  summary: 'List users',
  description: 'Newest first. Deleted users are left out.',
  query: {
    ...pageParameters('usrc'),
    id: repeated(idOrPath('user', onlyThis)),
    email: optional(
      text({ min: 1, max: 254, description: 'Only the user with this e-mail address, without regard to case.' }),
    ),
  },
  response: pageOf(user, 'usrc'),
  access: 'user:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getUser = endpoint({
  name: 'get_user',
  method: 'GET',
  path: '/preview/v2/users/:id',
  area,
  summary: 'Get a user',
  description: 'Shows the names and the e-mail address of a person. Users may always read their own entry.',
  params,
  response: user,
  access: 'user:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const updateUser = endpoint({
  name: 'update_user',
  method: 'PATCH',
  path: '/preview/v2/users/:id',
  area,
  summary: 'Change a user',
  description:
    'Changes the names that are given; the e-mail address and the rights stay. For another user this needs every ' +
    'right that the user has.',
  params,
  body: object({
    name: optional(newName()),
    first_name: optional(nullable(firstName)),
    last_name: optional(nullable(lastName)),
  }),
  response: user,
  access: 'user:write',
  trust: { limited: 'none', recent_sign_in: 'never', trail: 'entry', unasked: 'A name gives no right.' },
  scope: 'account',
  errors: ['forbidden', 'not_found', 'name_taken'],
})

export const deleteUser = endpoint({
  name: 'delete_user',
  method: 'DELETE',
  path: '/preview/v2/users/:id',
  area,
  summary: 'Delete a user',
  description:
    'Ends the grants, sessions, sign-in links, identities, passkeys and SSH keys of the user in one step. The ' +
    'response names the instances that had one of these keys, and says whether it can be removed. This needs every ' +
    'right that the user has, and is refused for the last admin who can sign in.',
  params,
  success: 200,
  response: deletedUser,
  access: 'user:delete',
  trust: { limited: 'none', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'not_found', 'last_admin'],
})

export const signInLink = resource('SignInLink', 'A link that signs a user in.', {
  object: constant('sign_in_link'),
  url: text({
    max: 2048,
    description: 'Whoever opens it first, and presses its button, is this user. Shown here only.',
  }),
  expires_at: timestamp({ description: 'Until when it works, in Unix seconds.' }),
})
export type SignInLink = Static<typeof signInLink>

export const createUserSignInLink = endpoint({
  name: 'create_user_sign_in_link',
  method: 'POST',
  path: '/preview/v2/users/:id/sign_in_links',
  area,
  summary: 'Create a sign-in link',
  description:
    'The link signs the user in once, within 15 minutes, and only this response shows it. Opening it shows a page ' +
    'with one button, which opens a session of 12 hours in the browser. A user has at most five open links: a ' +
    'further link ends the oldest. A link ends when its user gets a further role. This needs every right that the ' +
    'user has.',
  params,
  response: signInLink,
  access: 'user:write',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  no_store: true,
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found'],
})

export const endUserSessions = endpoint({
  name: 'end_user_sessions',
  method: 'POST',
  path: '/preview/v2/users/:id/end_sessions',
  area,
  summary: 'End sessions of a user',
  description:
    'Ends all sessions and all sign-in links that were not used; identities and passkeys stay, so the user can sign ' +
    'in again. Users may always end their own sessions; for another user this needs every right that the user has. ' +
    'With `cascade` it also ends all tokens and sessions that descend from these sessions, as `delete_token` does ' +
    'for one session, and needs the permissions of all tokens that end.',
  params,
  query: {
    cascade: optional(
      boolean({
        description: 'Also end the tokens, sessions and credentials that were made in these sessions. Default false.',
      }),
    ),
  },
  success: 204,
  access: 'user:write',
  trust: { limited: 'none', recent_sign_in: 'partly', trail: 'entry' },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'last_admin'],
})

export const operations = [
  createUser,
  listUsers,
  getUser,
  updateUser,
  deleteUser,
  createUserSignInLink,
  endUserSessions,
] as const

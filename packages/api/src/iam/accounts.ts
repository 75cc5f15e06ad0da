import { balance } from '../billing/billing.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  boolean,
  id,
  idOrPath,
  integer,
  object,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  shortListOf,
} from '../kit/schema.ts'
import { accountFields, accountName, entityType, tokenLifetimeDaysMax } from './account.ts'
import { limit, limitName, limitNames, limitValue, trustLevel } from './limits.ts'
import { tokenSecret } from './tokens.ts'
import { newUserFields, signInLink, user } from './users.ts'

const area = 'administration'

export const administeredAccount = resource('AdministeredAccount', 'An account as the platform operator sees it.', {
  ...accountFields,
  balance,
})
export type AdministeredAccount = Static<typeof administeredAccount>

export const createdAccount = resource(
  'CreatedAccount',
  'A new account, with its first API token, which is an admin of the whole account.',
  { ...accountFields, balance, token: tokenSecret },
)
export type CreatedAccount = Static<typeof createdAccount>

const params = { account: accountId() }
const onPlatform = { area, scope: 'account' } as const

export const createAccount = endpoint({
  ...onPlatform,
  name: 'create_account',
  method: 'POST',
  path: '/preview/v2/admin/accounts',
  summary: 'Create an account',
  description:
    'Creates an account with a workspace, its default firewall and an API token of an admin, which only this ' +
    'response shows. The account has no money: `create_account_transaction` posts some. Its limits follow from the ' +
    'trust level.',
  body: object({
    id: accountId({
      description: 'Id of the account: 3 to 40 small letters, digits and hyphens. It never changes.',
    }),
    name: optional(accountName),
    entity_type: optional(entityType),
    trust_level: optional(
      trustLevel({ description: 'How far the account is trusted. Its limits depend on it. Default `basic`.' }),
    ),
  }),
  response: createdAccount,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  idempotent: true,
  no_store: true,
  secret_fields: ['token'],
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'account_exists'],
})

export const listAccounts = endpoint({
  ...onPlatform,
  name: 'list_accounts',
  method: 'GET',
  path: '/preview/v2/admin/accounts',
  summary: 'List accounts',
  description:
    'Shows all accounts with their balances, newest first. Frozen accounts are included; `is_frozen` tells them apart.',
  query: {
    ...pageParameters('acctc'),
    id: repeated(accountId({ description: 'Only this account: its id.' })),
    trust_level: optional(trustLevel({ description: 'Only accounts of this level.' })),
    is_frozen: optional(
      boolean({
        description: 'Only frozen accounts; false: only the others.',
        negative: 'Only accounts that are not frozen.',
      }),
    ),
  },
  response: pageOf(administeredAccount, 'acctc'),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const getAdministeredAccount = endpoint({
  ...onPlatform,
  name: 'get_administered_account',
  method: 'GET',
  path: '/preview/v2/admin/accounts/:account',
  summary: 'Get an account',
  description:
    'Shows one account with its balance, its trust level and whether it is frozen. `list_account_limits` shows its ' +
    'limits.',
  params,
  response: administeredAccount,
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const updateAccount = endpoint({
  ...onPlatform,
  name: 'update_account',
  method: 'PATCH',
  path: '/preview/v2/admin/accounts/:account',
  summary: 'Change an account',
  description:
    'Changes the name of an account, or the longest life of tokens that its people create from now on; existing ' +
    'tokens stay. `entity_type` can be set once.',
  params,
  body: object({
    name: optional(accountName),
    entity_type: optional(entityType),
    token_lifetime_max_days: optional(
      integer({
        min: 1,
        max: tokenLifetimeDaysMax,
        description: 'Longest life of tokens that people make from now on, in days.',
      }),
    ),
  }),
  response: administeredAccount,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found', 'invalid_state'],
})

const endSessionsText =
  'Also end all sessions and sign-in links of its people, and the device logins that they approved, even if it is ' +
  'frozen already. They may sign in again. Default false.'

export const freezeAccount = endpoint({
  ...onPlatform,
  name: 'freeze_account',
  method: 'POST',
  path: '/preview/v2/admin/accounts/:account/freeze',
  summary: 'Freeze an account',
  description:
    'The account may only read and sign out; its open orders are cancelled and its automations stop. Its instances ' +
    'run on, and nodes that it bought stay its own. With `end_sessions` its people are signed out too. ' +
    '`unfreeze_account` ends it. The platform account cannot be frozen.',
  params,
  query: { end_sessions: optional(boolean({ description: endSessionsText })) },
  success: 200,
  response: administeredAccount,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found'],
})

export const unfreezeAccount = endpoint({
  ...onPlatform,
  name: 'unfreeze_account',
  method: 'POST',
  path: '/preview/v2/admin/accounts/:account/unfreeze',
  summary: 'Unfreeze an account',
  description:
    'Lets a frozen account write again, and its automations resume. Orders that were cancelled stay cancelled.',
  params,
  success: 200,
  response: administeredAccount,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found'],
})

export const setTrustLevel = endpoint({
  ...onPlatform,
  name: 'set_trust_level',
  method: 'PUT',
  path: '/preview/v2/admin/accounts/:account/trust_level',
  summary: 'Set a trust level',
  description:
    'Sets how far an account is trusted, and with it the limits that no override sets. A lower limit removes ' +
    'nothing. Emits `trust_level.updated` in that account when the level changed.',
  params,
  body: object({ trust_level: trustLevel() }),
  response: administeredAccount,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found'],
})

export const listAccountLimits = endpoint({
  ...onPlatform,
  name: 'list_account_limits',
  method: 'GET',
  path: '/preview/v2/admin/accounts/:account/limits',
  summary: 'List limits of an account',
  description:
    'Shows each limit of the account, how much of it is used, and whether the trust level or an override sets it.',
  params,
  response: shortListOf(limit, limitNames.length),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

const limitParams = { account: accountId(), name: limitName }

export const putAccountLimit = endpoint({
  ...onPlatform,
  name: 'put_account_limit',
  method: 'PUT',
  path: '/preview/v2/admin/accounts/:account/limits/:name',
  summary: 'Override a limit',
  description:
    'Sets one limit of an account, whatever its trust level; `null` removes the limit. A value below the present use ' +
    'removes nothing. `delete_account_limit` ends the override.',
  params: limitParams,
  body: object({ value: limitValue }),
  response: limit,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found'],
})

export const deleteAccountLimit = endpoint({
  ...onPlatform,
  name: 'delete_account_limit',
  method: 'DELETE',
  path: '/preview/v2/admin/accounts/:account/limits/:name',
  summary: 'Remove a limit override',
  description: 'The value of the trust level holds again at once. A value below the present use removes nothing.',
  params: limitParams,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  consequence: 'destroys',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found'],
})

export const createAccountUser = endpoint({
  ...onPlatform,
  name: 'create_account_user',
  method: 'POST',
  path: '/preview/v2/admin/accounts/:account/users',
  summary: 'Add a user to account',
  description:
    'Adds a person to an account, with one role for the whole account, `admin` by default. ' +
    '`create_account_sign_in_link` lets the first person of a new account in.',
  params,
  body: object({
    ...newUserFields,
    role: optional(idOrPath('role', { description: 'Role of the user in the whole account. Default: `admin`.' })),
  }),
  response: user,
  access: 'platform:write',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  idempotent: true,
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'not_found',
    'name_taken',
    'email_taken',
    'reference_not_found',
    'limit_exceeded',
  ],
})

export const createAccountSignInLink = endpoint({
  ...onPlatform,
  name: 'create_account_sign_in_link',
  method: 'POST',
  path: '/preview/v2/admin/accounts/:account/sign_in_links',
  summary: 'Create an account sign-in link',
  description:
    'Creates a link that signs in a user of an account, for the first person of a new account and where no admin ' +
    'of the account can sign in. It is refused while an admin can sign in by other means: then that admin creates ' +
    'the link. It works once, within 15 minutes.',
  params,
  body: object({ user: id('user', { description: 'Id of the user of that account who may sign in.' }) }),
  response: signInLink,
  access: 'platform:write',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  no_store: true,
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'invalid_state', 'reference_not_found'],
})

export const operations = [
  createAccount,
  listAccounts,
  getAdministeredAccount,
  updateAccount,
  freezeAccount,
  unfreezeAccount,
  setTrustLevel,
  listAccountLimits,
  putAccountLimit,
  deleteAccountLimit,
  createAccountUser,
  createAccountSignInLink,
] as const

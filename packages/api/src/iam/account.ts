import { buildFields } from '../kit/build.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  boolean,
  constant,
  createdAt,
  here,
  id,
  integer,
  name,
  nullable,
  oneOf,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { workspaceSummary } from '../kit/summaries.ts'
import { trustLevel } from './limits.ts'
import { user } from './users.ts'

/** Whether an account belongs to a person or a business. */
export const entityTypes = ['personal', 'business'] as const

/** The longest value of `token_lifetime_max_days`: five years of which one is a leap year. */
export const tokenLifetimeDaysMax = 1826

/** The name of an account, and what it is. */
export const accountName = text({ min: 1, max: 255, description: 'Name of the account, for people.' })
export const entityType = oneOf(entityTypes, { description: 'Whether the account belongs to a person or a business.' })

/** The fields of an account that both the account and the platform operator see. */
export const accountFields = {
  object: constant('account'),
  id: accountId(),
  name: accountName,
  entity_type: nullable(entityType),
  trust_level: trustLevel(),
  is_frozen: boolean({ description: 'A frozen account may only read.' }),
  is_platform: boolean({ description: 'Whether it is the account of the platform operator.' }),
  token_lifetime_max_days: integer({
    min: 1,
    max: tokenLifetimeDaysMax,
    description: 'The longest life of tokens that people make.',
  }),
  created_at: createdAt,
}

export const account = resource('Account', "The caller's account, and the caller.", {
  ...accountFields,
  token: resource('CallerToken', 'The API token of the request.', {
    object: constant('token'),
    id: id('token'),
    name: name({ description: 'Name of the token.' }),
    expires_at: nullable(timestamp({ description: 'When it ends, in Unix seconds. `null`: never.' })),
  }),
  workspace: here(workspaceSummary, 'The workspace of the token: the default wherever a request names none.'),
  user: nullable(here(user, 'The user whose session the token is. `null`: it is a token of a program.')),
  server: resource('ServerFacts', 'The server that responded.', {
    ...buildFields,
    now: timestamp({ description: 'The time of the business clock, in Unix seconds.' }),
  }),
})
export type Account = Static<typeof account>

export const getAccount = endpoint({
  name: 'get_account',
  method: 'GET',
  path: '/preview/v2/account',
  area: 'account',
  summary: "Get the caller's account",
  description:
    'Shows the account, the token and its workspace, and the person whose session it is. Any valid token may call ' +
    'it, so it is the way to test one. `get_permissions` shows what the token may do.',
  response: account,
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
})

export const operations = [getAccount] as const

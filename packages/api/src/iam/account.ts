import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  boolean,
  constant,
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
import { trustLevels } from './limits.ts'
import { user } from './users.ts'

/** Whether an account belongs to a person or a business. */
export const entityTypes = ['personal', 'business'] as const

/** The longest value of `token_lifetime_max_days`: five years of which one is a leap year. */
export const tokenLifetimeDaysMax = 1826

/** The fields of an account that both the account and the platform operator see. */
export const accountFields = {
  object: constant('account'),
  id: accountId(),
  name: text({ min: 1, max: 255 }),
  entity_type: nullable(oneOf(entityTypes)),
  trust_level: oneOf(trustLevels),
  is_frozen: boolean({ description: 'A frozen account may only read.' }),
  is_platform: boolean(),
  token_lifetime_max_days: integer({
    min: 1,
    max: tokenLifetimeDaysMax,
    description: 'The longest life of tokens that people make.',
  }),
  created_at: timestamp(),
}

/** The caller's account, and the caller. */
export const account = resource('Account', {
  ...accountFields,
  token: resource('CallerToken', {
    object: constant('token'),
    id: id('token'),
    name: name(),
    expires_at: nullable(timestamp()),
  }),
  workspace: workspaceSummary,
  user: nullable(user),
  server: resource('ServerFacts', {
    version: text({ max: 64 }),
    interface_version: text({ max: 64 }),
    mode: oneOf(['production', 'sandbox']),
    now: timestamp(),
  }),
})
export type Account = Static<typeof account>

export const getAccount = endpoint({
  name: 'get_account',
  method: 'GET',
  path: '/preview/v2/account',
  area: 'account',
  summary: 'Read the account, the token and the workspace behind a request.',
  response: account,
  access: 'open',
  scope: 'account',
})

export const operations = [getAccount] as const

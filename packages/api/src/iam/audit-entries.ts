import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  array,
  boolean,
  constant,
  id,
  nullable,
  oneOf,
  openOneOf,
  optional,
  pageOf,
  pageParameters,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'

/** The bounds of an entry. Longer values are cut, further ones are left out. */
export const auditBounds = {
  targets: 16,
  changes: 64,
  /** Characters of one value, and of all values of an entry together. */
  value: 1_024,
  values: 16_384,
  word: 255,
  address: 64,
  request_id: 128,
} as const

/** The codes of refusals for lack of rights. */
export const refusedRights = [
  'forbidden',
  'not_found',
  'insufficient_user_authentication',
  'token_lifetime_exceeded',
  'same_operator',
  'right_too_new',
] as const

/** For how long entries are kept. */
export const auditRetentionDays = 400

export const auditActor = resource('AuditActor', 'Who did it.', {
  type: oneOf(['token', 'user', 'system'], {
    description: 'A token of a program, a person who signed in, or the service and its platform operators.',
  }),
  id: nullable(text({ max: auditBounds.word, description: '`null` for `system`.' })),
  name: nullable(
    text({
      max: auditBounds.word,
      description: 'The name that it had then. `platform`: a platform operator. `provider NAME`: a sign-in.',
    }),
  ),
})
export type AuditActor = Static<typeof auditActor>

export const auditTarget = resource('AuditTarget', 'One resource that an entry is about.', {
  type: text({ max: auditBounds.word, description: 'Kind of resource: `instance`, `order`, `user`, `account`, …' }),
  id: text({ max: auditBounds.word, description: 'The id, or the path or name that a refused request gave.' }),
})
export type AuditTarget = Static<typeof auditTarget>

const value = (description: string) =>
  nullable(text({ max: auditBounds.value + 1, description: `${description} \`null\`: none, not known, or secret.` }))

export const auditChange = resource('AuditChange', 'One field that was changed.', {
  field: text({ max: auditBounds.word, description: 'A field of the request or the resource.' }),
  old_value: value('The value before as JSON. A longer one is cut and ends in `…`.'),
  new_value: value('The value after as JSON, in the same form.'),
  is_secret: boolean({ description: 'Whether the field is secret, so its values are never shown.' }),
})
export type AuditChange = Static<typeof auditChange>

export const auditEntry = resource('AuditEntry', 'One act in the audit trail. Entries are never changed.', {
  object: constant('audit_entry'),
  id: id('audit_entry'),
  occurred_at: timestamp({ description: 'When it was done or refused, in Unix seconds.' }),
  account: accountId({ description: 'The account in which it was done.' }),
  actor: auditActor,
  operation: text({
    max: auditBounds.word,
    description: 'The operation of this API, or a word such as `sign_in_by_link`, `sign_out`.',
  }),
  targets: array(auditTarget, {
    max: auditBounds.targets,
    description: 'The resources that it is about; at most 16 of them.',
  }),
  outcome: oneOf(['done', 'refused'], { description: 'Whether it was done, or refused for lack of rights.' }),
  code: nullable(
    openOneOf([...refusedRights, 'authentication_error', 'access_denied', 'network_not_allowed'], {
      description:
        'Why it was refused; null if it was done. `authentication_error`: a sign-in. `access_denied`: a person ' +
        'refused a program. `network_not_allowed`: a token was used from a network that it does not allow.',
    }),
  ),
  changes: array(auditChange, {
    max: auditBounds.changes,
    description: 'The fields that it changed; at most 64 of them.',
  }),
  on_behalf_of: nullable(
    accountId({ description: 'The account in which a platform operator acted; null for everything else.' }),
  ),
  address: nullable(
    text({
      max: auditBounds.address,
      description: 'IP address from which it was sent. `null` for platform operators and the service.',
    }),
  ),
  user_agent: nullable(
    text({ max: auditBounds.word, description: 'The program that sent it, as the program names itself.' }),
  ),
  request_id: text({ max: auditBounds.request_id, description: 'As in the header `X-Request-Id` of its response.' }),
})
export type AuditEntry = Static<typeof auditEntry>

const filter = { min: 1, max: auditBounds.word }
const filters = {
  actor: optional(text({ ...filter, description: 'Only entries of this token or user: its id.' })),
  operation: optional(text({ ...filter, description: 'Only entries of this operation, such as `create_token`.' })),
  target: optional(text({ ...filter, description: 'Only entries about this resource: its id.' })),
  outcome: optional(oneOf(['done', 'refused'], { description: 'Only entries with this outcome.' })),
  from: optional(timestamp({ description: 'Only entries of this time or later, in Unix seconds.' })),
  to: optional(timestamp({ description: 'Only entries before this time, in Unix seconds.' })),
}

export const listAuditEntries = endpoint({
  name: 'list_audit_entries',
  method: 'GET',
  path: '/preview/v2/audit_entries',
  area: 'audit trail',
  summary: 'List audit entries',
  description:
    'Shows who did what in the account in the last 400 days, newest first. There is an entry for each write that was ' +
    'done or refused for lack of rights, each read of a secret and each sign-in. Acts of platform operators in the ' +
    'account are shown too, with the actor `platform`.',
  query: { ...pageParameters('audtc'), ...filters },
  response: pageOf(auditEntry, 'audtc'),
  access: 'audit:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'mutually_exclusive', 'invalid_range', 'forbidden'],
  also_csv: true,
})

export const listAllAuditEntries = endpoint({
  name: 'list_all_audit_entries',
  method: 'GET',
  path: '/preview/v2/admin/audit_entries',
  area: 'administration',
  summary: 'List all audit entries',
  description:
    'Shows the audit trails of all accounts, newest first, or of one with `account`. The entries are those of ' +
    '`list_audit_entries` of each account.',
  query: {
    ...pageParameters('audtc'),
    account: optional(accountId({ description: 'Only the trail of this account.' })),
    ...filters,
  },
  response: pageOf(auditEntry, 'audtc'),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'mutually_exclusive', 'invalid_range', 'not_found', 'forbidden'],
  also_csv: true,
})

export const operations = [listAuditEntries, listAllAuditEntries] as const

/** Credits and credit limits that wait for a second operator. */
import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  constant,
  dollars,
  here,
  id,
  nullable,
  object,
  oneOf,
  openOneOf,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { principal } from '../kit/summaries.ts'
import { amountInput, postingTypes } from './billing.ts'

/** What one operator can request: a posting of each type, or a credit limit. */
export const pendingCreditTypes = [...postingTypes, 'credit_limit'] as const

/** The states of a pending credit. */
export const pendingCreditStates = ['pending', 'approved', 'refused', 'expired'] as const

const reasonText =
  'Reason, shown to the second platform operator. The reason of a credit also appears in the statement of the account.'

/** The states that can follow each. */
export const pendingCreditTransitions = {
  pending: { next: ['approved', 'refused', 'expired'] },
  approved: { next: [] },
  refused: { next: [] },
  expired: { next: [] },
} as const satisfies Record<(typeof pendingCreditStates)[number], { next: readonly string[] }>

export const pendingCredit = resource(
  'PendingCredit',
  'A credit or a credit limit that one platform operator has requested, and that another operator approves or refuses.',
  {
    object: constant('pending_credit'),
    id: id('pending_credit'),
    account: accountId({ description: 'The account that gets the money or the credit limit.' }),
    state: openOneOf(pendingCreditStates, {
      description: 'Whether it waits for a second platform operator, or how it ended.',
    }),
    type: openOneOf(pendingCreditTypes, {
      description:
        '`credit_limit`: the credit limit of the account becomes the amount. All others: the amount is posted.',
    }),
    amount_dollars: dollars({ description: 'The amount to post, or the new limit.' }),
    limit_before_dollars: nullable(
      dollars({ description: 'With `credit_limit`: the limit at the request. It has to be the same at the approval.' }),
    ),
    description: text({ max: 1024, description: reasonText }),
    requested_by: here(principal, 'Who requested it.'),
    requested_at: timestamp({ description: 'When it was requested, in Unix seconds.' }),
    expires_at: timestamp({ description: 'Until then it can be approved: seven days after the request.' }),
    decided_by: nullable(here(principal, 'Who approved or refused it. `null`: nobody has.')),
    decided_at: nullable(timestamp({ description: 'When it was approved, refused or expired.' })),
    transaction: nullable(id('transaction', { description: 'What was posted. `null` for a credit limit.' })),
  },
)
export type PendingCredit = Static<typeof pendingCredit>

const onPlatform = { area: 'administration', scope: 'account' } as const
const params = { id: id('pending_credit') }

export const createPendingCredit = endpoint({
  ...onPlatform,
  name: 'create_pending_credit',
  method: 'POST',
  path: '/preview/v2/admin/accounts/:account/pending_credits',
  summary: 'Request a credit',
  description:
    'Requests a credit to an account, or a higher credit limit; nothing is posted or set until a second platform ' +
    'operator calls `approve_pending_credit`, within seven days. `create_account_transaction` and `put_credit_limit` ' +
    'refuse amounts above `BOURSE_DUAL_CONTROL_DOLLARS`; here any amount can be requested, and any limit above the ' +
    'present limit. Emits `credit.requested` for the platform account.',
  params: { account: accountId() },
  body: object({
    type: oneOf(pendingCreditTypes, {
      description: 'Why the amount is credited. `credit_limit`: the credit limit becomes the amount instead.',
    }),
    amount_dollars: amountInput('Amount in dollars, such as 250000.00. Not zero.'),
    description: text({ min: 1, max: 1024, description: reasonText }),
  }),
  response: pendingCredit,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  idempotent: true,
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'not_applicable'],
})

export const listPendingCredits = endpoint({
  ...onPlatform,
  name: 'list_pending_credits',
  method: 'GET',
  path: '/preview/v2/admin/pending_credits',
  summary: 'List pending credits',
  description:
    'Shows requested credits and credit limits, newest first: those that wait for a second platform operator, and ' +
    'those that were approved, refused or not decided in time.',
  query: {
    ...pageParameters('pcrdc'),
    account: optional(accountId({ description: 'Only credits to this account: its id.' })),
    state: repeated(oneOf(pendingCreditStates, { description: 'Only credits in this state.' })),
  },
  response: pageOf(pendingCredit, 'pcrdc'),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const getPendingCredit = endpoint({
  ...onPlatform,
  name: 'get_pending_credit',
  method: 'GET',
  path: '/preview/v2/admin/pending_credits/:id',
  summary: 'Get a pending credit',
  description: 'Shows a requested credit or credit limit, who requested it, and its outcome.',
  params,
  response: pendingCredit,
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const approvePendingCredit = endpoint({
  ...onPlatform,
  name: 'approve_pending_credit',
  method: 'POST',
  path: '/preview/v2/admin/pending_credits/:id/approve',
  summary: 'Approve a pending credit',
  description:
    'Posts the credit, or sets the limit, that another platform operator has requested. Refused with `same_operator` ' +
    'if the caller requested it, descends from the requester, or the requester descends from the caller. Refused ' +
    'with `right_too_new` if `BOURSE_DUAL_CONTROL_DOLLARS` is set and one of the two operators has had the ' +
    'permission for less than a day. Refused with `credit_limit_changed` if the limit has changed since the request. ' +
    'Emits `credit.approved` for the platform account.',
  params,
  success: 200,
  response: pendingCredit,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  idempotent: true,
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'same_operator',
    'right_too_new',
    'not_found',
    'invalid_state',
    'credit_limit_changed',
  ],
})

export const refusePendingCredit = endpoint({
  ...onPlatform,
  name: 'refuse_pending_credit',
  method: 'POST',
  path: '/preview/v2/admin/pending_credits/:id/refuse',
  summary: 'Refuse a pending credit',
  description:
    'Ends the request of another platform operator, or takes back your own; nothing is posted or set. It cannot be ' +
    'approved any more: request it again with `create_pending_credit`. Emits `credit.refused` for the platform ' +
    'account.',
  params,
  success: 200,
  response: pendingCredit,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It gives nothing.' },
  idempotent: true,
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const operations = [
  createPendingCredit,
  listPendingCredits,
  getPendingCredit,
  approvePendingCredit,
  refusePendingCredit,
] as const

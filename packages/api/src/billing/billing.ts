import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  boolean,
  constant,
  createdAt,
  creationFilters,
  dollars,
  id,
  idOrPath,
  nullable,
  object,
  ofThis,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  text,
  updatedAt,
} from '../kit/schema.ts'

const area = 'billing'

/** The types of transactions. */
export const transactionTypes = [
  'buy_fill',
  'sell_fill',
  'credit_grant',
  'manual_payment',
  'refund',
  'adjustment',
] as const

/** The types of transactions that the operator can post. */
export const postingTypes = ['credit_grant', 'manual_payment', 'refund', 'adjustment'] as const

/** An amount of money in a request. */
const amountForm = {
  unit: 'dollars',
  max: 24,
  pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
  form: 'a decimal string with at most six decimals, such as "500.00"',
} as const
export const amountInput = (description: string) => text({ ...amountForm, description })

export const balance = resource('Balance', 'The balance of an account.', {
  object: constant('balance'),
  available_dollars: dollars({
    description: 'Amount that a new order may use: total minus held plus credit limit.',
  }),
  total_dollars: dollars({ description: 'All money of the account, including held money.' }),
  held_dollars: dollars({ description: 'Set aside for open buy orders.' }),
  credit_limit_dollars: dollars({ description: 'How far below zero the account may go.' }),
  low_at_dollars: nullable(
    dollars({ description: '`account.balance_low` is emitted when the available amount falls to it. `null`: never.' }),
  ),
  is_low: boolean({
    description: 'Whether the available amount has fallen to `low_at_dollars` and has not risen 10 % above it since.',
  }),
  updated_at: updatedAt,
})
export type Balance = Static<typeof balance>

export const transaction = resource(
  'Transaction',
  'One movement of money, in the view of its account. Transactions are never changed or removed.',
  {
    object: constant('transaction'),
    id: id('transaction'),
    type: oneOf(transactionTypes, {
      description: 'A trade (`buy_fill`, `sell_fill`), or why the platform operator posted the amount.',
    }),
    amount_dollars: dollars({ description: 'Amount that the account got. Negative: amount that it paid.' }),
    balance_after_dollars: dollars({ description: 'The total of the account right after it.' }),
    fee_dollars: dollars({ description: 'The fee of a sale, already subtracted from the amount.' }),
    order: nullable(
      id('order', { description: 'The order that was filled. `null`: the platform operator posted it.' }),
    ),
    fill: nullable(id('fill', { description: 'The fill. `null`: the platform operator posted it.' })),
    workspace: nullable(
      id('workspace', { description: 'Workspace of the order. `null`: the platform operator posted it.' }),
    ),
    description: nullable(
      text({ max: 1024, description: 'Why the platform operator posted it. `null`: it is a trade.' }),
    ),
    created_at: createdAt,
  },
)
export type Transaction = Static<typeof transaction>

export const hold = resource('Hold', 'Money that is held for one open buy order.', {
  object: constant('hold'),
  id: id('hold'),
  order: id('order', { description: 'The buy that it is for.' }),
  workspace: id('workspace'),
  amount_dollars: dollars({ description: 'Limit price times open node-hours, rounded up.' }),
  created_at: createdAt,
})
export type Hold = Static<typeof hold>

export const getBalance = endpoint({
  name: 'get_balance',
  method: 'GET',
  path: '/preview/v2/billing/balance',
  area,
  summary: 'Get the balance',
  description:
    'Shows the money of the account, the part that open buys hold, and the part that a new order may use. ' +
    '`list_transactions` shows each change of the balance, `list_holds` each hold.',
  response: balance,
  access: 'billing:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden'],
})

export const putBalanceThreshold = endpoint({
  name: 'put_balance_threshold',
  method: 'PUT',
  path: '/preview/v2/billing/balance_threshold',
  area,
  summary: 'Set the low balance',
  description:
    'When the available amount falls to the threshold, `account.balance_low` is emitted: once, and again only after ' +
    'the amount has risen 10 % above it. Money that open buys hold is not available. It refuses no order; a budget ' +
    'with a hard stop does (`create_budget`).',
  body: object({
    low_at_dollars: nullable(
      text({
        ...amountForm,
        description: 'Available dollars at which the balance is low, such as 50.00. Not zero; `null`: no threshold.',
      }),
    ),
  }),
  response: balance,
  access: 'billing:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  scope: 'account',
  errors: ['forbidden'],
})

const transactionFilters = {
  type: repeated(oneOf(transactionTypes, { description: 'Only transactions of this type.' })),
  order: optional(id('order', ofThis('order'))),
  workspace: optional(idOrPath('workspace', ofThis('workspace'))),
  ...creationFilters,
}

export const listTransactions = endpoint({
  name: 'list_transactions',
  method: 'GET',
  path: '/preview/v2/billing/transactions',
  area,
  summary: 'List transactions',
  description:
    'Shows each fill and each posting of the platform operator with the balance after it, newest first. Holds are ' +
    'left out, since nothing is spent yet: see `list_holds`. Transactions never change and are kept.',
  query: { ...pageParameters('txc'), ...transactionFilters },
  response: pageOf(transaction, 'txc'),
  access: 'billing:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const listHolds = endpoint({
  name: 'list_holds',
  method: 'GET',
  path: '/preview/v2/billing/holds',
  area,
  summary: 'List holds',
  description:
    'Shows the money that open buys set aside, newest first. A hold shrinks with each fill and each minute that ' +
    'passes, and ends with its order.',
  query: { ...pageParameters('holdc'), workspace: optional(idOrPath('workspace', ofThis('workspace'))) },
  response: pageOf(hold, 'holdc'),
  access: 'billing:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

const onAccount = { area: 'administration', scope: 'account', params: { account: accountId() } } as const

export const listAccountTransactions = endpoint({
  ...onAccount,
  name: 'list_account_transactions',
  method: 'GET',
  path: '/preview/v2/admin/accounts/:account/transactions',
  summary: 'List transactions of account',
  description:
    'Shows each fill and each posting of one account with the balance after it, newest first. Holds are left out.',
  query: { ...pageParameters('txc'), ...transactionFilters },
  response: pageOf(transaction, 'txc'),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const createAccountTransaction = endpoint({
  ...onAccount,
  name: 'create_account_transaction',
  method: 'POST',
  path: '/preview/v2/admin/accounts/:account/transactions',
  summary: 'Post a transaction',
  description:
    'Adds an amount to the balance of an account at once; a negative amount takes money away, but not more than the ' +
    'available amount. Where `BOURSE_DUAL_CONTROL_DOLLARS` is set, credits that exceed it within 24 hours are ' +
    'refused with `second_operator_required`: request them with `create_pending_credit`. A wrong posting is ' +
    'corrected by another one.',
  body: object({
    type: oneOf(postingTypes, { description: 'Why the amount is posted.' }),
    amount_dollars: text({
      ...amountForm,
      pattern: '^-?\\d{1,12}(\\.\\d{1,6})?$',
      form: 'a decimal string with at most six decimals, such as "-2.50"',
      description: 'Amount in dollars, such as 1000.00. A negative amount takes money away. Not zero.',
    }),
    description: text({ min: 1, max: 1024, description: 'Reason, shown in the statement of the account.' }),
  }),
  response: transaction,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  idempotent: true,
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'not_found',
    'insufficient_funds',
    'second_operator_required',
  ],
})

export const putCreditLimit = endpoint({
  ...onAccount,
  name: 'put_credit_limit',
  method: 'PUT',
  path: '/preview/v2/admin/accounts/:account/credit_limit',
  summary: 'Set a credit limit',
  description:
    'Sets how far below zero the credit of an account may fall; a limit below the credit in use is refused with ' +
    '`insufficient_funds`. Where `BOURSE_DUAL_CONTROL_DOLLARS` is set, a limit above it is refused with ' +
    '`second_operator_required`, unless it is lower than the present limit: request it with `create_pending_credit` ' +
    'and the type `credit_limit`.',
  body: object({
    credit_limit_dollars: amountInput('Dollars by which the balance may fall below zero, such as 500.00.'),
  }),
  response: balance,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'not_found',
    'insufficient_funds',
    'second_operator_required',
  ],
})

export const operations = [
  getBalance,
  putBalanceThreshold,
  listTransactions,
  listHolds,
  listAccountTransactions,
  createAccountTransaction,
  putCreditLimit,
] as const

import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  boolean,
  constant,
  dollars,
  id,
  idOrPath,
  nullable,
  object,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
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
export const amountInput = text({
  unit: 'dollars',
  max: 24,
  pattern: '^\\d{1,12}(\\.\\d{1,6})?$',
  form: 'a decimal string with at most six decimals, such as "500.00"',
  description: 'Decimal string with at most six decimals; not zero.',
})

/** The balance of an account. */
export const balance = resource('Balance', {
  object: constant('balance'),
  available_dollars: dollars({ description: 'Total minus held plus credit limit.' }),
  total_dollars: dollars(),
  held_dollars: dollars({ description: 'Held for open buy orders.' }),
  credit_limit_dollars: dollars(),
  low_at_dollars: nullable(
    dollars({ description: '`account.balance_low` is emitted when the available amount falls to it. Null: never.' }),
  ),
  is_low: boolean({
    description: 'The available amount has fallen to `low_at_dollars`, and has not risen 10 % above it since.',
  }),
  updated_at: timestamp(),
})
export type Balance = Static<typeof balance>

/** One movement of money, in the view of its account. Transactions are never changed or removed. */
export const transaction = resource('Transaction', {
  object: constant('transaction'),
  id: id('transaction'),
  type: oneOf(transactionTypes),
  amount_dollars: dollars({ description: 'Signed.' }),
  balance_after_dollars: dollars(),
  fee_dollars: dollars({ description: 'The fee of a sale, already subtracted from the amount.' }),
  order: nullable(id('order')),
  fill: nullable(id('fill')),
  workspace: nullable(id('workspace')),
  description: nullable(text({ max: 1024 })),
  created_at: timestamp(),
})
export type Transaction = Static<typeof transaction>

/** Money that is held for one open buy order. */
export const hold = resource('Hold', {
  object: constant('hold'),
  id: id('hold'),
  order: id('order'),
  workspace: id('workspace'),
  amount_dollars: dollars(),
  created_at: timestamp(),
})
export type Hold = Static<typeof hold>

export const getBalance = endpoint({
  name: 'get_balance',
  method: 'GET',
  path: '/preview/v2/billing/balance',
  area,
  summary: 'Read the balance.',
  response: balance,
  access: 'billing:read',
  scope: 'account',
  errors: ['forbidden'],
})

export const putBalanceThreshold = endpoint({
  name: 'put_balance_threshold',
  method: 'PUT',
  path: '/preview/v2/billing/balance_threshold',
  area,
  summary: 'Set the available amount at which the balance is low.',
  description: `When the available amount falls to it, \`account.balance_low\` is emitted: once, and again only after
the amount has risen 10 % above it. The available amount is without what is held for open buys.`,
  body: object({ low_at_dollars: nullable(amountInput) }),
  response: balance,
  access: 'billing:write',
  scope: 'account',
  errors: ['forbidden'],
})

const transactionFilters = {
  type: repeated(oneOf(transactionTypes, { description: 'Only transactions of this type.' })),
  order: optional(id('order')),
  workspace: optional(idOrPath('workspace')),
  created_after: optional(timestamp({ description: 'Unix seconds, included.' })),
  created_before: optional(timestamp({ description: 'Unix seconds, included.' })),
}

export const listTransactions = endpoint({
  name: 'list_transactions',
  method: 'GET',
  path: '/preview/v2/billing/transactions',
  area,
  summary: 'List transactions, newest first.',
  query: { ...pageParameters('txc'), ...transactionFilters },
  response: pageOf(transaction, 'txc'),
  access: 'billing:list',
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const listHolds = endpoint({
  name: 'list_holds',
  method: 'GET',
  path: '/preview/v2/billing/holds',
  area,
  summary: 'List the holds of open buy orders, newest first.',
  query: { ...pageParameters('holdc'), workspace: optional(idOrPath('workspace')) },
  response: pageOf(hold, 'holdc'),
  access: 'billing:list',
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

const onAccount = { area: 'administration', scope: 'account', params: { account: accountId() } } as const

export const listAccountTransactions = endpoint({
  ...onAccount,
  name: 'list_account_transactions',
  method: 'GET',
  path: '/preview/v2/admin/accounts/:account/transactions',
  summary: 'List the transactions of an account, newest first.',
  query: { ...pageParameters('txc'), ...transactionFilters },
  response: pageOf(transaction, 'txc'),
  access: 'platform:read',
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const createAccountTransaction = endpoint({
  ...onAccount,
  name: 'create_account_transaction',
  method: 'POST',
  path: '/preview/v2/admin/accounts/:account/transactions',
  summary: 'Post an amount to an account. A negative amount takes money away.',
  description:
    'With `BOURSE_DUAL_CONTROL_DOLLARS`, a credit that takes what operators have credited to the account alone in 24 ' +
    'hours above that is refused with `second_operator_required`: request it with `create_pending_credit`.',
  body: object({
    type: oneOf(postingTypes),
    amount_dollars: text({
      max: 24,
      pattern: '^-?\\d{1,12}\\.\\d{1,6}$',
      form: 'a decimal string with 1 to 6 decimals, such as "-2.50"',
      unit: 'dollars',
      description: 'Signed decimal string with 1-6 decimals; not zero.',
    }),
    description: text({ min: 1, max: 1024 }),
  }),
  response: transaction,
  access: 'platform:write',
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
  summary: 'Set the credit limit of an account: how far below zero its credit may fall.',
  description:
    'With `BOURSE_DUAL_CONTROL_DOLLARS`, a limit above that is refused with `second_operator_required`, unless it ' +
    'lowers the present one: request it with `create_pending_credit` and the type `credit_limit`.',
  body: object({
    credit_limit_dollars: text({
      max: 24,
      pattern: '^\\d{1,12}\\.\\d{1,6}$',
      form: 'a decimal string with 1 to 6 decimals, such as "2.50"',
      unit: 'dollars',
      description: 'Decimal string with 1-6 decimals.',
    }),
  }),
  response: balance,
  access: 'platform:write',
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

/** All accounts, with their balances. */

import type { AdministeredAccount } from '@bourse/sdk'
import { accounts } from '../generated/rows/operator.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { CreateAccount } from './create-account.tsx'
import { trustLevels } from './words.ts'

/** The list. */
export function Accounts() {
  return (
    <ListTab
      name="Accounts"
      operation="list_accounts"
      every={30_000}
      columns={columns}
      page="/operator/accounts/$id"
      filters={{ trust_level: choiceFilter('Trust', trustLevels) }}
      create={{ label: 'Create an account', dialog: (close) => <CreateAccount onClose={close} /> }}
      empty={{
        title: 'No account',
        command: 'bourse accounts create --id acme',
        text: 'An account is one customer or provider. It begins with an admin, who comes in by a link.',
      }}
    />
  )
}

/** What is there, and what is held. */
export const balanceColumns = [
  {
    id: 'available',
    title: 'Available',
    as: 'money',
    value: (row: AdministeredAccount) => row.balance.available_dollars,
  },
  { id: 'held', title: 'Held', as: 'money', value: (row: AdministeredAccount) => row.balance.held_dollars },
] as const
export const creditColumn = {
  id: 'credit',
  title: 'Credit limit',
  as: 'money',
  value: (row: AdministeredAccount) => row.balance.credit_limit_dollars,
} as const
export const frozenColumn = {
  of: 'is_frozen',
  title: 'State',
  as: 'state',
  value: ({ is_frozen }: AdministeredAccount) => (is_frozen ? 'frozen' : 'active'),
} as const

const columns = columnsOf(
  accounts,
  [
    'name',
    { of: 'id', as: 'code' },
    'trust_level',
    frozenColumn,
    ...balanceColumns,
    { of: 'created_at', as: 'moment' },
  ],
  [creditColumn],
)

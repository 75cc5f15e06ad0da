/** Operations of the operator on accounts: creation, freeze, trust level, limits, money. */
import { done, type Item, refusal } from '../item.ts'
import { keyed, newAccount, oncePerKey } from '../parts.ts'

export const accountItems: readonly Item[] = [
  {
    name: 'account-opening',
    covers: [...keyed('create_account'), refusal('create_account', 'account_exists'), done('get_account')],
    work: async (pass) => {
      const body = { id: pass.unique(), trust_level: 'basic' }
      await oncePerKey(pass, 'create_account', { by: pass.platform, body }, { trust_level: 'trusted' })
      await pass.refuse('create_account', 'account_exists', { by: pass.platform, body })
      await pass.ok('get_account')
    },
  },
  {
    name: 'account-administration',
    covers: [
      done('update_account'),
      refusal('update_account', 'invalid_state'),
      done('get_administered_account'),
      done('freeze_account'),
      done('unfreeze_account'),
      done('set_trust_level'),
      'action trust_level.updated',
      done('put_account_limit'),
      done('delete_account_limit'),
      done('list_account_limits'),
    ],
    work: async (pass) => {
      const params = { account: (await newAccount(pass)).id }
      const call = { by: pass.platform, params }
      await pass.ok('update_account', { ...call, body: { entity_type: 'personal' } })
      await pass.refuse('update_account', 'invalid_state', { ...call, body: { entity_type: 'business' } })
      await pass.ok('get_administered_account', call)
      await pass.ok('freeze_account', call)
      await pass.ok('unfreeze_account', call)
      await pass.ok('set_trust_level', { ...call, body: { trust_level: 'trusted' } })
      const limit = { by: pass.platform, params: { ...params, name: 'pools' } }
      await pass.ok('put_account_limit', { ...limit, body: { value: 3 } })
      await pass.ok('list_account_limits', call)
      await pass.ok('delete_account_limit', limit)
    },
  },
  {
    name: 'account-money',
    covers: [
      ...keyed('create_account_transaction'),
      refusal('create_account_transaction', 'insufficient_funds'),
      done('put_credit_limit'),
      refusal('put_credit_limit', 'insufficient_funds'),
      done('get_balance'),
      done('put_balance_threshold'),
      'action account.balance_low',
    ],
    work: async (pass) => {
      const by = await newAccount(pass)
      const call = { by: pass.platform, params: { account: by.id } }
      const post = (amount_dollars: string) => {
        return { ...call, body: { type: 'adjustment', amount_dollars, description: 'As agreed.' } }
      }
      const other = { amount_dollars: '11.000000' }
      await oncePerKey(pass, 'create_account_transaction', post('10.000000'), other)
      await pass.refuse('create_account_transaction', 'insufficient_funds', post('-5000.000000'))
      const credit = (credit_limit_dollars: string) => ({ ...call, body: { credit_limit_dollars } })
      await pass.ok('put_credit_limit', credit('250.000000'))
      await pass.ok('create_account_transaction', post('-11.000000'))
      await pass.refuse('put_credit_limit', 'insufficient_funds', credit('0.000000'))
      await pass.ok('create_account_transaction', post('1.000000'))
      await pass.ok('get_balance', { by })
      await pass.ok('put_balance_threshold', { by, body: { low_at_dollars: '1000.000000' } })
    },
  },
]

/** Operations of the operator on accounts: creation, freeze, trust level, limits, money. */
import { done, type Item, type ItemCall, type Pass, refusal } from '../item.ts'
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
  {
    name: 'credits-of-two-operators',
    covers: [
      refusal('create_account_transaction', 'second_operator_required'),
      refusal('put_credit_limit', 'second_operator_required'),
      ...keyed('create_pending_credit'),
      done('get_pending_credit'),
      done('list_pending_credits'),
      done('approve_pending_credit'),
      refusal('approve_pending_credit', 'idempotency_key_reused'),
      refusal('approve_pending_credit', 'invalid_state'),
      done('refuse_pending_credit'),
      refusal('create_pending_credit', 'not_applicable'),
      refusal('approve_pending_credit', 'credit_limit_changed'),
      refusal('refuse_pending_credit', 'idempotency_key_reused'),
      refusal('refuse_pending_credit', 'invalid_state'),
      'action credit.requested',
      'action credit.approved',
      'action credit.refused',
      'action credit.expired',
    ],
    work: async (pass) => {
      const [one, two] = [await newOperator(pass), await newOperator(pass)]
      // Operators approve once they have had the right for a day.
      await pass.advance(86_400)
      const params = { account: (await newAccount(pass)).id }
      const body = { type: 'credit_grant', amount_dollars: '2000000000.00', description: 'By two.' }
      await pass.refuse('create_account_transaction', 'second_operator_required', { by: pass.platform, params, body })
      const limit = { credit_limit_dollars: body.amount_dollars }
      await pass.refuse('put_credit_limit', 'second_operator_required', { by: pass.platform, params, body: limit })
      const other = { description: 'By two others.' }
      const [wanted, unwanted, forgotten] = [
        await oncePerKey(pass, 'create_pending_credit', { ...one, params, body }, other),
        await pass.ok('create_pending_credit', { ...one, params, body }),
        await pass.ok('create_pending_credit', { ...one, params, body }),
      ]
      await pass.ok('list_pending_credits', { ...one, query: 'state=pending' })
      for (const [op, { id }] of [
        ['approve_pending_credit', wanted],
        ['refuse_pending_credit', unwanted],
      ] as const) {
        const call = { ...two, id, key: pass.unique() }
        await pass.replay(op, call, await pass.ok(op, call))
        await pass.refuse(op, 'idempotency_key_reused', { ...call, id: forgotten.id })
        await pass.refuse(op, 'invalid_state', { ...two, id })
      }
      const raise = { ...one, params, body: { ...body, type: 'credit_limit' } }
      const [first, second] = [
        await pass.ok('create_pending_credit', raise),
        await pass.ok('create_pending_credit', raise),
      ]
      await pass.ok('approve_pending_credit', { ...two, id: first.id })
      await pass.refuse('approve_pending_credit', 'credit_limit_changed', { ...two, id: second.id })
      await pass.refuse('create_pending_credit', 'not_applicable', raise)
      await pass.advance(7 * 86_400)
      const { state } = await pass.ok('get_pending_credit', { ...one, id: forgotten.id })
      if (state !== 'expired') throw new Error(`The credit that nobody approved is ${state}.`)
    },
  },
]

/** The token of another operator, which descends from the platform's as all others do. */
async function newOperator(pass: Pass): Promise<Pick<ItemCall, 'by' | 'token'>> {
  const by = pass.platform
  const { id, token } = await pass.ok('create_token', { by, body: { name: pass.unique() } })
  const body = { principal_type: 'token', principal_id: id, role: 'role_admin' }
  await pass.ok('create_grant', { by, body })
  return { by, token }
}

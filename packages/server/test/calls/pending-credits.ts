/** Calls of credits that two operators agree on. */
import { onOne } from '../contract/case.ts'
import type { FilterRows } from '../contract/market-rows.ts'
import type { ContractWorld } from '../contract/world.ts'
import { done, type ItemCall, type Pass, refusal } from '../sim/coverage/item.ts'
import { keyed, newAccount, oncePerKey } from '../sim/coverage/parts.ts'
import type { OperationCalls } from './operation-calls.ts'

/** The token of one of two operators besides the admin: operators with the same rights are one. */
async function operator(world: ContractWorld, also: 'list' | 'read'): Promise<string> {
  const actions = { platform: ['write'], pool: [also] }
  return (await world.holder(world.platform, { where: null, actions })).token
}

/** A credit that another operator has requested than the callers of the matrix. */
async function pendingCredit(world: ContractWorld) {
  const body = { type: 'credit_grant', amount_dollars: '1.000000', description: 'A case.' } as const
  return world.server.call('create_pending_credit', {
    params: { account: world.account.id },
    token: await operator(world, 'list'),
    body,
  })
}

async function creditRows({ operate, account, stranger, platform }: ContractWorld): Promise<FilterRows> {
  const body = { type: 'refund', amount_dollars: '1.00', description: 'A row.' }
  const request = ({ id }: { id: string }) => operate('POST', `/preview/v2/admin/accounts/${id}/pending_credits`, body)
  const [other, wanted] = [await request(stranger), await request(account)]
  await operate('POST', `/preview/v2/admin/pending_credits/${wanted.id}/refuse`)
  const selects = { account: account.id, state: 'refused' }
  return { wanted: wanted.id, other: other.id, selects, token: platform.token }
}

/** The token of another operator, which descends from the platform's as all others do. */
async function newOperator(pass: Pass): Promise<Pick<ItemCall, 'by' | 'token'>> {
  const by = pass.platform
  const { id, token } = await pass.ok('create_token', { by, body: { name: pass.unique() } })
  const body = { principal_type: 'token', principal_id: id, role: 'role_admin' }
  await pass.ok('create_grant', { by, body })
  return { by, token }
}

const largeCredit = { type: 'credit_grant', amount_dollars: '250000.00', description: 'Framework contract 2026' }

export const pendingCreditCalls: OperationCalls = {
  cases: {
    create_pending_credit: {
      call: (world) => ({
        params: { account: world.account.id },
        body: { type: 'credit_grant', amount_dollars: '1.000000', description: 'A case.' },
      }),
    },
    get_pending_credit: onOne(pendingCredit),
    // Who requested a credit, and whose token the requester's descends from, does not approve it.
    approve_pending_credit: { ...onOne(pendingCredit), token: (world) => operator(world, 'read') },
    refuse_pending_credit: onOne(pendingCredit),
  },
  rows: { list_pending_credits: creditRows },
  items: [
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
  ],
  examples: () => [
    { operation: 'create_pending_credit', as: 'an operator', params: { account: 'acme' }, body: largeCredit },
    { operation: 'list_pending_credits', as: 'another operator', query: { state: 'pending' } },
    ({ made }) => ({
      operation: 'approve_pending_credit',
      as: 'another operator',
      params: { id: made('create_pending_credit').id },
    }),
    ({ made }) => ({
      operation: 'get_pending_credit',
      as: 'an operator',
      params: { id: made('create_pending_credit').id },
    }),
    { operation: 'create_pending_credit', as: 'an operator', params: { account: 'acme' }, body: largeCredit },
    ({ made }) => ({
      operation: 'refuse_pending_credit',
      as: 'an operator',
      params: { id: made('create_pending_credit').id },
    }),
  ],
}

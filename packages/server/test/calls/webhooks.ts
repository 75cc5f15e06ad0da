/** Calls of webhooks and their deliveries. Runs of the simulation deliver nothing: they delete webhooks at once. */

import type { ExampleWorld } from '../../../../scripts/gen/examples/example-call.ts'
import { eventually } from '../../../../test/eventually.ts'
import { onOne } from '../contract/case.ts'
import type { FilterRows } from '../contract/market-rows.ts'
import type { ContractWorld } from '../contract/world.ts'
import { done, refusal } from '../sim/coverage/item.ts'
import { keyed, oncePerKey } from '../sim/coverage/parts.ts'
import type { OperationCalls } from './operation-calls.ts'

/** A webhook that no event of this world matches. */
const quiet = { url: 'http://127.0.0.1:9/', actions: ['webhook.disabled'] }

function webhook({ make }: ContractWorld) {
  return make('/preview/v2/webhooks', quiet)
}

async function ofDelivery(world: ContractWorld) {
  const { id } = await world.shared('webhook')
  const { id: delivery } = await world.make(`/preview/v2/webhooks/${id}/test`)
  return { params: { id, delivery } }
}

const shared = onOne((world) => world.shared('webhook'))

/** A delivery of an event, which fails because its webhook is disabled, and a test that is still pending. */
async function deliveryRows({ make, operate, server, account }: ContractWorld): Promise<FilterRows> {
  const { id } = await make('/preview/v2/webhooks', { ...quiet, actions: ['trust_level.updated'] })
  const path = `/preview/v2/webhooks/${id}/deliveries`
  const { trust_level } = await server.call('get_account', { token: account.token })
  const otherLevel = trust_level === 'partner' ? 'trusted' : 'partner'
  for (const level of [otherLevel, trust_level]) {
    await operate('PUT', `/preview/v2/admin/accounts/${account.id}/trust_level`, { trust_level: level })
  }
  const [wanted] = await eventually('both deliveries are listed', async () => {
    const { data } = await server.call('list_webhook_deliveries', { params: { id }, token: account.token })
    return data.length === 2 && (data as { id: string; event: string }[])
  })
  await server.call('update_webhook', { params: { id }, token: account.token, body: { enabled: false } })
  const other = await make(`/preview/v2/webhooks/${id}/test`)
  const selects = { state: 'failed', event: wanted?.event as string }
  return { wanted: wanted?.id as string, other: other.id, selects, path }
}

const received = { url: 'https://receiver.example/hook' }

function deliveryOf(made: ExampleWorld['made']) {
  return { id: made('create_webhook').id, delivery: made('test_webhook').id }
}

export const webhookCalls: OperationCalls = {
  cases: {
    create_webhook: { call: () => ({ body: { ...quiet, enabled: false } }) },
    get_webhook: shared,
    update_webhook: onOne((world) => world.shared('webhook'), { description: 'quiet' }),
    delete_webhook: onOne(webhook),
    rotate_webhook_secret: shared,
    test_webhook: shared,
    replay_webhook: {
      call: async (world) => {
        const { id, cursor } = await webhook(world)
        return { params: { id }, body: { starting_after: cursor } }
      },
    },
    list_webhook_deliveries: shared,
    get_webhook_delivery: { call: ofDelivery },
    redeliver_webhook_delivery: { call: ofDelivery },
  },
  rows: {
    list_webhooks: async (world: ContractWorld): Promise<FilterRows> => {
      const [wanted, other] = [await webhook(world), await webhook(world)]
      return { wanted: wanted.id, other: other.id, selects: { id: wanted.id } }
    },
    list_webhook_deliveries: deliveryRows,
  },
  items: [
    {
      name: 'webhook-lifecycle',
      covers: [
        ...keyed('create_webhook'),
        done('get_webhook'),
        done('update_webhook'),
        done('rotate_webhook_secret'),
        done('list_webhook_keys'),
        done('replay_webhook'),
        refusal('replay_webhook', 'invalid_state'),
        done('delete_webhook'),
        refusal('replay_webhook', 'mutually_exclusive'),
      ],
      work: async (pass) => {
        const { id, cursor } = await oncePerKey(pass, 'create_webhook', { body: received }, { description: 'other' })
        await pass.ok('get_webhook', { id })
        await pass.ok('update_webhook', { id, body: { actions: ['order.*'] } })
        await pass.ok('rotate_webhook_secret', { id })
        await pass.ok('list_webhook_keys')
        const replay = { id, body: { starting_after: cursor } }
        await pass.ok('replay_webhook', replay)
        await pass.refuse('replay_webhook', 'mutually_exclusive', { id, body: { starting_after: cursor, since: 0 } })
        await pass.ok('update_webhook', { id, body: { enabled: false } })
        await pass.refuse('replay_webhook', 'invalid_state', replay)
        await pass.ok('delete_webhook', { id })
      },
    },
    {
      name: 'webhook-deliveries',
      covers: [
        done('test_webhook'),
        refusal('test_webhook', 'idempotency_key_reused'),
        done('get_webhook_delivery'),
        done('redeliver_webhook_delivery'),
        refusal('redeliver_webhook_delivery', 'idempotency_key_reused'),
      ],
      work: async (pass) => {
        const { id } = await pass.ok('create_webhook', { body: received })
        const other = await pass.ok('create_webhook', { body: received })
        const key = pass.unique()
        const made = await pass.ok('test_webhook', { id, key })
        await pass.replay('test_webhook', { id, key }, made)
        await pass.refuse('test_webhook', 'idempotency_key_reused', { id: other.id, key })
        const second = await pass.ok('test_webhook', { id })
        const again = { id, params: { delivery: made.id }, key: pass.unique() }
        await pass.ok('redeliver_webhook_delivery', again)
        const changed = { ...again, params: { delivery: second.id } }
        await pass.refuse('redeliver_webhook_delivery', 'idempotency_key_reused', changed)
        await pass.ok('get_webhook_delivery', { id, params: { delivery: made.id } })
        for (const webhook of [id, other.id]) await pass.ok('delete_webhook', { id: webhook })
      },
    },
  ],
  examples: () => [
    {
      operation: 'create_webhook',
      body: {
        url: 'https://hooks.acme.example/bourse',
        description: 'Pager of the training team',
        actions: ['instance.termination_imminent', 'instance.failed'],
        enabled: false,
      },
    },
    { operation: 'list_webhooks' },
    ({ made }) => ({ operation: 'get_webhook', params: { id: made('create_webhook').id } }),
    ({ made }) => ({ operation: 'rotate_webhook_secret', params: { id: made('create_webhook').id } }),
    ({ made }) => ({
      operation: 'test_webhook',
      params: { id: made('create_webhook').id },
      after: 'a delivery is attempted',
    }),
    ({ made }) => ({ operation: 'list_webhook_deliveries', params: { id: made('create_webhook').id } }),
    ({ made }) => ({ operation: 'get_webhook_delivery', params: deliveryOf(made) }),
    ({ made }) => ({ operation: 'redeliver_webhook_delivery', params: deliveryOf(made) }),
    ({ made }) => ({
      operation: 'update_webhook',
      params: { id: made('create_webhook').id },
      body: { ordering: 'per_target', enabled: true },
    }),
    ({ made }) => ({
      operation: 'replay_webhook',
      params: { id: made('create_webhook').id },
      body: { starting_after: made('create_webhook').cursor },
    }),
    ({ made }) => ({ operation: 'delete_webhook', params: { id: made('create_webhook').id } }),
  ],
}

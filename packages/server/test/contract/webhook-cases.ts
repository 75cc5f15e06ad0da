/** Calls of webhooks and their deliveries, and rows that the filters of their lists distinguish. */
import { eventually } from '../../../../test/eventually.ts'
import { type ContractCase, onOne } from './case.ts'
import type { FilterRows } from './market-rows.ts'
import type { ContractWorld } from './world.ts'

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

export const webhookCases = {
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
} satisfies Record<string, ContractCase>

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

export const webhookRows = {
  list_webhooks: async (world: ContractWorld): Promise<FilterRows> => {
    const [wanted, other] = [await webhook(world), await webhook(world)]
    return { wanted: wanted.id, other: other.id, selects: { id: wanted.id } }
  },
  list_webhook_deliveries: deliveryRows,
}

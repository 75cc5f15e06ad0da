/** Webhooks and their deliveries. Runs deliver nothing: each webhook is deleted before the clock moves. */
import { done, type Item, refusal } from '../item.ts'
import { keyed, oncePerKey } from '../parts.ts'

const body = { url: 'https://receiver.example/hook' }

export const webhookItems: readonly Item[] = [
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
      const { id, cursor } = await oncePerKey(pass, 'create_webhook', { body }, { description: 'other' })
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
      const { id } = await pass.ok('create_webhook', { body })
      const other = await pass.ok('create_webhook', { body })
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
]

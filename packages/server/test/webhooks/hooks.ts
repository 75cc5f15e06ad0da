/** Webhooks of one account for tests: creating them, writing events, and reading what became of them. */
import assert from 'node:assert/strict'
import { eventually } from '../../../../test/eventually.ts'
import { type CallBody, type CallQuery, type CallResult, type Calls, callsBy } from '../support/calls.ts'
import type { TestAccount, TestServer } from '../support/server.ts'

/** The webhooks of an account. Calls are those of its admin. */
export type Hooks = Calls & {
  readonly server: TestServer
  readonly account: TestAccount
  make(body: CallBody<'create_webhook'>): Promise<CallResult<'create_webhook'>>
  get(id: string): Promise<any>
  /** Writes events about the account; returns their number. */
  emit(count?: number): Promise<number>
  /** Writes `image.revoked` and `image.reinstated` in turn about an image. */
  emitAbout(image: string, count: number): Promise<void>
  makeImage(): Promise<string>
  /** The deliveries of a webhook, once there are at least this many in a state. */
  deliveries(
    id: string,
    wanted?: { count: number; state?: 'failed' | 'pending' | 'succeeded'; attempts?: number },
  ): Promise<any[]>
  /** Waits until a webhook satisfies a condition. */
  untilHook(id: string, condition: (webhook: any) => boolean): Promise<any>
  /** The ids of all events of the account, oldest first. */
  events(
    query?: CallQuery<'list_events'>,
  ): Promise<{ id: string; action: string; occurred_at: number; cursor: string; targets: any[] }[]>
}

/** Opens the webhooks of a new account, or of a given one. */
export async function openHooks(server: TestServer, known?: TestAccount): Promise<Hooks> {
  const account = known ?? (await server.account())
  const { token } = account
  let written = 0
  let images = 0
  const hooks: Hooks = {
    server,
    account,
    make: (body) => server.call('create_webhook', { token, body }),
    get: (id) => server.call('get_webhook', { params: { id }, token }),
    ...callsBy((method, path, options) => server.request(method, path, { token, ...options })),
    emit: async (count = 1) => {
      for (let i = 0; i < count; i++) {
        const trust_level = written++ % 2 === 0 ? 'partner' : 'trusted'
        await server.call('set_trust_level', { params: { account: account.id }, body: { trust_level } })
      }
      return count
    },
    makeImage: async () => {
      const { id } = await server.call('create_ready_image', { token, body: { name: `image-${images++}` } })
      return id
    },
    emitAbout: async (image, count) => {
      for (let i = 0; i < count; i++) {
        await server.call(i % 2 === 0 ? 'revoke_image' : 'reinstate_image', { params: { id: image }, token })
      }
    },
    deliveries: async (id, { count, state, attempts = 0 } = { count: 0 }) => {
      const wanted = `${count} deliveries ${state ?? 'in any state'} with ${attempts} attempts or more`
      return eventually(`there are ${wanted}`, async () => {
        const { data } = await server.call('list_webhook_deliveries', {
          params: { id },
          query: { limit: 200, ...(state && { state: [state] }) },
          token,
        })
        const found = data.filter((one) => one.attempts.length >= attempts)
        assert.ok(found.length >= count, `There are ${JSON.stringify(data)}`)
        return found
      })
    },
    untilHook: (id, condition) =>
      eventually('the webhook satisfies the condition', async () => {
        const webhook = await hooks.get(id)
        assert.ok(condition(webhook), JSON.stringify(webhook))
        return webhook
      }),
    events: async (query = {}) => {
      const all: any[] = []
      for (let starting_after: string | undefined; ; ) {
        const page = await server.call('list_events', { query: { limit: 200, ...query, starting_after }, token })
        all.push(...page.data)
        if (!page.has_more) return all
        starting_after = page.cursor
      }
    },
  }
  return hooks
}

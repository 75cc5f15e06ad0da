/** Webhooks of one account for tests: creating them, writing events, and reading what became of them. */
import assert from 'node:assert/strict'
import { eventually } from '../../../../test/eventually.ts'
import type { TestAccount, TestAnswer, TestServer } from '../support/server.ts'

const path = '/preview/v2/webhooks'

export type Hooks = {
  readonly server: TestServer
  readonly account: TestAccount
  make(body: object): Promise<any>
  get(id: string): Promise<any>
  /** A request below the webhooks, as the admin of the account. */
  request(method: string, place?: string, body?: unknown): Promise<TestAnswer>
  ok(method: string, place?: string, body?: unknown): Promise<any>
  /** Writes events about the account; returns their number. */
  emit(count?: number): Promise<number>
  /** Writes `image.revoked` and `image.reinstated` in turn about an image. */
  emitAbout(image: string, count: number): Promise<void>
  makeImage(): Promise<string>
  /** The deliveries of a webhook, once there are at least this many in a state. */
  deliveries(id: string, wanted?: { count: number; state?: string; attempts?: number }): Promise<any[]>
  /** Waits until a webhook satisfies a condition. */
  untilHook(id: string, condition: (webhook: any) => boolean): Promise<any>
  /** The ids of all events of the account, oldest first. */
  events(query?: string): Promise<{ id: string; action: string; occurred_at: number; cursor: string; targets: any[] }[]>
}

/** Opens the webhooks of a new account, or of a given one. */
export async function openHooks(server: TestServer, known?: TestAccount): Promise<Hooks> {
  const account = known ?? (await server.account())
  const { token } = account
  let written = 0
  let images = 0
  const with_body = (body: unknown) => (body === undefined ? { token } : { token, body })
  const hooks: Hooks = {
    server,
    account,
    make: (body) => server.ok('POST', path, { token, body }),
    get: (id) => server.ok('GET', `${path}/${id}`, { token }),
    request: (method, place = '', body) => server.request(method, path + place, with_body(body)),
    ok: (method, place = '', body) => server.ok(method, path + place, with_body(body)),
    emit: async (count = 1) => {
      for (let i = 0; i < count; i++) {
        const trust_level = written++ % 2 === 0 ? 'partner' : 'trusted'
        await server.ok('PUT', `/preview/v2/admin/accounts/${account.id}/trust_level`, { body: { trust_level } })
      }
      return count
    },
    makeImage: async () => {
      const { id } = await server.ok('POST', '/sandbox/images', { token, body: { name: `image-${images++}` } })
      return id
    },
    emitAbout: async (image, count) => {
      for (let i = 0; i < count; i++) {
        await server.ok('POST', `/v2/images/${image}/${i % 2 === 0 ? 'revoke' : 'reinstate'}`, { token })
      }
    },
    deliveries: async (id, { count, state, attempts = 0 } = { count: 0 }) => {
      const query = state === undefined ? '' : `&state=${state}`
      const wanted = `${count} deliveries ${state ?? 'in any state'} with ${attempts} attempts or more`
      return eventually(`there are ${wanted}`, async () => {
        const { data } = await server.ok('GET', `${path}/${id}/deliveries?limit=200${query}`, { token })
        const found = data.filter((one: any) => one.attempts.length >= attempts)
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
    events: async (query = '') => {
      const all: any[] = []
      for (let after = ''; ; ) {
        const page = await server.ok('GET', `/preview/v2/events?limit=200${query}${after}`, { token })
        all.push(...page.data)
        if (!page.has_more) return all
        after = `&starting_after=${page.cursor}`
      }
    },
  }
  return hooks
}

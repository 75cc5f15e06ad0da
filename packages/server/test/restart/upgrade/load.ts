/** Clients that create resources with idempotency keys, at a rate that production allows, and never send one again. */
import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { eventually } from '../../../../../test/eventually.ts'
import { wallMilliseconds } from '../../../src/core/base/clock.ts'
import { makeBuyer, type Party } from '../../support/fixtures/market.ts'
import type { TestServer } from '../../support/server.ts'

const clients = 6
/** Within the 10 writes a second of one token, also where all go to one replica. */
const everyMilliseconds = 110

export type Load = AsyncDisposable & {
  /** What was acknowledged: the path of the list, the token of the account, and the id. */
  readonly acknowledged: readonly { readonly path: string; readonly token: string; readonly id: string }[]
  readonly failures: readonly string[]
  /** Resolves when that many more requests have been acknowledged, or one has failed. */
  more(count: number): Promise<void>
  /** Ends the load. */
  stop(): Promise<void>
  /** Compares what was acknowledged with the lists. Returns what is lost and what nobody was told of. */
  compare(): Promise<string[]>
}

const firewalls = '/preview/v2/firewalls'
const orders = '/v2/orders'

/** Starts the load on a server, as its platform operator. */
export async function startLoad(server: TestServer): Promise<Load> {
  const { id: sku } = await server.call('create_sku', { body: { num_vcpus: 8 } })
  const parties = await Promise.all(Array.from({ length: clients }, () => makeBuyer(server, '1000000.000000')))
  const standard = new Map<string, Set<string>>()
  for (const party of parties) standard.set(party.token, await idsOf(server, firewalls, party))
  const acknowledged: { path: string; token: string; id: string }[] = []
  const failures: string[] = []
  let isOver = false
  const start_at = Math.ceil(wallMilliseconds() / 3_600_000 + 1) * 3600
  const bodyOf = (path: string, party: Party) =>
    path === firewalls
      ? {}
      : {
          pool: party.pool,
          sku,
          side: 'buy',
          limit_price_dollars_per_node_hour: '1.200000',
          ...{ allocation_schedule_delta: [{ start_at, end_at: start_at + 3600, node_count: 1 }] },
          allow_standing: true,
          allow_partial: true,
        }
  const work = async (party: Party, client: number) => {
    for (let number = 0; !isOver; number++) {
      const path = number % 2 === 0 ? firewalls : orders
      const headers = { 'idempotency-key': `${client}-${number}` }
      const sent = { token: party.token, headers, body: bodyOf(path, party) }
      const response = await server.request('POST', path, sent).catch((error) => ({ status: 0, text: String(error) }))
      if (response.status === 201 && 'body' in response)
        acknowledged.push({ path, token: party.token, id: response.body.id })
      else failures.push(`POST ${path}: ${response.status} ${response.text}`)
      await pause(everyMilliseconds)
    }
  }
  const workers = parties.map(work)
  const stop = async () => {
    isOver = true
    await Promise.all(workers)
  }
  return {
    acknowledged,
    failures,
    more: async (count) => {
      const goal = acknowledged.length + count
      await eventually(`${count} more requests are acknowledged, or one fails`, () => {
        assert.ok(acknowledged.length >= goal || failures.length > 0, `${acknowledged.length} of ${goal} in all`)
        return true
      })
    },
    stop,
    [Symbol.asyncDispose]: stop,
    compare: async () => {
      const wrong: string[] = []
      for (const party of parties) {
        for (const path of [firewalls, orders]) {
          const there = await idsOf(server, path, party)
          const ids = acknowledged.filter((one) => one.path === path && one.token === party.token).map(({ id }) => id)
          if (new Set(ids).size < ids.length) wrong.push(`${path}: an id was acknowledged twice`)
          for (const id of ids) if (!there.delete(id)) wrong.push(`${path}/${id} is lost`)
          for (const id of there) if (!standard.get(party.token)?.has(id)) wrong.push(`${path}/${id}: nobody was told`)
        }
      }
      return wrong
    },
  }
}

/** The ids of a list of an account, of all its pages. */
export async function idsOf(server: TestServer, path: string, { token }: Pick<Party, 'token'>): Promise<Set<string>> {
  const ids = new Set<string>()
  let after = ''
  for (;;) {
    const page = await server.ok('GET', `${path}?limit=200${after}`, { token })
    for (const { id } of page.data) ids.add(id)
    if (!page.has_more) return ids
    after = `&starting_after=${page.cursor}`
  }
}

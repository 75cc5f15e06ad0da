import assert from 'node:assert/strict'
import { createClient } from '@bourse/sdk/client.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { createSeededRandom, pick } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import { startProcesses } from './trading/replicas.ts'

const processes = 3
const changesPerRound = 60

const listLog = statement<{ id: string }>(null, 'select id from events where account_id = $1 order by position')

/** Waits until a count is large enough. */
async function reach(what: string, count: () => number, goal: number): Promise<void> {
  await eventually(`${goal} ${what}`, () => {
    assert.ok(count() >= goal, `${count()} ${what}`)
    return true
  })
}

test('three processes are killed, and readers get every event once by stream and by poll', async () => {
  await using replicas = await startProcesses(processes)
  const random = createSeededRandom('event delivery')
  const account = await replicas.server(0).account()
  let written = 0
  let isOver = false

  /** Changes the trust level at any process. A change whose response was lost may be committed. */
  async function write(): Promise<void> {
    const trust_level = pick(random, ['basic', 'trusted', 'partner'])
    const server = replicas.server(random.integer(processes))
    const response = await server
      .attempt('set_trust_level', { params: { account: account.id }, body: { trust_level } })
      .catch(() => undefined)
    if (response?.status === 200) written += 1
    else await pause(20)
  }

  /** Each request of a client goes to any of the processes, like through a load balancer. */
  const balanced: typeof fetch = (url, init) => {
    const { pathname, search } = new URL(String(url))
    return fetch(replicas.server(random.integer(processes)).url + pathname + search, init)
  }

  const client = createClient({ token: account.token, baseUrl: 'http://balanced.example', fetch: balanced })
  const ending = new AbortController()
  using _ending = { [Symbol.dispose]: () => ending.abort() }
  const kinds = [
    { streams: true },
    { streams: true },
    { streams: true, filters: { target_type: 'account' } },
    { streams: false },
    { streams: false, filters: { target_type: 'account' } },
  ]
  const seen: string[][] = kinds.map(() => [])
  const gaps: unknown[] = []
  const readers = kinds.map(async (kind, which) => {
    const onGap = (gap: unknown) => void gaps.push(gap)
    for await (const event of client.events.follow({ ...kind, interval: 20, signal: ending.signal, onGap })) {
      seen[which]?.push(event.id)
    }
  })

  const writers = Array.from({ length: 6 }, async () => {
    while (!isOver) await write()
  })
  for (let victim = 0; victim < processes; victim++) {
    await reach('changes are written', () => written, (victim + 1) * changesPerRound)
    await replicas.restart(victim)
  }
  await reach('changes are written', () => written, (processes + 1) * changesPerRound)
  isOver = true
  await Promise.all(writers)
  const log = await replicas.database.reader.rows(listLog, [account.id])
  // A change to the present level has no event.
  assert.ok(log.length >= changesPerRound, `${log.length} events`)
  await reach('events are read by every reader', () => Math.min(...seen.map(({ length }) => length)), log.length)
  ending.abort()
  await Promise.all(readers)
  const expected = log.map(({ id }) => id)
  for (const [which, ids] of seen.entries()) assert.deepEqual(ids, expected, JSON.stringify(kinds[which]))
  assert.deepEqual(gaps, [])
})

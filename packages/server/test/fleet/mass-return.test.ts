import assert from 'node:assert/strict'
import { test } from 'vitest'
import { pause } from '../../src/core/base/clock.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { instanceId } from '../support/big-fleet.ts'
import type { TestServer } from '../support/server.ts'
import { type ReportingHosts, startReportingHosts } from './reporting-hosts.ts'

const hosts = 500
const customers = 4
/** A twentieth of the time over which agents spread their retries after five minutes of failures. */
const spreadMilliseconds = 3_000
/** The time limit until all agents report again (reliability: G22). On an idle machine it takes seconds. */
const returnSeconds = 180
const random = createCryptoRandom()

test('a fleet that returns after five minutes of silence is accepted, and no instance ends', async ({ annotate }) => {
  const fleet = await startReportingHosts({ hosts, slots: 1 })
  const { all, rows, asOwner } = fleet
  const { token } = await fleet.server.account()
  await asOwner('update hosts set last_seen_at = floor(bourse_real_now())::bigint - 300')
  while ((await rows("select id from hosts where health <> 'unreachable' limit 1")).length > 0) await pause(100)
  assert.equal(await countEvents(fleet, 'connection_lost'), hosts)

  const work = { isOver: false }
  const began = performance.now()
  const returning = all((number) => comeBack(fleet, number)).finally(() => {
    work.isOver = true
  })
  const serving = Array.from({ length: customers }, () => useUntil(fleet.server, token, work))
  const tries = (await returning).reduce((sum, count) => sum + count, 0)
  const seconds = (performance.now() - began) / 1000
  const times = (await Promise.all(serving)).flat().sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] as number
  await annotate(`${hosts} agents returned within ${seconds.toFixed(1)} s and ${tries} attempts; meanwhile`)
  await annotate(`${times.length} requests of customers, the 99th percentile ${p99.toFixed(0)} ms, limit 1000`)

  assert.ok(seconds < returnSeconds, `the last agent returned after ${seconds} s`)
  assert.deepEqual(await rows('select distinct health from hosts'), [{ health: 'healthy' }])
  const states = await rows(
    `select distinct i.state, m.state as said, i.connection_lost_at
     from instances i join machines m on m.instance_id = i.id`,
  )
  assert.deepEqual(states, [{ state: 'running', said: 'running', connection_lost_at: null }])
  assert.equal(await countEvents(fleet, 'connection_lost'), hosts)
  for (const action of ['terminated', 'failed', 'termination_imminent']) {
    assert.equal(await countEvents(fleet, action), 0, action)
  }
})

async function countEvents({ rows }: ReportingHosts, action: string): Promise<number> {
  const found = await rows<{ count: string }>('select count(*) from events where action = $1', [`instance.${action}`])
  return Number(found[0]?.count)
}

/**
 * Behaves like an agent: after a random delay it reports until a report is accepted, then requests its desired state.
 * After a failure it waits longer.
 */
async function comeBack({ say, ask }: ReportingHosts, number: number): Promise<number> {
  const instances = [{ id: instanceId(number), generation: 1, state: 'running' }]
  for (let tries = 1, wait = spreadMilliseconds; ; tries++, wait *= 2) {
    await pause(random.integer(wait))
    const { status, text, body } = await say(number, { epoch: 1, generation: 1, health: 'healthy', instances })
    if (status === 200) {
      const changed = await ask(number, `desired?generation=${body.desired_generation}&wait_seconds=0`)
      assert.equal(changed.status, 204, changed.text)
      return tries
    }
    assert.equal(status, 503, text)
  }
}

/** Sends the requests of a customer until the work is over. Returns the milliseconds of each request. */
async function useUntil(server: TestServer, token: string, work: { readonly isOver: boolean }): Promise<number[]> {
  const times: number[] = []
  const timed = async (method: string, path: string, body?: object) => {
    const began = performance.now()
    const answer = await server.ok(method, path, { token, ...(body ? { body } : {}) })
    times.push(performance.now() - began)
    return answer
  }
  while (!work.isOver) {
    const { id } = await timed('POST', '/preview/v2/firewalls', { rules: [] })
    await timed('GET', '/v2/skus')
    await timed('GET', '/v2/instances')
    await timed('GET', '/preview/v2/events')
    await timed('DELETE', `/preview/v2/firewalls/${id}`)
    await pause(100)
  }
  return times
}

/** A fleet that returns after five minutes of silence, while customers use the server (reliability: G22). */
import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { eventually } from '../../../../test/eventually.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { type ReportingHosts, startReportingHosts } from '../fleet/reporting-hosts.ts'
import { instanceId } from '../support/big-fleet.ts'
import type { TestServer } from '../support/server.ts'

const hosts = 500
const customers = 4
/** A twentieth of the time over which agents spread their retries after five minutes of failures. */
const spreadMilliseconds = 3_000
const random = createCryptoRandom()

/** How long the fleet took to return, how often its agents tried, and how long customers waited for answers. */
export type FleetReturn = {
  readonly return_seconds: number
  readonly tries: number
  readonly requests: number
  readonly p99_milliseconds: number
}

/** Lets a fleet fall silent and return. Asserts that all agents report again, and that no instance ends. */
export async function returnTogether(): Promise<FleetReturn> {
  const fleet = await startReportingHosts({ hosts, slots: 1 })
  const { all, rows, asOwner } = fleet
  const { token } = await fleet.server.account()
  await asOwner('update hosts set last_seen_at = floor(bourse_real_now())::bigint - 300')
  await eventually('all hosts are unreachable', async () => {
    assert.deepEqual(await rows("select id, health from hosts where health <> 'unreachable' limit 1"), [])
    return true
  })
  assert.equal(await countEvents(fleet, 'connection_lost'), hosts)

  const work = { isOver: false }
  const began = performance.now()
  const returning = all((number) => comeBack(fleet, number)).finally(() => {
    work.isOver = true
  })
  const serving = Array.from({ length: customers }, () => useUntil(fleet.server, token, work))
  const tries = (await returning).reduce((sum, count) => sum + count, 0)
  const return_seconds = (performance.now() - began) / 1000
  const times = (await Promise.all(serving)).flat().sort((a, b) => a - b)
  const p99_milliseconds = times[Math.floor(times.length * 0.99)] as number
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
  return { return_seconds, tries, requests: times.length, p99_milliseconds }
}

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
    const response = await server.ok(method, path, { token, ...(body ? { body } : {}) })
    times.push(performance.now() - began)
    return response
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

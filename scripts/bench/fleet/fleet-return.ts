// 10,000 agents return after five minutes of silence: the time until all report again, and the response times of
// customers meanwhile.

import { statement } from '../../../packages/server/src/core/db/db.ts'
import type { Server } from '../../../packages/server/src/server.ts'
import { pause } from '../../../packages/text/src/time/pause.ts'
import { bench } from '../bench.ts'
import { type Child, startChild } from '../child.ts'
import { atMost, type BenchRow } from '../row.ts'
import { makePlace } from '../worlds/event-world.ts'
import {
  type AgentsSize,
  type AgentTimes,
  type AgentWorld,
  agentsSizes,
  type PreparedFleet,
  prepareAgents,
} from './fleet-agents.ts'

const silentSeconds = 300
const customers = 4
/** The time limit until all agents report again. */
const returnGoalSeconds = 180
const customersGoalMilliseconds = 1_000

/** All rows of a mass return. Takes about three minutes at the usual size. */
export const returnBench = bench({
  rows: ['return_seconds', 'return_customers_p99_ms'],
  sizes: agentsSizes,
  measure: returnRows,
})

async function* returnRows(size: AgentsSize): AsyncGenerator<BenchRow> {
  await using place = await makePlace({ pinned: false })
  const { buyer, owner, audience } = await place.prepare((server) => prepareSilent(server, size))
  await using server = await place.serve()
  const world: AgentWorld = { ...size, port: server.ready.port, audience }
  const url = `http://127.0.0.1:${server.ready.port}`
  await using load: Child<unknown, AgentTimes> = await startChild('fleet/fleet-agents-program.ts', world)
  const work = { isOver: false }
  const serving = Array.from({ length: customers }, () => useUntil(url, buyer.token, work))
  const began = performance.now()
  const times = await load.ask({ kind: 'return' })
  const seconds = (performance.now() - began) / 1000
  work.isOver = true
  const used = (await Promise.all(serving)).flat().sort((a, b) => a - b)
  console.error(`return: ${JSON.stringify({ ...times, seconds, requests: used.length })}`)
  await assertNoneEnded(url, owner.token)
  const p99 = used[Math.floor(used.length * 0.99)] ?? Number.POSITIVE_INFINITY
  yield atMost('return_seconds', seconds, returnGoalSeconds)
  yield atMost('return_customers_p99_ms', p99, customersGoalMilliseconds)
}

/** The fleet of the other rows, after the server has detected its silence. */
async function prepareSilent(server: Server, size: AgentsSize): Promise<PreparedFleet> {
  const prepared = await prepareAgents(server, size)
  const { database } = server.runtime
  const silenceSql = `update hosts set last_seen_at = floor(bourse_real_now())::bigint - ${silentSeconds}`
  await database.asOwner((db) => db.run(statement(null, silenceSql), []))
  const unnoticed = statement(null, "select id from hosts where health <> 'unreachable' limit 1")
  while ((await database.reader.rows(unnoticed)).length > 0) await pause(500)
  return prepared
}

/** Sends the requests of a customer until the work is over. Returns the milliseconds of each request. */
async function useUntil(url: string, token: string, work: { readonly isOver: boolean }): Promise<number[]> {
  const times: number[] = []
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (method: string, path: string, body?: object) => {
    const began = performance.now()
    const sent = body ? { body: JSON.stringify(body) } : {}
    const response = await fetch(url + path, { method, headers, ...sent })
    const text = await response.text()
    times.push(performance.now() - began)
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
    return text
  }
  while (!work.isOver) {
    const { id } = JSON.parse(await ask('POST', '/preview/v2/firewalls', { rules: [] }))
    for (const path of ['/v2/skus', '/v2/instances', '/preview/v2/events']) await ask('GET', path)
    await ask('DELETE', `/preview/v2/firewalls/${id}`)
    await pause(50)
  }
  return times
}

async function assertNoneEnded(url: string, token: string): Promise<void> {
  for (const action of ['instance.terminated', 'instance.failed', 'instance.termination_imminent']) {
    const response = await fetch(`${url}/preview/v2/events?action=${action}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { data } = (await response.json()) as { data: unknown[] }
    if (data.length > 0) throw new Error(`The return of the fleet caused ${action}.`)
  }
}

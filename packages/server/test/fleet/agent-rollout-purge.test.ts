/** Which hosts of which rollouts the server keeps, and for how long. */
import assert from 'node:assert/strict'
import { daySeconds } from '@bourse/text/time/units.ts'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { agentRolloutPurgeReconciler } from '../../src/fleet/rollouts/agent-rollout-purge.reconciler.ts'
import { platformAccount } from '../support/access.ts'
import { enrol, facts } from '../support/agents.ts'
import { signedBundle } from '../support/bundles.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const { runtime } = server.inside as NonNullable<typeof server.inside>
const countHosts = statement<{ hosts: number }>(
  'test.count_rollout_hosts',
  `select count(*)::integer as hosts
   from agent_rollout_hosts
   where rollout_id = $1`,
)

async function addHosts(count: number): Promise<void> {
  const { token } = await platformAccount(server)
  for (let host = 1; host <= count; host++) {
    const body = { sku: await makeSku(server) }
    const { token: permit } = await server.call('create_host_enrolment', { token, body })
    await enrol(server, permit, { facts: { ...facts, host_address: `192.0.2.${host}`, public_ipv4s: [] } })
  }
}

/** A rollout that has ended. Its hosts are left out, or wait for their turn for ever. */
async function endedRollout() {
  const body = { agent_version: '2.0.0', groups: ['canary=1%', 'rest'], halted: true }
  const { id } = await server.call('create_agent_rollout', { body })
  await server.call('cancel_agent_rollout', { params: { id } })
  return id
}

/** Does what the sweep finds, and tries the others too: a due row may be older than what it is about. */
function purge(ids: readonly string[]) {
  return systemCommand(runtime, async (ctx) => {
    const found = (await agentRolloutPurgeReconciler.sweep?.(ctx)) ?? []
    for (const id of ids) await agentRolloutPurgeReconciler.step(ctx, id)
    return found
  })
}

async function hostsOf(id: string): Promise<number | undefined> {
  return (await runtime.database.reader.row(countHosts, [id]))?.hosts
}

test('hosts of a rollout are deleted 30 days after its end unless it is the newest, and the numbers stay', async () => {
  await server.call('create_agent_bundle', { body: signedBundle({ version: '2.0.0' }) })
  await addHosts(2)
  const [older, newest] = [await endedRollout(), await endedRollout()]
  const ids = [older, newest]
  const before = await server.call('get_agent_rollout', { params: { id: older } })
  assert.deepEqual(
    before.groups.map(({ hosts, pending }) => [hosts, pending]),
    [
      [1, 1],
      [1, 1],
    ],
  )
  await server.advance(29 * daySeconds)
  assert.deepEqual(await purge(ids), [])
  assert.deepEqual([await hostsOf(older), await hostsOf(newest)], [2, 2])
  await server.advance(2 * daySeconds)
  assert.deepEqual(await purge(ids), [older])
  assert.deepEqual([await hostsOf(older), await hostsOf(newest)], [0, 2])
  assert.deepEqual(await purge(ids), [])
  assert.deepEqual(await server.call('get_agent_rollout', { params: { id: older } }), before)
  const { data } = await server.call('list_agent_rollouts')
  assert.deepEqual(
    data.find(({ id }) => id === older),
    before,
  )
})

import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import { checkSilence } from '../../src/fleet/agents/host-silence.service.ts'
import { compareAgain } from '../../src/fleet/hardware/host-fit.service.ts'
import { lockHosts } from '../../src/fleet/hosts/hosts.service.ts'
import { answersBehind } from '../market/lock-races.ts'
import { platformAccount } from '../support/access.ts'
import { enrol, factsThatFit, hardwareThatFits } from '../support/agents.ts'
import { eventsOf, makeSku } from '../support/fixtures/fleet.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const runtime = server.inside?.runtime as Runtime
const platform = await platformAccount(server)
const retire = statement<never>(null, "update hosts set state = 'retired', retired_at = $2 where id = $1")
const goSilent = statement<never>(null, 'update hosts set last_seen_at = last_seen_at - 90 where id = $1')

/** A host of its own account that has missed its reports, with its agent and the account's token. */
async function silentHost() {
  const { token } = await server.account({ trust_level: 'partner' })
  const permit = await server.call('create_host_enrolment', { token, body: { sku: await makeSku(server) } })
  const agent = await enrol(server, permit.token)
  const id = agent.host as Id<'host'>
  await runtime.database.reader.run(goSilent, [id])
  await systemCommand(runtime, async (ctx) => void (await checkSilence(ctx, id)))
  const report = () => {
    const body = { epoch: agent.epoch, generation: 1, health: 'healthy' as const, instances: [] }
    return agent.attempt('report_host', { body })
  }
  const state = async () => {
    const { state, health } = await server.call('get_host', { params: { id }, token })
    return [state, health]
  }
  return { id, token, report, state }
}

test('an agent that comes back after its host was retired by force is refused, and its limit is free', async () => {
  const { id, token, report, state } = await silentHost()
  const used = async () => (await server.call('get_limit', { params: { name: 'hosts' }, token })).used
  assert.deepEqual([await state(), await used()], [['active', 'unreachable'], 1])
  await server.call('retire_host', { params: { id }, token, body: { force: true } })
  assert.deepEqual([await state(), await used()], [['retired', 'unreachable'], 0])
  const response = await report()
  assert.deepEqual([response.status, response.headers.get('x-error-code')], [401, 'host_retired'])
})

test('a host that reports while it is being retired by force stays', async () => {
  const { id, token, report, state } = await silentHost()
  const healthy = statement<never>(null, "update hosts set health = 'healthy' where id = $1")
  const [refused] = await answersBehind(
    runtime,
    { lock: (ctx) => lockHosts(ctx, [id]), end: (ctx) => ctx.db.run(healthy, [id]) },
    () => [server.attempt('retire_host', { params: { id }, token, body: { force: true } })],
  )
  assert.deepEqual([refused?.status, await state()], [409, ['active', 'healthy']])
  assert.equal((await report()).status, 200)
})

test('a host that is retired while its hardware is compared stays as it was', async () => {
  const promised = { num_vcpus: 16 }
  const sku = await makeSku(server, promised)
  const body = { sku, slots: 1, uses: 1 }
  const { token } = await server.call('create_host_enrolment', { token: platform.token, body })
  const agent = await enrol(server, token, { facts: factsThatFit(promised) })
  const id = agent.host as Id<'host'>
  const whole = hardwareThatFits(promised)
  const small = { ...whole, processors: { ...whole.processors, threads: 1 } }
  const before = await server.call('get_host', { params: { id } })
  const report = async (hardware: object) =>
    (await agent.attempt('report_hardware', { body: { epoch: agent.epoch, hardware } })).status
  const statuses = await answersBehind(
    runtime,
    { lock: (ctx) => lockHosts(ctx, [id]), end: (ctx) => ctx.db.run(retire, [id, ctx.now]) },
    () => [
      report({ ...whole, kernel: '6.12.9' }),
      report(small),
      systemCommand(runtime, async (ctx) => void (await compareAgain(ctx, id))),
    ],
  )
  assert.deepEqual(statuses, [401, 401, undefined])
  const { facts, health } = await server.call('get_host', { params: { id } })
  assert.deepEqual({ facts, health }, { facts: before.facts, health: before.health })
  assert.deepEqual(await eventsOf(server, platform.token, id), [])
})

import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
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

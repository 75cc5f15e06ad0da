import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import type { Db } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { acceptReports } from '../../src/fleet/agents/reports.service.ts'
import { hardwareThatFits } from '../support/agents.ts'
import { startTestServer } from '../support/server.ts'
import { openDeviceHosts, promised, reported } from './device-hosts.ts'

const server = await startTestServer()
const { runtime } = server.inside ?? assert.fail('It has no server of its own.')
const { desiredMachine, makeFixture } = await openDeviceHosts(server)

/** A host with a spare device, whose machine has lost one and has to stop. Its report says that it has. */
async function makeLosing() {
  const { agent, token, launch, instance } = await makeFixture(1, 1)
  const spare = hardwareThatFits(promised, 2)
  await reported(agent, spare)
  const { id } = await launch()
  const devicesOf = async (of: string): Promise<string[]> =>
    (await instance(of)).hardware.accelerators.map(({ pci }) => pci)
  const [lost] = await devicesOf(id)
  const accelerators = spare.accelerators.map((model) => {
    return { ...model, devices: model.devices.filter(({ pci }) => pci !== lost) }
  })
  await reported(agent, { ...spare, accelerators })
  await server.call('terminate_instance', { params: { id }, token })
  const { generation } = await desiredMachine(agent, id)
  const instances = [{ id: id as Id<'instance'>, generation, state: 'stopped' as const }]
  const report = { epoch: agent.epoch, generation: 0, health: 'healthy' as const, instances }
  const next = async () => devicesOf((await launch()).id)
  return { lost: lost as string, next, incoming: { host_id: agent.host as Id<'host'>, report } }
}

/** The statements that go through a connection, by name. */
function counted(db: Db, names: string[]): Db {
  const note = (name: string | undefined) => void names.push(name ?? '')
  return {
    rows: (statement, params) => {
      note(statement.name)
      return db.rows(statement, params)
    },
    row: (statement, params) => {
      note(statement.name)
      return db.row(statement, params)
    },
    run: (statement, params) => {
      note(statement.name)
      return db.run(statement, params)
    },
  }
}

test('a batch of reports divides the slots of all its hosts, with as many statements as for one', async () => {
  const hosts = [await makeLosing(), await makeLosing(), await makeLosing()]
  const accept = async (some: typeof hosts) => {
    const names: string[] = []
    await systemCommand(runtime, (ctx) => {
      const reports = some.map(({ incoming }) => incoming)
      return acceptReports({ ...ctx, db: counted(ctx.db, names) }, reports)
    })
    return names.sort()
  }
  const one = await accept(hosts.slice(0, 1))
  assert.deepEqual(await accept(hosts.slice(1)), one)
  for (const { lost, next } of hosts) {
    const devices = await next()
    assert.deepEqual([devices.length, devices.includes(lost)], [2, false], `${devices}`)
  }
})

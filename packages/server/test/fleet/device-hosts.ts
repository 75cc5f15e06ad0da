/** Hosts of the platform with accelerators, and machines on them. */
import assert from 'node:assert/strict'
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import { platformAccount } from '../support/access.ts'
import { enrol, factsThatFit, hardwareThatFits, type TestAgent } from '../support/agents.ts'
import type { CallBody } from '../support/calls.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku, makeValue } from '../support/fixtures/fleet.ts'
import type { TestResponse, TestServer } from '../support/server.ts'

/** What a SKU promises of each slot. */
export const promised = {
  accelerator: 'h100',
  num_accelerators: 2,
  num_vcpus: 16,
  memory_bytes: 64 * 2 ** 30,
} as const

/** Adds kinds of accelerators, and opens what makes hosts with them. */
export async function openDeviceHosts(server: TestServer) {
  const platform = await platformAccount(server)
  for (const kind of ['h100', 'a100']) await makeValue(server, 'accelerator', kind)
  const permit = async (sku: string, slots: number): Promise<string> => {
    const body = { sku, slots, uses: 5 }
    return (await server.call('create_host_enrolment', { token: platform.token, body })).token
  }
  const hostOf = (agent: TestAgent) => server.call('get_host', { params: { id: agent.host } })
  /** A machine that the host must run, once the host is told. Asks again like an agent, as placement takes a while. */
  const desiredMachine = async (agent: TestAgent, id: string): Promise<any> => {
    let state = await agent.call('get_desired_state')
    for (let waits = 0; waits < 4; ) {
      const machine = state.instances.find((one) => one.id === id)
      if (machine) return machine
      const next = await agent.attempt('get_desired_state', {
        query: { generation: state.generation, wait_seconds: 20 },
      })
      if (next.status === 200) state = next.body
      else waits++
    }
    const explained = await server.call('explain_instance', { params: { id } })
    return assert.fail(`the host was not told of ${id}: ${JSON.stringify(explained)}`)
  }
  /** A host of its own SKU with some slots, and an account that has bought some of its nodes. */
  const makeFixture = async (slots: number, nodes: number) => {
    const sku = await makeSku(server, promised)
    const agent = await enrol(server, await permit(sku, slots), { facts: factsThatFit(promised, slots) })
    await reported(agent, hardwareThatFits(promised, slots))
    const account = await server.account()
    const { pool: supply } = await hostOf(agent)
    const pool = await grantNodes(server, account, { sku, supply: supply.id, nodes })
    await server.advance(60)
    const { token } = account
    const { id: image } = await makeImage(server, account)
    const launch = async () => {
      const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
      const { generation } = await desiredMachine(agent, id)
      await heartbeat(agent, [{ id, generation, state: 'running' }])
      return { id: id as string, generation: generation as number }
    }
    const instance = (id: string) => server.call('get_instance', { params: { id }, token })
    const explain = (id: string) => server.call('explain_instance', { params: { id }, token })
    return { sku, agent, token, launch, instance, explain }
  }
  return { platform, permit, hostOf, desiredMachine, makeFixture }
}

/** Reports the hardware of a host. */
export function reportHardware(agent: TestAgent, hardware: HostHardware, epoch = agent.epoch): Promise<TestResponse> {
  return agent.attempt('report_hardware', { body: { epoch, hardware } })
}

/** Reports the hardware of a host. Returns whether it fits. */
export async function reported(agent: TestAgent, hardware: HostHardware): Promise<any> {
  const response = await reportHardware(agent, hardware)
  assert.equal(response.status, 200, response.text)
  return response.body
}

/** Reports that a host is there, with some of its machines. */
export function heartbeat(agent: TestAgent, instances: CallBody<'report_host'>['instances'] = []): Promise<any> {
  return agent.call('report_host', { body: { epoch: agent.epoch, generation: 0, health: 'healthy', instances } })
}

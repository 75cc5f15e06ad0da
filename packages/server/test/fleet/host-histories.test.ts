import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { enrol, makeHostKey } from '../support/agents.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

test('in a new history hosts and machines get generations that no lost commit can have had', async () => {
  const sku = await makeSku(server)
  const { token } = await server.call('create_host_enrolment', { body: { sku, slots: 2 } })
  const agent = await enrol(server, token)
  const account = await server.account()
  const { pool } = await server.call('get_host', { params: { id: agent.host } })
  const granted = await grantNodes(server, account, { sku, supply: pool.id, nodes: 2 })
  await server.advance(60)
  const { id: image } = await makeImage(server, account)
  const empty = await agent.call('get_desired_state')
  await server.call('create_instance', { token: account.token, body: { pool: granted, sku, image } })
  const before = await agent.call('get_desired_state', { query: { generation: empty.generation, wait_seconds: 20 } })
  assert.equal(before.instances.length, 1)
  // An agent that has applied a few lost generations waits for the next one.
  const ahead = before.generation + 10
  const waiting = agent.attempt('get_desired_state', { query: { generation: before.generation, wait_seconds: 20 } })
  const { database } = (server.inside as Server).runtime
  await database.recordLoss('A test lost commits.')
  const after = (await waiting).body
  assert.ok(after.generation > ahead, `${after.generation} could be a lost generation`)
  assert.ok(after.instances[0].generation > ahead, 'the machine keeps a generation that the agent may have seen')
})

test('in a new history a host that enrols again gets an epoch that no lost commit can have given', async () => {
  const sku = await makeSku(server)
  const { token } = await server.call('create_host_enrolment', { body: { sku, uses: 2 } })
  const key = makeHostKey()
  const first = await enrol(server, token, { key })
  const bystander = await enrol(server, token)
  const { database } = (server.inside as Server).runtime
  await database.recordLoss('A test lost commits, and with them the second epoch.')
  const again = await enrol(server, token, { key })
  assert.ok(again.epoch > first.epoch + 100, `epoch ${again.epoch} could be a lost one`)
  const next = await enrol(server, token, { key })
  assert.equal(next.epoch, again.epoch + 1)
  // The agent of the lost epoch is not taken for the one that enrolled last.
  const empty = { generation: 0, health: 'healthy', instances: [] }
  const late = await first.attempt('report_host', { body: { ...empty, epoch: first.epoch + 1 } })
  assert.equal(late.body.error.details?.[0]?.code ?? late.body.error.type, 'stale_epoch')
  // Hosts that did not enrol again keep their epochs, or their agents would stop.
  assert.equal((await bystander.call('get_desired_state')).epoch, bystander.epoch)
})

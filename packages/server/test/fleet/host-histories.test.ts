import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Server } from '../../src/server.ts'
import { enrol } from '../support/agents.ts'
import { grantNodes } from '../support/capacity.ts'
import { makeImage, makeSku } from '../support/fleet.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

test('in a new history hosts and machines get generations that no lost commit can have had', async () => {
  const sku = await makeSku(server)
  const { token } = await server.ok('POST', '/preview/v2/hosts/enrolments', { body: { sku, slots: 2 } })
  const agent = await enrol(server, token)
  const account = await server.account()
  const { pool } = await server.ok('GET', `/preview/v2/hosts/${agent.host}`)
  const granted = await grantNodes(server, account, { sku, supply: pool.id, nodes: 2 })
  await server.advance(60)
  const { id: image } = await makeImage(server, account)
  const empty = await agent.ok('GET', '/desired')
  await server.ok('POST', '/v2/instances', { token: account.token, body: { pool: granted, sku, image } })
  const before = await agent.ok('GET', `/desired?generation=${empty.generation}&wait_seconds=20`)
  assert.equal(before.instances.length, 1)
  // An agent that has applied a few lost generations waits for the next one.
  const ahead = before.generation + 10
  const waiting = agent.request('GET', `/desired?generation=${before.generation}&wait_seconds=20`)
  const { database } = (server.inside as Server).runtime
  await database.recordLoss('A test lost commits.')
  const after = (await waiting).body
  assert.ok(after.generation > ahead, `${after.generation} could be a lost generation`)
  assert.ok(after.instances[0].generation > ahead, 'the machine keeps a generation that the agent may have seen')
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { platformAccount } from '../support/access.ts'
import { enrol } from '../support/agents.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer({ rate_multiplier: 1 })

test('of a console without end only the budget is stored, and a line counts the dropped bytes', async () => {
  const [operator, account] = [await platformAccount(server), await server.account()]
  const { token } = account
  const sku = await makeSku(server)
  const permit = await server.call('create_host_enrolment', { token: operator.token, body: { sku, slots: 1, uses: 1 } })
  const agent = await enrol(server, permit.token)
  const supply = (await server.call('get_host', { params: { id: agent.host } })).pool.id
  const pool = await grantNodes(server, account, { sku, supply, nodes: 1 })
  const image = (await makeImage(server, account)).id
  await server.advance(60)
  const { generation } = await agent.call('get_desired_state')
  const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
  await agent.call('get_desired_state', { query: { generation, wait_seconds: 55 } })
  const data = Buffer.alloc(4096, 'y').toString('base64')
  let sent = 0
  for (let from = 1; from <= 2_048; from += 256) {
    const chunks = Array.from({ length: 256 }, (_, index) => ({ seqnum: from + index, logged_at: 1_000, data }))
    const { next_seqnum } = await agent.call('append_instance_logs', { params: { id }, body: { chunks } })
    assert.equal(next_seqnum, from + 256)
    sent += 256 * 4096
  }
  let [kept, dropped] = [0, 0]
  for (let next = 1; next <= 2_048; ) {
    const page = await server.call('list_instance_logs', {
      params: { id },
      query: { limit: 2500, seqnum_after: next },
      token,
    })
    for (const chunk of page.data) {
      const text = Buffer.from(chunk.data, 'base64').toString()
      const [, count] = /^\n\[(\d+) bytes dropped\]\n$/.exec(text) ?? []
      if (count === undefined) kept += text.length
      else dropped += Number(count)
      next = chunk.seqnum + 1
    }
  }
  assert.equal(kept + dropped, sent)
  // The budget is refilled while the host sends. Twice the burst would take it more than a minute.
  assert.ok(kept >= 2 ** 21 && kept < 2 ** 23 - 2 ** 20, `${kept} of ${sent} bytes`)
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startReplicas } from '../events/replicas.ts'
import { enrol, type TestAgent } from '../support/agents.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { connectTo, type TestServer } from '../support/server.ts'

const replicas = await startReplicas(2)
const [near, far] = replicas.servers.map(({ url }) => {
  return connectTo({ url, platform_token: replicas.platform_token })
}) as [TestServer, TestServer]

type LoggedInstance = { agent: TestAgent; token: string; id: string }

async function placed(): Promise<LoggedInstance> {
  const account = await near.account()
  const sku = await makeSku(near)
  const permit = await near.call('create_host_enrolment', { body: { sku } })
  const agent = await enrol(near, permit.token)
  const supply = (await near.call('get_host', { params: { id: agent.host } })).pool.id
  const pool = await grantNodes(near, account, { sku, supply, nodes: 1 })
  const image = (await makeImage(near, account)).id
  await near.advance(60)
  const { generation } = await agent.call('get_desired_state')
  const { id } = await near.call('create_instance', { token: account.token, body: { pool, sku, image } })
  await agent.call('get_desired_state', { query: { generation, wait_seconds: 55 } })
  return { agent, token: account.token, id }
}

function write({ agent, id }: LoggedInstance, seqnum: number) {
  return agent.call('append_instance_logs', {
    params: { id },
    body: { chunks: [{ seqnum, logged_at: 1, data: 'eA==' }] },
  })
}

async function follow(server: TestServer, { id, token }: LoggedInstance) {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await fetch(`${server.url}/v2/instances/${id}/logs`, { headers })
  const parts = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    text: () => text,
    until: async (holds: (text: string) => boolean) => {
      while (!holds(text)) {
        const { done, value } = await parts.read()
        if (done) return false
        text += value
      }
      return true
    },
  }
}

test('all replicas stream the chunks that one of them receives, and a closing replica ends its streams', async () => {
  const place = await placed()
  const streams = await Promise.all([near, far, far].map((server) => follow(server, place)))
  await Promise.all(streams.map((stream) => stream.until((text) => text.includes('retry:'))))
  for (const seqnum of [1, 2, 3]) {
    await write(place, seqnum)
    for (const stream of streams) assert.ok(await stream.until((text) => text.includes(`id: ${seqnum}\n`)))
  }
  // The server ends the streams. The clients have not closed their connections.
  const ends = streams.map((stream) => stream.until(() => false))
  await replicas.close()
  assert.deepEqual(await Promise.all(ends), [false, false, false])
})

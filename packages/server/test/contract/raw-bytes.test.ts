import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { rawSeeds } from './fuzzing/raw-seeds.ts'
import { converse } from './fuzzing/raw-socket.ts'
import { rawViolation } from './fuzzing/raw-verify.ts'

const server = await startTestServer({ rate_multiplier: 1_000_000 })
const account = await server.account()
const firewall = await server.call('create_firewall', { token: account.token, body: {} })
const seeds = rawSeeds({ token: account.token, firewall: firewall.id })

for (const { name, bytes, responses, awaited } of seeds) {
  test(`on the wire: ${name}`, async () => {
    const received = await converse(server.url, [bytes], awaited)
    assert.equal(rawViolation(received), undefined)
    const statuses = received.responses.map(({ status }) => status)
    const fits = statuses.length === responses.length && statuses.every((status, at) => responses[at]?.includes(status))
    assert.ok(fits, `${statuses} instead of ${responses.map((some) => some.join('|'))}`)
  })
}

test('the server still responds after these requests', async () => {
  await server.call('list_skus', { token: account.token })
})

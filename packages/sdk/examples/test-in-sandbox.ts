/** Tests of a client against a sandbox. Each begins in a new world, whose clock only the test moves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@bourse/sdk'

const client = createClient() // BOURSE_BASE_URL and BOURSE_API_TOKEN: they stay valid

async function beginAnew() {
  await client.sandbox.reset({})
  await client.clock.freeze()
}

test('a machine that fails is reported once', async () => {
  await beginAnew()
  const [instance] = await client.instances.list({ state: 'running' }).all({ max: 1 })
  assert.ok(instance)
  await client.faults.create({ kind: 'instance_unhealthy', instance: instance.id })
  await client.clock.advance({ seconds: 120 })
  const events = await client.events.list({ target: instance.id, action: 'instance.failed' }).all()
  assert.equal(events.length, 1)
})

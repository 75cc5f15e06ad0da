import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { rotateMasterKeys } from '../../src/core/keys/key-rotation.rules.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { keepUserData, openUserData, resealUserData } from '../../src/fleet/instances/cloud-init.service.ts'
import type { Server } from '../../src/server.ts'
import { listKeyUses, resealSecrets } from '../../src/start/master-key-rows.ts'
import { openSigningSecrets, resealWebhookSecrets } from '../../src/webhooks/webhook-secrets.service.ts'
import { findWebhook } from '../../src/webhooks/webhooks.store.ts'
import { startTestServer } from '../support/server.ts'

const random = createSeededRandom('reseal')
const files = makeKeys('sandbox', random)
const clock = { now: 0 }
const begins = 500
const master = rotateMasterKeys(files.master, { from: begins, random })
const server = await startTestServer({ keys: loadKeys({ ...files, master }, () => clock.now) })
const { runtime } = server.inside as Server
const { id: account_id, token } = await server.account()

const hooks: string[] = []
for (let made = 0; made < 5; made++) {
  const body = { url: 'https://market.example/', actions: ['webhook.disabled'] } as const
  hooks.push((await server.call('create_webhook', { body, token })).id)
}
const owners = Array.from({ length: 5 }, (_, at) => ({ id: `inst_${at}`, account_id }))
const textOf = ({ id }: { readonly id: string }) => Buffer.from(`#cloud-config ${id}`)
await systemCommand(runtime, async (ctx) => {
  for (const owner of owners) await keepUserData(ctx, [owner], textOf(owner))
})

/** Every secret as it can be read, in the order of its owner. */
async function secrets() {
  return await systemCommand(runtime, async (ctx) => {
    const rows = await Promise.all(hooks.map((id) => findWebhook(ctx.db, id)))
    const signing = rows.map((row) => openSigningSecrets(ctx.keys.master, row as NonNullable<typeof row>))
    const data = await Promise.all(owners.map((owner) => openUserData(ctx, owner)))
    return { signing, data }
  })
}

/** The numbers of rows by kind and key. */
async function uses() {
  const found = await listKeyUses(runtime.database.reader)
  return found.filter(({ count }) => count > 0).map(({ kind, key_id, count }) => `${kind} ${key_id}: ${count}`)
}

test('secrets are sealed again in steps, of which an end loses none, and a second run goes on', async () => {
  await server.call('rotate_webhook_secret', { params: { id: hooks[0] as string }, token })
  const before = await secrets()
  assert.deepEqual(before.data, owners.map(textOf))
  assert.deepEqual(await uses(), ['user_data 1: 5', 'webhook_secrets 1: 6'])
  clock.now = begins
  // One that was rotated since has one secret under each key.
  await server.call('rotate_webhook_secret', { params: { id: hooks[1] as string }, token })
  const rotated = await secrets()
  // The first run ends after a step of each kind, within the next.
  for (const reseal of [resealUserData, resealWebhookSecrets]) {
    const after = await systemCommand(runtime, (ctx) => reseal(ctx, '', 2))
    const ended = systemCommand(runtime, async (ctx) => {
      await reseal(ctx, after as string, 2)
      throw new Error('killed')
    })
    await assert.rejects(ended, /killed/)
  }
  assert.deepEqual(await secrets(), rotated)
  const half = await uses()
  assert.ok(half.includes('user_data 1: 3') && half.includes('user_data 2: 2'), half.join())
  await resealSecrets(runtime, 2)
  assert.deepEqual(await uses(), ['user_data 2: 5', 'webhook_secrets 2: 7'])
  assert.deepEqual(await secrets(), rotated)
  // Without anything left to do it does nothing.
  await resealSecrets(runtime, 2)
  assert.deepEqual(await uses(), ['user_data 2: 5', 'webhook_secrets 2: 7'])
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { startTestServer } from '../support/server.ts'
import { openHooks } from './hooks.ts'
import { openReceiver } from './receivers.ts'

const server = await startTestServer()
const day = 86_400
// Otherwise second attempts, which are due after five seconds, would be made or not by the speed of the machine.
await server.call('freeze_clock')
const steps = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]

test('a failed delivery is attempted eight times at its own times, while the clock advances by days', async () => {
  await using receiver = await openReceiver()
  receiver.reply = () => 500
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  await hooks.emit()
  await hooks.deliveries(id, { count: 1, attempts: 1 })
  await server.advance(3 * day)
  const [delivery] = await hooks.deliveries(id, { count: 1, state: 'failed' })
  assert.equal(delivery.attempts.length, 8)
  assert.equal(delivery.next_attempt_at, null)
  const times = delivery.attempts.map(({ at }: { at: number }) => at)
  for (const [index, seconds] of steps.entries()) {
    const waited = times[index + 1] - times[index]
    const spread = Math.ceil(seconds * 0.1)
    assert.ok(Math.abs(waited - seconds) <= spread, `attempt ${index + 2} after ${waited} s`)
  }
  assert.equal(receiver.received.length, 8)
  assert.deepEqual(new Set(receiver.received.map(({ id }) => id)), new Set([delivery.event]))
})

test('a delivery that succeeds at a later attempt is not attempted again', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  receiver.reply = () => (receiver.received.length < 3 ? 503 : 200)
  await hooks.emit()
  await hooks.deliveries(id, { count: 1, attempts: 1 })
  await server.advance(day)
  const [delivery] = await hooks.deliveries(id, { count: 1, state: 'succeeded' })
  assert.deepEqual(
    delivery.attempts.map(({ status }: { status: number }) => status),
    [503, 503, 200],
  )
  assert.equal(receiver.received.length, 3)
})

test('410 disables at once, and enabling again begins at the present', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  receiver.reply = () => 500
  const { id } = await hooks.make({ url: receiver.url, actions: ['trust_level.updated'] })
  await hooks.emit(2)
  await hooks.deliveries(id, { count: 2, attempts: 1 })
  receiver.reply = () => 410
  await hooks.emit()
  const disabled = await hooks.untilHook(id, ({ enabled }) => !enabled)
  assert.deepEqual([disabled.state, disabled.disabled_reason], ['disabled', 'gone'])
  const [event] = (await hooks.events()).filter(({ action }) => action === 'webhook.disabled')
  assert.deepEqual([event?.targets, (event as any).actor], [[{ type: 'webhook', id }], { type: 'system' }])
  assert.equal((await hooks.deliveries(id, { count: 3, state: 'failed' })).length, 3)
  const before = receiver.received.length
  await hooks.emit(2)
  await server.advance(day)
  receiver.reply = () => 200
  await hooks.call('update_webhook', { params: { id }, body: { enabled: true } })
  await hooks.emit()
  await receiver.until(before + 1)
  const last = (await hooks.events({ action: 'trust_level.updated' })).at(-1)
  assert.deepEqual(
    receiver.received.slice(before).map(({ id }) => id),
    [last?.id],
  )
})

test('ten failures in a row are reported once, and the first success after them', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  receiver.reply = () => 500
  const { id } = await hooks.make({ url: receiver.url, actions: ['trust_level.updated'] })
  await hooks.emit(9)
  await hooks.deliveries(id, { count: 9, attempts: 1 })
  assert.equal((await hooks.get(id)).state, 'active')
  await hooks.emit(3)
  await hooks.untilHook(id, ({ state }) => state === 'failing')
  await hooks.deliveries(id, { count: 12, attempts: 1 })
  receiver.reply = () => 200
  await hooks.emit()
  const { last_success_at } = await hooks.untilHook(id, ({ state }) => state === 'active')
  assert.ok(last_success_at > 0)
  const events = (await hooks.events()).filter(({ action }) => action.startsWith('webhook.'))
  assert.deepEqual(
    events.map(({ action }) => action),
    ['webhook.failing', 'webhook.recovered'],
  )
})

test('after five days without success a webhook is disabled', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  receiver.reply = () => 500
  const { id } = await hooks.make({ url: receiver.url, actions: ['trust_level.updated'] })
  await hooks.emit(2)
  await hooks.deliveries(id, { count: 2, attempts: 1 })
  await server.advance(4 * day)
  assert.equal((await hooks.deliveries(id, { count: 2, state: 'failed' })).length, 2)
  assert.equal((await hooks.get(id)).state, 'failing')
  await server.advance(day)
  await hooks.emit()
  const { disabled_reason } = await hooks.untilHook(id, ({ enabled }) => !enabled)
  assert.equal(disabled_reason, 'failures')
})

test('Retry-After of 429 and 503 delays everything of the webhook, at most an hour', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  for (const [status, header, seconds] of [
    [429, '120', 120],
    [503, '86400', 3_600],
  ] as const) {
    const { id } = await hooks.make({ url: `${receiver.url}/${status}`, actions: ['trust_level.updated'] })
    const own = () => receiver.received.filter(({ path }) => path === `/${status}`)
    receiver.reply = ({ path }) => {
      if (path !== `/${status}` || own().length > 1) return 200
      return (response) => response.writeHead(status, { 'retry-after': header }).end()
    }
    await hooks.emit()
    const [delivery] = await hooks.deliveries(id, { count: 1, attempts: 1 })
    assert.equal(delivery.next_attempt_at, delivery.attempts[0].at + seconds)
    await hooks.emit()
    await server.advance(seconds - 1)
    assert.equal(own().length, 1)
    await server.advance(1)
    const [done] = await hooks.deliveries(id, { count: 1, state: 'succeeded' })
    assert.equal(done.id, delivery.id)
    await receiver.until(receiver.received.length + 3 - own().length)
    assert.equal(own().length, 3)
    await hooks.call('delete_webhook', { params: { id } })
  }
})

test('an injected fault fails attempts without a request', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  const { token } = hooks.account
  const fault = { kind: 'webhook_failure', webhook: id, status: 503, times: 2 } as const
  await server.call('create_fault', { token, body: fault })
  await hooks.emit()
  await hooks.deliveries(id, { count: 1, attempts: 1 })
  assert.equal(receiver.received.length, 0)
  await server.advance(3_600)
  const [delivery] = await hooks.deliveries(id, { count: 1, state: 'succeeded' })
  assert.deepEqual(
    delivery.attempts.map(({ status }: { status: number }) => status),
    [503, 503, 200],
  )
  assert.equal(receiver.received.length, 1)
  const unknown = await server.attempt('create_fault', { token, body: { ...fault, webhook: 'whk_x' } })
  assert.equal(unknown.status, 422)
})

test('with per_target the events of a target wait for each other, and other targets do not', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const [slow, quick] = [await hooks.makeImage(), await hooks.makeImage()]
  const { id } = await hooks.make({ url: receiver.url, ordering: 'per_target', actions: ['image.*'] })
  const targetOf = (json: any) => json.data.targets[0].id
  receiver.reply = ({ json }) => (targetOf(json) === slow ? 500 : 200)
  await hooks.emitAbout(slow, 4)
  await hooks.emitAbout(quick, 3)
  const waiting = await hooks.deliveries(id, { count: 4 })
  await receiver.until(4)
  const ofTarget = (target: string) => receiver.received.filter(({ json }) => targetOf(json) === target)
  assert.equal(ofTarget(quick).length, 3)
  assert.equal(ofTarget(slow).length, 1)
  assert.deepEqual(
    waiting.map(({ attempts, next_attempt_at }) => [attempts.length, next_attempt_at !== null]).toSorted(),
    [
      [0, false],
      [0, false],
      [0, false],
      [1, true],
    ],
  )
  receiver.reply = () => 200
  await server.advance(10)
  await hooks.deliveries(id, { count: 4, state: 'succeeded' })
  const events = (await hooks.events()).filter(({ targets }) => targets[0].id === slow).map(({ id }) => id)
  assert.deepEqual(
    ofTarget(slow).map(({ id }) => id),
    [events[0], ...events],
  )
})

test('a change to no order makes everything due that waits', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const image = await hooks.makeImage()
  const { id } = await hooks.make({ url: receiver.url, ordering: 'per_target', actions: ['image.*'] })
  receiver.reply = () => 500
  await hooks.emitAbout(image, 3)
  await hooks.deliveries(id, { count: 3 })
  receiver.reply = () => 200
  await hooks.call('update_webhook', { params: { id }, body: { ordering: 'none' } })
  await hooks.deliveries(id, { count: 2, state: 'succeeded' })
})

test('a webhook has at most four attempts at once, and a receiver that hangs delays no other webhook', async () => {
  await using hanging = await openReceiver()
  await using quick = await openReceiver()
  const hooks = await openHooks(server)
  await hooks.make({ url: hanging.url })
  await hooks.make({ url: quick.url })
  await hooks.emit(4)
  await hanging.until(4)
  hanging.reply = () => () => {}
  await hooks.emit(12)
  await quick.until(16)
  await hanging.until(8)
  assert.deepEqual([hanging.received.length, hanging.open.most], [8, 4])
  assert.ok(quick.open.most <= 4)
})

test('a webhook whose receiver has not answered yet has one attempt at once', async () => {
  await using hanging = await openReceiver()
  await using quick = await openReceiver()
  const hooks = await openHooks(server)
  hanging.reply = () => () => {}
  await hooks.make({ url: hanging.url })
  await hooks.make({ url: quick.url })
  await hooks.emit(12)
  await quick.until(12)
  assert.deepEqual([hanging.received.length, hanging.open.most], [1, 1])
})

test('old deliveries are purged after seven days', async () => {
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: 'http://127.0.0.1:9/' })
  await hooks.emit()
  await hooks.deliveries(id, { count: 1, attempts: 1 })
  await server.advance(8 * day)
  const { webhookPurgeReconciler } = await import('../../src/webhooks/webhook-purge.reconciler.ts')
  const { systemCommand } = await import('../../src/core/work/command.ts')
  const { runtime } = server.inside as NonNullable<typeof server.inside>
  await systemCommand(runtime, async (ctx) => {
    assert.ok((await webhookPurgeReconciler.sweep?.(ctx))?.includes(id))
    await webhookPurgeReconciler.step(ctx, id)
  })
  assert.deepEqual((await hooks.call('list_webhook_deliveries', { params: { id } })).data, [])
})

test('the metrics count attempts by outcome', async () => {
  const { text } = await server.attempt('get_metrics', { token: null })
  const count = (outcome: string) =>
    Number(new RegExp(`attempts_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1])
  assert.ok(count('delivered') > 10, text)
  assert.ok(count('failed') > 10)
})

test('the metrics show how late the events of webhooks are, and which receivers are the cause', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  receiver.reply = () => (response) => response.writeHead(503, { 'retry-after': '3600' }).end()
  await hooks.emit()
  await hooks.deliveries(id, { count: 1, attempts: 1 })
  await hooks.emit()
  await server.advance(600)
  const lag = async (kind: string) => {
    const { text } = await server.attempt('get_metrics', { token: null })
    return Number(new RegExp(`lag_seconds\\{receiver="${kind}"\\} (\\d+)`).exec(text)?.[1])
  }
  await eventually('the receiver that fails is ten minutes late', async () => {
    const shown = await lag('failing')
    assert.ok(shown >= 600, `${shown} s by the clock of the sandbox`)
    return true
  })
  assert.ok((await lag('active')) < 600)
})

import assert from 'node:assert/strict'
import { createHmac, createPublicKey, verify } from 'node:crypto'
import { test } from 'vitest'
import { assertPages, refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'
import { openHooks } from '../webhooks/hooks.ts'
import { openReceiver } from '../webhooks/receivers.ts'

const server = await startTestServer()
const quiet = { url: 'http://127.0.0.1:9/', actions: ['webhook.disabled'] }

test('create_webhook has defaults, and get_webhook shows everything but the secret', async () => {
  const hooks = await openHooks(server)
  const { secret, ...made } = await hooks.make({ url: 'https://example.com/hook?a=b' })
  assert.match(made.id, /^whk_[0-9a-zA-Z_-]{21}$/)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.match(made.cursor, /^evtc_/)
  assert.deepEqual(
    { ...made },
    {
      object: 'webhook',
      id: made.id,
      url: 'https://example.com/hook?a=b',
      description: null,
      actions: [],
      target_types: [],
      targets: [],
      ordering: 'none',
      enabled: true,
      state: 'active',
      disabled_reason: null,
      cursor: made.cursor,
      replay: null,
      last_success_at: null,
      last_failure_at: null,
      created_at: made.created_at,
      updated_at: made.created_at,
    },
  )
  assert.deepEqual(await hooks.get(made.id), made)
  const fields = {
    url: 'http://192.168.7.1:8080/x',
    description: 'All orders.',
    actions: ['order.*', 'instance.failed'],
    target_types: ['order'],
    targets: ['ordr_1', 'ordr_2'],
    ordering: 'per_target',
    enabled: false,
  } as const
  const { secret: _, ...full } = await hooks.make(fields)
  const state = { state: 'disabled', disabled_reason: 'user' }
  assert.deepEqual({ ...full, ...fields, ...state }, full)
})

test('a delivery is signed with its secret and a key of list_webhook_keys, and holds the event', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id: webhook, secret } = await hooks.make({ url: `${receiver.url}/hook?x=1` })
  await hooks.emit()
  const [message] = await receiver.until(1)
  assert.ok(message)
  const [event] = await hooks.events()
  assert.ok(event)
  const { occurred_at } = event as unknown as { occurred_at: number }
  const timestamp = new Date(occurred_at * 1000).toISOString().replace('.000', '')
  const { id: account } = hooks.account
  assert.deepEqual(message.json, { type: event.action, timestamp, account, webhook, data: event })
  assert.equal(message.path, '/hook?x=1')
  assert.equal(message.headers['content-type'], 'application/json')
  assert.equal(message.id, event.id)
  const content = `${message.id}.${message.headers['webhook-timestamp']}.${message.body}`
  const [v1, v1a, ...rest] = (message.headers['webhook-signature'] as string).split(' ')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  assert.deepEqual([v1, rest], [`v1,${createHmac('sha256', key).update(content).digest('base64')}`, []])
  const [{ public_key }] = await listKeys()
  const x = Buffer.from(public_key.slice('whpk_'.length), 'base64').toString('base64url')
  const published = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signature = Buffer.from((v1a as string).slice('v1a,'.length), 'base64')
  assert.ok(verify(null, Buffer.from(content), published, signature))
})

/** list_webhook_keys needs no token. */
async function listKeys() {
  const { data } = await server.call('list_webhook_keys', { token: null })
  return data
}

test('a webhook delivers only the events that all of its filters match', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const [image, other] = [await hooks.makeImage(), await hooks.makeImage()]
  const at = (place: string) => `${receiver.url}/${place}`
  await hooks.make({ url: at('all') })
  await hooks.make({ url: at('images'), actions: ['image.*'] })
  await hooks.make({ url: at('revoked'), actions: ['image.revoked', 'order.filled'] })
  await hooks.make({ url: at('kind'), target_types: ['account'] })
  await hooks.make({ url: at('target'), targets: [image], actions: ['image.*'] })
  await hooks.emit(2)
  await hooks.emitAbout(image, 2)
  await hooks.emitAbout(other, 1)
  await receiver.until(5 + 3 + 2 + 2 + 2)
  const got = (place: string) => receiver.received.filter(({ path }) => path === `/${place}`).map(({ id }) => id)
  const events = await hooks.events()
  const wanted = (matches: (event: (typeof events)[number]) => boolean) => events.filter(matches).map(({ id }) => id)
  assert.deepEqual(new Set(got('all')), new Set(wanted(() => true)))
  assert.deepEqual(new Set(got('images')), new Set(wanted(({ action }) => action.startsWith('image.'))))
  assert.deepEqual(new Set(got('revoked')), new Set(wanted(({ action }) => action === 'image.revoked')))
  assert.deepEqual(new Set(got('kind')), new Set(wanted(({ targets }) => targets[0].type === 'account')))
  assert.deepEqual(new Set(got('target')), new Set(wanted(({ targets }) => targets[0].id === image)))
})

test('a webhook begins at the present, or behind a cursor of the whole log', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  await hooks.emit(3)
  const [first] = await hooks.events()
  await hooks.make({ url: `${receiver.url}/now` })
  await hooks.make({ url: `${receiver.url}/then`, starting_after: first?.cursor })
  await hooks.emit()
  await receiver.until(4)
  const got = (place: string) => receiver.received.filter(({ path }) => path === place).map(({ id }) => id)
  const ids = (await hooks.events()).map(({ id }) => id)
  assert.deepEqual(got('/now'), ids.slice(3))
  assert.deepEqual(got('/then').toSorted(), ids.slice(1).toSorted())
})

test('each field of create_webhook and update_webhook is validated', async () => {
  const hooks = await openHooks(server)
  const { id } = await hooks.make(quiet)
  const many = (entry: string) => Array.from({ length: 51 }, (_, index) => `${entry}${index}`)
  for (const [fields, code, field] of [
    [{ url: 'example.com' }, 'invalid_format', 'url'],
    [{ url: 'ftp://example.com/' }, 'invalid_format', 'url'],
    [{ url: 'https://user@example.com/' }, 'invalid_format', 'url'],
    [{ url: 'https://:pass@example.com/' }, 'invalid_format', 'url'],
    [{ url: 'https://example.com/#part' }, 'invalid_format', 'url'],
    [{ url: 'https://example.com/#' }, 'invalid_format', 'url'],
    [{ url: `https://example.com/${'x'.repeat(2048)}` }, 'too_long', 'url'],
    [{ url: 5 }, 'invalid_type', 'url'],
    [{ description: 'd'.repeat(256) }, 'too_long', 'description'],
    [{ actions: ['order.filled', 'ordr.*'] }, 'invalid_value', 'actions.1'],
    [{ actions: ['order.filed'] }, 'invalid_value', 'actions.0'],
    [{ actions: ['*'] }, 'invalid_format', 'actions.0'],
    [{ actions: ['order.fi*'] }, 'invalid_format', 'actions.0'],
    [{ actions: ['order.*', 'order.*'] }, 'duplicate_entry', 'actions.1'],
    [{ actions: many('order.a') }, 'too_many', 'actions'],
    [{ target_types: ['orders'] }, 'invalid_value', 'target_types.0'],
    [{ targets: [''] }, 'invalid_format', 'targets.0'],
    [{ targets: ['ordr_1', 'svc:pool:acme:default:main'] }, 'invalid_format', 'targets.1'],
    [{ targets: many('ordr_') }, 'too_many', 'targets'],
    [{ ordering: 'strict' }, 'invalid_value', 'ordering'],
    [{ secret: 'whsec_x' }, 'unknown_field', 'secret'],
  ] as const) {
    const created = await hooks.attempt('create_webhook', { body: { ...quiet, ...fields } })
    assert.deepEqual(refusalOf(created), [400, code, field], JSON.stringify(fields).slice(0, 99))
    const changed = await hooks.attempt('update_webhook', { params: { id }, body: fields })
    assert.deepEqual(refusalOf(changed), [400, code, field], JSON.stringify(fields).slice(0, 99))
  }
  assert.deepEqual(refusalOf(await hooks.attempt('create_webhook', { body: {} })), [400, 'required', 'url'])
  const late = await hooks.attempt('update_webhook', { params: { id }, body: { starting_after: 'evtc_x' } })
  assert.deepEqual(refusalOf(late), [400, 'unknown_field', 'starting_after'])
})

test('only genuine cursors of the whole log are taken, and old ones are gone', async () => {
  const hooks = await openHooks(server)
  const stranger = await openHooks(server)
  await hooks.emit()
  await stranger.emit()
  const [event] = await hooks.events()
  const [foreign] = await stranger.events()
  const [filtered] = await hooks.events({ action: 'trust_level.updated' })
  const { id } = await hooks.make(quiet)
  for (const starting_after of ['evtc_AAAA', 'x', foreign?.cursor, filtered?.cursor]) {
    for (const response of [
      await hooks.attempt('create_webhook', { body: { ...quiet, starting_after } }),
      await hooks.attempt('replay_webhook', { params: { id }, body: { starting_after } }),
    ]) {
      assert.deepEqual(refusalOf(response), [400, 'invalid_cursor', 'starting_after'])
    }
  }
  await server.advance(8 * 86_400)
  const starting_after = event?.cursor
  assert.equal((await hooks.attempt('create_webhook', { body: { ...quiet, starting_after } })).status, 410)
  assert.equal((await hooks.attempt('replay_webhook', { params: { id }, body: { starting_after } })).status, 410)
})

test('update_webhook changes what is sent, and enabling goes on from the present', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id, created_at } = await hooks.make({ url: `${receiver.url}/one`, description: 'x' })
  assert.equal((await hooks.call('update_webhook', { params: { id }, body: {} })).url, `${receiver.url}/one`)
  const off = await hooks.call('update_webhook', { params: { id }, body: { enabled: false, description: null } })
  assert.deepEqual([off.enabled, off.state, off.disabled_reason, off.description], [false, 'disabled', 'user', null])
  assert.ok(off.updated_at >= created_at)
  // A server takes changes and new webhooks up together, within a second: the new one shows that it has.
  const probe = await hooks.make({ url: `${receiver.url}/probe`, starting_after: off.cursor })
  await hooks.emit(1)
  await receiver.untilAt('/probe')
  await hooks.call('delete_webhook', { params: { id: probe.id } })
  await hooks.emit(2)
  const on = await hooks.call('update_webhook', { params: { id }, body: { enabled: true, url: `${receiver.url}/two` } })
  assert.deepEqual([on.enabled, on.state, on.disabled_reason], [true, 'active', null])
  await hooks.emit(1)
  await receiver.untilAt('/two')
  const later = (await hooks.events()).slice(-3).map(({ id }) => id)
  const got = receiver.received.filter(({ id, path }) => later.includes(id) && path !== '/probe')
  assert.deepEqual(
    got.map(({ id, path }) => [id, path]),
    [[later[2], '/two']],
  )
})

test('rotate_webhook_secret gives a new secret; both sign for a day', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id, secret: old } = await hooks.make({ url: receiver.url })
  const { secret } = await hooks.call('rotate_webhook_secret', { params: { id } })
  assert.notEqual(secret, old)
  const signedBy = ({ headers, body, id }: (typeof receiver.received)[number]) => {
    const content = `${id}.${headers['webhook-timestamp']}.${body}`
    const sent = new Set((headers['webhook-signature'] as string).split(' '))
    return [secret, old].map((one) => {
      const key = Buffer.from(one.slice('whsec_'.length), 'base64')
      return sent.has(`v1,${createHmac('sha256', key).update(content).digest('base64')}`)
    })
  }
  await hooks.call('test_webhook', { params: { id } })
  const [during] = await receiver.until(1)
  assert.ok(during)
  assert.deepEqual(signedBy(during), [true, true])
  await server.advance(86_400)
  await hooks.call('test_webhook', { params: { id } })
  const [, later] = await receiver.until(2)
  assert.ok(later)
  assert.deepEqual(signedBy(later), [true, false])
})

test('test_webhook delivers a test that get_webhook_delivery shows, also where the webhook is disabled', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url, enabled: false })
  const made = await hooks.call('test_webhook', { params: { id } })
  const fields = { object: 'webhook_delivery', webhook: id, event: null, origin: 'test', state: 'pending' }
  assert.deepEqual({ ...made, ...fields, attempts: [] }, made)
  const [message] = await receiver.until(1)
  assert.equal(message?.id, made.id)
  assert.deepEqual([message?.json.type, message?.json.data], ['webhook.test', { object: 'webhook_test' }])
  const [done] = await hooks.deliveries(id, { count: 1, state: 'succeeded' })
  assert.deepEqual([done.attempts.length, done.attempts[0].status, done.next_attempt_at], [1, 200, null])
  assert.deepEqual(await hooks.call('get_webhook_delivery', { params: { id, delivery: made.id } }), done)
})

test('redeliver_webhook_delivery delivers the same again with the same id', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  receiver.reply = () => 500
  const { id } = await hooks.make({ url: receiver.url })
  await hooks.emit()
  const [failed] = await hooks.deliveries(id, { count: 1 })
  assert.deepEqual([failed.state, failed.origin, failed.attempts[0].status], ['pending', 'event', 500])
  receiver.reply = () => 204
  const again = await hooks.call('redeliver_webhook_delivery', { params: { id, delivery: failed.id } })
  assert.deepEqual([again.event, again.origin, again.state], [failed.event, 'redelivery', 'pending'])
  const [first, second] = await receiver.until(2)
  assert.deepEqual([second?.id, second?.json.data], [first?.id, first?.json.data])
  const [done] = await hooks.deliveries(id, { count: 1, state: 'succeeded' })
  assert.equal(done.id, again.id)
})

test('replay_webhook delivers the events behind a cursor again, with the same ids', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  await hooks.emit(5)
  await receiver.until(5)
  const events = await hooks.events()
  const response = await hooks.attempt('replay_webhook', {
    params: { id },
    body: { starting_after: events[1]?.cursor },
  })
  assert.equal(response.status, 202)
  assert.deepEqual(response.body.replay, { cursor: events[1]?.cursor, until: events[4]?.cursor })
  await receiver.until(8)
  const again = receiver.received.slice(5).map(({ id }) => id)
  assert.deepEqual(
    again.toSorted(),
    events
      .slice(2)
      .map(({ id }) => id)
      .toSorted(),
  )
  await hooks.untilHook(id, ({ replay }) => replay === null)
  const both = { since: events[1]?.occurred_at, starting_after: events[1]?.cursor }
  assert.deepEqual(refusalOf(await hooks.attempt('replay_webhook', { params: { id }, body: both })), [
    422,
    'mutually_exclusive',
    'starting_after',
  ])
  assert.deepEqual(refusalOf(await hooks.attempt('replay_webhook', { params: { id }, body: {} })), [
    400,
    'required',
    'since',
  ])
  const nothing = await hooks.attempt('replay_webhook', { params: { id }, body: { starting_after: events[4]?.cursor } })
  assert.deepEqual([nothing.status, nothing.body.replay], [202, null])
  await hooks.call('update_webhook', { params: { id }, body: { enabled: false } })
  const disabled = await hooks.attempt('replay_webhook', {
    params: { id },
    body: { starting_after: events[1]?.cursor },
  })
  assert.deepEqual(refusalOf(disabled).slice(0, 2), [409, 'invalid_state'])
})

test('replay_webhook begins at the first event of a moment or later', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  await hooks.emit(2)
  await receiver.until(2)
  await server.advance(120)
  await hooks.emit(2)
  await receiver.until(4)
  const events = await hooks.events()
  const since = events[2]?.occurred_at
  const { replay } = await hooks.call('replay_webhook', { params: { id }, body: { since } })
  assert.deepEqual(replay, { cursor: events[1]?.cursor, until: events[3]?.cursor })
  await receiver.until(6)
  await hooks.untilHook(id, (hook) => hook.replay === null)
  await hooks.call('replay_webhook', { params: { id }, body: { since: 0 } })
  await receiver.until(10)
  const again = receiver.received.slice(6).map((message) => message.id)
  assert.deepEqual(new Set(again), new Set(events.map((event) => event.id)))
})

test('delete_webhook ends deliveries, and frees its place in the limit', async () => {
  await using receiver = await openReceiver()
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  const { id: delivery } = await hooks.call('test_webhook', { params: { id } })
  await receiver.until(1)
  assert.equal((await hooks.attempt('delete_webhook', { params: { id } })).status, 204)
  const limit = await server.call('get_limit', { params: { name: 'webhooks' }, token: hooks.account.token })
  assert.equal(limit.used, 0)
  await hooks.emit()
  const { id: next } = await hooks.make({ url: receiver.url })
  await hooks.call('test_webhook', { params: { id: next } })
  await receiver.until(2)
  assert.equal(receiver.received.length, 2)
  for (const name of [
    'get_webhook',
    'update_webhook',
    'delete_webhook',
    'test_webhook',
    'rotate_webhook_secret',
    'list_webhook_deliveries',
    'get_webhook_delivery',
    'redeliver_webhook_delivery',
  ] as const) {
    const response = await hooks.attempt(name, {
      params: { id, delivery },
      ...(name === 'update_webhook' ? { body: {} } : {}),
    })
    assert.equal(response.status, 404, name)
  }
  const other = await hooks.attempt('get_webhook_delivery', { params: { id: next, delivery } })
  assert.equal(other.status, 404)
})

test('an account has no more webhooks than its limit', async () => {
  const hooks = await openHooks(server, await server.account({ trust_level: 'basic' }))
  for (let i = 0; i < 5; i++) await hooks.make(quiet)
  const response = await hooks.attempt('create_webhook', { body: quiet })
  assert.deepEqual(refusalOf(response).slice(0, 2), [422, 'limit_exceeded'])
})

test('list_webhooks pages newest first, and list_webhook_deliveries too', async () => {
  const hooks = await openHooks(server)
  const place = { server, token: hooks.account.token, path: '/preview/v2/webhooks' }
  const made: string[] = []
  for (let i = 0; i < 5; i++) made.unshift((await hooks.make({ ...quiet, enabled: false })).id)
  await assertPages(place, made, made.map((id) => `id=${id}`).join('&'))
  const [id, next] = made as [string, string]
  const tests: string[] = []
  for (let i = 0; i < 5; i++) tests.unshift((await hooks.call('test_webhook', { params: { id } })).id)
  const read = (starting_after?: string) =>
    hooks.call('list_webhook_deliveries', { params: { id }, query: { limit: 3, starting_after } })
  const first = await read()
  const second = await read(first.cursor)
  const ids = [...first.data, ...second.data].map(({ id }) => id)
  assert.deepEqual([ids, first.has_more, second.has_more], [tests, true, false])
  const other = await hooks.attempt('list_webhook_deliveries', {
    params: { id: next },
    query: { starting_after: first.cursor },
  })
  assert.deepEqual(refusalOf(other), [400, 'invalid_cursor', 'starting_after'])
})

test('create_webhook repeats its answer under a key, with the secret', async () => {
  const { token } = await server.account()
  const headers = { 'idempotency-key': 'k1' }
  const send = () => server.attempt('create_webhook', { token, body: quiet, headers })
  const [first, second] = [await send(), await send()]
  assert.deepEqual([second.status, second.body], [201, first.body])
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  const reused = await server.attempt('create_webhook', { token, body: { ...quiet, description: 'x' }, headers })
  assert.deepEqual(refusalOf(reused), [422, 'idempotency_key_reused', 'Idempotency-Key'])
})

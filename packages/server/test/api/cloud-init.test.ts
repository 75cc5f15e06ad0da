import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'vitest'
import { makeToken } from '../support/access.ts'
import { makeLaunchPad } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const pad = await makeLaunchPad(server, account)
const field = 'cloud_init_user_data'
const instances = '/v2/instances'
const templates = '/preview/v2/instance_templates'
const least = { pool: pad.pool, sku: pad.cold, image: pad.image }

const get = (url: string) => server.request('GET', url, { token })
const post = (url: string, body: object = {}) => server.ok('POST', url, { token, body })
const send = (url: string, body: object) => server.request('POST', url, { token, body })
const base64 = (bytes: number) => randomBytes(bytes).toString('base64')

/** Every operation that accepts user data, each with an otherwise valid body. */
async function takers(): Promise<[string, object][]> {
  const { id } = await post(instances, least)
  return [
    [instances, least],
    [templates, { image: pad.image }],
    [`${instances}/${id}/replace`, { image: pad.image }],
  ]
}

async function read(url: string): Promise<string> {
  const { status, body } = await get(`${url}/${field}`)
  assert.deepEqual([status, Object.keys(body), body.object], [200, ['object', field], 'cloud_init_user_data'])
  return body[field]
}

test('user data is returned as it was sent, and has at most 65,536 bytes', async () => {
  for (const [path, body] of await takers()) {
    const home = path === templates ? templates : instances
    for (const text of ['', 'aGk=', base64(65_536)]) {
      const target = path.endsWith('/replace') ? `${instances}/${(await post(instances, least)).id}/replace` : path
      const made = await post(target, { ...body, [field]: text })
      assert.equal(made.cloud_init_user_data_used, true)
      assert.equal(await read(`${home}/${made.id}`), text)
      assert.equal(await read(`${home}/${made.resource_path}`), text)
    }
    for (const bytes of [65_537, 65_538, 65_539, 70_000]) {
      const response = await send(path, { ...body, [field]: base64(bytes) })
      assert.deepEqual(refusalOf(response), [400, 'too_long', field], `${bytes} bytes`)
    }
  }
})

test('user data must be canonical base64', async () => {
  for (const [path, body] of await takers()) {
    for (const text of [
      'a',
      'aGk',
      'aGk==',
      'aGl=',
      'aG==',
      'aGk=\n',
      ' aGk=',
      'aG k=',
      'aGk=aGk=',
      '-_-_',
      'aGk=x',
      '=',
    ]) {
      const response = await send(path, { ...body, [field]: text })
      assert.deepEqual(refusalOf(response), [400, 'invalid_base64', field], text)
    }
    assert.deepEqual(refusalOf(await send(path, { ...body, [field]: 7 })), [400, 'invalid_type', field])
    assert.deepEqual(refusalOf(await send(path, { ...body, [field]: null })), [400, 'invalid_type', field])
  }
})

test('get_instance_cloud_init needs its own right, cannot be cached, and is 404 without user data', async () => {
  const reader = await makeToken(server, account, { instance: ['read'], instance_template: ['read'] })
  const secretary = await makeToken(server, account, { secret: ['read'] })
  const blind = await makeToken(server, account, { pool: ['read'] })
  const stranger = await server.account()
  for (const [home, body] of [
    [instances, least],
    [templates, { image: pad.image }],
  ] as const) {
    const { id, resource_path } = await post(home, { ...body, [field]: 'aGk=' })
    const url = `${home}/${id}/${field}`
    for (const [by, status] of [
      [token, 200],
      [secretary.token, 200],
      [reader.token, 403],
      [blind.token, 404],
      [stranger.token, 404],
      [null, 401],
    ] as const) {
      assert.equal((await server.request('GET', url, { token: by })).status, status)
    }
    assert.equal((await get(url)).headers.get('cache-control'), 'no-store')
    const bare = await post(home, body)
    for (const absent of [bare.id, bare.resource_path, resource_path.replace(/[^:]+$/, 'absent')]) {
      assert.deepEqual(refusalOf(await get(`${home}/${absent}/${field}`)), [404, 'not_found', undefined])
    }
  }
})

test('user data is read at /instances/{id} too', async () => {
  const made = await post(instances, { ...least, [field]: 'aGk=' })
  for (const id of [made.id, made.resource_path]) {
    assert.equal(await read(`/instances/${id}`), 'aGk=')
    assert.equal((await server.request('GET', `/instances/${id}/${field}`, { token: null })).status, 401)
  }
  const response = await server.request('POST', `/instances/${made.id}/${field}`, { token })
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'])
})

test('a replacement has only the user data of its own request', async () => {
  const old = await post(instances, { ...least, [field]: 'b2xk' })
  const bare = await post(`${instances}/${old.id}/replace`, { image: pad.image })
  assert.equal(bare.cloud_init_user_data_used, false)
  assert.equal((await get(`${instances}/${bare.id}/${field}`)).status, 404)
  const own = await post(`${instances}/${bare.id}/replace`, { image: pad.image, [field]: 'bmV3' })
  assert.deepEqual([await read(`${instances}/${own.id}`), await read(`${instances}/${old.id}`)], ['bmV3', 'b2xk'])
})

test('each member of a fleet has its own copy of the user data of the template', async () => {
  const template = await post(templates, { image: pad.image, [field]: 'ZmxlZXQ=' })
  const request = { pool: pad.pool, sku: pad.sku, instance_template: template.id, target_instance_count: 2 }
  const deployment = await post('/preview/v2/deployments', request)
  await server.settle()
  const { data } = (await get(`${instances}?deployment=${deployment.id}`)).body
  assert.equal(data.length, 2)
  await server.call('delete_deployment', { params: { id: deployment.id }, token })
  await server.call('delete_instance_template', { params: { id: template.id }, token })
  for (const { id, cloud_init_user_data_used } of data) {
    assert.deepEqual([cloud_init_user_data_used, await read(`${instances}/${id}`)], [true, 'ZmxlZXQ='])
  }
})

test('user data is erased a day after the instance ends, and at once with its record', async () => {
  const made = await post(instances, { ...least, [field]: 'aGk=' })
  await server.advance(3 * 86_400)
  assert.equal(await read(`${instances}/${made.id}`), 'aGk=')
  await post(`${instances}/${made.id}/terminate`)
  const deleted = await post(instances, { ...least, [field]: 'aGk=' })
  await post(`${instances}/${deleted.id}/terminate`)
  await server.call('delete_instance', { params: { id: deleted.id }, token })
  await server.advance(86_400 - 60)
  assert.equal(await read(`${instances}/${made.id}`), 'aGk=')
  await server.advance(120)
  assert.equal((await get(`${instances}/${made.id}/${field}`)).status, 404)
  const kept = (await get(`${instances}/${made.id}`)).body
  assert.deepEqual([kept.state, kept.cloud_init_user_data_used], ['terminated', true])
})

test('user data appears in no other response, event, error or database row', async () => {
  const marker = 'user-data-marker'
  const text = (name: string) => Buffer.from(`${marker}-${name}`.padEnd(60, '.')).toString('base64')
  const shown: string[] = []
  const call = async (method: string, url: string, body?: object, key?: string) => {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key }
    const response = await server.request(method, url, { token, headers, ...(body && { body }) })
    shown.push(response.text, JSON.stringify([...response.headers]))
    return response.body
  }
  const template = await call('POST', templates, { image: pad.image, [field]: text('template') }, 'marked-template')
  const body = { ...least, [field]: text('instance') }
  const made = await call('POST', instances, body, 'marked-instance')
  await call('POST', instances, body, 'marked-instance')
  await call('POST', instances, { ...body, [field]: text('other') }, 'marked-instance')
  await call('POST', instances, { ...body, name: made.name })
  await call('POST', instances, { ...body, [field]: `${text('bad')}!` })
  await call('POST', instances, { ...body, image: 'image_absent' }, 'marked-refused')
  const replace = { image: pad.image, [field]: text('successor') }
  const successor = await call('POST', `${instances}/${made.id}/replace`, replace, 'marked-replace')
  await call('POST', `${instances}/${made.id}/replace`, replace, 'marked-replace')
  await call('POST', `${instances}/${made.id}/replace`, { ...replace, [field]: text('late') })
  const request = { pool: pad.pool, sku: pad.sku, instance_template: template.id, target_instance_count: 1 }
  await call('POST', '/preview/v2/deployments', request)
  await server.settle()
  for (const url of [
    `${instances}/${successor.id}`,
    instances,
    templates,
    '/preview/v2/events',
    '/preview/v2/deployments',
  ]) {
    await call('GET', url)
  }
  const traces = [marker, ...['template', 'instance', 'successor'].map((name) => text(name).slice(0, 16))]
  for (const response of shown) for (const trace of traces) assert.ok(!response.includes(trace), response.slice(0, 300))
  if (!server.inside) return
  const { database } = server.inside.runtime
  const hex = Buffer.from(marker).toString('hex')
  await database.asOwner(async (db) => {
    const tables = await db.rows<{ name: string }>({
      name: undefined,
      text: "select format('%I', tablename) as name from pg_tables where schemaname = 'public'",
    })
    for (const { name } of tables) {
      const rows = await db.rows<{ row: string }>({ name: undefined, text: `select t::text as row from ${name} t` })
      const whole = rows.map(({ row }) => row).join('\n')
      for (const trace of [...traces, hex]) assert.ok(!whole.includes(trace), `${trace} in ${name}`)
    }
  })
})

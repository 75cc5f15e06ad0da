import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, test } from 'vitest'
import { openLog } from '../../src/core/base/log.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { openDatabase, statement } from '../../src/core/db/db.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts'
import { cases } from './cases.ts'
import { goodCall, operations, send } from './operations.ts'
import { dumpTables, findTraces, type SearchedText, secretOf, type TracedSecret } from './traces.ts'
import { launchOf, makeWorld } from './world.ts'

const files = makeKeys('sandbox', createCryptoRandom())
const database = await createTestDatabase()
const lines: string[] = []
/** The request that fails after its work, as by a bug. */
const broken = 'req_broken'
const started = await startTestServer({
  target: database.target,
  keys: loadKeys(files),
  log: openLog('debug', { write: (line) => void lines.push(line) }),
  failpoint: (name, requestId) => {
    if (name === 'after_work' && requestId === broken) throw new Error('A mutant.')
  },
})
afterAll(() => database[Symbol.asyncDispose]())

const responses: SearchedText[] = []
const server = recording(started)
const world = await makeWorld(server)
const userData: TracedSecret[] = []
const keys: TracedSecret[] = [
  ...files.signing.keys.map(({ kid, d }) => secretOf(`signing key ${kid}`, Buffer.from(d as string, 'base64url'))),
  ...files.master.keys.map(({ key_id, secret }) => secretOf(`master key ${key_id}`, Buffer.from(secret, 'base64url'))),
  secretOf('fingerprint key', Buffer.from(files.master.fingerprint_key, 'base64url')),
  ...files.cursor.roots.map(({ secret }) => secretOf('cursor root', Buffer.from(secret, 'base64url'))),
]

/** Wraps the server to record every response. */
function recording(one: TestServer): TestServer {
  const request: TestServer['request'] = async (method, path, options) => {
    const response = await one.request(method, path, options)
    responses.push({
      name: `${method} ${path} ${response.status}`,
      text: `${[...response.headers].join('\n')}\n${response.text}`,
    })
    return response
  }
  const ok: TestServer['ok'] = async (method, path, options) => {
    const response = await request(method, path, options)
    if (response.status >= 300) throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`)
    return response.body
  }
  const account: TestServer['account'] = async (fields = {}) => {
    const made = await ok('POST', '/preview/v2/admin/accounts', { body: { id: `own-${responses.length}`, ...fields } })
    const { workspace } = await ok('GET', '/preview/v2/account', { token: made.token })
    return { id: made.id, token: made.token, workspace_id: workspace.id }
  }
  return { ...one, request, ok, account }
}

/** Unique user data. */
function makeUserData(): { text: string; encoded: string } {
  const text = `#cloud-config secret: ${randomBytes(24).toString('hex')}`
  userData.push(secretOf(`user data ${userData.length}`, Buffer.from(text)))
  return { text, encoded: Buffer.from(text).toString('base64') }
}

/** The issued tokens so far, by their signatures. */
/** Responses with texts in the form of tokens that are none: an attestation, and the examples of the description. */
const publicTexts = /^GET \S*\/(attestation|openapi\.json) 200$/

function tokensGiven(): TracedSecret[] {
  const textsIn = (some: readonly SearchedText[]) =>
    new Set(some.flatMap(({ text }) => text.match(/[\w-]+\.[\w-]+\.[\w-]{86}/g) ?? []))
  const known = textsIn(responses.filter(({ name }) => publicTexts.test(name)))
  const found = [...textsIn(responses)].filter((text) => !known.has(text))
  return found.map((token, at) => secretOf(`token ${at}`, Buffer.from(token.split('.')[2] as string, 'base64url')))
}

function create(path: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
  return server.request('POST', path, { token: world.account.token, body, headers })
}

/** Creates a resource with user data twice with one key, and reads the data back. Returns the id. */
async function makeWithData(path: string, body: object): Promise<string> {
  const { encoded } = makeUserData()
  const headers = { 'Idempotency-Key': `data-${userData.length}` }
  const whole = { ...body, cloud_init_user_data: encoded }
  const made = await create(path, whole, headers)
  assert.equal(made.status, 201, made.text)
  assert.deepEqual((await create(path, whole, headers)).body, made.body)
  assert.equal((await create(path, { ...body, cloud_init_user_data: makeUserData().encoded }, headers)).status, 422)
  const at = path.endsWith('/replace') ? '/v2/instances' : path
  const { token } = world.account
  const read = await server.ok('GET', `${at}/${made.body.id}/cloud_init_user_data`, { token })
  assert.equal(read.cloud_init_user_data, encoded)
  return made.body.id
}

test('every operation is called with valid and invalid requests', async () => {
  for (const operation of operations.filter(({ name }) => !cases[name].ends_world)) {
    const { call, token } = await goodCall(world, operation)
    const headers = operation.idempotent ? { 'Idempotency-Key': `key-${operation.name}` } : {}
    for (const _ of operation.idempotent ? ['first', 'replay'] : ['first']) {
      assert.ok((await send(server, operation, call, token, headers)).status < 500, operation.name)
    }
    await send(server, operation, { ...call, query: 'surprise=1' }, token)
    await send(server, operation, call, null)
  }
})

test('templates, instances, successors and deployments are created with user data', async () => {
  const { pool, sku, image } = (await launchOf(world)) as { pool: string; sku: string; image: string }
  const template = await makeWithData('/preview/v2/instance_templates', { image })
  const instance = await makeWithData('/v2/instances', { pool, sku, image })
  const next = await makeWithData(`/v2/instances/${instance}/replace`, { image })
  await world.make('/preview/v2/deployments', { pool, sku, instance_template: template, target_instance_count: 3 })
  await server.settle()
  await world.make(`/v2/instances/${next}/terminate`)
})

test('user data is sent in many invalid ways, and to a failing command', async () => {
  const launch = await launchOf(world)
  const { text, encoded } = makeUserData()
  for (const wrong of [
    `${encoded}!`,
    encoded.slice(0, -1),
    // Unused bits of the last character.
    encoded.replace(/.==$/, 'h=='),
    text,
    { value: encoded },
    [encoded],
    Buffer.from(text.repeat(1000)).toString('base64'),
  ]) {
    assert.equal((await create('/v2/instances', { ...launch, cloud_init_user_data: wrong })).status, 400)
  }
  const { token } = world.account
  for (const [path, body] of [
    ['/v2/instances', { ...launch, name: `${encoded}!` }],
    ['/v2/instances', { ...launch, pool: text }],
    ['/v2/instances', { ...launch, tags: { note: `${text}=` } }],
    ['/preview/v2/firewalls', { cloud_init_user_data: encoded }],
    [`/v2/instances?note=${encodeURIComponent(text)}`, launch],
  ] as const) {
    assert.equal((await create(path, body)).status, 400, path)
  }
  const raw = `{"cloud_init_user_data":"${encoded}`
  for (const body of [raw, `${raw}","cloud_init_user_data":"${encoded}"}`, `${raw}\u0000"}`, `["${text}"]`]) {
    assert.equal((await server.attempt('create_instance', { token, raw: body })).status, 400)
  }
  const whole = { ...launch, cloud_init_user_data: encoded }
  assert.equal((await create('/v2/instances', whole, { 'X-Request-Id': broken })).status, 500)
})

test('tokens are sent in many invalid ways', async () => {
  const { token } = world.account
  const path = '/preview/v2/account'
  assert.equal((await server.attempt('get_account', { token: `${token}x` })).status, 401)
  assert.equal((await server.attempt('get_account', { query: { access_token: token }, token: null })).status, 401)
  assert.equal((await server.attempt('get_account', { query: { access_token: token }, token })).status, 400)
  assert.equal((await server.request('POST', `/v2/skus?t=${token}`, { token })).status, 405)
  assert.equal((await server.request('GET', `/nowhere?t=${token}`, { token })).status, 404)
  assert.equal((await server.attempt('get_instance', { params: { id: token }, token })).status, 400)
  assert.equal((await create(`/v2/instances/${token}/terminate`, {})).status, 400)
  const named = `svc:instance:${world.account.id}:default:${token}`
  assert.ok([400, 404].includes((await create(`/v2/instances/${named}/terminate`, {})).status))
  assert.equal((await create(`/nowhere/${token}`, {})).status, 404)
  assert.equal((await create('/preview/v2/firewalls', { name: token })).status, 400)
  assert.equal((await create('/preview/v2/firewalls', {}, { 'Idempotency-Key': token })).status, 400)
  assert.match(
    await talk(`GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nbad header\r\n\r\n`),
    /^HTTP\/1.1 400/,
  )
  assert.match(
    await talk(`GET /%zz HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`),
    /^HTTP\/1.1 400/,
  )
})

/** Sends a request over a socket. Returns the response. */
function talk(request: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(request))
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      responses.push({ name: 'a bare socket', text })
      resolve(text)
    })
  })
}

test('user data is only in responses that read it, and tokens only in responses that create them', () => {
  const isReading = ({ name }: SearchedText) => /^GET \S+\/cloud_init_user_data 200$/.test(name)
  const isMaking = ({ name }: SearchedText) =>
    /^POST \/preview\/v2\/(tokens 201|admin\/accounts 201|auth\/device\/token 200)$/.test(name)
  const tokens = tokensGiven()
  for (const [least, found] of [
    [5, tokens],
    [5, userData],
    [400, responses],
  ] as const) {
    assert.ok(found.length >= least, `${found.length}`)
  }
  assert.ok(findTraces(userData, responses.filter(isReading)).length >= 3)
  assert.deepEqual(
    findTraces(
      userData,
      responses.filter((response) => !isReading(response)),
    ),
    [],
  )
  assert.deepEqual(
    findTraces(
      tokens,
      responses.filter((response) => !isMaking(response)),
    ),
    [],
  )
  assert.deepEqual(findTraces(keys, responses), [])
})

test('each read of user data is recorded, and the program cannot delete the record', async () => {
  await using direct = openDatabase(database.target)
  const readings = statement<{ owner_id: string; account_id: string; request_id: string }>(
    null,
    'select owner_id, account_id, request_id from user_data_readings order by id',
  )
  const rows = await direct.reader.rows(readings)
  const shown = responses.filter(({ name }) => /^GET \S+\/cloud_init_user_data 200$/.test(name))
  assert.ok(shown.length >= 3)
  assert.deepEqual(
    rows.map(({ request_id }) => request_id),
    shown.map(({ text }) => /^x-request-id,(.*)$/m.exec(text)?.[1]),
  )
  assert.ok(rows.every(({ owner_id }, at) => shown[at]?.name.includes(owner_id)))
  for (const text of ['delete from user_data_readings', 'update user_data_readings set read_at = 0']) {
    await assert.rejects(direct.reader.run(statement(null, text)), { code: '42501' })
  }
})

test('no log line contains a secret at the most detailed level', () => {
  const places = lines.map((text) => ({ name: text.slice(0, 300), text }))
  assert.ok(lines.length > 500)
  assert.ok(lines.some((line) => line.includes('A mutant.')))
  assert.deepEqual(findTraces([...keys, ...userData, ...tokensGiven()], places), [])
})

test('no table contains a secret in clear text, including the table of idempotency keys', async () => {
  const name = `control-${randomBytes(12).toString('hex')}`
  await create('/preview/v2/firewalls', { name, tags: { note: name } }, { 'Idempotency-Key': name })
  const tables = await dumpTables(database.target)
  const control = findTraces([secretOf('control', Buffer.from(name))], tables)
  for (const table of ['names', 'firewalls', 'idempotency_keys']) {
    assert.ok(control.includes(`control in public.${table}`), control.join())
  }
  const sealed = tables.find((table) => table.name === 'public.user_data')
  assert.ok(sealed && sealed.text.split('\n').length >= 5)
  assert.deepEqual(findTraces([...keys, ...userData, ...tokensGiven()], tables), [])
})

/** Concurrent callers: idempotency keys, unique names, and parents that are deleted while children are created. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventsOf, makeImage, makeLaunchPad } from '../support/fixtures/fleet.ts'
import { idsOf, patiently, refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount, type TestResponse } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { raceUntilEach, stagger } from './races.ts'

const server = await startTestServer()
const path = '/v2/instances'
const callers = 32
/** For each account. */
const keyRounds = sized(25)
const nameRounds = sized(200)
const pairsCount = sized(100)

type RaceFixture = { account: TestAccount; body: { pool: string; sku: string; image: string } }

/** Several accounts, because the limit of concurrent work for one account would serialize the callers. */
const grounds: RaceFixture[] = []
for (let n = 0; n < 4; n++) grounds.push(await makeFixture())

async function makeFixture(): Promise<RaceFixture> {
  const account = await server.account({ trust_level: 'partner' })
  const { pool, cold: sku, image } = await makeLaunchPad(server, account)
  return { account, body: { pool, sku, image } }
}

function fixture(n: number): RaceFixture {
  return grounds[n % grounds.length] as RaceFixture
}

function send({ account }: RaceFixture, url: string, body: object, key?: string): Promise<TestResponse> {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key }
  return server.request('POST', url, { token: account.token, body, headers })
}

/** Runs rounds four at a time, each in its own account. */
async function rounds(count: number, run: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; n < count; n += grounds.length) await Promise.all(grounds.map((_, at) => run(n + at)))
}

const made = async (on: RaceFixture, body: object = {}) => (await send(on, path, { ...on.body, ...body })).body
const atOnce = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: callers }, call))

/** Makes many concurrent calls with one key. All responses are equal, and one is not a replay. Returns the id. */
async function makeOnce(call: () => Promise<TestResponse>): Promise<string> {
  let busy = 0
  const countBusy = () => {
    busy += 1
  }
  const responses = await atOnce(() => patiently(call, countBusy))
  const [first] = responses as [TestResponse]
  assert.equal(first.status, 201, first.text)
  for (const response of responses) assert.deepEqual([response.status, response.text], [201, first.text])
  const fresh = responses.filter(({ headers }) => headers.get('idempotency-replayed') === null).length
  // A call that got 503 may have created the resource.
  assert.ok(fresh === 1 || (fresh === 0 && busy > 0), `${fresh} fresh answers`)
  return first.body.id
}

test('many concurrent requests with one key create one instance and one replacement', async () => {
  const before = await Promise.all(grounds.map(countAll))
  await rounds(keyRounds * grounds.length, async (n) => {
    const on = fixture(n)
    const id = await makeOnce(() => send(on, path, on.body, `create-${n}`))
    const url = `${path}/${id}/replace`
    const successor = await makeOnce(() => send(on, url, { image: on.body.image }, `replace-${n}`))
    assert.deepEqual(await eventsOf(server, on.account.token, id), [
      'instance.created token',
      'instance.terminated token',
    ])
    assert.deepEqual(await eventsOf(server, on.account.token, successor), ['instance.created token'])
  })
  const after = await Promise.all(grounds.map(countAll))
  assert.deepEqual(
    after.map((count, at) => count - (before[at] as number)),
    grounds.map(() => keyRounds * 2),
  )
})

/** The number of instances of an account, including ended ones. */
async function countAll({ account }: RaceFixture): Promise<number> {
  let count = 0
  for (let starting_after: string | undefined; ; ) {
    const query = { limit: 200, starting_after }
    const page = await server.call('list_instances', { query, token: account.token })
    count += page.data.length
    if (!page.has_more) return count
    starting_after = page.cursor
  }
}

test('a key is valid only for its first request: every field and the path, and nothing else, must match', async () => {
  const on = fixture(0)
  const { account, body } = on
  const token = account.token
  const other = (await makeImage(server, account)).id
  const subnet = (await server.call('create_subnet', { token, body: { region: 'north' } })).id
  const pools = (await makeFixture()).body
  const full = { ...body, name: 'keyed', tags: { a: '1' }, priority_level: 'yield', cloud_init_user_data: 'aGk=' }
  const changes = [
    { image: other },
    { name: 'other' },
    { tags: { a: '2' } },
    { tags: null },
    { priority_level: 'normal' },
    { cloud_init_user_data: 'aGo=' },
    { subnet },
    { _preview_enable_public_ipv4: true },
    { sku: pools.sku },
    { pool: pools.pool },
    { _preview_firewall: 'frwl_a' },
    { _preview_infiniband_partition: 'ibpart_a' },
  ]
  const first = await send(on, path, full, 'fields')
  assert.equal(first.status, 201)
  const before = await idsOf({ server, token, path })
  for (const change of changes) {
    const response = await send(on, path, { ...full, ...change }, 'fields')
    assert.deepEqual(refusalOf(response), [422, 'idempotency_key_reused', 'Idempotency-Key'], JSON.stringify(change))
  }
  const shuffled = Object.fromEntries(Object.entries(full).reverse())
  assert.equal((await send(on, path, shuffled, 'fields')).text, first.text)
  const [old, third] = [await made(on), await made(on)]
  const replace = { image: body.image, name: 'successor', cloud_init_user_data: 'aGk=' }
  const done = await send(on, `${path}/${old.id}/replace`, replace, 'fields')
  assert.equal(done.status, 201, 'each operation has separate keys')
  for (const [url, sent] of [
    [`${path}/${old.id}/replace`, { ...replace, image: other }],
    [`${path}/${old.id}/replace`, { ...replace, name: 'another' }],
    [`${path}/${old.id}/replace`, { ...replace, cloud_init_user_data: 'aGo=' }],
    [`${path}/${third.id}/replace`, replace],
    [`${path}/${third.resource_path}/replace`, replace],
  ] as const) {
    const response = await send(on, url, sent, 'fields')
    assert.deepEqual(refusalOf(response), [422, 'idempotency_key_reused', 'Idempotency-Key'])
  }
  assert.equal(
    (await idsOf({ server, token, path })).length,
    before.length + 3,
    'no refused request created an instance',
  )
  const elsewhere = await send(fixture(1), path, fixture(1).body, 'fields')
  assert.equal(elsewhere.status, 201, 'each account has separate keys')
})

test('of many concurrent creations with one name, one succeeds', async () => {
  await rounds(nameRounds, async (n) => {
    const on = fixture(n)
    const responses = await atOnce(() => patiently(() => send(on, path, { ...on.body, name: `wanted-${n}` })))
    assert.equal(responses.filter(({ status }) => status === 201).length, 1)
    for (const response of responses) {
      if (response.status !== 201) assert.deepEqual(refusalOf(response), [409, 'name_taken', 'name'])
    }
  })
})

test('concurrent replace, terminate, rename and delete of an instance end it once and keep names unique', async () => {
  await rounds(nameRounds, async (n) => {
    const on = fixture(n)
    const { token } = on.account
    const { id } = await made(on, { name: `raced-${n}` })
    const url = `${path}/${id}`
    const calls = [
      () => send(on, `${url}/replace`, { image: on.body.image, name: `next-${n}` }),
      () => send(on, `${url}/replace`, { image: on.body.image, name: `raced-${n}` }),
      () => send(on, `${url}/terminate`, {}),
      () => send(on, path, { ...on.body, name: `next-${n}` }),
      () => send(on, path, { ...on.body, name: `raced-${n}` }),
      () => server.attempt('update_instance', { params: { id }, token, body: { name: `next-${n}` } }),
      () => server.attempt('delete_instance', { params: { id }, token }),
    ]
    const responses = await Promise.all(calls.map((call) => patiently(call)))
    for (const { status, text } of responses) assert.ok([200, 201, 204, 404, 409, 422].includes(status), text)
    const ends = (await eventsOf(server, token, id)).filter((event) => event.startsWith('instance.terminated'))
    assert.equal(ends.length, 1)
    const { data } = await server.call('list_instances', { query: { limit: 200 }, token })
    const names = data.map(({ name }) => name).filter((name: string) => name.endsWith(`-${n}`))
    assert.equal(new Set(names).size, names.length)
  })
})

test('a firewall is either deleted or used by a concurrent creation', async () => {
  const won = { going: 0, coming: 0 }
  await raceUntilEach(won, { rounds: pairsCount, at_once: grounds.length }, async (n, lead) => {
    const on = fixture(n)
    const { token } = on.account
    const { id } = await server.call('create_firewall', { token, body: {} })
    const network = { _preview_enable_public_ipv4: true, _preview_firewall: id }
    const [going, coming] = await Promise.all([
      stagger(server, lead, 'first').then(() => server.attempt('delete_firewall', { params: { id }, token })),
      stagger(server, lead, 'second').then(() => send(on, path, { ...on.body, ...network })),
    ])
    const isGone = going.status === 204
    assert.notEqual(isGone, coming.status === 201, `${going.text} ${coming.text}`)
    if (isGone) assert.deepEqual(refusalOf(coming), [422, 'reference_not_found', '_preview_firewall'])
    else assert.deepEqual(refusalOf(going), [409, 'firewall_in_use', null])
    won[isGone ? 'going' : 'coming']++
  })
})

test('a firewall stays in use while its only instance is replaced', async () => {
  await rounds(pairsCount, async (n) => {
    const on = fixture(n)
    const { token } = on.account
    const { id } = await server.call('create_firewall', { token, body: {} })
    const old = await made(on, { _preview_enable_public_ipv4: true, _preview_firewall: id })
    const [gone, here] = await Promise.all([
      server.attempt('delete_firewall', { params: { id }, token }),
      send(on, `${path}/${old.id}/replace`, { image: on.body.image }),
    ])
    assert.deepEqual([gone.status, here.status], [409, 201])
  })
})

test('no instance starts from an image after its revocation', async () => {
  const won = { created: 0, replaced: 0, neither: 0 }
  await raceUntilEach(won, { rounds: pairsCount, at_once: grounds.length }, async (n, lead) => {
    const on = fixture(n)
    const { token } = on.account
    const image = (await makeImage(server, on.account)).id
    const old = await made(on)
    const [revoked, created, replaced] = await Promise.all([
      stagger(server, lead, 'first').then(() => server.attempt('revoke_image', { params: { id: image }, token })),
      stagger(server, lead, 'second').then(() => send(on, path, { ...on.body, image })),
      stagger(server, lead, 'second').then(() => send(on, `${path}/${old.id}/replace`, { image })),
    ])
    assert.equal(revoked.status, 200)
    const { data } = await server.call('list_events', { query: { limit: 200, since: 0 }, token })
    const notified = data.map(({ targets, action }) => `${action} ${targets[0].id}`)
    const at = notified.indexOf(`image.revoked ${image}`)
    for (const response of [created, replaced]) {
      if (response.status === 201) assert.ok(notified.indexOf(`instance.created ${response.body.id}`) < at || at < 0)
      else assert.deepEqual(refusalOf(response), [422, 'image_not_available', 'image'])
    }
    if (created.status === 201) won.created++
    if (replaced.status === 201) won.replaced++
    if (created.status !== 201 && replaced.status !== 201) won.neither++
  })
})

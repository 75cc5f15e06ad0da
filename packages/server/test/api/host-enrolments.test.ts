import assert from 'node:assert/strict'
import { test } from 'vitest'
import { enrol, introduction, makeHostKey } from '../support/agents.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { assertKeys, assertPages, assertRights, idsOf, refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account({ trust_level: 'partner' })
const { token } = account
const path = '/preview/v2/host_enrolments'
const place = { server, token, path }
const sku = await makeSku(server)

function permit(body: object = {}, by = token) {
  return server.attempt('create_host_enrolment', { token: by, body: { sku, ...body } })
}

async function made(body: object = {}, by = token) {
  const response = await permit(body, by)
  assert.equal(response.status, 201, response.text)
  return response.body
}

async function used(by = token): Promise<number> {
  return (await server.call('get_limit', { params: { name: 'hosts' }, token: by })).used
}

test('a permit shows its secret and the command for the host once', async () => {
  const { token: secret, command, ...shown } = await made({ slots: 8, uses: 3, expires_in_seconds: 600 })
  const { expires_at, created_at, ...rest } = shown
  assert.deepEqual(rest, {
    object: 'host_enrolment',
    id: shown.id,
    workspace: (await server.call('get_account', { token })).workspace,
    sku: { object: 'sku', id: sku, alias: shown.sku.alias },
    slots: 8,
    uses: 3,
    used: 0,
  })
  assert.equal(expires_at - created_at, 600)
  assert.match(secret, /^bhe_[0-9a-zA-Z_-]+_[0-9a-f]{64}$/)
  for (const part of [secret, `${server.url}/agent/v1/bundle.tgz`, `--server ${server.url}`]) {
    assert.ok(command.includes(part), part)
  }
  assert.ok(!command.includes('\n'))
  // The secret is the argument of no program but of `printf`, which is part of the shell.
  assert.match(command, new RegExp(`&& printf %s ${secret} \\| \\S+ agent enrol --server \\S+ --token-file - &&`))
  const list = await server.attempt('list_host_enrolments', { token })
  assert.deepEqual(list.body.data[0], shown)
  const one = await server.attempt('get_host_enrolment', { params: { id: shown.id }, token })
  assert.deepEqual(one.body, shown)
  for (const { text } of [list, one]) assert.ok(!text.includes('bhe_'))
})

test('by default a permit is for one host with one slot and is valid for a day', async () => {
  const { slots, uses, expires_at, created_at } = await made()
  assert.deepEqual([slots, uses, expires_at - created_at], [1, 1, 86_400])
})

test('the fields of a permit are validated', async () => {
  const retired = await makeSku(server)
  await server.call('retire_sku', { params: { id: retired } })
  for (const [body, refusal] of [
    [{ sku: undefined }, [400, 'required', 'sku']],
    [{ sku: retired }, [422, 'sku_not_available', 'sku']],
    [{ sku: 'sku_absent' }, [422, 'sku_not_available', 'sku']],
    [{ workspace: 'wksp_absent' }, [422, 'reference_not_found', 'workspace']],
    [{ slots: 0 }, [400, 'out_of_range', 'slots']],
    [{ slots: 65 }, [400, 'out_of_range', 'slots']],
    [{ uses: 0 }, [400, 'out_of_range', 'uses']],
    [{ uses: 1001 }, [400, 'out_of_range', 'uses']],
    [{ expires_in_seconds: 59 }, [400, 'out_of_range', 'expires_in_seconds']],
    [{ expires_in_seconds: 604_801 }, [400, 'out_of_range', 'expires_in_seconds']],
    [{ colour: 'red' }, [400, 'unknown_field', 'colour']],
  ] as const) {
    assert.deepEqual(refusalOf(await permit(body)), refusal, JSON.stringify(body))
  }
})

test('the unused enrolments of a permit count against the limit of hosts until the permit ends', async () => {
  const owner = await server.account({ trust_level: 'partner' })
  const by = owner.token
  const basic = await server.account()
  assert.deepEqual(refusalOf(await permit({}, basic.token)), [422, 'limit_exceeded', null])
  const [first, second] = [await made({ uses: 600 }, by), await made({ uses: 300, expires_in_seconds: 60 }, by)]
  assert.equal(await used(by), 900)
  assert.deepEqual(refusalOf(await permit({ uses: 101 }, by)), [422, 'limit_exceeded', null])
  await enrol(server, second.token)
  assert.equal(await used(by), 900)
  await server.advance(60)
  await server.settle()
  assert.equal(await used(by), 601)
  await server.call('delete_host_enrolment', { params: { id: first.id }, token: by })
  assert.equal(await used(by), 1)
})

test('reading a permit shows how many hosts have enrolled', async () => {
  const { id, token: secret } = await made({ uses: 3 })
  await enrol(server, secret)
  const { uses, used: hosts } = await server.call('get_host_enrolment', { params: { id }, token })
  assert.deepEqual([uses, hosts], [3, 1])
})

test('a deleted, used up or expired permit enrols no host and is not shown', async () => {
  const owner = await server.account({ trust_level: 'partner' })
  const by = owner.token
  const [deleted, full, old] = [await made({}, by), await made({}, by), await made({ expires_in_seconds: 60 }, by)]
  await server.call('delete_host_enrolment', { params: { id: deleted.id }, token: by })
  await enrol(server, full.token)
  await server.advance(60)
  for (const { token: secret, id } of [deleted, full, old]) {
    const body = introduction(secret, makeHostKey())
    const response = await server.attempt('enrol_host', { token: null, body })
    assert.deepEqual([response.status, response.body.error.type], [401, 'authentication_error'], id)
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await server.request(method, `${path}/${id}`, { token: by })).status, 404)
    }
  }
  assert.deepEqual(await idsOf({ ...place, token: by }), [])
})

test('an idempotency key creates one permit, and a replay shows the same secret', async () => {
  const owner = await server.account({ trust_level: 'partner' })
  await assertKeys({ ...place, token: owner.token }, owner, { sku }, { sku, slots: 2 })
  const headers = { 'Idempotency-Key': 'same-secret' }
  const [first, again] = [
    await server.attempt('create_host_enrolment', { token: owner.token, body: { sku }, headers }),
    await server.attempt('create_host_enrolment', { token: owner.token, body: { sku }, headers }),
  ]
  assert.deepEqual(again.body, first.body)
  const { host } = await enrol(server, again.body.token)
  assert.match(host, /^host_/)
})

test('permits are listed in pages, newest first, and filtered by workspace', async () => {
  const owner = await server.account({ trust_level: 'partner' })
  const own = { ...place, token: owner.token }
  const there = (await server.call('create_workspace', { token: owner.token, body: {} })).id
  const rows = [await made({}, owner.token), await made({}, owner.token), await made({ workspace: there }, owner.token)]
  const newest = rows
    .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id as string)
  assert.deepEqual(await idsOf(own), newest)
  assert.deepEqual(await idsOf(own, `workspace=${there}`), [rows[2]?.id])
  const here = newest.filter((id) => id !== rows[2]?.id)
  await made({}, owner.token).then(({ id }) => here.unshift(id))
  await assertPages(own, here, `workspace=${owner.workspace_id}`)
})

test('each operation needs its verb, and a permit of another account is 404', async () => {
  const { id } = await made()
  await assertRights(server, account, 'host', {
    create_host_enrolment: { method: 'POST', path, body: { sku }, verb: 'create' },
    list_host_enrolments: { method: 'GET', path, verb: 'list' },
    get_host_enrolment: { method: 'GET', path: `${path}/${id}`, verb: 'read' },
    delete_host_enrolment: { method: 'DELETE', path: `${path}/${id}`, verb: 'delete' },
  })
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await server.request(method, `${path}/henr_absent`, { token })).status, 404)
  }
})

test('the former path works too, for reading as well', async () => {
  const former = '/preview/v2/hosts/enrolments'
  const { id } = await server.ok('POST', former, { token, body: { sku } })
  assert.equal((await server.ok('GET', `${former}/${id}`, { token })).id, id)
  assert.equal((await server.attempt('delete_host_enrolment', { params: { id }, token })).status, 204)
  assert.equal((await server.request('GET', `${former}/${id}`, { token })).status, 404)
})

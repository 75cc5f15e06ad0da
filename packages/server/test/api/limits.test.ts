import assert from 'node:assert/strict'
import { deleteAccountLimit, listAccountLimits, putAccountLimit } from '@bourse/api/iam/accounts.ts'
import { getLimit, listLimits } from '@bourse/api/iam/limits.ts'
import { test } from 'vitest'
import { makeAccountToken, platformAccount } from '../support/access.ts'
import { startTestServer } from '../support/server.ts'
import { assertStrict } from '../support/strictness.ts'

const server = await startTestServer()

test('every operation requires a token and refuses unknown parameters', async () => {
  await assertStrict(server, server.platform_token, [
    deleteAccountLimit,
    listAccountLimits,
    putAccountLimit,
    getLimit,
    listLimits,
  ])
})

test('every limit is listed with its value and usage', async () => {
  const { token } = await server.account({ trust_level: 'basic' })
  const { data, ...page } = await server.call('list_limits', { token })
  assert.deepEqual(page, { object: 'list', has_more: false })
  const limit = (wanted: string) => data.find(({ name }) => name === wanted)
  assert.equal(data.length, 22)
  assert.deepEqual(limit('workspaces'), {
    object: 'limit',
    name: 'workspaces',
    unit: 'count',
    value: 10,
    used: 1,
    scope: 'account',
    source: 'trust_level',
  })
  assert.deepEqual([limit('tokens').used, limit('grants').used, limit('roles').used], [1, 1, 0])
  assert.deepEqual([limit('firewall_rules').used, limit('firewall_rules').scope], [null, 'each'])
  assert.equal(limit('image_bytes').value, 2 ** 40)
})

test('a limit is read by its name, and an unknown name is 404', async () => {
  const { token } = await server.account()
  assert.equal((await server.call('get_limit', { params: { name: 'users' }, token })).value, 200)
  for (const name of ['nothing', 'toString', 'Users']) {
    assert.equal((await server.attempt('get_limit', { params: { name }, token })).status, 404, name)
  }
})

test('a creation adds to the usage, and a deletion subtracts from it', async () => {
  const { token } = await server.account()
  const used = async () => (await server.call('get_limit', { params: { name: 'workspaces' }, token })).used
  const made = []
  for (let i = 0; i < 3; i++) made.push(await server.call('create_workspace', { token, body: {} }))
  assert.equal(await used(), 4)
  for (const { id } of made) await server.call('delete_workspace', { params: { id }, token })
  assert.equal(await used(), 1)
  await server.call('create_workspace', { token, body: {} })
  assert.equal(await used(), 2)
})

test('concurrent callers do not exceed a limit', async () => {
  const { token } = await server.account({ trust_level: 'basic' })
  const responses = await Promise.all(
    Array.from({ length: 24 }, () => server.attempt('create_workspace', { token, body: {} })),
  )
  assert.equal(responses.filter(({ status }) => status === 201).length, 9)
  assert.equal(responses.filter(({ status }) => status === 422).length, 15)
  assert.equal((await server.call('get_limit', { params: { name: 'workspaces' }, token })).used, 10)
})

test('the operator overrides a limit and removes the override', async () => {
  const { id, token } = await server.account({ trust_level: 'untrusted' })
  const put = (value: number | null) =>
    server.call('put_account_limit', { params: { account: id, name: 'workspaces' }, body: { value } })
  const make = () => server.attempt('create_workspace', { token, body: {} })
  assert.deepEqual(await put(0), {
    object: 'limit',
    name: 'workspaces',
    unit: 'count',
    value: 0,
    used: 1,
    scope: 'account',
    source: 'override',
  })
  assert.equal((await make()).status, 422)
  assert.equal((await put(2)).value, 2)
  assert.equal((await make()).status, 201)
  assert.equal((await make()).status, 422)
  assert.equal((await put(null)).value, null)
  assert.equal((await make()).status, 201)
  assert.equal((await server.call('get_limit', { params: { name: 'workspaces' }, token })).source, 'override')
  assert.equal(
    (await server.attempt('delete_account_limit', { params: { account: id, name: 'workspaces' } })).status,
    204,
  )
  const listed = (await server.call('list_account_limits', { params: { account: id } })).data.find(
    ({ name }: { name: string }) => name === 'workspaces',
  )
  assert.deepEqual([listed.value, listed.used, listed.source], [2, 3, 'trust_level'])
  assert.equal((await make()).status, 422)
  assert.equal(
    (await server.attempt('delete_account_limit', { params: { account: id, name: 'workspaces' } })).status,
    404,
  )
})

test('limits of unknown accounts and unknown names are 404', async () => {
  const { id } = await server.account()
  const of = (account: string) => `/preview/v2/admin/accounts/${account}/limits`
  assert.equal((await server.request('GET', of('no-such-account'))).status, 404)
  for (const target of [`${of('no-such-account')}/users`, `${of(id)}/nothing`]) {
    assert.equal((await server.request('PUT', target, { body: { value: 1 } })).status, 404, target)
    assert.equal((await server.request('DELETE', target)).status, 404, target)
  }
  for (const value of [-1, 1.5, '1']) {
    assert.equal((await server.request('PUT', `${of(id)}/users`, { body: { value } })).status, 400, String(value))
  }
})

test('only the operator reads and sets limits of other accounts', async () => {
  const account = await server.account()
  const platform = await platformAccount(server)
  const reader = await makeAccountToken(server, platform, { platform: ['read'] })
  const writer = await makeAccountToken(server, platform, { platform: ['write'] })
  const list = `/preview/v2/admin/accounts/${account.id}/limits`
  assert.equal(
    (await server.attempt('list_account_limits', { params: { account: account.id }, token: account.token })).status,
    404,
  )
  assert.equal(
    (await server.attempt('list_account_limits', { params: { account: account.id }, token: writer.token })).status,
    403,
  )
  assert.equal(
    (await server.attempt('list_account_limits', { params: { account: account.id }, token: reader.token })).status,
    200,
  )
  for (const [method, options] of [
    ['PUT', { body: { value: 1 } }],
    ['DELETE', {}],
  ] as const) {
    const ask = (token: string) => server.request(method, `${list}/users`, { ...options, token })
    assert.equal((await ask(account.token)).status, 404, method)
    assert.equal((await ask(reader.token)).status, 403, method)
    assert.ok((await ask(writer.token)).status < 300, method)
  }
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeToken } from '../support/access.ts'
import { makeLink, makePerson, makeUser, signIn } from '../support/fixtures/people.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const hour = 3600
const day = 24 * hour

type LastingToken = { id: string; token: string; expires_at: number | null }

async function now(): Promise<number> {
  return (await server.call('get_account')).server.now
}

function ask(by: string, body: object = {}, headers: Record<string, string> = {}) {
  return server.attempt('create_token', { token: by, body, headers })
}

function make(by: string, body: object = {}): Promise<LastingToken> {
  return server.call('create_token', { token: by, body })
}

/** Creates a token with the admin role for the whole account. */
async function makeAdmin(account: TestAccount, expires_at: number | null): Promise<LastingToken> {
  const made = await make(account.token, { expires_at })
  const body = { principal_type: 'token', principal_id: made.id, role: 'role_admin' } as const
  await server.call('create_grant', { token: account.token, body })
  return made
}

function end(id: string, by: string, query = '') {
  return server.attempt('delete_token', { params: { id }, query, token: by })
}

/** Whether each token still exists. */
async function live(account: TestAccount, ids: readonly string[]): Promise<boolean[]> {
  const query = ids.map((id) => `id=${id}`).join('&')
  const { data } = await server.call('list_tokens', { query, token: account.token })
  return ids.map((id) => data.some((token) => token.id === id))
}

async function ownToken(account: TestAccount): Promise<string> {
  return (await server.call('get_account', { token: account.token })).token.id
}

test('a token made by a token never outlives it', async () => {
  const account = await server.account()
  const ends = (await now()) + hour
  const brief = await makeAdmin(account, ends)
  for (const expires_at of [null, ends + 1, ends + 4 * 365 * day]) {
    const refused = await ask(brief.token, { expires_at, roles: ['role_admin'] })
    assert.deepEqual([refused.status, codeOf(refused)], [400, 'out_of_range'], String(expires_at))
    assert.equal(refused.body.error.details[0].field, 'expires_at')
  }
  assert.equal((await make(brief.token, { expires_at: ends })).expires_at, ends)
  assert.equal((await make(brief.token)).expires_at, ends)
  const long = await makeAdmin(account, (await now()) + 365 * day)
  const child = await server.call('create_token', { token: long.token, body: {} })
  assert.equal(child.expires_at, child.created_at + 90 * day)
})

test('a token that ends early gets no token that lives longer out of a replay', async () => {
  const account = await server.account()
  const brief = await makeAdmin(account, (await now()) + hour)
  const headers = { 'Idempotency-Key': 'eternal' }
  const body = { expires_at: null, roles: ['role_admin'] }
  const first = await ask(account.token, body, headers)
  assert.equal(first.status, 201)
  const refused = await ask(brief.token, body, headers)
  assert.equal(refused.status, 403)
  assert.equal(refused.text.includes(first.body.token), false)
})

test('a token that was just deleted makes no other token', async () => {
  const account = await server.account()
  const maker = await makeAdmin(account, null)
  assert.equal((await ask(maker.token)).status, 201)
  assert.equal((await end(maker.id, account.token)).status, 204)
  assert.equal((await ask(maker.token)).status, 401)
})

test('a cascade ends a token and all that descend from it, also through deleted ones', async () => {
  const account = await server.account()
  const root = await makeAdmin(account, null)
  const sibling = await make(account.token)
  const child = await make(root.token, { roles: ['role_admin'] })
  const grandchild = await make(child.token, { roles: ['role_admin'] })
  const last = await make(grandchild.token)
  assert.equal((await end(grandchild.id, account.token)).status, 204)
  const all = [root, child, last, sibling].map(({ id }) => id)
  assert.deepEqual(await live(account, all), [true, true, true, true])
  const used = async (name: string) => (await server.call('get_limit', { params: { name }, token: account.token })).used
  const before = await used('tokens')
  assert.equal((await end(root.id, account.token, 'cascade=true')).status, 204)
  assert.deepEqual(await live(account, all), [false, false, false, true])
  assert.equal(await used('tokens'), before - 3)
  assert.equal((await end(root.id, account.token, 'cascade=true')).status, 404)
  const { data } = await server.call('list_grants', { query: { principal_id: [last.id] }, token: account.token })
  assert.deepEqual(data, [])
})

test('without a cascade, what a token made lives on', async () => {
  const account = await server.account()
  const root = await makeAdmin(account, null)
  const child = await make(root.token)
  assert.equal((await end(root.id, account.token, 'cascade=false')).status, 204)
  assert.deepEqual(await live(account, [child.id]), [true])
})

test('deleting a token needs every right that it holds', async () => {
  const account = await server.account()
  const { workspace_id } = account
  const admin = await makeAdmin(account, null)
  const local = await make(account.token, { roles: ['role_admin'] })
  const refused = await end(admin.id, local.token)
  assert.deepEqual([refused.status, codeOf(refused)], [403, 'forbidden'])
  assert.deepEqual(await live(account, [admin.id]), [true])
  const ender = await makeToken(server, account, { token: ['delete'], pool: ['read'] }, workspace_id)
  const trader = await make(account.token, { roles: ['role_trader'] })
  const less = await makeToken(server, account, { pool: ['read'] })
  assert.equal((await end(trader.id, ender.token)).status, 403)
  assert.equal((await end(less.id, ender.token)).status, 204)
  assert.equal((await end(local.id, local.token)).status, 204)
})

test('a cascade needs the rights of every token that it ends', async () => {
  const account = await server.account()
  const elsewhere = await server.call('create_workspace', { token: account.token, body: {} })
  const root = await makeToken(server, account, { token: ['create', 'delete'], pool: ['read'] })
  const { data: grants } = await server.call('list_grants', {
    query: { principal_id: [root.id] },
    token: account.token,
  })
  const child = await make(root.token, { roles: [grants[0].role.id] })
  const peer = await makeToken(server, account, { token: ['create', 'delete'], pool: ['read'] })
  const grant = {
    principal_type: 'token',
    principal_id: child.id,
    role: 'role_trader',
    workspace: elsewhere.id,
  } as const
  await server.call('create_grant', { token: account.token, body: grant })
  assert.equal((await end(root.id, peer.token, 'cascade=true')).status, 403)
  assert.equal((await end(root.id, root.token, 'cascade=true')).status, 403)
  assert.deepEqual(await live(account, [root.id, child.id]), [true, true])
  assert.equal((await end(root.id, account.token, 'cascade=true')).status, 204)
})

test('a person makes tokens for the longest life that the operator sets for the account', async () => {
  const account = await server.account()
  const person = await signIn(server, account, (await makeUser(server, account, 'role_admin')).id)
  const lives = async (expires_at: number | null) => {
    const response = await person.attempt('create_token', { body: { expires_at } })
    return response.status === 201 ? 'made' : [response.status, response.body.error.message]
  }
  const days = async (count: number) => (await now()) + count * day
  const allowed = (count: number) => new RegExp(`^403,.*live for at most ${count} days`)
  assert.match(String(await lives(await days(366))), allowed(365))
  assert.match(String(await lives(null)), allowed(365))
  for (const token_lifetime_max_days of [0, 1827, null, 1.5]) {
    const refused = await server.attempt('update_account', {
      params: { account: account.id },
      body: { token_lifetime_max_days },
    })
    assert.equal(refused.status, 400, String(token_lifetime_max_days))
  }
  const own = { token: account.token, body: { token_lifetime_max_days: 1000 } }
  assert.equal((await server.attempt('update_account', { params: { account: account.id }, ...own })).status, 404)
  const changed = await server.call('update_account', {
    params: { account: account.id },
    body: { token_lifetime_max_days: 30 },
  })
  assert.equal(changed.token_lifetime_max_days, 30)
  const read = await server.call('get_account', { token: account.token })
  assert.equal(read.token_lifetime_max_days, 30)
  assert.match(String(await lives(await days(31))), allowed(30))
  assert.equal(await lives(await days(29)), 'made')
  const usual = await person.attempt('create_token', { body: {} })
  assert.ok(usual.body.expires_at <= (await days(30)))
  const late = await days(400)
  assert.equal((await make(account.token, { expires_at: late })).expires_at, late)
})

test('an admin that ends within the hour does not count as an admin', async () => {
  const account = await server.account()
  const own = await ownToken(account)
  const brief = await makeAdmin(account, (await now()) + hour)
  const refused = await end(own, brief.token)
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'last_admin'])
  const long = await makeAdmin(account, (await now()) + hour + 60)
  assert.equal((await end(own, long.token)).status, 204)
  assert.equal((await end(brief.id, long.token)).status, 204)
})

test('a user counts as an admin only with a way in', async () => {
  const account = await server.account()
  const own = await ownToken(account)
  const user = (await makeUser(server, account, 'role_admin')).id
  const viewer = (await makeUser(server, account, 'role_viewer')).id
  const refused = async () => {
    const response = await end(own, account.token)
    assert.deepEqual([response.status, codeOf(response)], [409, 'last_admin'])
  }
  await refused()
  await makeLink(server, account, viewer)
  await refused()
  await makeLink(server, account, user)
  await server.advance(901)
  await refused()
  const person = await signIn(server, account, user)
  await server.advance(901)
  await refused()
  assert.equal((await person.attempt('get_account')).status, 200)
  await makeLink(server, account, user)
  assert.equal((await end(own, account.token)).status, 204)
})

test('a user who has just signed in counts as an admin, and makes the next token', async () => {
  const account = await server.account()
  const person = await makePerson(server, account, 'role_admin')
  assert.equal((await end(await ownToken(account), account.token)).status, 204)
  const last = await person.attempt('delete_user', { params: { id: person.user } })
  assert.deepEqual([last.status, codeOf(last)], [409, 'last_admin'])
  assert.equal((await person.attempt('create_token', { body: { roles: ['role_admin'] } })).status, 201)
})

test('a user whose way in ends with a token within the hour does not count as an admin', async () => {
  const account = await server.account()
  const brief = await makeAdmin(account, (await now()) + hour)
  const person = await signIn(
    server,
    { ...account, token: brief.token },
    (await makeUser(server, account, 'role_admin')).id,
  )
  await makeLink(server, brief, person.user)
  const refused = await end(await ownToken(account), account.token)
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'last_admin'])
})

test('a cascade cannot end the last admin of an account', async () => {
  const account = await server.account()
  const own = await ownToken(account)
  await make(account.token, { roles: ['role_admin'] })
  const refused = await end(own, account.token, 'cascade=true')
  assert.deepEqual([refused.status, codeOf(refused)], [409, 'last_admin'])
  assert.deepEqual(await live(account, [own]), [true])
  const manager = await makeAccountToken(server, account, { token: ['*'] })
  assert.equal((await end(manager.id, manager.token, 'cascade=true')).status, 204)
})

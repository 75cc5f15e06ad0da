import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { request as httpRequest, validateHeaderValue } from 'node:http'
import { afterAll, test } from 'vitest'
import { createSeededRandom } from '../../src/core/base/random.ts'
import type { ApiTokenClaims } from '../../src/core/keys/jwt.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { whenRefused } from '../support/access.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeBuyer, makeMarket } from '../support/fixtures/market.ts'
import { hostileTokens, signText } from '../support/hostile-tokens.ts'
import { startTestServer } from '../support/server.ts'

const database = await createTestDatabase()
const files = makeKeys('sandbox', createSeededRandom('our keys'))
const keys = loadKeys(files)
const others = loadKeys(makeKeys('sandbox', createSeededRandom('other keys'))).signing
const shared = { target: database.target, keys }
const server = await startTestServer(shared)
const beside = await startTestServer(shared)
afterAll(() => database[Symbol.asyncDispose]())

const account = await server.account()
const path = '/preview/v2/account'
const week = 7 * 86_400

type TokenResponse = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

/** Sends a request with unchanged headers, including duplicates. */
function raw(headers: string[], at = path): Promise<TokenResponse> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.url)
    const sent = httpRequest({ port, path: at, headers: ['Host', `localhost:${port}`, ...headers] }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

function bearer(token: string): Promise<TokenResponse> {
  return raw(['Authorization', `Bearer ${token}`])
}

const refused = (await bearer('none')).text

function assertRefused(response: TokenResponse, label: string): void {
  assert.deepEqual([response.status, response.headers['www-authenticate']], [401, 'Bearer'], label)
  assert.equal(response.text, refused, label)
}

/** A token of the account that ends in a week, and its claims. */
async function makeToken(): Promise<{ id: string; token: string; claims: ApiTokenClaims }> {
  const { now } = await server.call('get_clock')
  const body = { roles: ['role_admin'], expires_at: now + week }
  const { id, token } = await server.call('create_token', { token: account.token, body })
  return { id, token, claims: JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) }
}

/** Whether a header can contain the whole text. */
function isSendable(token: string): boolean {
  try {
    validateHeaderValue('authorization', token)
    return token.trimEnd() === token
  } catch {
    return false
  }
}

const { claims, token } = await makeToken()
const { kid } = keys.signing.current
const header = { alg: 'EdDSA', typ: 'bourse-api+jwt', kid }

function sign(changes: object, head: object = header): string {
  return signText(head, { ...claims, ...changes }, keys.signing.current.private_key as KeyObject)
}

test('the base token of the hostile ones is accepted, with any spelling of the scheme', async () => {
  assert.equal(sign({}), token)
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    assert.equal((await raw(['Authorization', `${scheme} ${token}`])).status, 200)
  }
})

test('every hostile token is refused over HTTP with the same response', async ({ annotate }) => {
  // Some of them are wrong by one second.
  const { now } = await server.call('freeze_clock')
  const wrong_kid = files.signing.next
  const all = hostileTokens({ keys: keys.signing, others, wrong_kid, claims, now })
  const sendable = all.filter(([, hostile]) => isSendable(hostile))
  assert.ok(sendable.length >= 130, `${sendable.length} of ${all.length} fit in a header`)
  for (const [what, hostile] of sendable) {
    const response = await bearer(hostile)
    if (hostile.length < 15_000) assertRefused(response, what)
    else assert.equal(response.status, 400, what)
  }
  await server.call('resume_clock')
  await annotate(`${sendable.length} hostile tokens, 0 accepted`)
})

test('a valid signature over claims that differ from the token’s row is refused', async () => {
  const stranger = await server.account()
  const elsewhere = await server.call('create_workspace', { token: account.token, body: {} })
  const other = await makeToken()
  const deleted = await makeToken()
  await server.call('delete_token', { params: { id: deleted.id }, token: account.token })
  const endless = await server.call('create_token', { token: account.token, body: { expires_at: null } })
  const { sub, jti, iat } = JSON.parse(Buffer.from(endless.token.split('.')[1] as string, 'base64url').toString())
  for (const [what, changes] of Object.entries({
    account: { acct: stranger.id },
    'account and workspace': { acct: stranger.id, wksp: stranger.workspace_id },
    workspace: { wksp: elsewhere.id },
    jti: { jti: `${claims.jti}x` },
    'jti of another token': { jti: other.claims.jti },
    id: { sub: other.id },
    'id of no token': { sub: 'tokn_absent' },
    'id of a deleted token': deleted.claims,
    'another creation time': { iat: claims.iat - 1 },
    'no end although the row has one': { exp: undefined },
    'a later end': { exp: (claims.exp as number) + 1 },
    'an earlier end': { exp: (claims.exp as number) - 1 },
    'an end although the row has none': { sub, jti, iat, exp: claims.exp },
  })) {
    assertRefused(await bearer(sign(changes)), what)
  }
  assertRefused(await bearer(sign({}, { ...header, typ: 'bourse-agent+jwt' })), 'typ of an agent')
  assert.equal((await bearer(token)).status, 200)
})

test('a token is accepted from one Authorization header only', async () => {
  const good = `Bearer ${token}`
  for (const [what, headers] of Object.entries({
    'nothing at all': [],
    'twice the same': ['Authorization', good, 'Authorization', good],
    'a good one and a bad one': ['Authorization', good, 'authorization', 'Bearer x'],
    'a bad one and a good one': ['Authorization', 'Bearer x', 'AUTHORIZATION', good],
    'a list of two': ['Authorization', `${good}, ${good}`],
    'no scheme': ['Authorization', token],
    'no space': ['Authorization', `Bearer${token}`],
    'a tab': ['Authorization', `Bearer\t${token}`],
    'two spaces': ['Authorization', `Bearer  ${token}`],
    quotes: ['Authorization', `Bearer "${token}"`],
    'no token': ['Authorization', 'Bearer '],
    'another scheme': ['Authorization', `Token ${token}`],
    'basic with the token as password': ['Authorization', `Basic ${Buffer.from(`x:${token}`).toString('base64')}`],
    'proxy authorization': ['Proxy-Authorization', good],
    'a key header': ['X-API-Key', token],
    'a cookie': ['Cookie', `token=${token}; session=${token}; __Host-session=${token}; bourse=${token}`],
    'a cookie named as the header': ['Cookie', `Authorization=${good}`],
    'a protocol': ['Sec-WebSocket-Protocol', token],
  })) {
    assertRefused(await raw(headers), what)
  }
  for (const name of ['access_token', 'token', 'authorization', 'bearer', 'api_key']) {
    assertRefused(await raw([], `${path}?${name}=${token}`), name)
  }
  assertRefused(await raw(['Content-Type', 'application/x-www-form-urlencoded'], path), 'a form')
})

test('nothing of a token is written on any replica once its deletion was answered', async () => {
  const market = await makeMarket(server)
  for (const one of [server, beside]) {
    const buyer = await makeBuyer(server, '100.000000', account)
    const { id, token: by } = await makeToken()
    const body = { name: `of-${id.slice(-8).toLowerCase()}` }
    const headers = { 'Idempotency-Key': id }
    const write = () => one.attempt('create_pool', { token: by, body, headers })
    const order = () => one.attempt('create_order', { token: by, body: market.body(buyer, {}) })
    for (const { status } of [await write(), await write(), await order()]) assert.equal(status, 201)
    await server.call('delete_token', { params: { id }, token: account.token })
    const responses = [await order(), await write()]
    for (const { status, body } of responses) assert.deepEqual([status, body.error.type], [401, 'authentication_error'])
  }
})

test('a deleted token, a deleted grant and an end act on every replica', async () => {
  const [deleted, stripped, ended] = [await makeToken(), await makeToken(), await makeToken()]
  const replicas = [server, beside]
  const ask = (one: typeof server, by: string) => one.attempt('list_pools', { token: by })
  for (const one of replicas) {
    for (const { token: by } of [deleted, stripped, ended]) assert.equal((await ask(one, by)).status, 200)
  }
  const { data } = await server.call('list_grants', { query: { principal_id: [stripped.id] }, token: account.token })
  await server.call('delete_grant', { params: { id: data[0].id }, token: account.token })
  await server.call('delete_token', { params: { id: deleted.id }, token: account.token })
  const assertEnds = async (by: string, status: number) => {
    for (const one of replicas) {
      assert.equal((await whenRefused(() => ask(one, by))).status, status)
      assert.equal((await ask(one, by)).status, status)
    }
  }
  await assertEnds(deleted.token, 401)
  await assertEnds(stripped.token, 403)
  await server.advance(week + 61)
  await assertEnds(ended.token, 401)
})

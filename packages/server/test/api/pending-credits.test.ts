import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { codeOf, makeAccountToken, makeRole, platformAccount } from '../support/access.ts'
import type { CallBody, CallQuery } from '../support/calls.ts'
import { makePerson, makeUser, type Person, signIn } from '../support/fixtures/people.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'

const server = await startTestServer({ dual_control_dollars: 1000 })
type SignInPerson = () => Promise<Person>

const admin = '/preview/v2/admin'
const platform = await platformAccount(server)
const operator = async () => (await makeAccountToken(server, platform, { platform: ['read', 'write'] })).token
const [one, two, three] = [await operator(), await operator(), await operator()]
const users = [await makeUser(server, platform, 'role_admin'), await makeUser(server, platform, 'role_admin')]
// Operators approve once they have had the right for a day.
await server.advance(86_400)
const [ada, bea] = users.map(
  ({ id }) =>
    () =>
      signIn(server, platform, id),
) as [SignInPerson, SignInPerson]
const large = { type: 'credit_grant', amount_dollars: '1000.000001', description: 'A large credit.' } as const

function post(account: string, body: object, token = one): Promise<TestResponse> {
  return server.attempt('create_account_transaction', { params: { account }, token, body })
}

function request(account: string, token = one, body: CallBody<'create_pending_credit'> = large) {
  return server.call('create_pending_credit', { params: { account }, token, body })
}

function decide(verb: 'approve' | 'refuse', id: string, token: string, headers: Record<string, string> = {}) {
  return server.request('POST', `${admin}/pending_credits/${id}/${verb}`, { token, headers })
}

const read = (id: string) => server.call('get_pending_credit', { params: { id } })

async function totalOf(token: string): Promise<string> {
  return (await server.call('get_balance', { token })).total_dollars
}

/** The actions of the platform account's events about a credit, oldest first. */
async function actionsOf(id: string): Promise<string[]> {
  const { data } = await server.call('list_events', { query: { target: id, limit: 200 } })
  return data.map(({ action }) => action).sort()
}

test('only a credit above the limit is refused with second_operator_required', async () => {
  const { id, token } = await server.account()
  for (const amount_dollars of ['1000.000000', '-500.01']) {
    assert.equal((await post(id, { ...large, amount_dollars })).status, 201, amount_dollars)
  }
  const refused = await post(id, large)
  assert.equal(refused.status, 422)
  const [detail] = refused.body.error.details
  assert.deepEqual([detail.code, detail.field], ['second_operator_required', 'amount_dollars'])
  assert.match(detail.message, /above 1000 dollars.*create_pending_credit/)
  assert.equal(await totalOf(token), '499.990000')
})

test('what operators credit to an account alone in a day counts together', async () => {
  const [{ id, token }, other] = [await server.account(), await server.account()]
  const credit = (amount_dollars: string, by = one, to = id) => post(to, { ...large, amount_dollars }, by)
  assert.equal((await credit('600.00')).status, 201)
  assert.equal((await decide('approve', (await request(id)).id, two)).status, 200)
  assert.equal((await credit('400.00', two)).status, 201)
  // What is taken away again may have been spent meanwhile.
  assert.equal((await credit('-900.00')).status, 201)
  const refused = await credit('0.01', three)
  assert.deepEqual([refused.status, codeOf(refused)], [422, 'second_operator_required'])
  assert.match(
    refused.body.error.details[0].message,
    /in 24 hours need a second operator. It was credited 1000.000000 dollars alone/,
  )
  assert.equal((await credit('1000.00', one, other.id)).status, 201)
  assert.equal((await decide('approve', (await request(id)).id, two)).status, 200)
  await server.advance(80_000)
  assert.equal((await credit('0.01')).status, 422)
  await server.advance(6_400)
  const responses = await Promise.all(['600.00', '600.00', '600.00'].map((amount) => credit(amount)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 422, 422])
  assert.equal(await totalOf(token), '2700.000002')
})

test('approve_pending_credit, get_pending_credit: what another operator requested is posted once', async () => {
  const { id: account, token } = await server.account()
  const { id, ...made } = await request(account)
  assert.equal(made.expires_at, made.requested_at + 7 * 86_400)
  const { requested_by, state, amount_dollars } = made
  assert.deepEqual([requested_by.type, state, amount_dollars], ['token', 'pending', '1000.000001'])
  assert.deepEqual([made.decided_by, made.decided_at, made.transaction], [null, null, null])
  assert.equal(await totalOf(token), '0.000000')
  const headers = { 'idempotency-key': `approve-${id}` }
  const approved = await decide('approve', id, two, headers)
  assert.deepEqual([approved.status, approved.body.state], [200, 'approved'])
  assert.notEqual(approved.body.decided_by.id, requested_by.id)
  assert.deepEqual((await decide('approve', id, two, headers)).body, approved.body)
  const again = await decide('approve', id, two)
  assert.deepEqual([again.status, codeOf(again)], [409, 'invalid_state'])
  assert.deepEqual(await read(id), approved.body)
  const { data } = await server.call('list_transactions', { token })
  assert.deepEqual(
    data.map((row) => [row.id, row.type, row.amount_dollars, row.description]),
    [[approved.body.transaction, large.type, large.amount_dollars, large.description]],
  )
  assert.deepEqual(await actionsOf(id), ['credit.approved', 'credit.requested'])
  assert.deepEqual(await makersOf(approved.body), [requested_by.id, approved.body.decided_by.id])
})

/** The maker and the approver of a posting in the operator's ledger. */
async function makersOf({ transaction, decided_at }: any): Promise<string[]> {
  const from = decided_at - (decided_at % 86_400)
  const { text } = await server.attempt('export_ledger', { query: { from, to: from + 86_400, encoding: 'jsonl' } })
  const rows = text.trim().split('\n')
  const row = rows.map((line) => JSON.parse(line)).find((one) => one.transaction === transaction)
  return [row.made_by, row.approved_by]
}

test('the trail of a customer shows the request of a credit and the decision', async () => {
  for (const [verb, operation] of [
    ['approve', 'approve_pending_credit'],
    ['refuse', 'refuse_pending_credit'],
  ] as const) {
    const { id: account, token } = await server.account()
    const { id } = await request(account)
    assert.equal((await decide(verb, id, two)).status, 200)
    const { data } = await server.call('list_audit_entries', { token })
    const shown = data.filter((entry) => entry.on_behalf_of === account)
    const facts = shown.map((entry) => [entry.operation, entry.actor.name, entry.address, entry.targets.at(-1).id])
    assert.deepEqual(facts.slice(0, 2), [
      [operation, 'platform', null, id],
      ['create_pending_credit', 'platform', null, id],
    ])
  }
})

test('nobody approves an own request: by the same token, an ancestor or a descendant', async () => {
  const { id: account, token } = await server.account()
  const parent = await server.call('create_token', { body: { roles: ['role_admin'] } })
  const grant = (id: string) => ({ principal_type: 'token', principal_id: id, role: 'role_admin' }) as const
  await server.call('create_grant', { body: grant(parent.id) })
  const child = await server.call('create_token', { token: parent.token, body: {} })
  await server.call('create_grant', { token: parent.token, body: grant(child.id) })
  const person = await makePerson(server, { ...platform, token: parent.token }, 'role_admin')
  const pairs = [
    [one, one],
    [parent.token, child.token],
    [child.token, parent.token],
    [child.token, server.platform_token],
    [parent.token, person.token],
    [person.token, parent.token],
  ] as const
  for (const [requester, approver] of pairs) {
    const { id } = await request(account, requester)
    const refused = await decide('approve', id, approver)
    assert.deepEqual([refused.status, refused.body.error.type], [403, 'forbidden'])
    assert.match(refused.body.error.message, /^You requested this credit/)
    assert.equal(refused.headers.get('x-error-code'), 'same_operator')
    assert.equal((await read(id)).state, 'pending')
  }
  assert.equal(await totalOf(token), '0.000000')
  const recorded = await eventually('the refused requests are recorded', async () => {
    const { data } = await server.call('list_all_audit_entries', {
      query: { operation: 'approve_pending_credit', outcome: 'refused', account: platform.id },
    })
    assert.ok(data.length >= pairs.length, `${data.length}`)
    return data as { code: string }[]
  })
  assert.deepEqual(new Set(recorded.map(({ code }) => code)), new Set(['same_operator']))
})

test('a user approves no own request by another session or token, and none that a token of theirs made', async () => {
  const { id: account, token } = await server.account()
  const [session, elsewhere, other] = [await ada(), await ada(), await bea()]
  const made = await server.call('create_token', { token: session.token, body: {} })
  const grant = { principal_type: 'token', principal_id: made.id, role: 'role_admin' } as const
  await server.call('create_grant', { token: session.token, body: grant })
  for (const [requester, approver] of [
    [session, elsewhere],
    [session, made],
    [made, elsewhere],
  ] as const) {
    const { id } = await request(account, requester.token)
    assert.equal((await decide('approve', id, approver.token)).status, 403)
  }
  assert.equal(await totalOf(token), '0.000000')
  const { id } = await request(account, session.token)
  const own = await server.call('get_account', { token: session.token })
  await server.call('delete_token', { params: { id: own.token.id }, token: session.token })
  assert.equal((await decide('approve', id, made.token)).status, 403, 'after the session has ended')
  const approved = await decide('approve', id, other.token)
  assert.deepEqual([approved.body.requested_by.id, approved.body.decided_by.id], [session.user, other.user])
  const byToken = await decide('approve', (await request(account, elsewhere.token)).id, two)
  assert.equal(byToken.body.decided_by.type, 'token')
})

test('a user whom an operator has let in approves none of its requests, nor does what follows from it', async () => {
  const { id: account, token } = await server.account()
  const amy = await makePerson(server, platform, 'role_admin')
  const byAmy = { ...platform, token: amy.token }
  const [eve, carl] = [await makePerson(server, byAmy, 'role_admin'), await makePerson(server, byAmy, 'role_admin')]
  const made = await server.call('create_token', { token: eve.token, body: {} })
  const grant = { principal_type: 'token', principal_id: made.id, role: 'role_admin' } as const
  await server.call('create_grant', { token: eve.token, body: grant })
  for (const [requester, approver] of [
    [amy, eve],
    [eve, amy],
    [amy, made],
    [eve, carl],
    [carl, made],
  ] as const) {
    const refused = await decide('approve', (await request(account, requester.token)).id, approver.token)
    assert.equal(refused.headers.get('x-error-code'), 'same_operator')
  }
  assert.equal(await totalOf(token), '0.000000')
})

const wantedLimit = { type: 'credit_limit', amount_dollars: '5000.00', description: 'Pays by invoice.' } as const

const put = (account: string, credit_limit_dollars: string) =>
  server.attempt('put_credit_limit', { params: { account }, body: { credit_limit_dollars } })

test('a credit limit above the limit of one operator is refused, unless it lowers the one that there is', async () => {
  const { id: account } = await server.account()
  assert.equal((await put(account, '1000.00')).status, 200)
  const refused = await put(account, '1000.01')
  assert.deepEqual([refused.status, codeOf(refused)], [422, 'second_operator_required'])
  assert.match(refused.body.error.details[0].message, /create_pending_credit with the type credit_limit/)
  const { id } = await request(account, one, wantedLimit)
  assert.equal((await decide('approve', id, two)).status, 200)
  assert.equal((await put(account, '4000.00')).status, 200)
  assert.equal(codeOf(await put(account, '4000.01')), 'second_operator_required')
  assert.equal((await put(account, '10.00')).status, 200)
})

test('a credit limit that another operator approves is set once, and nothing is posted', async () => {
  const { id: account, token } = await server.account()
  const limitOf = async () => (await server.call('get_balance', { token })).credit_limit_dollars
  const headers = { 'idempotency-key': `limit-${account}` }
  const asked = { params: { account }, token: one, body: wantedLimit, headers }
  const made = await server.call('create_pending_credit', asked)
  assert.deepEqual(await server.call('create_pending_credit', asked), made)
  assert.deepEqual(
    [made.type, made.amount_dollars, made.limit_before_dollars, made.transaction],
    ['credit_limit', '5000.000000', '0.000000', null],
  )
  assert.equal(await limitOf(), '0.000000')
  const own = await decide('approve', made.id, one)
  assert.equal(own.headers.get('x-error-code'), 'same_operator')
  const responses = await Promise.all([two, three, two].map((by) => decide('approve', made.id, by)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409, 409])
  assert.equal(await limitOf(), '5000.000000')
  const { state, transaction } = await read(made.id)
  assert.deepEqual([state, transaction], ['approved', null])
  assert.deepEqual((await server.call('list_transactions', { token })).data, [])
  assert.deepEqual(await actionsOf(made.id), ['credit.approved', 'credit.requested'])
  const { data } = await server.call('list_audit_entries', { token })
  const operations = data.filter((entry) => entry.on_behalf_of === account).map((entry) => entry.operation)
  assert.deepEqual(operations.slice(0, 2), ['approve_pending_credit', 'create_pending_credit'])
  // The account may spend it.
  assert.equal((await post(account, { ...large, amount_dollars: '-4999.00' })).status, 201)
})

test('a credit limit is approved only while the account has the limit of the request', async () => {
  const { id: account } = await server.account()
  const [first, second] = [await request(account, one, wantedLimit), await request(account, one, wantedLimit)]
  assert.equal((await put(account, '7.00')).status, 200)
  const changed = await decide('approve', first.id, two)
  assert.deepEqual([changed.status, codeOf(changed)], [409, 'credit_limit_changed'])
  assert.match(changed.body.error.message, /was 0.000000 dollars when this was requested, and is 7.000000 dollars/)
  assert.equal((await read(first.id)).state, 'pending')
  assert.equal((await decide('refuse', first.id, two)).status, 200)
  assert.equal((await put(account, '0.00')).status, 200)
  assert.equal((await decide('approve', second.id, two)).status, 200)
})

test('two requests for one credit limit are approved once', async () => {
  const { id: account } = await server.account()
  const asked = [
    await request(account, one, wantedLimit),
    await request(account, one, { ...wantedLimit, amount_dollars: '6000.00' }),
  ]
  const responses = await Promise.all(asked.map(({ id }) => decide('approve', id, two)))
  assert.deepEqual(responses.map((response) => response.status === 409 && codeOf(response)).sort(), [
    'credit_limit_changed',
    false,
  ])
})

test('create_pending_credit refuses a credit limit that raises nothing', async () => {
  const { id: account } = await server.account()
  assert.equal((await put(account, '500.00')).status, 200)
  for (const amount_dollars of ['500.00', '499.99']) {
    const body = { ...wantedLimit, amount_dollars }
    const refused = await server.attempt('create_pending_credit', { params: { account }, body })
    assert.deepEqual([refused.status, codeOf(refused)], [422, 'not_applicable'])
    assert.equal(refused.body.error.details[0].field, 'amount_dollars')
  }
  const { limit_before_dollars } = await request(account, one, { ...wantedLimit, amount_dollars: '500.01' })
  assert.equal(limit_before_dollars, '500.000000')
})

test('two approvals at once credit once', async () => {
  const { id: account, token } = await server.account()
  const { id } = await request(account)
  const others = [two, three, two, (await ada()).token]
  const responses = await Promise.all(others.map((approver) => decide('approve', id, approver)))
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409, 409, 409])
  assert.equal(await totalOf(token), large.amount_dollars)
})

test('an approval waits until both operators have had the right for a day, in the form that it has', async () => {
  const { id: account } = await server.account()
  const [fresh, role] = [await operator(), await makeRole(server, platform, { platform: ['write'] })]
  const { id: holder, token } = await makeAccountToken(server, platform, { platform: ['read'] })
  const body = { principal_type: 'token', principal_id: holder, role } as const
  await server.call('create_grant', { body })
  const pairs = [
    [one, fresh],
    [fresh, two],
    [one, token],
  ] as const
  const asked: [id: string, by: string][] = []
  for (const [requester, by] of pairs) asked.push([(await request(account, requester)).id, by])
  for (const [id, by] of asked) {
    const early = await decide('approve', id, by)
    assert.deepEqual([early.status, early.headers.get('x-error-code')], [403, 'right_too_new'])
    assert.equal((await read(id)).state, 'pending')
  }
  await server.advance(86_400)
  const policy = {
    api_version: 'roles/v1',
    rules: [{ effect: 'allow', actions: { platform: ['read', 'write'] } }],
  } as const
  await server.call('update_role', { params: { id: role }, body: { policy } })
  const late = await Promise.all(asked.map(([id, by]) => decide('approve', id, by)))
  assert.deepEqual(
    late.map(({ status }) => status),
    [200, 200, 403],
  )
})

test('refuse_pending_credit ends a request; its requester may take it back', async () => {
  const { id: account, token } = await server.account()
  for (const by of [one, two]) {
    const { id } = await request(account)
    const refused = await decide('refuse', id, by)
    assert.deepEqual([refused.status, refused.body.state, refused.body.transaction], [200, 'refused', null])
    for (const verb of ['approve', 'refuse'] as const) {
      const late = await decide(verb, id, two)
      assert.deepEqual([late.status, codeOf(late)], [409, 'invalid_state'])
    }
    assert.deepEqual(await actionsOf(id), ['credit.refused', 'credit.requested'])
  }
  assert.equal(await totalOf(token), '0.000000')
})

test('a credit that nobody approves expires after seven days', async () => {
  const { id: account, token } = await server.account()
  const { id, expires_at } = await request(account)
  const { now } = await server.call('get_clock')
  await server.advance(expires_at - now - 60)
  assert.equal((await read(id)).state, 'pending')
  await server.advance(60)
  const { state, decided_at, decided_by } = await read(id)
  assert.deepEqual([state, decided_at >= expires_at, decided_by], ['expired', true, null])
  const late = await decide('approve', id, two)
  assert.deepEqual([late.status, codeOf(late)], [409, 'invalid_state'])
  // That of the request may no longer be retained.
  assert.ok((await actionsOf(id)).includes('credit.expired'))
  assert.equal(await totalOf(token), '0.000000')
})

test('create_pending_credit refuses bad amounts and unknown accounts, and takes small credits too', async () => {
  const { id: account } = await server.account()
  const path = `${admin}/accounts/${account}/pending_credits`
  for (const [amount_dollars, code] of [
    ['0.00', 'out_of_range'],
    ['999999999999999.00', 'invalid_format'],
    ['-5.00', 'invalid_format'],
    ['5.', 'invalid_format'],
  ]) {
    const refused = await server.attempt('create_pending_credit', {
      params: { account },
      body: { ...large, amount_dollars },
    })
    assert.deepEqual([refused.status, codeOf(refused)], [400, code], amount_dollars)
    assert.equal(refused.body.error.details[0].field, 'amount_dollars')
  }
  const nowhere = await server.request('POST', path.replace(account, 'nobody'), { body: large })
  assert.equal(nowhere.status, 404)
  const { id } = await request(account, one, { ...large, amount_dollars: '0.01' })
  assert.equal((await decide('approve', id, two)).status, 200)
})

test('list_pending_credits filters by account and state; only operators with the right read and decide', async () => {
  const account = await server.account()
  const [first, second] = [await request(account.id), await request(account.id)]
  await decide('refuse', first.id, two)
  const list = async (filter: CallQuery<'list_pending_credits'> = {}) => {
    const { data } = await server.call('list_pending_credits', { query: { account: account.id, ...filter } })
    return data.map(({ id }) => id)
  }
  assert.deepEqual(new Set(await list()), new Set([first.id, second.id]))
  assert.deepEqual(await list({ state: ['pending'] }), [second.id])
  assert.deepEqual(await list({ state: ['refused'] }), [first.id])
  const { data } = await server.call('list_pending_credits', { query: { state: ['pending'], limit: 200 } })
  assert.ok(data.every(({ state }) => state === 'pending'))
  const { token: reader } = await makeAccountToken(server, platform, { platform: ['read'] })
  assert.equal((await decide('approve', second.id, reader)).status, 403)
  assert.equal((await decide('approve', second.id, account.token)).status, 404)
  assert.equal((await decide('approve', 'pcrd_none', two)).status, 404)
  assert.equal((await server.attempt('list_pending_credits', { token: account.token })).status, 404)
})

test('money, freezing and publishing need a sign-in of the last 15 minutes', async () => {
  const { id: account } = await server.account()
  const person = await ada()
  const { id } = await request(account)
  const accounts = `${admin}/accounts/${account}`
  const asks: [method: string, path: string, body: object | undefined, status: number][] = [
    ['POST', `${accounts}/transactions`, { ...large, amount_dollars: '1.00' }, 201],
    ['POST', `${accounts}/pending_credits`, large, 201],
    ['POST', `${admin}/pending_credits/${id}/approve`, undefined, 200],
    ['PUT', `${accounts}/credit_limit`, { credit_limit_dollars: '5.00' }, 200],
    ['POST', `${accounts}/freeze`, undefined, 200],
    ['POST', `${accounts}/unfreeze`, undefined, 200],
    ['POST', `${admin}/images/image_none/publish`, undefined, 404],
  ]
  await server.advance(901)
  for (const [method, path, body] of asks) {
    const old = await person.request(method, path, body ? { body } : {})
    assert.deepEqual([old.status, codeOf(old)], [401, 'authentication_error'], path)
    assert.equal(old.headers.get('x-error-code'), 'insufficient_user_authentication', path)
    assert.match(old.headers.get('www-authenticate') ?? '', /insufficient_user_authentication/)
  }
  // Whoever only takes back a request gives nothing away.
  const unneeded = await request(account)
  const refused = await person.attempt('refuse_pending_credit', { params: { id: unneeded.id } })
  assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [200, null])
  const again = await signIn(server, platform, person.user)
  for (const [method, path, body, status] of asks) {
    assert.equal((await again.request(method, path, body ? { body } : {})).status, status, path)
  }
})

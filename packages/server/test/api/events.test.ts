import assert from 'node:assert/strict'
import { test } from 'vitest'
import { codeOf, makeAccountToken, makeToken } from '../support/access.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const week = 7 * 86_400

type ListedEvent = {
  id: string
  cursor: string
  action: string
  occurred_at: number
  targets: { type: string; id: string }[]
}

/** Changes the trust level back and forth. Each change emits an event of the account itself. */
async function makeTrustEvents(account: TestAccount, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { trust_level } = await server.call('get_administered_account', { params: { account: account.id } })
    const body = { trust_level: trust_level === 'trusted' ? 'basic' : 'trusted' } as const
    await server.call('set_trust_level', { params: { account: account.id }, body })
  }
}

/** Creates a SKU and overrides it for the account, which emits an event. Returns the SKU's id. */
async function makeOverrideEvent(account: TestAccount): Promise<string> {
  const sku = await server.call('create_sku', { body: { num_vcpus: 8 } })
  const body = { num_vcpus: 4 }
  await server.call('put_sku_override', { params: { account: account.id, sku: sku.id }, body })
  return sku.id
}

function list(account: { token: string }, query = '') {
  return server.attempt('list_events', { query, token: account.token })
}

async function listOk(
  account: { token: string },
  query = '',
): Promise<{ data: ListedEvent[]; has_more: boolean; cursor?: string }> {
  return server.call('list_events', { query, token: account.token })
}

async function readAll(account: { token: string }, query: string): Promise<ListedEvent[]> {
  const all: ListedEvent[] = []
  let cursor = ''
  for (;;) {
    const page = await listOk(account, `?${query}${cursor && `&starting_after=${cursor}`}`)
    all.push(...page.data)
    if (!page.has_more) return all
    cursor = page.cursor as string
  }
}

test('list_events of an account without events is an empty page without a cursor', async () => {
  assert.deepEqual(await listOk(await server.account()), { object: 'list', data: [], has_more: false })
})

test('an event shows its action, time, actor and targets', async () => {
  const account = await server.account()
  const before = (await server.call('get_clock')).now
  await makeTrustEvents(account, 1)
  const { data, has_more, cursor } = await listOk(account)
  const [event] = data as [ListedEvent]
  assert.equal(data.length, 1)
  assert.equal(has_more, false)
  assert.equal(cursor, event.cursor)
  assert.match(event.cursor, /^evtc_[A-Za-z0-9_-]{43}$/)
  assert.match(event.id, /^evt_[0-9a-zA-Z_-]{21}$/)
  assert.ok(event.occurred_at >= before && event.occurred_at <= before + 60)
  const { id, cursor: _cursor, occurred_at, ...rest } = event
  assert.deepEqual(rest, {
    object: 'event',
    action: 'trust_level.updated',
    actor: { type: 'system' },
    targets: [{ type: 'account', id: account.id }],
  })
})

test('pages are oldest first, and every event has a cursor to continue from', async () => {
  const account = await server.account()
  await makeTrustEvents(account, 7)
  const whole = (await listOk(account)).data
  assert.equal(whole.length, 7)
  assert.deepEqual(
    (await readAll(account, 'limit=3')).map(({ id }) => id),
    whole.map(({ id }) => id),
  )
  const second = await listOk(account, '?limit=2')
  assert.equal(second.has_more, true)
  assert.equal(second.cursor, whole[1]?.cursor)
  for (const [index, event] of whole.entries()) {
    const rest = await listOk(account, `?starting_after=${event.cursor}`)
    assert.deepEqual(rest.data, whole.slice(index + 1))
    assert.equal(rest.cursor, whole.slice(index + 1).at(-1)?.cursor)
  }
})

test('a reader that has read all events gets later ones with its cursor', async () => {
  const account = await server.account()
  await makeTrustEvents(account, 2)
  const { cursor } = await listOk(account)
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await listOk(account, `?starting_after=${cursor}`), { object: 'list', data: [], has_more: false })
  }
  await makeTrustEvents(account, 1)
  assert.equal((await listOk(account, `?starting_after=${cursor}`)).data.length, 1)
})

test('filters combine, and values without events give an empty page', async () => {
  const account = await server.account()
  await makeTrustEvents(account, 2)
  const sku = await makeOverrideEvent(account)
  await makeTrustEvents(account, 1)
  const count = async (query: string) => (await listOk(account, `?${query}`)).data.length
  assert.equal(await count('action=trust_level.updated'), 3)
  assert.equal(await count('target_type=instance_sku'), 1)
  assert.equal(await count(`target=${sku}`), 1)
  assert.equal(await count(`target=${account.id}&target_type=account`), 3)
  assert.equal(await count(`target=${sku}&action=trust_level.updated`), 0)
  assert.equal(await count('action=trust_level.updated&target_type=instance_sku'), 0)
  assert.equal(await count('action=no.such.action'), 0)
  assert.equal(await count('target=pool_none'), 0)
})

test('since and until are inclusive, and integers of 64 bits', async () => {
  const account = await server.account()
  await makeTrustEvents(account, 1)
  await server.advance(10)
  await makeTrustEvents(account, 1)
  const [first, second] = (await listOk(account)).data as [ListedEvent, ListedEvent]
  assert.ok(second.occurred_at >= first.occurred_at + 10)
  const ids = async (query: string) => (await listOk(account, `?${query}`)).data.map(({ id }) => id)
  assert.deepEqual(await ids(`since=${second.occurred_at}`), [second.id])
  assert.deepEqual(await ids(`since=${first.occurred_at + 1}`), [second.id])
  assert.deepEqual(await ids(`until=${first.occurred_at}`), [first.id])
  assert.deepEqual(await ids(`until=${first.occurred_at - 1}`), [])
  assert.deepEqual(await ids(`since=${first.occurred_at}&until=${second.occurred_at}`), [first.id, second.id])
  assert.deepEqual(await ids('since=-9223372036854775808&until=9223372036854775807'), [first.id, second.id])
  assert.deepEqual(await ids(`since=${second.occurred_at + 86_000}`), [])
  assert.deepEqual(await ids('until=-5'), [])
})

test('invalid parameters are refused with their code', async () => {
  const account = await server.account()
  const wrong = [
    ['limit=0', 'out_of_range'],
    ['limit=201', 'out_of_range'],
    ['limit=x', 'invalid_type'],
    ['since=5&until=4', 'invalid_range'],
    // Milliseconds, where Unix seconds are meant.
    ['since=1800000000000', 'invalid_range'],
    ['since=9223372036854775807', 'invalid_range'],
    ['since=9223372036854775808', 'out_of_range'],
    ['since=1.5', 'invalid_type'],
    ['action=', 'invalid_format'],
    [`target=${'x'.repeat(256)}`, 'too_long'],
    ['target=svc:pool:acme:default:main', 'invalid_format'],
    ['action=a&action=b', 'repeated_parameter'],
    ['ending_before=evtc_x', 'unknown_field'],
    ['color=red', 'unknown_field'],
    ['starting_after=nonsense', 'invalid_cursor'],
    ['starting_after=evtc_AAAA', 'invalid_cursor'],
  ] as const
  for (const [query, code] of wrong) {
    const response = await list(account, `?${query}`)
    assert.deepEqual([query, response.status, codeOf(response)], [query, 400, code])
    assert.equal(response.body.error.type, 'invalid_request_error')
  }
})

test('a cursor is only valid with its filters and in its account', async () => {
  const account = await server.account()
  await makeTrustEvents(account, 3)
  const plain = (await listOk(account)).data[0]?.cursor as string
  const filtered = (await listOk(account, '?action=trust_level.updated&until=99999999999')).data[0]?.cursor as string
  assert.notEqual(plain, filtered)
  const good = [
    `starting_after=${plain}&limit=1`,
    `limit=2&until=99999999999&starting_after=${filtered}&action=trust_level.updated`,
  ]
  for (const query of good) assert.equal((await list(account, `?${query}`)).status, 200)
  const wrong = [
    `starting_after=${plain}&action=trust_level.updated`,
    `starting_after=${plain}&since=1`,
    `starting_after=${filtered}`,
    `starting_after=${filtered}&action=trust_level.updated`,
    `starting_after=${filtered}&action=trust_level.updated&until=099999999999`,
    `starting_after=${filtered}&action=trust_level.update&until=99999999999`,
    `starting_after=${plain.slice(0, 20)}${plain[20] === 'A' ? 'B' : 'A'}${plain.slice(21)}`,
  ]
  for (const query of wrong) {
    const response = await list(account, `?${query}`)
    assert.deepEqual([query, response.status, codeOf(response)], [query, 400, 'invalid_cursor'])
  }
  const stranger = await server.account()
  assert.equal(codeOf(await list(stranger, `?starting_after=${plain}`)), 'invalid_cursor')
  // Nor if the account itself sent the same request before and found no more events.
  const newest = (await listOk(account)).data.at(-1)?.cursor as string
  assert.deepEqual((await listOk(account, `?starting_after=${newest}`)).data, [])
  assert.equal(codeOf(await list(stranger, `?starting_after=${newest}`)), 'invalid_cursor')
  assert.deepEqual((await listOk(account, `?starting_after=${newest}`)).data, [])
})

test('every token of an account can list the events of the account itself', async () => {
  const account = await server.account()
  await makeTrustEvents(account, 2)
  const blind = await makeToken(server, account, { image: ['read'] })
  const reader = await makeAccountToken(server, account, { event: ['list'] })
  assert.equal((await listOk(blind)).data.length, 2)
  assert.equal((await listOk(reader)).data.length, 2)
  assert.equal((await server.attempt('list_events', { token: null })).status, 401)
})

test('an event is listed for exactly seven days, and then its cursor is 410', async () => {
  await server.call('freeze_clock')
  const account = await server.account()
  await makeTrustEvents(account, 1)
  const [event] = (await listOk(account)).data as [ListedEvent]
  await server.advance(3)
  await makeTrustEvents(account, 1)
  await server.advance(week - 3)
  assert.equal((await listOk(account)).data.length, 2)
  assert.equal((await listOk(account, `?starting_after=${event.cursor}`)).data.length, 1)
  await server.advance(1)
  assert.equal((await listOk(account)).data.length, 1)
  assert.equal((await listOk(account, `?since=${event.occurred_at}`)).data.length, 1)
  const late = await list(account, `?starting_after=${event.cursor}`)
  assert.deepEqual([late.status, late.body.error.type, late.body.error.details], [410, 'gone', undefined])
  assert.equal((await list(account, `?starting_after=${event.cursor}&limit=500`)).status, 400)
  await server.advance(3)
  assert.deepEqual(await listOk(account), { object: 'list', data: [], has_more: false })
  await server.call('resume_clock')
})

test('list_events refuses an old cursor even if there are no later events', async () => {
  await server.call('freeze_clock')
  const account = await server.account()
  await makeTrustEvents(account, 2)
  const cursors = (await listOk(account)).data.map(({ cursor }: ListedEvent) => cursor)
  // Repeats requests like a poller: the cached state of an earlier request must not skip the check of the age.
  const polled = async () => {
    const responses = []
    for (const query of [`?starting_after=${cursors[1]}`, `?starting_after=${cursors[1]}&limit=1`]) {
      for (let asked = 0; asked < 3; asked++) responses.push((await list(account, query)).status)
    }
    return new Set(responses)
  }
  assert.deepEqual(await polled(), new Set([200]))
  await server.advance(week)
  assert.deepEqual(await polled(), new Set([200]))
  await server.advance(1)
  assert.deepEqual(await polled(), new Set([410]))
  await server.call('resume_clock')
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { createClient } from '../src/client.ts'
import { InvalidRequestError, MalformedAnswerError, NotFoundError, UnprocessableEntityError } from '../src/errors.ts'
import { answerJson, startPeer } from './peer.ts'

const server = await startTestServer()
const owner = await server.account()
const client = createClient({ token: owner.token, baseUrl: server.url })
const made: string[] = []
for (let number = 0; number < 7; number++) made.unshift((await client.firewalls.create({ name: `f${number}` })).name)
const inOrder = [...made, 'default']

function names(entries: readonly { name: string }[]): string[] {
  return entries.map(({ name }) => name)
}

test('a list call resolves to a page and iterates over all pages', async () => {
  const page = await client.firewalls.list({ limit: 3 })
  assert.deepEqual([page.object, page.has_more, names(page.data)], ['list', true, inOrder.slice(0, 3)])
  assert.match(page.cursor as string, /^frwlc_/)
  const walked: string[] = []
  for await (const firewall of client.firewalls.list({ limit: 3 })) walked.push(firewall.name)
  assert.deepEqual(walked, inOrder)
  const rest: string[] = []
  for await (const firewall of page) rest.push(firewall.name)
  assert.deepEqual(rest, inOrder)
  assert.deepEqual(names(await client.firewalls.list({ limit: 3 }).all()), inOrder)
  assert.deepEqual(names(await client.firewalls.list({ limit: 3 }).all({ max: 4 })), inOrder.slice(0, 4))
  assert.deepEqual(await client.firewalls.list().all({ max: 0 }), [])
})

test('nextPage and previousPage move in both directions and end at both ends', async () => {
  const first = await client.firewalls.list({ limit: 3 })
  const second = await first.nextPage()
  const third = await second?.nextPage()
  assert.deepEqual(names(third?.data ?? []), inOrder.slice(6))
  assert.equal(await third?.nextPage(), undefined)
  const back = await third?.previousPage()
  assert.deepEqual(names(back?.data ?? []), inOrder.slice(3, 6))
  assert.deepEqual(names((await back?.nextPage())?.data ?? []), inOrder.slice(6))
  const start = await back?.previousPage()
  assert.deepEqual(names(start?.data ?? []), inOrder.slice(0, 3))
  assert.equal(await start?.previousPage(), undefined)
  assert.equal(await first.previousPage(), undefined)
})

test('an iteration from a stored cursor continues after it', async () => {
  const { cursor = '' } = await client.firewalls.list({ limit: 3 })
  assert.deepEqual(names(await client.firewalls.list({ limit: 2, starting_after: cursor }).all()), inOrder.slice(3))
  const end = (await client.firewalls.list({ limit: 200 })).cursor ?? ''
  const empty = await client.firewalls.list({ starting_after: end })
  assert.deepEqual([empty.data, empty.has_more, empty.cursor], [[], false, end])
  const [last] = await client.firewalls.list({ limit: 1, starting_after: cursor }).all({ max: 1 })
  assert.equal(last?.name, inOrder[3])
})

test('an iteration from ending_before runs backward entry by entry', async () => {
  const last = (await client.firewalls.list({ limit: 200 })).cursor ?? ''
  const empty = await client.firewalls.list({ ending_before: last })
  assert.deepEqual([empty.data, empty.has_more], [[], false])
  const { cursor } = (await (await client.firewalls.list({ limit: 6 })).nextPage()) ?? {}
  const walked = await client.firewalls.list({ limit: 4, ending_before: cursor as string }).all()
  assert.deepEqual(names(walked), inOrder.slice(0, 6).toReversed())
})

test('an iteration passes pages without entries', async () => {
  const pages: Record<string, unknown> = {
    first: { object: 'list', data: [], has_more: true, cursor: 'second' },
    second: { object: 'list', data: [], has_more: true, cursor: 'third' },
    third: { object: 'list', data: [{ name: 'found' }], has_more: false, cursor: 'fourth' },
  }
  const peer = await startPeer((response, { url }) => {
    const place = new URL(url, 'http://peer').searchParams.get('starting_after') ?? 'first'
    answerJson(response, 200, pages[place])
  })
  const sparse = createClient({ token: owner.token, baseUrl: peer.url })
  assert.deepEqual(names(await sparse.firewalls.list().all()), ['found'])
  const first = await sparse.firewalls.list()
  const second = await first.nextPage()
  assert.deepEqual([second?.data, second?.has_more], [[], true])
  assert.deepEqual(names((await second?.nextPage())?.data ?? []), ['found'])
})

test('a page serialises to the JSON of the API', async () => {
  const page = await client.firewalls.list({ limit: 1 })
  const raw = await server.call('list_firewalls', { query: { limit: 1 }, token: owner.token })
  assert.deepEqual(JSON.parse(JSON.stringify(page)), raw)
})

test('a list without pages is one complete page', async () => {
  const page = await client.limits.list()
  assert.ok(page.data.length > 10)
  assert.deepEqual([page.has_more, page.cursor, await page.nextPage()], [false, undefined, undefined])
  assert.equal((await client.limits.list().all()).length, page.data.length)
})

test('a refusal is thrown when the list is awaited or iterated', async () => {
  await assert.rejects(client.firewalls.list({ starting_after: 'frwlc_forged' }).all(), InvalidRequestError)
  const { cursor = '' } = await client.firewalls.list()
  await assert.rejects(
    client.firewalls.list({ starting_after: cursor, ending_before: cursor }),
    (error) => error instanceof UnprocessableEntityError && error.codes.includes('mutually_exclusive'),
  )
  const walk = async () => {
    for await (const _ of client.accounts.list()) assert.fail('A customer sees no accounts.')
  }
  await assert.rejects(walk(), NotFoundError)
  const platform = createClient({ token: server.platform_token, baseUrl: server.url })
  assert.ok((await platform.accounts.list().all()).some(({ id }) => id === owner.id))
})

test('a server that repeats a cursor does not cause an endless iteration', async () => {
  const peer = await startPeer((response) =>
    answerJson(response, 200, { object: 'list', data: [{ id: 1 }], has_more: true, cursor: 'frwlc_same' }),
  )
  const lost = createClient({ token: 'a', baseUrl: peer.url })
  await assert.rejects(lost.firewalls.list().all(), MalformedAnswerError)
  assert.equal(peer.requests.length, 2)
})

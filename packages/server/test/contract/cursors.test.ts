import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom, pick, type Random } from '../../src/core/base/random.ts'
import { startTestServer } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { filteredRows } from './filtered-rows.ts'
import { type NamedEndpoint, operations, sums, tokenFor } from './operations.ts'
import { makeWorld } from './world.ts'

type CursorList = { operation: NamedEndpoint; token: string; cursor: string; filter: string; isNested: boolean }

const server = await startTestServer()
const world = await makeWorld(server)
const random = createSeededRandom('mangled cursors')
const mangledCount = sized(2_000)
const workers = 8

const lists: CursorList[] = []
for (const operation of operations.filter(
  ({ name, query }) => 'starting_after' in query.properties && !sums.has(name),
)) {
  const rows = await filteredRows[operation.name]?.(world)
  const token = rows?.token ?? tokenFor(world, operation)
  const placed = { ...operation, path: rows?.path ?? operation.path }
  const { cursor } = await server.ok('GET', `${placed.path}?limit=1`, { token })
  const [name, value] = Object.entries({ ...rows?.selects, ...rows?.adds })[0] ?? []
  lists.push({
    operation: placed,
    token,
    cursor,
    filter: `${name}=${encodeURIComponent(value ?? '')}`,
    isNested: rows?.path !== undefined,
  })
}

function ask({ operation, token }: CursorList, cursor: string, more = '', parameter = 'starting_after') {
  return server.request('GET', `${operation.path}?${parameter}=${encodeURIComponent(cursor)}${more}`, { token })
}

const [events] = lists.filter(({ operation }) => operation.name === 'list_events') as [CursorList]
const refused = (await ask(events, 'evtc_AAAA')).text

/** Asserts that a cursor gets the response of all invalid cursors. */
async function assertRefused(list: CursorList, cursor: string, more = ''): Promise<void> {
  const response = await ask(list, cursor, more)
  assert.deepEqual([response.status, response.text], [400, refused], `${list.operation.name} ${cursor}${more}`)
}

function flipBit(body: string, random: Random): string {
  const bytes = Buffer.from(body, 'base64url')
  const at = random.integer(bytes.length)
  bytes[at] = (bytes[at] as number) ^ (1 << random.integer(8))
  return bytes.toString('base64url')
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Ways to change the part after the prefix. */
const manglings: readonly ((body: string, random: Random) => string)[] = [
  flipBit,
  flipBit,
  flipBit,
  (body, random) => body.slice(0, random.integer(body.length)),
  (body, random) => body.slice(1 + random.integer(body.length - 1)),
  (body, random) => body + pick(random, [...letters]),
  (body, random) => {
    const at = random.integer(body.length)
    return body.slice(0, at) + pick(random, [...letters, '+', '/', '=', '.', ' ', '%', 'ä', '\n']) + body.slice(at)
  },
  (body, random) => {
    const at = random.integer(body.length)
    return body.slice(0, at) + body.slice(at + 1)
  },
  (body) => `${body}=`,
  (body) => `${body}==`,
  (body) => body + body,
  (body) => [...body].reverse().join(''),
  (body) => body.toLowerCase(),
  (body, random) => Buffer.from(letters).toString('base64url').slice(random.integer(40)) + body.slice(40),
  (body, random) => body.padEnd(2048 + random.integer(2000), 'A'),
]

test('2,000 mangled cursors get the same response', async ({ annotate }) => {
  const wrong: [CursorList, string][] = []
  while (wrong.length < mangledCount) {
    const list = random.integer(3) === 0 ? events : pick(random, lists)
    const at = list.cursor.indexOf('_') + 1
    const cursor = list.cursor.slice(0, at) + pick(random, manglings)(list.cursor.slice(at), random)
    if (cursor !== list.cursor) wrong.push([list, cursor])
  }
  const open = [...wrong]
  const worker = async () => {
    for (let next = open.shift(); next; next = open.shift()) await assertRefused(...next)
  }
  await Promise.all(Array.from({ length: workers }, worker))
  await annotate(`${wrong.length} mangled cursors on ${lists.length} lists, 0 accepted`)
})

test('a cursor is valid for its own list only, with any prefix', async () => {
  for (const list of lists) {
    const prefix = list.cursor.slice(0, list.cursor.indexOf('_') + 1)
    for (const { cursor } of lists.filter((other) => other !== list)) {
      await assertRefused(list, cursor)
      await assertRefused(list, prefix + cursor.slice(cursor.indexOf('_') + 1))
    }
    await assertRefused(list, prefix)
    await assertRefused(list, list.cursor.toUpperCase())
    await assertRefused(list, ` ${list.cursor}`)
  }
})

test('a cursor is valid for its own filters and account only, with any limit', async () => {
  for (const list of lists) {
    assert.equal((await ask(list, list.cursor, '&limit=7')).status, 200, list.operation.name)
    if (!list.filter.startsWith('undefined')) await assertRefused(list, list.cursor, `&${list.filter}`)
    // A nested list does not exist for other accounts, whatever the cursor.
    const isForOne = list.token === world.platform.token || list.isNested
    if (!isForOne) await assertRefused({ ...list, token: world.stranger.token }, list.cursor)
  }
})

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { NewEvent } from '../../src/core/work/ctx.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import type { Server } from '../../src/server.ts'
import { filterLog, type OracleFilters, queryOf, readLog } from './filter-oracle.ts'
import { type ReplicaAccount, startReplicas } from './replicas.ts'
import { closeStreamsAfterwards, type EventStreamReader, openEvents } from './stream-reader.ts'

const day = 86_400
const replicas = await startReplicas(2)
closeStreamsAfterwards()
const servers = replicas.servers as [Server, Server]
const [{ runtime }] = servers
const random = createSeededRandom('open streams')

function emit({ id }: ReplicaAccount, count: number, by: Runtime = runtime): Promise<unknown> {
  return systemCommand(by, async (ctx) => {
    for (let i = 0; i < count; i++) ctx.emit(randomEvent(id))
  })
}

function randomEvent(account_id: string): NewEvent {
  const isImage = random.integer(4) === 0
  return {
    account_id,
    workspace_id: null,
    action: isImage ? 'image.revoked' : random.integer(2) === 0 ? 'instance.created' : 'instance.running',
    target_type: isImage ? 'image' : 'instance',
    target_id: `inst_${random.integer(5)}`,
  }
}

/** Reads one list to the last event over many connections, which end by chance, each behind the last event so far. */
async function readToTheEnd(account: ReplicaAccount, filters: OracleFilters) {
  const ids: string[] = []
  let last: string | undefined
  for (let connections = 1; ; connections++) {
    const { url } = servers[random.integer(2)] as Server
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
    const query = queryOf(filters, { limit: 1 + random.integer(200) })
    const reader = await openEvents(url, { token: account.token, query, headers })
    assert.equal(reader.response.status, 200)
    const most = 1 + random.integer(300)
    const isOver = () => reader.entries.at(-1)?.data.action === lastAction
    await reader.until(() => reader.entries.length >= most || isOver())
    reader.leave()
    ids.push(...shownIn(reader))
    if (reader.entries.some(({ data }) => data.action === lastAction)) return { ids, connections }
    last = reader.entries.at(-1)?.id ?? last
  }
}

const lastAction = 'order.created'
const shownIn = (reader: EventStreamReader): string[] => reader.entries.map(({ data }) => data.id)

test('readers of two replicas that reconnect by chance get every event once and in order', async () => {
  const account = await replicas.account('exact')
  await emit(account, 300)
  const marker: NewEvent = { ...randomEvent(account.id), action: lastAction, target_type: 'instance' }
  const sets: OracleFilters[] = [
    {},
    {},
    {},
    { target_type: 'instance' },
    { target_type: 'instance' },
    { target: marker.target_id },
    { target_type: 'instance', since: 1 },
  ]
  const readers = sets.map((filters) => readToTheEnd(account, filters))
  for (let n = 0; n < 60; n++) {
    const by = (servers[random.integer(2)] as Server).runtime
    await emit(account, n === 30 ? 1_500 : 1 + random.integer(60), by)
  }
  await systemCommand(runtime, async (ctx) => ctx.emit(marker))
  const log = await readLog(runtime, account.id)
  const all = await Promise.all(readers)
  let connections = 0
  for (const [i, { ids, connections: own }] of all.entries()) {
    const expected = filterLog(log, sets[i] as OracleFilters, 'all').map(({ id }) => id)
    assert.deepEqual(ids, expected)
    connections += own
  }
  assert.ok(connections > 30, `${connections} connections`)
})

test('readers of an empty log wait together, and cost no read of their own', async () => {
  const account = await replicas.account('empty')
  const open = () => openEvents(servers[0].url, { token: account.token })
  const readers = [await open(), await open(), await open()]
  const own = () => runtime.services.event_readers.accounts.get(account.id)
  const groups = () => [...(own()?.live.values() ?? [])]
  // The head of an answer arrives before its reader joins.
  await eventually('three readers form one group, and none is joining', () => {
    assert.equal(own()?.joining.size, 0)
    assert.deepEqual(
      groups().map(({ readers }) => readers.size),
      [3],
    )
    return true
  })
  const [group] = groups()
  // The poll serves the group as it is: it neither catches up nor joins again.
  await emit(account, 2)
  for (const reader of readers) await reader.take(2)
  assert.equal(groups()[0], group)
})

test('waiting readers with the same filters and rights form one group on the replica, and others do not', async () => {
  const account = await replicas.account('groups')
  await emit(account, 2)
  const open = (query = '', headers = {}) => openEvents(servers[0].url, { token: account.token, query, headers })
  const readers = [await open(), await open(), await open('limit=1'), await open('target_type=image')]
  await emit(account, 1)
  for (const reader of readers.slice(0, 3)) await reader.take(3)
  const groups = () => [...(runtime.services.event_readers.accounts.get(account.id)?.live.values() ?? [])]
  await eventually('three readers form one group behind all events, and the fourth another one', () => {
    const found = groups().map(({ behind, readers: own }) => ({ behind, readers: own.size }))
    assert.deepEqual(
      found.toSorted((a, b) => a.readers - b.readers),
      [
        { behind: 3, readers: 1 },
        { behind: 3, readers: 3 },
      ],
    )
    return true
  })
  for (const reader of readers) reader.leave()
  await eventually('nothing remains of readers that left', () => {
    return !runtime.services.event_readers.accounts.has(account.id)
  })
})

test('a reader that pauses in a burst goes on where it was, and one that missed events gets a gap', async () => {
  const account = await replicas.account('burst')
  const open = async (query: string) => {
    const { hostname, port } = new URL(servers[0].url)
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    const head = `GET /preview/v2/events?${query} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n`
    socket.write(`${head}Authorization: Bearer ${account.token}\r\n\r\n`)
    let text = ''
    socket.on('data', (part) => {
      text += part
    })
    let isClosed = false
    socket.once('close', () => {
      isClosed = true
    })
    await eventually('the stream begins', () => text.includes('retry:'))
    return { socket, text: () => text, isClosed: () => isClosed }
  }
  const paused = await open('on_gap=continue')
  const ending = await open('')
  paused.socket.pause()
  ending.socket.pause()
  const events = 24_000
  for (let n = 0; n < events; n += 2_000) await emit(account, 2_000)
  // All that fits in the buffers of the connections is sent when another reader has all events.
  const whole = await openEvents(servers[0].url, { token: account.token })
  await whole.take(events)
  await replicas.call('advance_clock', { body: { seconds: 8 * day } })
  await emit(account, 2)
  paused.socket.resume()
  await eventually('the reader that paused gets a gap, and both events after it', () => {
    const [before = '', after = ''] = paused.text().split('event: gap\n')
    assert.ok(eventsIn(before) > 0 && eventsIn(before) < events, `${eventsIn(before)} events before the gap`)
    assert.equal(eventsIn(after), 2)
    return true
  })
  ending.socket.resume()
  await eventually('the stream that must have no gap ends', () => {
    return ending.isClosed() || ending.text().endsWith('0\r\n\r\n')
  })
  assert.equal(ending.text().includes('event: gap'), false)
  assert.ok(eventsIn(ending.text()) < events)
  // The reader that took everything in time misses nothing by the leap of the clock.
  await whole.take(events + 2)
  assert.ok(whole.entries.every(({ event }) => event === undefined))
})

function eventsIn(text: string): number {
  return text.split('\ndata: {"object":"event"').length - 1
}

/** Removes the newest events of the account as the copy of an older data directory does. */
async function lose(account: ReplicaAccount, count: number): Promise<void> {
  await runtime.database.asOwner(async (db) => {
    const run = (text: string) => db.run(statement(null, text))
    await run('begin')
    await run(`update event_counters set position = position - ${count} where account_id = '${account.id}'`)
    await run(`delete from events e using event_counters c
      where e.account_id = c.account_id and e.account_id = '${account.id}' and e.position > c.position`)
    await run('commit')
  })
}

test('after lost commits a waiting stream ends or gets a gap, and streams of whole logs go on', async () => {
  const account = await replicas.account('losing')
  const other = await replicas.account('whole')
  await emit(account, 5)
  await emit(other, 1)
  const open = ({ url }: Server, { token }: ReplicaAccount, query = '') => openEvents(url, { token, query })
  const ending = await open(servers[0], account)
  const continuing = [
    await open(servers[0], account, 'on_gap=continue'),
    await open(servers[1], account, 'on_gap=continue'),
  ]
  const untouched = [await open(servers[0], other), await open(servers[1], other)]
  for (const reader of [ending, ...continuing]) await reader.take(5)
  await lose(account, 2)
  assert.equal((await ending.toTheEnd()).length, 5)
  for (const reader of continuing) {
    await reader.take(9)
    assert.deepEqual(reader.entries[5]?.data, { object: 'gap', reason: 'lost_commits' })
    assert.deepEqual(shownIn(reader).slice(6), shownIn(reader).slice(0, 3))
  }
  await emit(account, 1)
  await emit(other, 1)
  const [last] = (await readLog(runtime, account.id)).slice(-1)
  for (const reader of continuing) assert.equal((await reader.take(10))[9]?.data.id, last?.id)
  for (const reader of untouched) {
    await reader.take(2)
    assert.ok(reader.entries.every(({ event }) => event === undefined))
  }
  const headers = { 'last-event-id': ending.entries[4]?.id as string }
  const refused = await openEvents(servers[1].url, { token: account.token, headers })
  assert.equal(refused.response.status, 410)
})

test('a server that closes ends its streams', async () => {
  const account = await replicas.account('closing')
  const readers = await Promise.all(servers.map(({ url }) => openEvents(url, { token: account.token })))
  await emit(account, 1)
  for (const reader of readers) await reader.take(1)
  await replicas.close()
  for (const reader of readers) assert.equal((await reader.toTheEnd()).length, 1)
})

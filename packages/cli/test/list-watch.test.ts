import assert from 'node:assert/strict'
import { listImages } from '@bourse/api/images/images.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { listFirewalls } from '@bourse/api/network/firewalls.ts'
import { test } from 'vitest'
import { makeImage } from '../../server/test/support/fixtures/fleet.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { watchList } from '../src/commands/list-watch.ts'
import { shapeOf } from '../src/commands/operation-run.ts'
import { type GlobalOptions, openSession } from '../src/input/session.ts'
import { type List, printList } from '../src/output/output.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
const account = await server.account()
const variables = { BOURSE_DATA_DIR: '/nonexistent', BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: account.token }

/** Watches a list until the test ends it. `until` waits for a condition on what was printed. */
function watch(endpoint: Endpoint, options: GlobalOptions, width?: number) {
  const printed: string[] = []
  let reads = 0
  let look = () => {}
  const print = (text: string) => {
    printed.push(text)
    look()
  }
  const terminal = {
    data: print,
    raw: (bytes: Uint8Array) => print(Buffer.from(bytes).toString()),
    note: print,
    ask: async () => undefined,
    width,
    dim: String,
    red: String,
    bidColour: String,
    askColour: String,
  }
  const ending = new AbortController()
  const read = async (): Promise<List> => {
    reads += 1
    return server.ok('GET', endpoint.path, { token: account.token })
  }
  const session = openSession({ terminal, variables }, options)
  const shape = shapeOf(endpoint)
  const watched = watchList(session, {
    endpoint,
    shape,
    read,
    show: async (list) => printList(terminal, session.output, list, shape),
    take: (rows) => rows,
    signal: ending.signal,
  })
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      look = () => holds() && resolve()
      look()
    })
  const stop = async () => {
    ending.abort()
    await watched
  }
  return { printed, until, stop, reads: () => reads }
}

test('a watched list that is no terminal prints each change as a line', async () => {
  const first = await makeImage(server, account)
  const { printed, until, stop } = watch(listImages as unknown as Endpoint, { json: true })
  const lines = () => printed.map((line) => JSON.parse(line))
  await until(() => printed.length >= 1)
  // No event tells of a new image, but the next event has the list read again.
  const second = await makeImage(server, account)
  await server.call('revoke_public_image', { params: { id: first.id } })
  await until(() => lines().filter(({ row }) => row.id === first.id).length >= 2 && lines().length >= 3)
  await server.call('delete_image', { params: { id: second.id }, token: account.token })
  await server.call('reinstate_public_image', { params: { id: first.id } })
  await until(() => lines().some(({ change }) => change === 'removed'))
  await stop()
  const seen = lines().map(({ change, row }) => `${change} ${row.id === first.id ? 'first' : 'second'}`)
  assert.deepEqual(seen.slice(0, 3).sort(), ['added first', 'added second', 'changed first'])
  assert.deepEqual(seen.slice(3).sort(), ['changed first', 'removed second'])
})

test('a watched list on a terminal is drawn again, also for a kind without events', async () => {
  const { printed, until, stop, reads } = watch(listFirewalls as unknown as Endpoint, {}, 120)
  await until(() => printed.some((text) => text.startsWith('Read at')))
  await server.call('create_firewall', { token: account.token, body: { name: 'watched' } })
  await until(() => printed.some((text) => text.includes('watched')))
  await stop()
  assert.equal(printed[0], '\x1b[H\x1b[2J')
  assert.equal(printed.filter((text) => text === '\x1b[H\x1b[2J').length, reads())
})

test('--watch of a list that cannot be read is an error, and --curl shows the list', async () => {
  const bourse = runnerFor(variables)
  const refused = await bourse('orders', 'list', '--watch', '--sku', 'x')
  assert.notEqual(refused.code, 0)
  const shown = await bourse('instances', 'list', '--watch', '--curl')
  assert.match(shown.out, /^curl .*\/v2\/instances/)
  const tail = await bourse('events', 'tail', '--starting-after', 'evtc_x', '--curl')
  assert.match(tail.out, /^curl .*\/preview\/v2\/events\?starting_after=evtc_x/)
})

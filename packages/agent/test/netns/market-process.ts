import { readFile } from 'node:fs/promises'
import { platformAccount } from '../../../server/test/support/access.ts'
import { grantNodes } from '../../../server/test/support/fixtures/capacity.ts'
import { makeSku } from '../../../server/test/support/fixtures/fleet.ts'
import { uploadImage } from '../../../server/test/support/fixtures/images.ts'
import { openTestServer } from '../../../server/test/support/server.ts'
import { answerLines } from './conversation.ts'

// A server with which the hosts of the tests enrol, in the namespace of one of them.

await using server = await openTestServer()
const operator = await platformAccount(server)
const account = await server.account()
const own = { token: account.token }
const partBytes = 8 * 2 ** 20

await answerLines({
  /** Creates a permit for one host with one slot, and uploads the image. */
  prepare: async (path: string) => {
    const sku = await makeSku(server)
    const { token } = await server.call('create_host_enrolment', { token: operator.token, body: { sku } })
    const bytes = await readFile(path)
    const starts = Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, index) => index * partBytes)
    const parts = starts.map((start) => bytes.subarray(start, start + partBytes))
    const { id: image } = await uploadImage({ server, token: account.token }, parts)
    return { url: server.url, permit: token, sku, image }
  },
  /** Creates a pool that owns the slot of a host until an end. */
  grant: async (host: string, sku: string, end_in_seconds: number) => {
    const supply = (await server.call('get_host', { params: { id: host } })).pool.id
    const pool = await grantNodes(server, account, { sku, supply, nodes: 1, end_in_seconds })
    await server.advance(60)
    return pool
  },
  call: (method: string, path: string, body?: object) => server.ok(method, path, { ...own, ...(body ? { body } : {}) }),
  find: async (path: string) => (await server.request('GET', path, own)).body ?? null,
  host: (id: string) => server.call('get_host', { params: { id } }),
  advance: (seconds: number) => server.advance(seconds),
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Server } from '../../src/server.ts'
import type { OracleFilters } from './filter-oracle.ts'
import { type ReplicaAccount, startReplicas } from './replicas.ts'

const replicas = await startReplicas(2)
const [{ runtime }] = replicas.servers as [Server]
const random = createSeededRandom('cursors')
const [account, stranger] = [await replicas.account('own'), await replicas.account('stranger')]

for (const { id } of [account, stranger]) {
  await systemCommand(runtime, async (ctx) => {
    const event = {
      account_id: id,
      workspace_id: null,
      action: 'image.revoked',
      target_type: 'image',
      target_id: 'image_1',
    }
    for (let i = 0; i < 5; i++) ctx.emit(event)
  })
}

const refusal = {
  status: 400,
  body: {
    error: {
      type: 'invalid_request_error',
      message: 'starting_after: This cursor does not belong to this list with these filters.',
      details: [
        {
          field: 'starting_after',
          code: 'invalid_cursor',
          message: 'This cursor does not belong to this list with these filters.',
        },
      ],
    },
  },
}

async function cursorsOf({ token }: ReplicaAccount, filters: OracleFilters): Promise<string[]> {
  const { data } = await replicas.call('list_events', { query: filters, token })
  return data.map(({ cursor }) => cursor)
}

async function ask({ token }: ReplicaAccount, filters: OracleFilters, starting_after: string) {
  const query = { ...filters, starting_after }
  const { status, body } = await replicas.on(random.integer(2)).attempt('list_events', { query, token })
  return { status, body }
}

/** A cursor with one bit of its bytes inverted. */
function flipped(cursor: string, bit: number): string {
  const bytes = Buffer.from(cursor.slice(5), 'base64url')
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
  return `evtc_${bytes.toString('base64url')}`
}

const filterSets: OracleFilters[] = [
  {},
  { action: 'image.revoked' },
  { target: 'image_1' },
  { target_type: 'image' },
  { since: 0 },
  { until: 9_999_999_999 },
  { action: 'image.revoked', target: 'image_1' },
  { since: 0, until: 9_999_999_999 },
]

test('a cursor with any inverted bit is refused, always with the same message', async () => {
  let tried = 0
  for (const filters of filterSets.slice(0, 6)) {
    const [cursor] = (await cursorsOf(account, filters)) as [string]
    assert.equal((await ask(account, filters, cursor)).status, 200)
    const bits = Array.from({ length: 32 * 8 }, (_, bit) => bit)
    const responses = await Promise.all(bits.map((bit) => ask(account, filters, flipped(cursor, bit))))
    for (const [bit, response] of responses.entries()) assert.deepEqual(response, refusal, `bit ${bit}`)
    tried += responses.length
  }
  assert.ok(tried > 1500)
})

test('a cursor of other filters or of another account is refused with the same message', async () => {
  const cursors = await Promise.all(filterSets.map((filters) => cursorsOf(account, filters)))
  for (const [made, own] of cursors.entries()) {
    for (const [asked, filters] of filterSets.entries()) {
      const responses = await Promise.all(own.map((cursor) => ask(account, filters, cursor)))
      for (const response of responses) {
        if (made === asked) assert.equal(response.status, 200)
        else assert.deepEqual(response, refusal)
      }
    }
    for (const cursor of own) assert.deepEqual(await ask(stranger, filterSets[made] as OracleFilters, cursor), refusal)
  }
})

test('a text that is not a cursor is refused with the same message', async () => {
  const [cursor] = (await cursorsOf(account, {})) as [string]
  const skus = 'skuc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  const shapes = [
    'evtc_',
    'evtc_A',
    'x',
    skus,
    cursor.slice(0, -1),
    `${cursor}A`,
    cursor.replace('evtc_', 'EVTC_'),
    `${cursor}=`,
    cursor.slice(5),
  ]
  for (const shape of shapes) {
    const { status, body } = await ask(account, {}, shape)
    assert.deepEqual({ status, body }, refusal, shape)
  }
})

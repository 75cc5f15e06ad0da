import assert from 'node:assert/strict'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { startTestServer } from '../support/server.ts'

const testDatabase = await createTestDatabase()
const server = await startTestServer({ target: testDatabase.target })
afterAll(() => testDatabase[Symbol.asyncDispose]())
const [slow, quick] = [await server.account(), await server.account()]

/** Holds back all reads of a table, and returns the function that lets them go on. */
async function holdBack(table: string): Promise<() => Promise<void>> {
  const owner = new pg.Client(testDatabase.target)
  await owner.connect()
  await owner.query(`begin; lock table ${table} in access exclusive mode`)
  return async () => {
    await owner.query('rollback')
    await owner.end()
  }
}

test('while reads of one account are slow, those of another are answered, tokens and the clock too', async () => {
  // The token of the second account is not in any cache, so it is looked up meanwhile.
  const letGo = await holdBack('orders')
  const answered: string[] = []
  const read = async (who: string, path: string, token: string) => {
    const { status } = await server.request('GET', path, { token })
    answered.push(who)
    return status
  }
  const held = Array.from({ length: 40 }, () => read('slow', '/v2/orders', slow.token))
  // The first answer of the other account comes while none of these has one.
  const paths = ['/v2/images', '/v2/pools', '/preview/v2/events', '/preview/v2/account']
  for (const path of paths) assert.equal(await read('quick', path, quick.token), 200)
  assert.deepEqual(answered, Array<string>(paths.length).fill('quick'))
  await letGo()
  assert.deepEqual(new Set(await Promise.all(held)), new Set([200]))
})

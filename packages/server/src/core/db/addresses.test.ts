import assert from 'node:assert/strict'
import { test } from 'vitest'
import { atAnyAddress, createAddresses } from './addresses.ts'
import type { DatabaseTarget } from './database-target.ts'
import { connectionFailures } from './db.ts'

const target: DatabaseTarget = {
  host: 'db1',
  port: 5432,
  others: [{ host: 'db2', port: 5433 }],
  user: 'owner',
  database: 'bourse',
}

async function hostsTried(failure: Error): Promise<{ tried: string[]; next: string }> {
  const addresses = createAddresses(target)
  const tried: string[] = []
  const connect = async () => {
    tried.push(addresses.current().host)
    throw failure
  }
  await assert.rejects(atAnyAddress(addresses, connect, connectionFailures), failure)
  return { tried, next: addresses.current().host }
}

test('a server that cannot be reached is skipped, and one all of whose connections are in use is not', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  assert.deepEqual(await hostsTried(refused), { tried: ['db1', 'db2'], next: 'db1' })
  const slow = new Error('Connection terminated due to connection timeout')
  assert.deepEqual(await hostsTried(slow), { tried: ['db1', 'db2'], next: 'db1' })
  const full = new Error('timeout exceeded when trying to connect')
  assert.deepEqual(await hostsTried(full), { tried: ['db1'], next: 'db1' })
})

/** Transactions of one second, written by two servers whose ids have no order between them. */
import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestServer } from '../support/server.ts'

const database = await createTestDatabase()
const keys = loadKeys(makeKeys('sandbox', createCryptoRandom()))
const options = { target: database.target, keys }
const servers = [await startTestServer(options), await startTestServer(options)] as const
afterAll(() => database[Symbol.asyncDispose]())

test('lists and exports have the transactions of one second in the order of the ledger, on all pages', async () => {
  const [first] = servers
  const { id, token } = await first.account()
  await first.call('freeze_clock')
  const posted: string[] = []
  for (let n = 1; n <= 12; n += 1) {
    const body = { type: 'credit_grant', amount_dollars: '1.00', description: 'One of many.' } as const
    const server = servers[n % 2] as (typeof servers)[0]
    posted.unshift((await server.call('create_account_transaction', { params: { account: id }, body })).id)
  }
  await first.call('resume_clock')
  const listed: { id: string; balance_after_dollars: string }[] = []
  for (let starting_after: string | undefined; ; ) {
    const query = { limit: 5, type: ['credit_grant'], starting_after } as const
    const page = await first.call('list_transactions', { query, token })
    listed.push(...page.data)
    if (!page.has_more) break
    starting_after = page.cursor
  }
  assert.deepEqual(
    listed.map((one) => one.id),
    posted,
  )
  assert.equal(listed[0]?.balance_after_dollars, '12.000000')
  const rising = posted.toReversed()
  assert.notDeepEqual(rising.toSorted(), rising, 'The ids are in order by chance.')
  const whole = await first.call('list_transactions', { token })
  assert.deepEqual(
    whole.data.map((one) => one.id),
    posted,
  )
  const { now } = await first.call('get_clock')
  const today = now - (now % 86_400)
  const query = { format: 'ledger_jsonl', from: today - 86_400, to: today + 86_400 } as const
  const exported = await first.attempt('export_usage', { query, token })
  const rows = exported.text.trim().split('\n')
  assert.deepEqual(
    rows.map((row) => JSON.parse(row).id),
    rising,
  )
})

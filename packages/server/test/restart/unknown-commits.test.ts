import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { app } from '../../src/app.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { openDatabase, statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { createTestDatabase } from '../support/database.ts'
import { openFaultProxy, type ProxiedCommit } from '../support/fault-proxy.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'

const cutsWanted = 500
const workers = 16
const outcomes: readonly ProxiedCommit[] = ['never sent', 'half sent', 'sent, no way back', 'answer lost', 'sent late']

const database = await createTestDatabase()
const proxy = await openFaultProxy(database.target)
const server = await startTestServer({ target: proxy.target, rate_multiplier: 1_000_000 })
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
const account = await server.account({ trust_level: 'partner' })
const { sku, pool, image } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
const launch = { sku, pool, image }
const random = createSeededRandom('unknown commits')

type UnknownCommit = { readonly key: string; readonly name: string; readonly first: TestResponse }

function create(key: string, name: string): Promise<TestResponse> {
  const headers = { 'Idempotency-Key': key }
  return server.attempt('create_instance', { token: account.token, headers, body: { ...launch, name } })
}

function cuts(): number {
  return [...proxy.met].reduce((sum, [outcome, count]) => (outcome === 'passes' ? sum : sum + count), 0)
}

test('a commit whose response is lost is reported correctly, and a retry has no further effect', async ({
  annotate,
}) => {
  let turn = 0
  proxy.judge = () => (random.integer(2) === 0 ? 'passes' : (outcomes[turn++ % outcomes.length] as ProxiedCommit))
  const asked: UnknownCommit[] = []
  let made = 0
  const worker = async () => {
    while (cuts() < cutsWanted) {
      made += 1
      const [key, name] = [`key-${made}`, `name-${made}`]
      const first = await create(key, name)
      assert.ok([201, 503].includes(first.status), first.text)
      asked.push({ key, name, first })
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: workers }, worker))
  const seconds = (performance.now() - began) / 1000
  proxy.judge = () => 'passes'
  const givenUp = asked.filter(({ first }) => first.status === 503).length
  const met = JSON.stringify(Object.fromEntries(proxy.met))
  await annotate(`${cuts()} cuts in ${seconds.toFixed(1)} s, ${givenUp} of ${made} calls failed: ${met}`)
  for (const outcome of outcomes) assert.ok((proxy.met.get(outcome) ?? 0) > cutsWanted / 10, outcome)
  // As many retries at once as there were calls: all of them would wait for locks until the timeout on a slow machine.
  const left = [...asked]
  const retry = async () => {
    for (let one = left.pop(); one; one = left.pop()) await assertOneEffect(one)
  }
  await Promise.all(Array.from({ length: workers }, retry))
  assert.ok(proxy.open() <= 30, `${proxy.open()} connections remain`)
  await assertWhole(asked)
})

/** Asserts that the first response was correct, and that the retry returns the same resource. */
async function assertOneEffect({ key, name, first }: UnknownCommit): Promise<void> {
  const retry = await create(key, name)
  assert.equal(retry.status, 201, retry.text)
  // Five commits of one call were cut before they took effect, so the call had no effect and returned 503.
  if (first.status === 503) return assert.ok(Number(first.headers.get('retry-after')) >= 1)
  assert.equal(first.status, 201, first.text)
  // If a commit had counted as failed, the call would have run again and replayed its own key.
  assert.equal(first.headers.get('idempotency-replayed'), null, key)
  assert.equal(retry.headers.get('idempotency-replayed'), 'true', key)
  assert.deepEqual(retry.body, first.body)
}

/** Checks the effects in the database directly, without the proxy. */
async function assertWhole(asked: readonly UnknownCommit[]): Promise<void> {
  await using direct = openDatabase(database.target)
  const count = statement<{ name: string; events: number }>(
    null,
    `select n.name, (select count(*) from events e where e.action = 'instance.created' and e.target_id = n.id) as events
     from names n where n.kind = 'instance'`,
  )
  const rows = await direct.reader.rows(count)
  assert.deepEqual(rows.map(({ name }) => name).sort(), asked.map(({ name }) => name).sort())
  assert.ok(rows.every(({ events }) => events === 1))
  const findings = await runAudit(direct, app.audits)
  assert.deepEqual(
    findings.filter((finding) => finding.rows.length > 0),
    [],
  )
}

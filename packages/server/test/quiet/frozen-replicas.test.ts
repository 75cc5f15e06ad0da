import assert from 'node:assert/strict'
import { test } from 'vitest'
import { app } from '../../src/app.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import type { Failpoint } from '../../src/core/work/runtime.ts'
import { startProcesses } from '../restart/trading/replicas.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import type { TestResponse } from '../support/server.ts'
import { sized } from '../support/size.ts'

/** Between any two round trips of a write, from the first lock until the response. */
const failpoints: readonly Failpoint[] = ['before_claim', 'after_claim', 'after_work', 'before_commit', 'after_commit']
const rounds = sized(4)
const [frozen, other] = [0, 1]

type Write = (server: number, key: string) => Promise<TestResponse>

test('others go on while a replica is frozen in a write, and its late commit has no second effect', async () => {
  await using replicas = await startProcesses(2)
  const market = await makeMarket(replicas.server(other), { fee_bps: 25 })
  const party = await market.buyer()
  const account = await replicas.server(other).account({ trust_level: 'partner' })
  const capacity = await makeCapacity(replicas.server(other), account, { hosts: 1, slots: 1 })
  let replaced: string = (await create('first')).body.id

  /** Both replicas place orders on one book. */
  const order: Write = (server, key) => {
    const body = market.body(party, { nodes: 1, price: '0.600000', allow_standing: true, allow_partial: true })
    return replicas.server(server).attempt('create_order', { token: party.token, body, headers: headers(key) })
  }
  /** Both replicas change one account: the limit of its instances, its events and their replacements. */
  const replace: Write = (server, key) => {
    if (server === other) return create(key)
    const options = { token: account.token, headers: headers(key), body: { image: capacity.image } }
    return replicas.server(server).attempt('replace_instance', { params: { id: replaced }, ...options })
  }

  for (let round = 0; round < rounds; round++) {
    for (const failpoint of failpoints) {
      for (const [name, write] of Object.entries({ order, replace })) {
        const title = `${name}, frozen ${failpoint}, round ${round}`
        let pending: Promise<TestResponse> | undefined
        await replicas.freeze(frozen, failpoint, () => {
          pending = write(frozen, `frozen ${title}`)
        })
        // A lock that the frozen replica holds is released before the lock timeout, so the first try succeeds.
        const responses = await Promise.all([write(other, `other ${title}`), write(other, `other, too, ${title}`)])
        replicas.thaw(frozen)
        for (const response of responses) assert.equal(response.status, 201, `${title}: ${response.text}`)
        const late = (await pending) as TestResponse
        assert.ok([201, 503].includes(late.status), `${title}: ${late.text}`)
        const again = await write(frozen, `frozen ${title}`)
        assert.equal(again.status, 201, `${title}: ${again.text}`)
        if (late.status === 201) assert.equal(again.body.id, late.body.id, title)
        if (name === 'replace') replaced = again.body.id
      }
    }
  }
  const findings = await runAudit(replicas.database, app.audits)
  assert.deepEqual(
    findings.filter(({ rows }) => rows.length > 0),
    [],
  )

  function headers(key: string): Record<string, string> {
    return { 'Idempotency-Key': key.replaceAll(/\W+/g, '-') }
  }

  function create(key: string): Promise<TestResponse> {
    const { sku, pool, image } = capacity
    const body = { sku, pool, image }
    return replicas.server(other).attempt('create_instance', { token: account.token, headers: headers(key), body })
  }
})

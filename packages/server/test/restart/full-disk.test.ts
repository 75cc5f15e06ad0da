import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { migrate } from '../../src/core/migrations/migrate.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { openTestServer, type TestServer } from '../support/server.ts'
import { noSmallDisk, startSmallDisk } from '../support/small-disk.ts'

const directory = `${import.meta.dirname}/../../../../migrations`

async function readinessIs(server: TestServer, status: number, reason = /^/): Promise<void> {
  await eventually(`/readyz answers ${status}`, async () => {
    const { status: found, text } = await server.attempt('get_readiness')
    assert.equal(found, status, text)
    assert.match(text, reason)
    return true
  })
}

test(
  'a full disk makes the server unready before a request meets it, and nothing is lost',
  leftOut(noSmallDisk),
  async () => {
    await using disk = await startSmallDisk(96)
    await migrate(disk.target, { directory, log: () => {} })
    await using server = await openTestServer({ target: disk.target, probe_milliseconds: 200 })
    const market = await makeMarket(server)
    const buyer = await market.buyer()
    const placed = await market.order(buyer, { allow_standing: true })
    await readinessIs(server, 200)
    await disk.fill()
    // Due work may be refused before the first probe is, which is another reason.
    await readinessIs(server, 503, /database: a durable write failed: disk_full/)
    await eventually('the metric says so', async () => {
      assert.match((await server.attempt('get_metrics')).text, /^bourse_durable_write_up 0$/m)
      return true
    })
    const { status } = await server.attempt('create_order', { token: buyer.token, body: market.body(buyer, {}) })
    assert.ok([201, 503].includes(status), `${status}`)
    await disk.free()
    await readinessIs(server, 200)
    assert.equal((await market.read(buyer, placed)).id, placed.id)
    await market.order(buyer, { allow_standing: true })
  },
)

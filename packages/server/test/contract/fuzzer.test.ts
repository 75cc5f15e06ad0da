import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { createFuzzFixtures } from './fuzzing/fixtures.ts'
import { impossible } from './fuzzing/impossible.ts'
import { fuzzRaw } from './fuzzing/raw-run.ts'
import {
  describeReport,
  type FuzzReport,
  fuzz,
  isHalted,
  isRoutine,
  isSandboxed,
  silentOperations,
} from './fuzzing/run.ts'
import type { WireResponse } from './fuzzing/wire.ts'

// The seed is fixed, so that failures are reproducible. Runs with other seeds: scripts/fuzz.ts.
const seed = 'every commit'
const limits = { rate_multiplier: 1_000_000 }

function assertClean(report: FuzzReport): void {
  assert.deepEqual(report.failures, [], report.failures.join('\n\n'))
}

test('every documented request gets a documented response, and any other request is refused', async ({ annotate }) => {
  const server = await startTestServer(limits)
  const requests = sized(20_000)
  const report = await fuzz({
    ...(await createFuzzFixtures(server)),
    requests,
    seed,
    isMeant: isRoutine,
    isExcused: isHalted,
    mustSucceed: (operation) => !impossible.has(operation),
  })
  await annotate(describeReport(report))
  assertClean(report)
  // Requests after the random ones have no broken rule.
  assert.ok(report.flawed > requests / 3)
  const silent = silentOperations(report).filter((operation) => !impossible.has(operation))
  assert.deepEqual(silent, [], 'no call of these succeeded')
})

test('random bytes get valid HTTP responses with the envelope, and the server continues to run', async ({
  annotate,
}) => {
  const server = await startTestServer(limits)
  const { token } = await server.account()
  const firewall = await server.call('create_firewall', { token, body: {} })
  const report = await fuzzRaw({
    url: server.url,
    fixtures: { token, firewall: firewall.id },
    requests: sized(2000),
    seed,
  })
  const counts = [...report.statuses].map(([status, count]) => `${count} × ${status}`)
  await annotate(`${report.sent} conversations, ${report.silent} without a response: ${counts.join(', ')}`)
  assert.deepEqual(report.failures, [], report.failures.join('\n\n'))
  assert.ok(report.silent < report.sent / 4)
  await server.call('list_skus', { token })
})

test('sandbox control works at any time, also while the world is wiped', async ({ annotate }) => {
  const server = await startTestServer(limits)
  const fixtures = await createFuzzFixtures(server)
  // A wiped world has lost its accounts, except for the platform account.
  const customers = [fixtures.platform]
  // While a world is wiped and filled, other requests are refused.
  const isExcused = (response: WireResponse) =>
    isHalted(response) || (response.status === 503 && response.headers['retry-after'] !== undefined)
  const report = await fuzz({
    ...fixtures,
    customers,
    requests: sized(3_000),
    seed,
    isMeant: isSandboxed,
    isExcused,
    workers: 4,
  })
  await annotate(describeReport(report))
  assertClean(report)
})

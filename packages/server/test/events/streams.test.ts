import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import type { Server } from '../../src/server.ts'
import { sized } from '../support/size.ts'
import { type Append, byBareSequence, byCounter, byEarlyCounter, prepareMutatedNumbers } from './numbering.ts'
import { type Account, startReplicas } from './replicas.ts'
import { type RunOptions, runStreams } from './stream-run.ts'

const coldAccounts = 20
const seed = process.env.BOURSE_TEST_SEED ?? createCryptoRandom().bytes(4).toString('hex')
console.log(`seed ${seed}`)
const replicas = await startReplicas(3)
const [{ runtime }] = replicas.servers as [Server]

async function makeAccounts(prefix: string): Promise<Account[]> {
  return Promise.all(Array.from({ length: 1 + coldAccounts }, (_, i) => replicas.account(`${prefix}-${i}`)))
}

async function run(
  append: Append,
  options: Pick<RunOptions, 'events' | 'pages' | 'holds_one_back'> & { name: string },
) {
  const { name, ...rest } = options
  const accounts = await makeAccounts(name)
  if (append !== byCounter) await prepareMutatedNumbers(runtime)
  return runStreams({ replicas, accounts, append, writers: 16, pollers: 8, seed: `${seed} ${name}`, ...rest })
}

test('readers of a log with 16 concurrent writers miss, repeat and reorder no event', async () => {
  const events = sized(20_000)
  const pages = { contended: events / 20, of_each_filter: 20 }
  const { violations, ...measured } = await run(byCounter, { name: 'counter', events, pages, holds_one_back: false })
  const line = `seed ${seed}: ${JSON.stringify(measured)}`
  console.log(line)
  assert.deepEqual(violations.slice(0, 5), [], line)
  assert.equal(measured.gone, 0, line)
})

for (const [name, append] of [
  ['bare-sequence', byBareSequence],
  ['early-counter', byEarlyCounter],
] as const) {
  test(`the checker finds the mutated numbering ${name}`, async () => {
    const pages = { contended: 0, of_each_filter: 0 }
    const { violations, gone } = await run(append, { name, events: 3_000, pages, holds_one_back: true })
    assert.ok(violations.length + gone > 0, `seed ${seed}: nothing was found`)
  })
}

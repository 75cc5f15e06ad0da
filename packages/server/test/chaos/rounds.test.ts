/** One round of each kind of injected fault. `npm run chaos -- --night` has many. */
import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import { type KindName, kindNames, kinds } from './kinds/all.ts'
import type { ChaosKind } from './kinds/kind.ts'
import { roundsOf } from './plan.ts'
import { openRounds, type RoundResult } from './run.ts'
import { makeSetting } from './setting.ts'

const seed = 1
const setting = await makeSetting()
const rounds = openRounds(setting)
afterAll(async () => {
  await rounds[Symbol.asyncDispose]()
  await setting[Symbol.asyncDispose]()
})

/** Runs a round. What a slow machine can miss is printed and not asserted. */
async function run(
  name: KindName,
  more: { has_keys?: boolean; change?: Partial<ChaosKind> } = {},
): Promise<RoundResult> {
  const result = await rounds.run(name, { seed, fault_seconds: 2, ...more })
  console.log(`${name}: ${JSON.stringify(result.figures)} ${[...result.notes, ...result.late].join('; ')}`)
  return result
}

for (const { kind } of roundsOf(seed, kindNames)) {
  const { what, promise, missing }: ChaosKind = kinds[kind]
  test(`${kind}: ${what} ${promise}`, leftOut(missing ?? false), async () => {
    assert.deepEqual((await run(kind)).failures, [])
  })
}

test('a round finds what is lost where the standby is not synchronous and nothing may be lost', async () => {
  const { failures } = await run('standby-behind', { change: { goals: {} } })
  assert.match(failures.join('\n'), /^lost: POST /m)
})

test('a round finds what takes effect twice where clients send no keys', async () => {
  const { failures } = await run('clients-half-open', { has_keys: false })
  assert.match(failures.join('\n'), /doubled: /)
})

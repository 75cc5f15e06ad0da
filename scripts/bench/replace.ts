// Compares durable replacements of instances over HTTP, by 16 callers with 100 accounts, with a bare program that
// writes the same rows, and with single rows inserted over 16 connections into the same database.

import type { Id } from '@bourse/api/kit/ids.ts'
import { systemCommand } from '../../packages/server/src/core/work/command.ts'
import { addReadyImage } from '../../packages/server/src/images/images.service.ts'
import { changeSupply, lockCapacity } from '../../packages/server/src/market/pools/capacity.service.ts'
import { ensureSupplyPool } from '../../packages/server/src/market/pools/pools.service.ts'
import type { Server } from '../../packages/server/src/server.ts'
import { call } from '../../packages/server/test/support/big-fleet.ts'
import { bench } from './bench.ts'
import { type Child, loadCore, startChild } from './child.ts'
import { openCopies } from './copied-rows/open-copies.ts'
import { type Round, takeTurns, tinyPace, usualPace } from './turns.ts'
import { makeBenchAccount, makeOperator } from './worlds/accounts.ts'
import { makePlace } from './worlds/event-world.ts'

/** An account with a running instance. */
export type ReplaceAccount = { readonly token: string; readonly image: string; readonly instance: string }

const goal = 0.15
const rowsGoal = 0.5
const callers = 16

/** Replacements per second against inserts per second. */
export const replaceBench = bench({
  rows: ['replace_16', 'replace_rows_16'],
  sizes: { usual: { count: 100, pace: usualPace(12) }, tiny: { count: callers, pace: tinyPace } },
  measure: async function* ({ count, pace }, wanted) {
    await using place = await makePlace()
    const accounts = await place.prepare((server) => makeAccounts(server, count))
    const options = { target: place.target, accounts, callers }
    await using load: Child<unknown, Round> = await startChild('replace-program.ts', options, loadCore)
    await using server = await place.serve()
    const run = (kind: 'replace' | 'insert') => (milliseconds: number) =>
      load.ask({ kind, port: server.ready.port, milliseconds })
    const database_pid = place.postgres_pid()
    const sides = {
      ours: { run: run('replace'), server_pid: server.pid, database_pid, readWal: place.readWal },
      against: { run: run('insert'), database_pid, readWal: place.readWal },
    }
    if (wanted('replace_16')) yield await takeTurns({ name: 'replace_16', goal, pace, ...sides })
    if (!wanted('replace_rows_16')) return
    await using copies = await openCopies(place, loadCore)
    const runOurs = async () => (await sides.ours.run(pace.learn_milliseconds)).responses
    const against = await copies.learn(callers, runOurs, ({ rate }) => rate)
    yield await takeTurns({ name: 'replace_rows_16', goal: rowsGoal, pace, ours: sides.ours, against })
  },
})

async function makeAccounts({ runtime, url }: Server, count: number): Promise<ReplaceAccount[]> {
  const operator = await makeOperator(runtime)
  const admin = { url, token: operator.token }
  const sku = (await call(admin, 'POST', '/preview/v2/admin/skus', { num_vcpus: 8 })).id as Id<'sku'>
  const supply = await systemCommand(runtime, async (ctx) => {
    await lockCapacity(ctx, sku)
    const pool_id = await ensureSupplyPool(ctx, { account_id: operator.id, workspace_id: operator.workspace_id })
    // Two minutes from now, so that the start is still in the future when the last account gets its share.
    const minute = Math.floor(ctx.now / 60) + 2
    await changeSupply(ctx, { pool_id, sku_id: sku }, [{ minute, delta: 10 * count }])
    return { pool_id, start_at: minute * 60 }
  })
  const made: ReplaceAccount[] = []
  for (let i = 0; i < count; i++) {
    const account_id = `bench-${i}`
    const { token, workspace_id } = await makeBenchAccount(runtime, account_id)
    const format = { format: 'raw', virtual_size_bytes: 1 } as const
    const content = { name: 'bench', is_public: false, sha256: '0'.repeat(64), size_bytes: 1, ...format }
    const image = await systemCommand(runtime, (ctx) => addReadyImage(ctx, { account_id, workspace_id, ...content }))
    const allocation_schedule = [{ start_at: supply.start_at, end_at: null, node_count: 10 }]
    const granted = {
      account: account_id,
      workspace: workspace_id,
      from_pool: supply.pool_id,
      sku,
      allocation_schedule,
    }
    const pool = (await call(admin, 'POST', '/preview/v2/admin/pools', granted)).id
    const instance = (await call({ url, token }, 'POST', '/v2/instances', { pool, sku, image: image.id })).id
    made.push({ token, image: image.id, instance })
  }
  return made
}

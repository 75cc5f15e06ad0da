// Compares durable replacements of instances over HTTP, by 16 callers with 100 accounts, with single rows inserted over
// 16 connections into the same database.

import type { Id } from '@bourse/api/kit/ids.ts'
import { systemCommand } from '../../packages/server/src/core/work/command.ts'
import { createAdminToken, makeAccount } from '../../packages/server/src/iam/accounts/accounts.service.ts'
import { addReadyImage } from '../../packages/server/src/images/images.service.ts'
import { changeSupply, lockCapacity } from '../../packages/server/src/market/pools/capacity.service.ts'
import { ensureSupplyPool } from '../../packages/server/src/market/pools/pools.service.ts'
import type { Server } from '../../packages/server/src/server.ts'
import { type Child, loadCore, startChild } from './child.ts'
import { makePlace } from './event-world.ts'
import type { Row } from './row.ts'
import { type Round, takeTurns } from './turns.ts'

/** An account with a running instance. */
export type ReplaceAccount = { readonly token: string; readonly image: string; readonly instance: string }

const goal = 0.15
const callers = 16
const accountsCount = 100
const seconds = 12

/** Replacements per second against inserts per second. */
export async function replaceRow(): Promise<Row> {
  await using place = await makePlace()
  const accounts = await place.prepare(makeAccounts)
  const options = { target: place.target, accounts, callers }
  await using load: Child<unknown, Round> = await startChild('replace-program.ts', options, loadCore)
  await using server = await place.serve()
  const run = (kind: 'replace' | 'insert') => (milliseconds: number) =>
    load.ask({ kind, port: server.ready.port, milliseconds })
  const database_pid = place.postgres_pid()
  const sides = {
    ours: { run: run('replace'), server_pid: server.pid, database_pid },
    against: { run: run('insert'), database_pid },
  }
  return await takeTurns({ name: 'replace_16', goal, seconds, ...sides })
}

async function makeAccounts({ runtime, url }: Server): Promise<ReplaceAccount[]> {
  const operator = await systemCommand(runtime, async (ctx) => {
    const { workspace_id } = await makeAccount(ctx, { id: 'operator', trust_level: 'partner', is_platform: true })
    return { ...(await createAdminToken(ctx, { account_id: 'operator', workspace_id, name: 'bench' })), workspace_id }
  })
  const call = async (method: string, path: string, token: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, headers, ...sent })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const sku = (await call('POST', '/preview/v2/admin/skus', operator.token, { num_vcpus: 8 })).id as Id<'sku'>
  const supply = await systemCommand(runtime, async (ctx) => {
    await lockCapacity(ctx, sku)
    const pool_id = await ensureSupplyPool(ctx, { account_id: 'operator', workspace_id: operator.workspace_id })
    // Two minutes from now, so that the start is still in the future when the last account gets its share.
    const minute = Math.floor(ctx.now / 60) + 2
    await changeSupply(ctx, { pool_id, sku_id: sku }, [{ minute, delta: 10 * accountsCount }])
    return { pool_id, start_at: minute * 60 }
  })
  const made: ReplaceAccount[] = []
  for (let i = 0; i < accountsCount; i++) {
    const account_id = `bench-${i}`
    const { token, workspace_id } = await systemCommand(runtime, async (ctx) => {
      const { workspace_id } = await makeAccount(ctx, { id: account_id, trust_level: 'trusted' })
      return { ...(await createAdminToken(ctx, { account_id, workspace_id, name: 'bench' })), workspace_id }
    })
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
    const pool = (await call('POST', '/preview/v2/admin/pools', operator.token, granted)).id
    const instance = (await call('POST', '/v2/instances', token, { pool, sku, image: image.id })).id
    made.push({ token, image: image.id, instance })
  }
  return made
}

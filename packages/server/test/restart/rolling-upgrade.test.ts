/**
 * A rolling upgrade of three replicas under load: the new program migrates, then the replicas are replaced one at a
 * time. The old program is the one before the newest migration, where the history of the repository has it and the
 * migration says that it serves it; otherwise it is this program. The new program has a migration more than this one.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { connectTo } from '../support/server.ts'
import { type Balancer, startBalancer } from './upgrade/balancer.ts'
import { type Load, startLoad } from './upgrade/load.ts'
import { installProduction, type ProductionServer, runBourse, startReplica } from './upgrade/production.ts'
import { addMigration, copyProgram, extractPreviousProgram, migrationsIn, repository } from './upgrade/program-trees.ts'

const replicasCount = 3

const expanding = (serves: number) => `-- serves: ${serves}
alter table firewalls add column upgrade_note text not null default 'none';
alter table orders add column upgrade_number integer not null default 7;
-- step: outside a transaction
create index concurrently orders_by_upgrade on orders (upgrade_number, id);
-- step: outside a transaction
create index concurrently events_by_upgrade on events (id);
`
const contracting = (serves: number) => `-- serves: ${serves}
-- locks: the columns of the migration before are used by nobody
alter table orders drop column upgrade_number;
`

/** Replaces each replica: stops one, and starts one of the new program in its place while the old one drains. */
async function replaceAll(
  replicas: ProductionServer[],
  { balancer, load, start }: { balancer: Balancer; load: Load; start: () => Promise<ProductionServer> },
): Promise<void> {
  for (const [index, old] of replicas.entries()) {
    const [code, next] = await Promise.all([old.stop(), start()])
    assert.equal(code, 0, old.log())
    balancer.remove(old.url)
    replicas[index] = next
    balancer.add(next.url)
    await eventually('the new replica is ready', () => {
      assert.ok(balancer.isReady(next.url), next.log())
      return true
    })
    await load.more(20)
  }
}

/** Why a replica is not ready; undefined while it is. */
async function refusalOf(url: string): Promise<string | undefined> {
  const response = await fetch(`${url}/readyz`)
  const body = (await response.json()) as { error?: { message: string } }
  return response.status === 503 ? body.error?.message : undefined
}

test('a rolling upgrade with a migration fails no request, and an incompatible one is named', async ({ annotate }) => {
  await using stack = new AsyncDisposableStack()
  const { directory, variables: usual } = await installProduction(stack)
  // The balancer asks ten times a second, on a slow machine less often. It must learn in time that a replica drains.
  const variables = { ...usual, BOURSE_DRAIN_SECONDS: '5' }
  const previous = extractPreviousProgram(join(directory, 'previous'))
  await annotate(`the old program is ${previous ? 'the one before the newest migration' : 'this one'}`)
  const old = previous ?? repository
  const known = migrationsIn(repository).length
  const oldKnown = migrationsIn(old).length
  const nameOf = (version: number) => `${String(version).padStart(4, '0')}_upgrade.sql`
  const next = copyProgram(join(directory, 'next'), { [nameOf(known + 1)]: expanding(oldKnown) })

  const made = await runBourse(old, ['tokens', 'create', '--platform', '--json'], variables)
  assert.equal(made.code, 0, made.err)
  const balancer = stack.use(await startBalancer())
  const start = async (program: string) => stack.use(await startReplica(program, variables))
  const replicas = await Promise.all(Array.from({ length: replicasCount }, () => start(old)))
  for (const { url } of replicas) balancer.add(url)
  await eventually('all replicas are ready', () => replicas.every(({ url }) => balancer.isReady(url)))
  const server = connectTo({ url: balancer.url, platform_token: JSON.parse(made.out).token })
  const load = stack.use(await startLoad(server))
  await load.more(20)

  const migrated = await runBourse(next, ['migrate', '--json'], variables)
  assert.equal(migrated.code, 0, migrated.err)
  assert.deepEqual(JSON.parse(migrated.out), { object: 'migration', from: oldKnown, to: known + 1 })
  await load.more(20)
  // An old replica may be started again on the new schema.
  replicas.push(await start(old))
  assert.match(replicas.at(-1)?.log() ?? '', new RegExp(`newer schema ${known + 1}, which serves programs of schema`))
  for (const { url } of replicas) assert.equal(await refusalOf(url), undefined)
  const [again] = replicas.splice(replicasCount)
  await replaceAll(replicas, { balancer, load, start: () => start(next) })
  await load.stop()
  assert.deepEqual(load.failures, [])
  assert.ok(load.acknowledged.length > 100)
  assert.deepEqual(await load.compare(), [])
  const examined = await runBourse(next, ['doctor', '--now', '--json'], variables)
  assert.equal(examined.code, 0, examined.out)

  addMigration(next, nameOf(known + 2), contracting(known + 2))
  const planned = await runBourse(next, ['migrate', '--plan'], variables)
  assert.match(planned.err, /Programs that use the database: \d+\. The migrations would stop [1-9]/)
  const kept = await runBourse(next, ['migrate'], variables)
  assert.equal(kept.code, 1)
  assert.match(kept.err, new RegExp(`serve programs of schema ${known + 2} and newer, and \\d+ older programs use the`))
  const contracted = await runBourse(next, ['migrate', '--stop-replicas'], variables)
  assert.match(contracted.err, /older replicas are not ready from now on/)
  const reason = (version: number) =>
    new RegExp(`serves programs of schema ${known + 2} and newer, and this program has schema ${version}`)
  const { url } = replicas[0] as ProductionServer
  const refused = (which: string) => eventually(`the replica at ${which} is not ready`, () => refusalOf(which))
  assert.match(await refused(url), reason(known + 1))
  assert.match(await refused((again as ProductionServer).url), reason(oldKnown))
  await assert.rejects(start(old), reason(oldKnown))
  const blamed = await runBourse(old, ['doctor', '--json'], variables)
  assert.equal(blamed.code, 1)
  assert.match(blamed.out, reason(oldKnown))
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { openDatabase } from '../../src/core/db/db.ts'
import { migrate } from '../../src/core/migrations/migrate.ts'
import { databaseFigures } from '../../src/core/work/database-figures.ts'
import { readFigures } from '../../src/core/work/figures.ts'
import { asAdministrator } from '../support/database.ts'
import { makeTemplate, startPair } from './failover/database-pair.ts'

test('the figures show a standby, how far it is behind, and a slot that nobody uses', async () => {
  const directory = `${import.meta.dirname}/../../../../migrations`
  await using template = await makeTemplate('bourse', async (target) => {
    await migrate(target, { directory, log: () => {} })
  })
  await using pair = await startPair(template, { synchronous: false })
  const { others = [], ...primary } = pair.target
  const standby = { ...primary, ...others[0] }
  const run = (text: string) => asAdministrator(primary, async (client) => void (await client.query(text)))
  await using database = openDatabase(primary)
  const read = async () => {
    const figures = await readFigures(database, databaseFigures)
    return Object.fromEntries(
      figures.map(({ family, label, value }) => [label === null ? family : `${family} ${label}`, value]),
    )
  }
  await run("select pg_create_physical_replication_slot('one', true)")
  const unused = await read()
  assert.equal(unused['bourse_replication_slots inactive'], 1)
  assert.equal(unused['bourse_replication_slots active'], undefined)

  await asAdministrator(standby, async (client) => {
    await client.query("alter system set primary_slot_name = 'one'")
    await client.query('select pg_reload_conf()')
  })
  const followed = await eventually('the standby uses the slot', async () => {
    const figures = await read()
    assert.deepEqual([figures['bourse_replication_slots active'], figures.bourse_standbys], [1, 1])
    return figures
  })
  assert.ok((followed.bourse_replication_lag_bytes ?? -1) >= 0)
  await eventually('the standby has all', async () => {
    assert.equal((await read()).bourse_replication_lag_bytes, 0)
    return true
  })

  await pair.cut()
  await run('create table written as select * from generate_series(1, 10000) n')
  const cut = await eventually('the slot is not used any more', async () => {
    const figures = await read()
    assert.deepEqual([figures['bourse_replication_slots inactive'], figures.bourse_standbys], [1, 0])
    return figures
  })
  assert.equal(cut.bourse_replication_lag_bytes, 0, 'no standby is connected')
  assert.ok((cut.bourse_replication_retained_bytes ?? 0) > 100_000, `${cut.bourse_replication_retained_bytes} bytes`)
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { hostAudits } from '../../src/fleet/hosts/hosts.audit.ts'
import { machineAudits } from '../../src/fleet/hosts/machines.audit.ts'
import { simulatedHostAudits } from '../../src/sandbox/hosts/simulated-hosts.audit.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { database } = world.inside.runtime
const [host] = await world.addHosts(1, 4)
await world.pass(60)
const from = await world.now()
const pool = await world.makePool([
  [from, 3],
  [from + 600, 2],
])
const [old, , young] = await world.launchAll(pool, [{}, {}, {}])
await world.goTo(from + 620)
const other = await world.launch(pool)
await world.settle()

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, [...hostAudits, ...machineAudits, ...simulatedHostAudits])
  return [...new Set(findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name))]
}

test('a fleet without corruption passes all audits', async () => {
  assert.deepEqual(await world.states(old as string, young as string, other), [
    'running',
    'terminated',
    'awaiting_allocation',
  ])
  assert.deepEqual(await violated(), [])
})

const corruptions: readonly (readonly [name: string, harm: string, mend: string])[] = [
  [
    'capacity.supply',
    `update host_supply set delta = delta + 1 where host_id = '${host}'`,
    `update host_supply set delta = delta - 1 where host_id = '${host}'`,
  ],
  [
    'capacity.supply',
    `update hosts set slots = slots - 1 where id = '${host}'`,
    `update hosts set slots = slots + 1 where id = '${host}'`,
  ],
  [
    'capacity.slot',
    `update hosts set used_slots = used_slots - 1 where id = '${host}'`,
    `update hosts set used_slots = used_slots + 1 where id = '${host}'`,
  ],
  [
    'capacity.slot',
    `update machines set slot = slot + 40 where instance_id = '${old}'`,
    `update machines set slot = slot - 40 where instance_id = '${old}'`,
  ],
  [
    'capacity.slot',
    `update machines set instance_id = '${other}' where instance_id = '${old}'`,
    `update machines set instance_id = '${old}' where instance_id = '${other}'`,
  ],
  [
    'capacity.quota',
    `update instances set pool_id = 'pool_elsewhere' where id = '${old}'`,
    `update instances set pool_id = '${pool}' where id = '${old}'`,
  ],
  [
    'events.notice',
    `update instances set terminated_at = terminated_at - 1 where id = '${young}'`,
    `update instances set terminated_at = terminated_at + 1 where id = '${young}'`,
  ],
  [
    'events.notice',
    `update events set action = 'instance.termination_withdrawn'
       where target_id = '${young}' and action = 'instance.termination_imminent'`,
    `update events set action = 'instance.termination_imminent'
       where target_id = '${young}' and action = 'instance.termination_withdrawn'`,
  ],
  [
    'life.due',
    `update instances set notice_at = 1, deadline_at = 99 where id = '${old}'`,
    `update instances set notice_at = null, deadline_at = null where id = '${old}'`,
  ],
  [
    'life.due',
    `update hosts set last_seen_at = 1 where id = '${host}'`,
    `update hosts set last_seen_at = null where id = '${host}'`,
  ],
  [
    'life.due',
    `update sandbox_machines set next_at = 1 where instance_id = '${old}'`,
    `update sandbox_machines set next_at = null where instance_id = '${old}'`,
  ],
]

for (const [index, [name, harm, mend]] of corruptions.entries()) {
  test(`corruption ${index + 1} is found as ${name}, and no finding remains after its repair`, async () => {
    const run = (sql: string) => database.asOwner((db) => db.run(statement(null, sql)))
    await run(harm)
    assert.deepEqual(await violated(), [name])
    await run(mend)
    assert.deepEqual(await violated(), [])
  })
}

test('negative allocation of a pool is found as capacity.free, in addition to the missing supply', async () => {
  const run = (delta: number) =>
    database.asOwner((db) =>
      db.run(statement(null, `update pool_allocation set delta = delta + ${delta} where pool_id = '${pool}'`)),
    )
  await run(-9)
  assert.ok((await violated()).includes('capacity.free'))
  await run(9)
  assert.deepEqual(await violated(), [])
})

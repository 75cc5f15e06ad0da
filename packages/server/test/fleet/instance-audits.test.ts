import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { instanceAudits } from '../../src/fleet/instances/instances.audit.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { call, launch } = world
const { database } = world.inside.runtime
await world.addHosts(1, 4)
await world.pass(60)
const pool = await world.makePool([[await world.now(), 2]])
const subnet = (await call('POST', '/preview/v2/subnets', { region: 'north', cidr: '10.1.0.0/24' })).id
const firewall = (await call('POST', '/preview/v2/firewalls', {})).id
const fields = { subnet, _preview_enable_public_ipv4: true, _preview_firewall: firewall, cloud_init_user_data: 'aGk=' }
const old = await launch(pool, fields)
const steady = await launch(pool, fields)
await world.pass(120)
const image = (await call('GET', `/v2/instances/${old}`)).image.id
const next = (await call('POST', `/v2/instances/${old}/replace`, { image })).id
const template = await call('POST', '/preview/v2/instance_templates', { image, ...fields })
const ended = await launch(pool)
await call('POST', `/v2/instances/${ended}/terminate`)
const deleted = await launch(pool, fields)
await call('POST', `/v2/instances/${deleted}/terminate`)
await call('DELETE', `/v2/instances/${deleted}`)
await world.pass(120)

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, instanceAudits)
  return findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name)
}

test('instances and templates without corruption pass all audits', async () => {
  assert.deepEqual(await world.states(old, steady, next, ended), ['terminated', 'running', 'running', 'terminated'])
  assert.deepEqual(await violated(), [])
})

const corruptions: readonly (readonly [name: string, harm: string, mend: string])[] = [
  [
    'life.replaced-once',
    `update instances set replaces = null where id = '${next}'`,
    `update instances set replaces = '${old}' where id = '${next}'`,
  ],
  [
    'life.replaced-once',
    `update instances set replaces = '${ended}' where id = '${steady}'`,
    `update instances set replaces = null where id = '${steady}'`,
  ],
  [
    'life.parent',
    `update firewalls set deleted_at = 1 where id = '${firewall}'`,
    `update firewalls set deleted_at = null where id = '${firewall}'`,
  ],
  [
    'life.parent',
    `update images set deleted_at = 1 where id = '${image}'`,
    `update images set deleted_at = null where id = '${image}'`,
  ],
  [
    'life.due',
    `update due set due_at = due_at + 1 where kind = 'fleet.instance_purge' and key = '${ended}'`,
    `update due set due_at = due_at - 1 where kind = 'fleet.instance_purge' and key = '${ended}'`,
  ],
  [
    'life.due',
    `update due set key = 'x' where kind = 'fleet.user_data_erasure' and key = '${old}'`,
    `update due set key = '${old}' where kind = 'fleet.user_data_erasure' and key = 'x'`,
  ],
  [
    'names.instances',
    `update names set deleted_at = 1 where id = '${template.id}'`,
    `update names set deleted_at = null where id = '${template.id}'`,
  ],
  [
    'names.instances',
    `insert into names (id, kind, account_id, workspace_id, name)
       select '${deleted}', kind, account_id, workspace_id, 'ghost' from names where id = '${old}'`,
    `delete from names where id = '${deleted}'`,
  ],
  [
    'capacity.address',
    `update instances set private_ip = '10.1.0.99' where id = '${steady}'`,
    `update instances i set private_ip = host('0.0.0.0'::inet + a.address) from subnet_addresses a
       where a.instance_id = i.id and i.id = '${steady}'`,
  ],
  [
    'capacity.address',
    `insert into subnet_addresses values ('${subnet}', 99, '${deleted}')`,
    'delete from subnet_addresses where address = 99',
  ],
  [
    'limits.instances',
    `update limit_usage set used = used + 1 where name = 'instances'`,
    `update limit_usage set used = used - 1 where name = 'instances'`,
  ],
  [
    'limits.instances',
    `insert into limit_changes (account_id, name, amount)
       select account_id, 'instance_templates', -1 from instances where id = '${old}'`,
    `delete from limit_changes where name = 'instance_templates'`,
  ],
  [
    'access.user-data',
    `update user_data set owner_id = 'inst_gone' where owner_id = '${steady}'`,
    `update user_data set owner_id = '${steady}' where owner_id = 'inst_gone'`,
  ],
  [
    'events.paired',
    `update events set action = 'instance.failed' where target_id = '${next}' and action = 'instance.running'`,
    `update events set action = 'instance.running' where target_id = '${next}' and action = 'instance.failed'`,
  ],
  [
    'events.paired',
    `update instances set failed_at = running_at where id = '${steady}'`,
    `update instances set failed_at = null where id = '${steady}'`,
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

test('a successor with the name of its predecessor is found as names.successor', async () => {
  await database.asOwner(async (db) => {
    await db.run(statement(null, 'drop index names_in_workspace'))
    const same = `update names set name = (select name from names where id = '${old}') where id = '${next}'`
    await db.run(statement(null, same))
  })
  assert.deepEqual(await violated(), ['names.successor'])
})

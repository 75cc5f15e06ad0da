import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { checkedRowsMax } from '../../src/core/work/page.ts'
import type { Server } from '../../src/server.ts'
import { insert, listRows, rowsOf, testPage } from '../market/many-rows.ts'
import { makeToken } from '../support/access.ts'
import { facts } from '../support/agents.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { startTestServer } from '../support/server.ts'

const rowsCount = listRows(25_000)
const testDatabase = await createTestDatabase()
const { target } = testDatabase
const server = await startTestServer({ target })
afterAll(() => testDatabase[Symbol.asyncDispose]())
const { database } = (server.inside as Server).runtime
const account = await server.account({ trust_level: 'partner' })
const { sku, pool, image, template } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
const rare = await makeCapacity(server, account, { hosts: 1, slots: 1 })
const { id: deployment } = await server.call('create_deployment', {
  token: account.token,
  body: { pool, sku, instance_template: template, target_instance_count: 0 },
})
// Its event is copied below.
await server.call('create_instance', { token: account.token, body: { pool, sku, image } })
// Sees one workspace of the account, in which nothing is.
const own = await server.call('create_workspace', { token: account.token, body: { name: 'own' } })
const visitor = await makeToken(server, account, { instance: ['list'], image: ['list'], host: ['list'] }, own.id)
const { now } = await server.call('get_clock')
const few = 3

const id = (kind: string) => `'${kind}_' || lpad(n::text, 21, '0')`
const owner = { account_id: `'${account.id}'`, workspace_id: `'${account.workspace_id}'` }
const created_at = `${now} - n`
const instance = {
  id: id('inst'),
  ...owner,
  pool_id: `'${pool}'`,
  sku_id: `'${sku}'`,
  image_id: `'${image}'`,
  priority_level: "'normal'",
  mac: "'02:00:00:00:00:01'",
  created_at,
  updated_at: created_at,
}
const ended = { state: "'terminated'", terminated_at: created_at, termination_reason: "'user'" }
const host = {
  id: id('host'),
  ...owner,
  sku_id: `'${sku}'`,
  pool_id: `'${pool}'`,
  slots: '1',
  facts: `'${JSON.stringify(facts)}'`,
  created_at,
}
const imageRow = { id: id('image'), ...owner, created_at }
const small = { account_id: "'small-' || n % 25" }
const named = (kind: string, table: string) =>
  `insert into names (id, kind, account_id, workspace_id, name)
   select id, '${kind}', account_id, workspace_id, id from ${table} where account_id = '${account.id}'
   on conflict do nothing`
/** Copies an event of the account with other kinds: `count` events, behind the first `skipped` new ones. */
function eventsOf(action: string, targetType: string, skipped: number, count: number): string {
  return `insert into events (account_id, position, stored_on, occurred_at, id, action, actor_token_id, target_type,
      target_id, workspace_id, body)
    select e.account_id, c.position + ${skipped} + n, e.stored_on, c.occurred_at,
      'evt_' || lpad((${skipped} + n)::text, 21, '0'),
      '${action}', e.actor_token_id, '${targetType}', '${targetType}_' || n % 1000, e.workspace_id, e.body
    from (
      select * from events where account_id = '${account.id}' and workspace_id is not null order by position limit 1
    ) e
    join event_counters c using (account_id)
    cross join generate_series(1, ${count}) n`
}
const [first, last] = [rowsCount + 1, rowsCount + few]

// The rows of the rare values are the oldest.
await insert(
  database,
  "set session_replication_role = 'replica'",
  rowsOf('instances', { ...instance, ...ended }, 1, rowsCount),
  rowsOf(
    'instances',
    {
      ...instance,
      state: "'failed'",
      failed_at: created_at,
      pool_id: `'${rare.pool}'`,
      sku_id: `'${rare.sku}'`,
      image_id: `'${rare.image}'`,
      deployment_id: `'${deployment}'`,
    },
    first,
    last,
  ),
  // Deleted ones remain until their machines are gone.
  rowsOf('instances', { ...instance, ...ended, id: id('inst_deleted'), deleted_at: `${now}` }, 1, rowsCount),
  rowsOf('hosts', { ...host, state: "'active'", health: "'healthy'" }, 1, rowsCount),
  rowsOf('hosts', { ...host, state: "'draining'", health: "'healthy'" }, first, last),
  rowsOf('hosts', { ...host, state: "'active'", health: "'faulted'" }, last + 1, last + few),
  rowsOf('images', { ...imageRow, state: "'completed'" }, 1, rowsCount),
  rowsOf('images', { ...imageRow, state: "'failed'", failure_reason: "'digest_mismatch'" }, first, last),
  // Plans are made for an account of average size, and these accounts are smaller.
  rowsOf('instances', { ...instance, ...small, id: id('inst_small'), ...ended }, 1, rowsCount),
  rowsOf('images', { ...imageRow, ...small, id: id('image_small'), state: "'completed'" }, 1, rowsCount),
  eventsOf('instance.running', 'instance', 0, rowsCount),
  eventsOf('image.revoked', 'image', rowsCount, few),
  eventsOf('instance.running', 'instance', rowsCount + few, rowsCount),
  `update event_counters set position = position + ${2 * rowsCount + few} where account_id = '${account.id}'`,
  'vacuum analyze events',
  named('instance', 'instances'),
  named('host', 'hosts'),
  named('image', 'images'),
  ...['instances', 'hosts', 'images', 'names'].map((table) => `vacuum analyze ${table}`),
)

for (const path of [
  '/v2/instances',
  '/v2/instances?state=failed',
  '/v2/instances?state=failed&state=running',
  '/v2/instances?state=awaiting_allocation',
  `/v2/instances?pool=${rare.pool}`,
  `/v2/instances?deployment=${deployment}`,
  `/v2/instances?name=inst_${'7'.padStart(21, '0')}`,
  '/v2/instances?state=terminated',
  '/preview/v2/hosts',
  '/preview/v2/hosts?state=draining',
  '/preview/v2/hosts?state=retired&state=drained',
  '/preview/v2/hosts?state=active',
  '/preview/v2/hosts?health=faulted',
  '/preview/v2/hosts?health=unreachable&health=faulted',
  '/preview/v2/events',
  '/preview/v2/events?action=image.revoked',
  '/preview/v2/events?target_type=image',
  '/preview/v2/events?target=instance_7&action=instance.running',
  '/preview/v2/events?action=image.deleted',
  `/preview/v2/events?since=${now - 1}&target_type=image`,
  '/v2/images',
  '/v2/images?state=failed',
  '/v2/images?state=started&state=uploading',
]) {
  testPage({ server, database, target }, path, account.token)
}
for (const path of [
  `/v2/instances?sku=${rare.sku}`,
  `/v2/instances?image=${rare.image}`,
  `/v2/instances?image=${rare.image}&state=failed`,
  `/v2/instances?pool=${pool}&pool=${rare.pool}&state=terminated&state=failed`,
  `/v2/instances?pool=${pool}&image=${rare.image}`,
  '/v2/instances?tag=rare=yes',
  `/preview/v2/hosts?sku=${rare.sku}`,
  '/preview/v2/hosts?health=faulted&state=draining',
]) {
  testPage({ server, database, target }, path, account.token, checkedRowsMax + 1)
}
// A pattern reads the name of each row that it looks at.
testPage({ server, database, target }, '/v2/instances?name=*none*', account.token, 2 * checkedRowsMax + 1)
for (const path of ['/v2/instances', '/v2/instances?state=failed', '/preview/v2/hosts', '/v2/images']) {
  const place = path.includes('?') ? '&limit=48' : '?limit=48'
  testPage({ server, database, target }, path + place, visitor.token, checkedRowsMax + 1)
}
for (const path of [
  '/preview/v2/hosts',
  '/preview/v2/hosts?state=draining',
  '/preview/v2/hosts?health=faulted',
  '/preview/v2/hosts?state=active&health=faulted',
]) {
  testPage({ server, database, target }, `${path}${path.includes('?') ? '&' : '?'}limit=49`, server.platform_token)
}

testPage({ server, database, target }, `/preview/v2/admin/instances?pool=${rare.pool}`, server.platform_token)
testPage(
  { server, database, target },
  '/preview/v2/admin/instances?state=failed',
  server.platform_token,
  checkedRowsMax + 1,
)

test('a page of several states is in the order of the list, in both directions', async () => {
  const { token } = account
  const list = async (query: string) => {
    const { data, cursor } = await server.call('list_images', { query: `limit=40&${query}`, token })
    return { ids: data.map((image) => image.id), cursor }
  }
  const states = 'state=failed&state=completed&state=failed'
  const all = await list('')
  const first = await list(states)
  assert.deepEqual(first.ids, all.ids)
  const second = await list(`${states}&starting_after=${first.cursor}`)
  assert.deepEqual(second.ids, (await list(`starting_after=${all.cursor}`)).ids)
  assert.deepEqual((await list(`${states}&ending_before=${second.cursor}`)).ids, first.ids)
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { goToQuietDay } from './quiet-day.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
await goToQuietDay(server)
const world = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
const { id: account, token } = world.accounts.find(({ id }) => id === 'acme')
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
const bourse = runnerFor(connection)
const platform = runnerFor({ ...connection, BOURSE_API_TOKEN: server.platform_token })
await server.settle()

/** The body of the request that a command would send. */
async function bodyOf(...words: string[]) {
  const { code, out, err } = await bourse(...words, '--curl')
  assert.equal(code, 0, err)
  return JSON.parse(/(?:-d|--data-raw|--data) '([^']*)'/.exec(out)?.[1] ?? 'null')
}

/** The present of the server. */
async function present(): Promise<number> {
  return (await server.call('get_account', { token })).server.now
}

async function refused(words: string[], message: RegExp): Promise<void> {
  const { code, out, err } = await bourse(...words)
  assert.deepEqual([code, out], [2, ''], err)
  assert.match(err, message)
}

test('a transfer between pools is given by nodes and a window', async () => {
  const words = ['pool-transfers', 'create', '--from-pool', 'training', '--to-pool', 'main', '--sku', 'h100-west']
  const now = await present()
  const sent = await bodyOf(...words, '--nodes', '2', '--window', 'tomorrow 9am UTC +6h')
  const [{ start_at, end_at, node_count }] = sent.allocation_schedule_delta
  assert.deepEqual([start_at % 86_400, end_at - start_at, node_count], [9 * 3600, 6 * 3600, 2])
  assert.equal(Math.floor(start_at / 86_400), Math.floor(now / 86_400) + 1)
  const open = await bodyOf(...words, '--nodes', '1', '--from', '+2h', '--until', 'never')
  assert.equal(open.allocation_schedule_delta[0].end_at, null)
  const steps = await bodyOf(...words, '--window', '4x +1h +1h', '--window', '2 nodes +2h onwards')
  assert.deepEqual(
    steps.allocation_schedule_delta.map((step: { node_count: number }) => step.node_count),
    [4, 2],
  )
  await refused([...words, '--window', 'now +2h'], /Missing --nodes/)
  await refused([...words, '--nodes', 'two', '--window', 'now +2h'], /whole number/)
  await refused([...words, '--nodes', '2'], /no start[\s\S]*--window/)
  await refused([...words, '--nodes', '2', '--from', 'now'], /no end[\s\S]*--until never/)
  await refused([...words, '--nodes', '2', '--window', 'now +2h', '--for', '2h'], /either --window/)
  await refused([...words, '--nodes', '2', '--allocation-schedule-delta', '[]'], /either --allocation-schedule-delta/)
  await refused(words, /Missing --nodes and --window/)
})

test('a transfer says its window absolutely, and happens', async () => {
  assert.equal((await bourse('pools', 'create', '--name', 'spare')).code, 0)
  const words = ['--from-pool', 'main', '--to-pool', 'spare', '--sku', 'h100-west', '--nodes', '1']
  const bought = await bourse('orders', 'buy', 'h100-west', '--pool', 'main', '--from', 'now', '--for', '3h', '--yes')
  assert.equal(bought.code, 0, bought.err)
  const done = await bourse('pool-transfers', 'create', ...words, '--from', '+1h', '--for', '1h')
  assert.equal(done.code, 0, done.err)
  assert.match(done.err, /^From \d{4}-\d\d-\d\d \d\d:\d\d UTC.* until \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
})

test('a window beside a name that cannot be looked up is one error, not the end of the program', async () => {
  const stranger = runnerFor({ ...connection, BOURSE_API_TOKEN: 'refused', BOURSE_OUTPUT: 'json' })
  for (const words of ['orders estimate', 'maintenance-windows create'].map((text) => text.split(' '))) {
    const given = [...words, '--sku', 'nowhere', '--window', 'now +2h']
    const { code, err } = await stranger(...given)
    assert.equal(code, 77, err)
    assert.equal(JSON.parse(err).error.type, 'authentication_error')
    await refused([...given, '--start-at', 'now'], /Give either --window or --start-at and --/)
  }
})

test('an order is given by nodes and a window that ends, and its price as money', async () => {
  const words = ['orders', 'create', '--pool', 'main', '--side', 'buy', '--sku', 'h100-west', '--nodes', '2']
  const { allocation_schedule_delta: delta, limit_price_dollars_per_node_hour: limit } = await bodyOf(
    ...words,
    '--limit-price',
    '$1,200.50/h',
    '--window',
    'now +2h',
  )
  assert.deepEqual([delta.length, delta[0].end_at - delta[0].start_at, limit], [1, 7200, '1200.50'])
  await refused([...words, '--limit-price', '2', '--from', 'now', '--until', 'never'], /needs an end/)
  const trade = ['orders', 'buy', 'h100-west', '--pool', 'main', '--dry-run', '-o', 'json']
  const plan = JSON.parse((await bourse(...trade, '--window', 'tomorrow 9am +6h', '--price', '$40')).out)
  const [window] = plan.post_order_body.allocation_schedule_delta
  assert.deepEqual(
    [window.end_at - window.start_at, plan.post_order_body.limit_price_dollars_per_node_hour],
    [21_600, '40.000000'],
  )
  await refused([...trade, '--window', 'now +2h', '--for', '3h'], /either --window/)
  await refused([...trade, '--price', '€40'], /not an amount of dollars[\s\S]*\$2\.50/)
})

test('rules of a firewall, rights of a role and priorities are given without JSON', async () => {
  const made = await bourse(
    'firewalls',
    'create',
    '--name',
    'typed',
    '--rule',
    'in tcp 22 from 10.0.0.0/8',
    '--rule',
    'icmp from any',
    '--json',
  )
  assert.equal(made.code, 0, made.err)
  assert.deepEqual(JSON.parse(made.out).rules, [
    { protocol: 'tcp', port_from: 22, port_to: 22, source_cidr: '10.0.0.0/8' },
    { protocol: 'icmp', source_cidr: '0.0.0.0/0' },
  ])
  const replaced = await bourse('firewalls', 'replace-rules', 'typed', '--rule', 'tcp 443 from any as web', '--json')
  assert.deepEqual([replaced.code, JSON.parse(replaced.out).rules.length], [0, 1], replaced.err)
  await refused(['firewalls', 'create', '--rule', 'out tcp 22 from any'], /allow inbound/)

  const role = await bourse(
    'roles',
    'create',
    '--name',
    'runner',
    '--allow',
    'instance:read,list',
    '--allow',
    'pool:*',
    '--json',
  )
  assert.equal(role.code, 0, role.err)
  assert.deepEqual(JSON.parse(role.out).policy.rules, [
    { effect: 'allow', actions: { instance: ['read', 'list'], pool: ['*'] } },
  ])
  await refused(['roles', 'create', '--name', 'x', '--allow', 'ship:sink'], /not a right[\s\S]*instance/)

  const set = await bourse('instances', 'update-priorities', '--priority-level', 'notebook=critical', '--json')
  assert.equal(set.code, 0, set.err)
  assert.equal(JSON.parse(set.out).data[0].priority_level, 'critical')
  const shown = await bourse('instances', 'update-priorities', '--priority-level', 'notebook=preferred')
  assert.match(shown.out, /^ID +NAME +STATE +PRIORITY LEVEL\ninst_\S+ +notebook +\S+ +preferred\n$/)
  const id = await bourse('instances', 'update-priorities', '--priority-level', 'notebook=critical', '-o', 'id')
  assert.match(id.out, /^inst_\S+\n$/, id.err)
  await refused(
    ['instances', 'update-priorities', '--priority-level', 'notebook=urgent'],
    /name=value|name and a value/,
  )
})

test('amounts have units, the long flags still work, and both together are the short one', async () => {
  const budget = ['billing', 'budgets', 'create', '--period', 'month']
  assert.deepEqual(await bodyOf(...budget, '--amount', '$1,500', '--thresholds', '50%,80', '--hard-stop'), {
    period: 'month',
    amount_dollars: '1500',
    thresholds_percent: [50, 80],
    hard_stop: true,
  })
  const long = await bodyOf(...budget, '--amount-dollars', '20', '--thresholds-percent', '[80,100]')
  assert.deepEqual([long.amount_dollars, long.thresholds_percent], ['20', [80, 100]])
  const sku = await platform(
    'skus',
    'create',
    '--alias',
    'sized',
    '--memory',
    '2TiB',
    '--local-storage',
    '500GB',
    '--fee',
    '2.5%',
    '--json',
  )
  const { memory_bytes, fee_bps } = JSON.parse(sku.out)
  assert.deepEqual([memory_bytes.value, fee_bps], [2 ** 41, 250])
  await refused([...budget, '--amount', '2,50'], /--amount: "2,50" is ambiguous/)
})

test('times are local, relative or absolute, and wrong ones are refused with the accepted forms', async () => {
  const now = await present()
  const made = await bourse('tokens', 'create', '--name', 'timed', '--expires-at', 'tomorrow 09:00 UTC')
  assert.equal(made.code, 0, made.err)
  assert.match(made.err, /--expires-at is \d{4}-\d\d-\d\d 09:00 UTC/)
  for (const text of ['32 Feb', 'today 25:00', '9am', 'next monday']) {
    await refused(['tokens', 'create', '--name', 'x', '--expires-at', text], /--expires-at[\s\S]*Write/)
  }
  const quote = ['book', 'quote', '--requirements', 'alias:h100-west', '--json']
  const { start_at, end_at } = JSON.parse((await bourse(...quote, '--window', 'now +2h')).out)
  assert.ok(end_at - start_at === 7200 && start_at <= now + 60 && start_at > now - 120)
  await refused([...quote, '--window', 'now +2h', '--start-at', 'now'], /either --window/)
})

test('a name of another workspace is found, with a note, and one of several is refused with a list', async () => {
  const found = await bourse('pools', 'get', 'lab', '--json')
  assert.equal(found.code, 0, found.err)
  assert.equal(JSON.parse(found.out).resource_path, `svc:pool:${account}:research:lab`)
  assert.match(found.err, /lab is not in the workspace default\. Using the pool research\/lab\./)
  await bourse('workspaces', 'create', '--name', 'third')
  for (const workspace of ['research', 'third']) {
    assert.equal((await bourse('firewalls', 'create', '--name', 'both', '--workspace', workspace)).code, 0)
  }
  await refused(
    ['firewalls', 'get', 'both'],
    /Several workspaces[\s\S]*(research\/both|third\/both), (research\/both|third\/both)/,
  )
  assert.equal((await bourse('firewalls', 'get', 'third/both')).code, 0)
})

test('a name may look like an id: it comes before the id of another resource, which is told', async () => {
  for (const noun of ['pools', 'firewalls']) {
    const name = noun === 'pools' ? 'pool_main' : 'frwl_main'
    const { id } = JSON.parse((await bourse(noun, 'create', '--name', name, '--json')).out)
    for (const typed of [name, `default/${name}`, id]) {
      const found = await bourse(noun, 'get', typed, '--json')
      assert.deepEqual([found.code, found.err], [0, ''], typed)
      assert.equal(JSON.parse(found.out).id, id)
    }
  }
  const short = await bourse('tokens', 'get', 'tokn_none')
  assert.equal(short.code, 4, short.err)
  // Only roles that are built in have ids of this length.
  assert.equal((await bourse('roles', 'create', '--name', 'role_admin', '--allow', 'pool:read')).code, 0)
  const both = await bourse('roles', 'get', 'role_admin', '--json')
  assert.equal(JSON.parse(both.out).name, 'role_admin')
  assert.match(both.err, /One role is named role_admin, and another one has this id\. Using the one with the name\./)
  const none = await bourse('pools', 'get', 'pool_mian')
  assert.deepEqual([none.code, /Did you mean pool_main\?/.test(none.err)], [4, true], none.err)
})

test('tokens and SKUs with names that look like ids are found by them', async () => {
  const { id } = JSON.parse((await bourse('tokens', 'create', '--name', 'tokn_ci', '--roles', 'viewer', '--json')).out)
  const token = await bourse('tokens', 'get', 'tokn_ci', '--json')
  assert.deepEqual([token.code, token.err, JSON.parse(token.out || '{}').id], [0, '', id])
  const sku = JSON.parse((await bourse('skus', 'get', 'h100-west', '--json')).out)
  assert.equal((await platform('skus', 'update', 'h100-west', '--alias', 'sku_h100')).code, 0)
  const renamed = await bourse('skus', 'get', 'sku_h100', '--json')
  assert.equal((await platform('skus', 'update', sku.id, '--alias', 'h100-west')).code, 0)
  assert.deepEqual([renamed.code, renamed.err, JSON.parse(renamed.out || '{}').id], [0, '', sku.id])
  const unknown = await bourse('skus', 'get', 'sku_h100', '--json')
  assert.deepEqual([unknown.code, JSON.parse(unknown.err).error.type], [4, 'not_found'], unknown.err)
})

test('a caller who may not read roles names built-in ones by their ids', async () => {
  const allow = ['--allow', 'token:create', '--allow', 'workspace:read', '--allow', 'pool:write']
  assert.equal((await bourse('roles', 'create', '--name', 'maker', ...allow)).code, 0)
  const roles = ['--roles', 'maker', '--roles', 'billing']
  // The second token is limited to resources: it may not call the operations of roles at all.
  for (const limits of [[], ['--resources', `svc:instance:${account}:default:*`]]) {
    const made = await bourse('tokens', 'create', ...roles, ...limits, '--json')
    assert.equal(made.code, 0, made.err)
    const maker = runnerFor({ ...connection, BOURSE_API_TOKEN: JSON.parse(made.out).token })
    const given = await maker('tokens', 'create', '--roles', 'role_billing', '--json')
    assert.deepEqual([given.code, given.err], [0, ''])
  }
})

test('a look-up that is refused says neither that a name exists nor that it does not', async () => {
  const allow = ['--allow', 'pool:write', '--allow', 'token:delete']
  assert.equal((await bourse('roles', 'create', '--name', 'writer', ...allow)).code, 0)
  const made = await bourse('tokens', 'create', '--name', 'writer', '--roles', 'writer', '--json')
  const writer = runnerFor({ ...connection, BOURSE_API_TOKEN: JSON.parse(made.out).token, BOURSE_OUTPUT: 'json' })
  assert.equal((await bourse('pools', 'create', '--name', 'pool_seen')).code, 0)
  const renamed = await writer('pools', 'update', 'pool_seen', '--name', 'pool_renamed')
  assert.deepEqual([renamed.code, renamed.err], [0, ''])
  const absent = await writer('pools', 'update', 'pool_seen', '--name', 'pool_other')
  assert.deepEqual([absent.code, JSON.parse(absent.err).error.type], [4, 'not_found'], absent.err)
  const token = await writer('tokens', 'delete', 'tokn_ci', '--yes')
  assert.deepEqual([token.code, JSON.parse(token.err).error.message], [77, 'This needs the permission token:list.'])
})

test('a name that nothing has is refused with the nearest names', async () => {
  const pool = await bourse('pools', 'get', 'traning')
  assert.deepEqual([pool.code, pool.out], [4, ''])
  assert.match(pool.err, /There is no pool traning that you can see\.\n {2}Did you mean training\?/)
  assert.match((await bourse('skus', 'get', 'h100-wset')).err, /Did you mean h100-west/)
  assert.match((await bourse('pools', 'get', 'research/lap')).err, /Did you mean research\/lab\?/)
  assert.match((await bourse('pools', 'get', 'zzzzzzzz')).err, /List them, or give an id/)
})

test('a workspace that is set is the one of names and of new resources', async () => {
  const research = runnerFor({ ...connection, BOURSE_WORKSPACE: 'research' })
  const lab = await research('pools', 'get', 'lab', '--json')
  assert.deepEqual([lab.code, lab.err], [0, ''])
  // Without a pool, it is the only market pool of this workspace.
  assert.equal((await research('pools', 'create', '--name', 'desk')).code, 0)
  for (const words of [
    ['orders', 'buy', 'h100-west'],
    ['run', 'h100-west'],
  ]) {
    const planned = await research(...words, '--dry-run')
    assert.match(planned.out, /Plan: buy 1 node of h100-west for the pool desk/, planned.err)
  }
  const made = await research('firewalls', 'create', '--name', 'placed', '--json')
  assert.equal(JSON.parse(made.out).workspace.name, 'research')
  const own = await research('firewalls', 'create', '--name', 'placed', '--workspace', 'default', '--json')
  assert.equal(JSON.parse(own.out).workspace.name, 'default')
  // Without a workspace a grant is for the whole account, which the setting must not narrow.
  const { id } = JSON.parse((await research('tokens', 'create', '--name', 'holder', '--json')).out)
  const grant = await research(
    'grants',
    'create',
    '--principal-type',
    'token',
    '--principal-id',
    id,
    '--role',
    'viewer',
    '--json',
  )
  assert.equal(JSON.parse(grant.out).workspace, null, grant.err)
})

test('waiting for an instance of an empty pool ends at once, with the reason and the next window', async () => {
  assert.equal((await bourse('pools', 'create', '--name', 'empty')).code, 0)
  const words = ['instances', 'create', '--pool', 'empty', '--sku', 'h100-west', '--image', 'trainer-2', '--wait']
  const none = await bourse(...words)
  assert.equal(none.code, 1, none.err)
  assert.match(
    none.err,
    /inst_\S+ cannot become running now\. The pool has no allocation .*It has none for this instance later either/,
  )
  const bought = await bourse(
    'orders',
    'buy',
    'h100-west',
    '--pool',
    'empty',
    '--nodes',
    '2',
    '--from',
    '+2h',
    '--for',
    '1h',
    '--yes',
  )
  assert.equal(bought.code, 0, bought.err)
  const later = await bourse(...words, '--timeout', '5m')
  assert.equal(later.code, 1, later.err)
  assert.match(later.err, /next allocation begins at \d{4}-\d\d-\d\d .*--timeout 1\d\dm/)
})

test('a wait goes on while something buys for the pool, and says why the instance waits', async () => {
  assert.equal((await bourse('pools', 'create', '--name', 'bidding')).code, 0)
  const resting = [
    '--pool',
    'bidding',
    '--from',
    'now',
    '--for',
    '2h',
    '--price',
    '0.01',
    '--standing',
    '--partial',
    '--yes',
  ]
  const bid = await bourse('orders', 'buy', 'h100-west', ...resting)
  assert.equal(bid.code, 0, bid.err)
  const words = ['instances', 'create', '--pool', 'bidding', '--sku', 'h100-west', '--image', 'trainer-2']
  const late = await bourse(...words, '--wait', '--timeout', '6s')
  assert.equal(late.code, 124, late.err)
  assert.match(late.err, /It waits: The pool has no allocation/)
})

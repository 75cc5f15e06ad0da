import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'vitest'
import { platformAccount } from '../../server/test/support/access.ts'
import { enrol } from '../../server/test/support/agents.ts'
import { grantNodes } from '../../server/test/support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../../server/test/support/fixtures/fleet.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
const world = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
const { id: account, token } = world.accounts.find(({ id }) => id === 'acme')
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
const bourse = runnerFor(connection)
await server.settle()

test('the resources of the market are listed and filtered by names', async () => {
  const running = await bourse('instances', 'list', '--state', 'running', '--pool', 'training', '-o', 'jsonl')
  const instances = running.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.ok(instances.length > 0)
  for (const { state, pool } of instances) assert.deepEqual([state, pool.name], ['running', 'training'])
  const skus = await bourse('skus', 'list', '--include-deleted', '--columns', 'alias', '--no-header')
  const alias = skus.out.split('\n')[0] as string
  assert.equal(JSON.parse((await bourse('skus', 'get', alias, '--json')).out).alias, alias)
  for (const noun of ['pools', 'deployments', 'images', 'instance-templates', 'subnets']) {
    const { code, out } = await bourse(noun, 'list', '-o', 'id')
    assert.deepEqual([code, out.length > 0], [0, true], noun)
  }
})

test('a resource of another workspace is named by workspace and name', async () => {
  const { code, out } = await bourse('pools', 'get', 'research/lab', '--json')
  assert.deepEqual([code, JSON.parse(out).resource_path], [0, `svc:pool:${account}:research:lab`])
})

test('the console of an instance is printed as visible text, and its chunks as data', async () => {
  const { code, out } = await bourse('instances', 'logs', 'notebook')
  assert.equal(code, 0)
  assert.match(out, /^\[ {4}0\.000000\] Booting a simulated machine.*\n[\s\S]*login: $/)
  const [chunk] = JSON.parse((await bourse('instances', 'list-logs', 'notebook', '--json')).out).data
  assert.equal(Buffer.from(chunk.data, 'base64').toString(), out)
  assert.equal((await bourse('instances', 'logs', 'notebook', '--raw')).out, out)
  assert.equal((await bourse('instances', 'logs', 'nobody')).code, 4)
  // A machine that no longer exists writes no more chunks, so following it ends.
  assert.equal((await bourse('instances', 'logs', 'finished', '--follow')).code, 0)
})

test('ssh to a machine without a shell says why', async () => {
  const simulated = await bourse('ssh', 'notebook')
  assert.deepEqual([simulated.code, simulated.out], [1, ''])
  assert.match(simulated.err, /^Error: notebook is simulated: .* has no shell\.\n.*bourse instances logs notebook/)
  const ended = await bourse('ssh', 'finished', '--wait')
  assert.equal(ended.code, 4)
  assert.match(ended.err, /Error: inst_\S+ was terminated at 20\d\d-\d\d-\d\dT[\d:]+Z, so it has no shell\./)
  const waits = await bourse('ssh', 'queued')
  assert.match(waits.err, /has no shell yet: it waits for allocation/)
})

test('wait exits with 0 when the state is reached, 124 at the time limit, 1 if the state is unreachable', async () => {
  assert.equal((await bourse('instances', 'wait', 'notebook', '--for', 'running', '--timeout', '30s')).code, 0)
  const late = await bourse('instances', 'wait', 'notebook', '--for', 'terminated', '--timeout', '1s')
  assert.deepEqual([late.code, late.out], [124, ''])
  const never = await bourse('instances', 'wait', 'finished')
  assert.equal(never.code, 1)
  assert.match(never.err, /terminated and cannot become running/)
  assert.equal((await bourse('instances', 'wait', 'nobody')).code, 4)
})

test('an instance is replaced, and the command waits until its successor runs', async () => {
  const { id, image } = JSON.parse((await bourse('instances', 'get', 'notebook', '--json')).out)
  const words = [
    'instances',
    'replace',
    'notebook',
    '--image',
    image.name,
    '--name',
    'notebook-2',
    '--wait',
    '--yes',
    '--json',
  ]
  const replacing = bourse(...words)
  // Simulated machines boot by the clock of the sandbox.
  for (let moves = 0; moves < 10; moves++) await server.advance(30)
  const { code, out, err } = await replacing
  assert.equal(code, 0, err)
  const successor = JSON.parse(out)
  assert.deepEqual([successor.name, successor.state], ['notebook-2', 'running'])
  assert.equal(JSON.parse((await bourse('instances', 'get', id, '--json')).out).state, 'terminated')
})

test('events are followed as they happen, until Ctrl-C', async () => {
  const { id } = JSON.parse((await bourse('instances', 'get', 'legacy-worker', '--json')).out)
  const words = ['events', 'tail', id, '--action', 'instance.terminated', '--since', '-1h', '-o', 'jsonl']
  const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/bourse.mjs'), ...words], {
    env: { PATH: process.env.PATH ?? '', ...connection },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const line = once(createInterface(child.stdout), 'line')
  assert.equal((await bourse('instances', 'terminate', id, '--yes')).code, 0)
  const event = JSON.parse((await line)[0])
  assert.deepEqual([event.action, event.targets[0].id, event.actor.type], ['instance.terminated', id, 'token'])
  child.kill('SIGINT')
  assert.deepEqual(await ended, [130, null])
})

test('a spot deployment is created by names, shows why it waits, and is deleted', async () => {
  assert.equal((await bourse('pools', 'create', '--name', 'spot')).code, 0)
  const template = (await bourse('instance-templates', 'list', '-o', 'id')).out.split('\n')[0] as string
  const sku = (await bourse('skus', 'list', '--columns', 'alias', '--no-header')).out.split('\n')[0] as string
  const fleet = ['--pool', 'spot', '--sku', sku, '--instance-template', template, '--target-instance-count', '1']
  const price = ['--max-buy-price-dollars-per-node-hour', '0.00006', '--yes']
  const made = await bourse('deployments', 'create', '--kind', 'spot', '--name', 'cheap', ...fleet, ...price, '--json')
  assert.equal(made.code, 0, made.err)
  assert.equal(JSON.parse(made.out).object, 'spot_deployment')
  const missing = await bourse('deployments', 'create', '--kind', 'spot', ...fleet)
  assert.match(missing.err, /max_buy_price_dollars_per_node_hour/)
  await server.settle()
  const shown = await bourse('deployments', 'list', '--kind', 'spot', '--columns', 'name,status', '--no-header')
  assert.match(shown.out, /^cheap +(no_offer_at_price|payment_required)/)
  assert.equal((await bourse('deployments', 'delete', 'cheap', '--yes')).code, 0)
})

test('a procurement is created with either target, updated, disabled and deleted by name', async () => {
  assert.equal((await bourse('pools', 'create', '--name', 'kept')).code, 0)
  const sku = (await bourse('skus', 'list', '--columns', 'alias', '--no-header')).out.split('\n')[0] as string
  const prices = [
    '--max-buy-price-dollars-per-node-hour',
    '0.00006',
    '--min-sell-price-dollars-per-node-hour',
    '9.00',
    '--managed-window-minutes',
    '5',
  ]
  const words = ['--name', 'keep', '--pool', 'kept', '--sku', sku, '--target', '2', ...prices, '--yes', '--json']
  const made = await bourse('procurements', 'create', ...words)
  assert.equal(made.code, 0, made.err)
  assert.equal(JSON.parse(made.out).target, 2)
  await server.settle()
  const orders = await bourse('orders', 'list', '--procurement', 'keep', '--json')
  assert.equal(orders.code, 0, orders.err)
  const following = await bourse(
    'procurements',
    'update',
    'keep',
    '--target',
    'node_count',
    '--no-enabled',
    '--yes',
    '--json',
  )
  assert.deepEqual([JSON.parse(following.out).target, JSON.parse(following.out).enabled], ['node_count', false])
  const shown = await bourse('procurements', 'list', '--columns', 'name,target,status', '--no-header')
  assert.match(shown.out, /^keep +node_count +ok/)
  assert.equal((await bourse('procurements', 'delete', 'keep', '--yes')).code, 0)
})

test('a retirement by force asks first, and says what it ends', async () => {
  const body = { sku: await makeSku(server), count: 1, slots: 1 }
  const [{ id }] = (await server.call('create_simulated_hosts', { body })).data
  const operator = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: server.platform_token }
  const no = runnerFor(operator, { answer: false })
  const forced = await no('hosts', 'retire', id, '--force')
  assert.match(forced.err, new RegExp(`Retire a host \\(${id}\\) by force\\. Its instances end at once, .* \\[y/N\\]`))
  const plain = await no('hosts', 'retire', id)
  assert.match(plain.err, new RegExp(`Retire a host \\(${id}\\)\\. Removes a drained host .* Continue\\? \\[y/N\\]`))
  assert.equal((await server.call('get_host', { params: { id } })).state, 'active')
})

test('ssh connects to the address that the host reports, and its exit code is passed on', async () => {
  const sku = await makeSku(server)
  const permit = await server.call('create_host_enrolment', {
    token: (await platformAccount(server)).token,
    body: { sku },
  })
  const agent = await enrol(server, permit.token)
  const owner = await server.account()
  const supply = (await server.call('get_host', { params: { id: agent.host } })).pool.id
  const pool = await grantNodes(server, owner, { sku, supply, nodes: 1 })
  await server.advance(60)
  const before = await agent.call('get_desired_state')
  const body = { pool, sku, image: (await makeImage(server, owner)).id, name: 'real' }
  const { id } = await server.call('create_instance', { token: owner.token, body })
  const wanted = await agent.call('get_desired_state', { query: { generation: before.generation, wait_seconds: 55 } })
  const [{ generation }] = wanted.instances
  // Nothing listens there, so the ssh client itself fails with 255.
  const ssh = { hostname: '127.0.0.1', port: 1, host_keys: [{ key_type: 'ssh-ed25519', key: 'AAAA' }] }
  const report = {
    epoch: agent.epoch,
    generation: 1,
    health: 'healthy',
    instances: [{ id, generation, state: 'running', ssh }],
  }
  assert.equal((await agent.attempt('report_host', { body: report })).status, 200)
  const asOwner = runnerFor({ ...connection, BOURSE_API_TOKEN: owner.token })
  assert.equal((await asOwner('ssh', 'real', '--', 'true')).code, 255)
})

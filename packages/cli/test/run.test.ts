/** `bourse run`: buys, starts, waits, and opens a shell where there is one. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { type Ran, runnerFor } from './run-here.ts'

const server = await startTestServer()
const world = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
// The market makers change their prices with time.
await server.call('freeze_clock')
const { token } = world.accounts.find(({ id }) => id === 'acme')
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
const yes = runnerFor(connection, { answer: true })
const no = runnerFor(connection, { answer: false })
const line = ['run', 'h100-west', '--pool', 'main', '--for', '1h']

async function counts(): Promise<[orders: number, instances: number]> {
  const [orders, instances] = await Promise.all([
    server.call('list_orders', { token, query: { limit: 200 } }),
    server.call('list_instances', { token, query: { limit: 200 } }),
  ])
  return [orders.data.length, instances.data.length]
}

test('it shows the image and the plan, and a no buys nothing', async () => {
  const before = await counts()
  const declined = await no(...line)
  assert.equal(declined.code, 1)
  assert.match(declined.err, /^Starts 1 instance from the image \S+\.\nPlan: buy 1 node of h100-west/)
  const dry = await yes(...line, '--dry-run')
  assert.deepEqual([dry.code, dry.out.includes('Plan: buy 1 node')], [0, true], dry.err)
  assert.deepEqual(await counts(), before)
})

test('one line buys a node and starts an instance on it; a simulated one has a log instead of a shell', async () => {
  const before = await counts()
  const ran = await whileStarting(() => yes(...line, '--name', 'trainer', '--max-cost', '100'))
  assert.equal(ran.code, 0, ran.err)
  assert.match(ran.err, /Bought a node, and created trainer \(inst_\S+\) on it\./)
  assert.match(ran.err, /trainer is simulated.*\n`bourse instances logs trainer` shows its console/)
  assert.match(ran.out, /^state +running$/m)
  const { data } = await server.call('list_instances', { token, query: { name: 'trainer' } })
  const order = await server.call('get_order', { token, params: { id: data[0].order } })
  assert.deepEqual([order.state, order.allocation_schedule_delta[0]?.node_count], ['filled', 1])
  assert.deepEqual(await counts(), [before[0] + 1, before[1] + 1])
})

test('several nodes are several instances with numbered names, and only the printed rows', async () => {
  const words = [...line, '--nodes', '2', '--name', 'pair', '-o', 'id']
  const ran = await whileStarting(() => yes(...words))
  assert.equal(ran.code, 0, ran.err)
  assert.match(ran.out, /^inst_\S+\ninst_\S+\n$/)
  const { data } = await server.call('list_instances', { token, query: { name: 'pair-*' } })
  assert.deepEqual(data.map(({ name }) => name).sort(), ['pair-1', 'pair-2'])
})

test('at the present price, offers that change before the purchase are planned and asked about anew', async () => {
  const before = await counts()
  const words = [...line, '--name', 'moved', '--no-shell']
  const always = await runnerFor(connection, { answer: moveOffers })(...words)
  assert.deepEqual([always.code, changesSaid(always.err)], [3, 2], always.err)
  assert.match(always.err, /^No node is offered for the whole window at \$\d+\.\d+ per node-hour or less/m)
  assert.deepEqual(await counts(), before)
  const fixed = await runnerFor(connection, { answer: moveOffers })(...words, '--price', '1')
  assert.deepEqual([fixed.code, changesSaid(fixed.err)], [3, 0], fixed.err)
  let moves = 0
  const once = runnerFor(connection, { answer: async () => moves++ > 0 || moveOffers() })
  const ran = await whileStarting(() => once(...words))
  assert.deepEqual([ran.code, changesSaid(ran.err)], [0, 1], ran.err)
  assert.deepEqual(await counts(), [before[0] + 1, before[1] + 1])
})

test('where one cannot be bought, nothing of it is done, and what was started before stays and is said', async () => {
  const before = await counts()
  const dear = await yes(...line, '--max-cost', '0.01')
  assert.equal(dear.code, 3)
  assert.match(dear.err, /^The cheapest offers for the window cost \$\d+.*\n$/m)
  assert.doesNotMatch(dear.err, /Error:/)
  assert.deepEqual(await counts(), before)
  await server.call('create_instance', { token, body: await bodyOf('clash-2') })
  const clash = await yes(...line, '--nodes', '2', '--name', 'clash')
  assert.match(clash.err, /1 of 2 instances were started, and stay\.\nError: .*name/i)
  assert.deepEqual(await counts(), [before[0] + 1, before[1] + 2])
})

test('an instance that buys is planned and asked about, and one that does not is created at once', async () => {
  const before = await counts()
  const create = ['instances', 'create', '--pool', 'main', '--sku', 'h100-west', '--image', 'debian-12']
  const declined = await no(...create, '--for', '1h', '--limit-price', '100')
  assert.equal(declined.code, 1)
  assert.match(declined.err, /Using the image public\/debian-12\.\nPlan: buy 1 node of h100-west/)
  assert.match((await no(...create, '--for', '1h')).err, /Missing --limit-price/)
  assert.deepEqual(await counts(), before)
  assert.equal((await no(...create)).code, 0)
  assert.deepEqual(await counts(), [before[0], before[1] + 1])
})

test('what cannot be is refused before anything is asked', async () => {
  const before = await counts()
  for (const [words, text] of [
    [['--nodes', '0'], /--nodes takes a whole number from 1 on/],
    [['--nodes', '2', '--', 'uptime'], /one instance/],
    [['--image', 'windows-95'], /no image windows-95/],
    [['--max-cost', 'lots'], /lots/],
    [['--until', 'never'], /needs an end/],
  ] as const) {
    const refused = await yes('run', 'h100-west', '--pool', 'main', ...words)
    assert.equal(refused.out, '')
    assert.notEqual(refused.code, 0)
    assert.match(refused.err, text)
  }
  assert.deepEqual(await counts(), before)
})

/** Makes the offers a little dearer while a command asks its question, and agrees to it. */
async function moveOffers(): Promise<boolean> {
  const { data } = await server.call('list_market_makers')
  for (const { sku, base_price_dollars_per_node_hour: price } of data.filter(({ sku }) => sku.alias === 'h100-west')) {
    const base_price_dollars_per_node_hour = (Number(price) * 1.03).toFixed(2)
    await server.call('update_market_maker', { params: { sku: sku.id }, body: { base_price_dollars_per_node_hour } })
  }
  await server.advance(120)
  return true
}

function changesSaid(text: string): number {
  return text.match(/The offers have changed since the plan\./g)?.length ?? 0
}

/** Runs a command that waits for machines, and lets them start meanwhile. */
async function whileStarting(start: () => Promise<Ran>): Promise<Ran> {
  const [, before] = await counts()
  let hasEnded = false
  const running = start().finally(() => (hasEnded = true))
  while (!hasEnded && (await counts())[1] === before) await server.call('settle')
  await server.advance(60)
  return running
}

async function bodyOf(name: string) {
  const [{ data: skus }, { data: pools }, { data: images }] = await Promise.all([
    server.call('list_skus', { token }),
    server.call('list_pools', { token, query: { kind: 'market' } }),
    server.call('list_images', { token, query: { public: true } }),
  ])
  const sku = skus.find(({ alias }) => alias === 'h100-west')?.id as string
  const pool = pools.find((one) => one.name === 'main')?.id as string
  return { sku, pool, image: images[0].id, name }
}

/** Commands that spend or destroy: their plan, the question, and what they say afterwards. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { type Ran, runnerFor } from './run-here.ts'

const server = await startTestServer()
const world = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
// The market makers change their prices with time.
await server.call('freeze_clock')
const { token } = world.accounts.find(({ id }) => id === 'acme')
const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
const script = runnerFor(connection)
const yes = runnerFor(connection, { answer: true })
const no = runnerFor(connection, { answer: false })
const buy = ['orders', 'buy', 'h100-west', '--pool', 'main', '--nodes', '2', '--for', '1h']

// A plan shows times in the zone of its reader.
const zone = process.env.TZ
process.env.TZ = 'America/New_York'
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

async function available(): Promise<string> {
  return (await server.call('get_balance', { token })).available_dollars
}

async function orderCount(): Promise<number> {
  return (await server.call('list_orders', { query: { limit: 200 }, token })).data.length
}

function assertNothingDone({ code, out, err }: Ran, expected: number): void {
  assert.deepEqual([code, out], [expected, ''], err)
}

test('a buy shows nodes, window, offers, cost, worst case, fees and balance, and asks', async () => {
  const before = await available()
  const declined = await no(...buy)
  assertNothingDone(declined, 1)
  const plan = declined.err
  assert.match(plan, /^Plan: buy 2 nodes of h100-west for the pool main\n/)
  assert.match(plan, /Window +\d{4}-\d\d-\d\d \d\d:\d\d – \d\d:\d\d UTC \(1 h\)|Window +.* – .* UTC \(1 h\)/)
  assert.match(plan, /Local time +\d{4}-\d\d-\d\d \d\d:\d\d – .*America\/New_York/)
  assert.match(plan, /Offers +\d nodes? \(\d node-hours?\) at \$\d+\.\d+: \$\d+/)
  assert.match(plan, /Cost now +\$[\d.]+ for 2 node-hours, \$[\d.]+ per node-hour on average/)
  assert.match(plan, /Worst case +\$[\d.]+, at \$[\d.]+ per node-hour, held meanwhile/)
  assert.match(plan, /Fees +\$0\.00/)
  assert.match(plan, /Balance +\$[\d,.]+ available now, \$[\d,.]+ after/)
  assert.match(plan, /Buy\? \[y\/N\]\nError: Cancelled\. Nothing changed\.\n$/)
  assert.equal(await available(), before)
  const bought = await yes(...buy)
  assert.equal(bought.code, 0)
  const [, cost] = /Bought 2 node-hours for \$([\d.]+) in total\.\n$/.exec(bought.err) ?? []
  assert.equal((Number(before) - Number(await available())).toFixed(6), Number(cost).toFixed(6))
  assert.ok(bought.err.includes(`Cost now    $${cost} for`), bought.err)
})

test('without a terminal and without --yes nothing is bought or deleted', async () => {
  const orders = await orderCount()
  for (const words of [buy, [...buy, '--no-input']]) {
    const refused = await script(...words)
    assertNothingDone(refused, 2)
    assert.match(refused.err, /^Plan: buy 2 nodes[\s\S]*Nothing was done[\s\S]*Add --yes/)
  }
  assertNothingDone(await yes(...buy, '--no-input'), 2)
  assertNothingDone(await script('orders', 'sell', 'h100-west', '--for', '30m'), 2)
  assert.equal(await orderCount(), orders)
  assert.equal((await script('pools', 'create', '--name', 'kept')).code, 0)
  assertNothingDone(await script('pools', 'rm', 'kept'), 2)
  assertNothingDone(await no('pools', 'rm', 'kept'), 1)
  assert.equal((await script('pools', 'get', 'kept')).code, 0)
  assert.equal((await yes('pools', 'rm', 'kept')).code, 0)
})

/** Runs the program as a process with a piped input, or under a terminal of its own. */
async function run(words: readonly string[], { input = '', terminal = false } = {}) {
  const program = [process.execPath, join(import.meta.dirname, '../bin/bourse.mjs'), ...words]
  const quoted = program.map((word) => `'${word}'`).join(' ')
  const [file, args] = terminal ? ['script', ['-qec', quoted, '/dev/null']] : [program[0] as string, program.slice(1)]
  const child = spawn(file, args, { env: { PATH: process.env.PATH ?? '', ...connection } })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      out += part
    })
  }
  if (terminal) {
    let isAnswered = false
    child.stdout.on('data', () => {
      if (isAnswered || !out.includes('[y/N]')) return
      isAnswered = true
      child.stdin.write(input)
    })
  } else child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, out }
}

test('`echo n` and `echo y` before a deletion are no answers', async () => {
  assert.equal((await script('pools', 'create', '--name', 'd1')).code, 0)
  for (const input of ['n\n', 'y\n', '']) {
    const { code, out } = await run(['pools', 'rm', 'd1'], { input })
    assert.deepEqual([code, /Add --yes/.test(out)], [2, true], out)
  }
  assert.equal((await script('pools', 'get', 'd1')).code, 0)
})

test('on a terminal the typed answer decides', async ({ skip }) => {
  if ((await run(['version'], { terminal: true }).catch(() => undefined))?.code !== 0) {
    skip('the program script is not installed')
  }
  const kept = await run(['pools', 'rm', 'd1'], { terminal: true, input: 'n\n' })
  assert.deepEqual([kept.code, /Cancelled/.test(kept.out)], [1, true], kept.out)
  assert.equal((await script('pools', 'get', 'd1')).code, 0)
  const gone = await run(['pools', 'rm', 'd1'], { terminal: true, input: 'y\n' })
  assert.equal(gone.code, 0, gone.out)
  assert.equal((await script('pools', 'get', 'd1')).code, 4)
})

test('--dry-run shows the plan as data, trades nothing, and its exit code says whether it would', async () => {
  const orders = await orderCount()
  const would = await script(...buy, '--dry-run')
  assert.deepEqual([would.code, would.err], [0, ''])
  assert.match(would.out, /^Plan: buy 2 nodes/)
  const asData = await script(...buy, '--dry-run', '--json')
  assert.equal(JSON.parse(asData.out).object, 'order_estimate')
  const dear = await script(...buy, '--price', '0.01', '--dry-run')
  assert.deepEqual([dear.code, /Nothing would be traded/.test(dear.err)], [3, true])
  const rests = await script(...buy, '--price', '0.01', '--standing', '--dry-run')
  assert.deepEqual([rests.code, /only wait/.test(rests.err)], [3, true])
  const many = await script('orders', 'buy', 'h100-west', '--pool', 'main', '--nodes', '9999', '--dry-run')
  assert.equal(many.code, 3)
  const poor = await script(...buy, '--price', '900000', '--dry-run')
  assert.deepEqual([poor.code, /Refused now +This needs/.test(poor.out)], [3, true], poor.out + poor.err)
  assert.equal(await orderCount(), orders)
})

test('a partial fill says what was bought and paid, and what was not', async () => {
  const before = await available()
  const words = 'orders buy h100-west --pool main --nodes 200 --from +2d --for 1h --partial --yes --json'.split(' ')
  const { code, out, err } = await script(...words)
  assert.equal(code, 0, err)
  assert.equal(JSON.parse(out).cancel_reason, 'unfilled')
  const [, cost] = /Bought [\d.]+ of 200 node-hours for \$([\d.,]+) in total\./.exec(err) ?? []
  assert.equal((Number(before) - Number(await available())).toFixed(6), Number(cost?.replace(',', '')).toFixed(6))
  assert.match(err, /Not bought: [\d.]+ node-hours\. This part was cancelled at once/)
})

test('orders create asks as orders buy does', async () => {
  const now = (await server.call('get_clock')).now
  const start_at = now - (now % 60) + 86_400
  const delta = JSON.stringify([{ start_at, end_at: start_at + 3600, node_count: 1 }])
  const words = ['orders', 'create', '--pool', 'main', '--side', 'buy', '--sku', 'h100-west']
  const terms = ['--allocation-schedule-delta', delta, '--limit-price-dollars-per-node-hour', '0.02']
  assertNothingDone(await script(...words, ...terms), 2)
  const back = JSON.stringify([{ start_at, end_at: start_at - 3600, node_count: 1 }])
  const invalid = [...words, '--allocation-schedule-delta', back, '--limit-price-dollars-per-node-hour', '1']
  assertNothingDone(await script(...invalid), 2)
  assertNothingDone(await script(...invalid, '--yes'), 8)
  const missed = await script(...words, ...terms, '--yes')
  assert.deepEqual([missed.code, /Nothing was traded/.test(missed.err)], [3, true])
  const rests = await script(...words, ...terms, '--allow-standing', '--allow-partial', '--yes', '-o', 'id')
  assert.equal(rests.code, 0, rests.err)
  assert.match(rests.err, /Not bought yet: 1 node-hour\. The order waits on the order book and holds \$0\.02\./)
  const cancelled = await script('orders', 'cancel', rests.out.trim(), '--yes')
  assert.equal(cancelled.code, 0, cancelled.err)
  assert.match(cancelled.err, /^Cancelled: ordr_\S+\. Nothing was bought before, \$0\.02 released\.\n$/)
  assert.equal((await script('orders', 'cancel', rests.out.trim(), '--yes')).code, 5)
})

test('the cancellation of an order says what was bought before and what is released', async () => {
  // Prices depend on the day and the hour, and no hour has as many nodes.
  const start_at = Math.ceil(Date.now() / 3_600_000) * 3_600 + 86_400
  const sku = (await server.call('list_skus', { token })).data.find(({ alias }) => alias === 'h100-west')
  const query = { requirements: `id:${sku?.id}`, start_at, end_at: start_at + 3_600 }
  const quote = await server.call('get_orderbook_quote', { query, token })
  const window = ['--from', new Date(start_at * 1000).toISOString(), '--for', '1h']
  const price = quote.best_ask?.price_dollars_per_node_hour ?? ''
  const terms = ['--nodes', '100', '--price', price, '--standing', '--partial']
  const words = ['orders', 'buy', 'h100-west', '--pool', 'main', ...window, ...terms]
  const { out, err } = await script(...words, '--yes', '--json')
  const order = JSON.parse(out)
  assert.match(err, /Bought [\d.]+ of 100 node-hours for \$[\d.,]+ in total\.\nNot bought yet: /)
  const { err: said } = await script('orders', 'cancel', order.id, '--yes')
  const held = Number(order.held_dollars).toFixed(2)
  const [, bought, released] =
    /\. ([\d.]+) node-hours were bought before for \$[\d.,]+, \$([\d.,]+) released\./.exec(said) ?? []
  assert.ok(Number(bought) > 0, said)
  assert.equal(Number(released?.replaceAll(',', '')).toFixed(2), held)
})

test('a sell shows proceeds and fee, and says what it brought', async () => {
  const sell = ['orders', 'sell', 'h100-west', '--pool', 'main', '--nodes', '1', '--from', '+10m', '--for', '20m']
  const { code, err } = await yes(...sell)
  assert.equal(code, 0, err)
  assert.match(err, /^Plan: sell 1 node of h100-west from the pool main\n/)
  assert.match(err, /Proceeds +\$[\d.]+ for 0\.33 node-hours/)
  assert.match(err, /Fees +\$[\d.]+, which leaves \$[\d.]+/)
  assert.match(err, /Sold 0\.33 node-hours for \$[\d.]+, less a fee of \$[\d.]+, in total\.\n$/)
})

test('a spot deployment shows its plan when it is created and when it may buy more', async () => {
  assert.equal((await script('pools', 'create', '--name', 'spot')).code, 0)
  const template = (await script('instance-templates', 'list', '-o', 'id')).out.split('\n')[0] as string
  const place = ['--pool', 'spot', '--sku', 'h100-west', '--instance-template', template]
  const create = ['deployments', 'create', ...place, '--name', 'fleet', '--target-instance-count', '1']
  const price = '--max-buy-price-dollars-per-node-hour'
  const spot = [...create, '--kind', 'spot', price, '40']
  assertNothingDone(await script(...spot), 2)
  const would = await script(...spot, '--dry-run')
  assert.equal(would.code, 0, would.err)
  assert.match(would.out, /^Plan: create a spot deployment that keeps 1 node of h100-west in the pool spot\n/)
  assert.match(would.out, /Buys +1 node-hour of 1 node-hour now/)
  assert.match(would.out, /Worst case +\$40\.00 per hour, \$960\.00 per day while it runs, at \$40\.00 per node-hour/)
  const low = await script(...create, '--kind', 'spot', price, '0.01', '--dry-run')
  assert.deepEqual([low.code, /Nothing now +Nothing is offered/.test(low.out)], [3, true], low.out)
  assert.equal((await script(...create, '--dry-run')).code, 3)
  const keyed = ['--idempotency-key', 'once', '--yes', '-o', 'id']
  const made = await script(...spot, ...keyed)
  assert.equal(made.code, 0, made.err)
  const again = await script(...spot, ...keyed)
  assert.deepEqual([again.code, again.out], [0, made.out], again.err)
  await server.settle()
  assertNothingDone(await script('deployments', 'update', 'fleet', '--target-instance-count', '2'), 2)
  const none = ['deployments', 'update', 'fleet', '--target-instance-count', '0']
  const asked = await script(...none)
  assertNothingDone(asked, 2)
  assert.match(asked.err, /^Plan: end 1 instance of the deployment fleet, and keep 0\n/)
  assert.equal((await script(...none, '--no-enabled', '--dry-run')).code, 3)
  assert.equal((await yes(...none)).code, 0)
  assert.equal((await script(...none)).code, 0)
  assert.equal((await script('deployments', 'update', 'fleet', '--no-enabled')).code, 0)
  assertNothingDone(await script('deployments', 'update', 'fleet', '--enabled'), 2)
  assert.equal((await yes('deployments', 'update', 'fleet', price, '41')).code, 0)
  assert.equal((await yes('deployments', 'delete', 'fleet')).code, 0)
  assert.equal((await script(...create)).code, 0)
  assert.equal((await yes('deployments', 'delete', 'fleet')).code, 0)
})

test('a procurement shows its plan when it is created and when it may trade otherwise', async () => {
  const prices = ['--max-buy-price-dollars-per-node-hour', '40', '--min-sell-price-dollars-per-node-hour', '90']
  const terms = ['--pool', 'spot', '--sku', 'h100-west', '--target', '1', '--managed-window-minutes', '30', ...prices]
  const create = ['procurements', 'create', '--name', 'keep', ...terms]
  assertNothingDone(await script(...create), 2)
  const made = await yes(...create)
  assert.equal(made.code, 0)
  assert.match(made.err, /Plan: create a procurement that keeps 1 node of h100-west[\s\S]*Create it\? \[y\/N\]/)
  assert.match(made.err, /bourse orders list --procurement keep\n$/)
  assertNothingDone(await script('procurements', 'update', 'keep', '--target', '0'), 2)
  assert.equal((await script('procurements', 'update', 'keep', '--no-enabled')).code, 0)
  assert.equal((await yes('procurements', 'delete', 'keep')).code, 0)
})

test('--curl asks nothing, because it sends nothing', async () => {
  const shown = await script(...buy, '--curl')
  assert.deepEqual([shown.code, shown.err], [0, ''])
  assert.match(shown.out, /^curl .*\/v2\/orders'\n$/)
})

test('on a halted market a buy says so at once and does not wait for the operator', async () => {
  await server.call('halt_market', { body: { message: 'Repair.' } })
  const orders = await orderCount()
  const refused = await script(...buy, '--yes')
  assert.equal(refused.code, 7, refused.err)
  assert.match(refused.err, /Refused now +The market is halted: Repair\.\n/)
  assert.match(refused.err, /Error: The market is halted: Repair\./)
  assert.doesNotMatch(refused.err, /Trying again/)
  assert.equal((await script(...buy, '--dry-run')).code, 3)
  await server.call('resume_market', { body: {} })
  assert.equal(await orderCount(), orders)
})

test('a buy that is refused for a moment says at once what it waits for, and Ctrl-C ends the wait', async () => {
  const fault = { kind: 'http_error', status: 503, operation: 'create_order', times: 0 } as const
  const { id } = await server.call('create_fault', { body: fault })
  const child = spawn(process.execPath, [join(import.meta.dirname, '../bin/bourse.mjs'), ...buy, '--yes'], {
    env: { PATH: process.env.PATH ?? '', ...connection },
  })
  const ended = once(child, 'exit')
  let err = ''
  for await (const part of child.stderr) {
    err += part
    if (err.includes('stops trying')) break
  }
  child.kill('SIGINT')
  assert.deepEqual(await ended, [130, null])
  const waits =
    /An injected fault refuses this request\. Trying again in [12] s\. Since [\d:]+\. Ctrl-C stops trying\.\n$/
  assert.match(err, waits)
  await server.call('delete_fault', { params: { id } })
})

test('an answer that takes minutes buys from the running minute on, unless the window has passed', async () => {
  const after = (seconds: number) => {
    const answer = async () => {
      await server.advance(seconds)
      return true
    }
    return runnerFor(connection, { answer })
  }
  const bought = await after(120)(...buy, '--partial', '--price', '50')
  assert.equal(bought.code, 0, bought.err)
  assert.match(bought.err, /The first minute of the window has passed\. It now begins at \d\d:\d\d:00\.\n/)
  assert.match(bought.err, /Bought 1\.93 node-hours for/)
  const late = await after(7200)(...buy, '--price', '50')
  assert.equal(late.code, 8, late.err)
  assert.match(late.err, /in_the_past/)
})

test('an order and an estimate that begin now are asked for again when their minute has passed', async () => {
  let questions = 0
  const answer = async () => {
    questions += 1
    if (questions === 1) await server.advance(60)
    return true
  }
  const terms = ['--side', 'buy', '--sku', 'h100-west', '--nodes', '1', '--window', 'now +2h', '--limit-price', '50']
  const made = await runnerFor(connection, { answer })(
    'orders',
    'create',
    '--pool',
    'spot',
    '--allow-partial',
    ...terms,
  )
  assert.equal(made.code, 0, made.err)
  assert.equal(questions, 2)
  assert.match(made.err, /Bought/)
})

test('a minute that ends between the requests of a command moves its window on', async () => {
  let passes = true
  const gateway = createServer(async (request, answer) => {
    const sent = Buffer.concat(await request.toArray())
    if (passes && request.url?.includes('estimate')) {
      passes = false
      await server.advance(60)
    }
    const { method = 'GET', headers } = request
    const response = await fetch(`${connection.BOURSE_BASE_URL}${request.url}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
      ...(sent.length > 0 && { body: sent }),
    })
    answer.writeHead(response.status, { 'content-type': response.headers.get('content-type') ?? '' })
    answer.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = gateway.address() as AddressInfo
    const through = runnerFor({ ...connection, BOURSE_BASE_URL: `http://127.0.0.1:${port}` })
    const bought = await through(...buy, '--yes')
    assert.equal(bought.code, 0, bought.err)
    assert.equal(passes, false)
    assert.match(bought.err, /Bought 2 node-hours for/)
  } finally {
    gateway.close()
  }
})

test('orders amend shows what the order with its new terms costs, counts its hold once, and asks', async () => {
  const terms = ['--price', '0.5', '--standing', '--partial']
  const placed = await yes(...buy, ...terms, '-o', 'id')
  assert.equal(placed.code, 0, placed.err)
  const id = placed.out.trim()
  const before = await available()
  const declined = await no('orders', 'amend', id, '--limit-price', '0.75')
  assertNothingDone(declined, 1)
  assert.match(declined.err, /^Plan: amend to buy 2 nodes of h100-west for the pool main\n/)
  // It held $1.00 for two node-hours, and holds $1.50 then.
  const [, now, after] = /Balance +\$([\d,.]+) available now, \$([\d,.]+) after/.exec(declined.err) ?? []
  const dollars = (text = '') => Number(text.replaceAll(',', ''))
  assert.equal((dollars(now) - dollars(after)).toFixed(2), '0.50')
  assert.match(declined.err, /Amend the order\? \[y\/N\]\nError: Cancelled\. Nothing changed\.\n$/)
  assert.equal(await available(), before)
  const amended = await yes('orders', 'amend', id, '--limit-price', '0.75', '-o', 'json')
  assert.equal(amended.code, 0, amended.err)
  assert.equal(JSON.parse(amended.out).amends, id)
  assert.equal((Number(before) - Number(await available())).toFixed(2), '0.50')
})

import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
const world = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
const { token } = world.accounts.find(({ id }) => id === 'acme')
const bourse = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token })

async function json(...words: string[]) {
  const { code, out, err } = await bourse(...words, '-o', 'json')
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

test('the book of a SKU is printed as a chart, and as complete JSON', async () => {
  const shown = await bourse('book', 'show', 'h100-west')
  assert.equal(shown.code, 0, shown.err)
  assert.match(
    shown.out,
    /^Nodes at each price, on average over .*Z; dollars per node-hour\n(ask .*█.*\n){3} +spread .*\n(bid .*█.*\n){3}/,
  )
  assert.match(shown.out, /Prices by hour, over a day[\s\S]*┤[\s\S]*●[\s\S]*└─+\n/)
  const { depth, price_history } = await json('book', 'show', 'h100-west', '--for', '1d')
  assert.deepEqual([depth.object, depth.end_at - depth.start_at], ['orderbook_depth', 86_400])
  assert.ok(price_history.data.length >= 11)
  for (const wrong of [
    ['--for', '90s'],
    ['--for', '1h', '--until', '+2h'],
    ['--from', 'soon'],
    ['--interval', 'week'],
  ]) {
    assert.equal((await bourse('book', 'show', 'h100-west', ...wrong)).code, 2, wrong.join(' '))
  }
})

test('depth and quote are tables with a side in each row, and the JSON of the API', async () => {
  const window = ['--start-at', 'now', '--end-at', '+2h', '--requirements', 'alias:h100-west']
  const depth = await bourse('book', 'depth', ...window, '--depth', '2')
  assert.match(depth.out, /^SIDE +PRICE \$\/NODE-H +SKU +SCHEDULE\n(ask .*\n){2}(bid .*\n){2}$/)
  const quote = await json('book', 'quote', ...window)
  assert.equal(quote.object, 'orderbook_quote')
  assert.equal(quote.start_at % 60, 0)
  const csv = await bourse('book', 'prices', '--sku', 'h100-west', '--limit', '2', '-o', 'csv')
  assert.match(csv.out, /^start_at,sku,.*\n\d+,sku_.*\n\d+,sku_.*\n$/)
})

test('the curve and the heat map of the book are charts on a terminal, and rows for programs', async () => {
  const onTerminal = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }, { width: 80 })
  const order = ['--sku', 'h100-west', '--length', '2h', '--node-count', '2', '--to', '+1d']
  const curve = await onTerminal('book', 'curve', ...order)
  assert.equal(curve.code, 0, curve.err)
  assert.match(
    curve.out,
    /^2 nodes for 2 h from each start, .*\n[\s\S]*┤ .*●[\s\S]*└─+\n[\s\S]*\nCheapest: \d+\.\d{4}, /,
  )
  const none = await onTerminal('book', 'curve', '--sku', 'h100-west', '--node-count', '9999', '--to', '+2h')
  assert.match(none.out, /In none of 2 windows are all nodes offered\.\n$/)
  const heat = await onTerminal('book', 'heatmap', '--step', '2h', '--to', '+2d')
  assert.match(heat.out, /^Best offer in dollars per node-hour, cells of 2 h; .*\n.*h100-west +[░▒▓█·]{24} \d/)
  const board = await onTerminal('book', 'board', '--hours', '48')
  assert.match(board.out, /\nh100-west {2}ask \d+\.\d{4} {2}.*\d nodes free\n(?:.*┤.*\n)*.*┤ .*┊/)
  for (const drawn of [curve, heat, board])
    assert.deepEqual(
      drawn.out.split('\n').filter((line) => line.length > 80),
      [],
    )
  const { points } = await json('book', 'curve', ...order)
  assert.equal(points.length, 24)
  const rows = await bourse('book', 'curve', ...order, '-o', 'csv')
  assert.match(rows.out, /^start_at,average_price_dollars_per_node_hour,.*\n\d+,\d+\.\d{6},/)
  const listed = await bourse('book', 'board', '--sku', 'h100-west', '--hours', '2')
  assert.match(listed.out, /^SKU +BEST ASK .*FREE NODE COUNT.*\nh100-west +\$\d/)
  const cells = await bourse('book', 'heatmap', '--sku', 'h100-west', '--to', '+2h')
  assert.match(cells.out, /^SKU +START .*\nh100-west +.*\nh100-west +/)
  assert.equal((await bourse('book', 'heatmap', '--sku', 'h100-west', '--to', '+60d')).code, 8)
})

test('the status of the book has the message of the operator while it is halted', async () => {
  const open = await json('book', 'status', '--sku', 'h100-west')
  assert.deepEqual([open.halted, open.scope, open.message], [false, null, null])
  await server.call('halt_market', { body: { sku: open.sku, message: 'Back at noon' } })
  try {
    const shown = await bourse('book', 'status', '--sku', 'h100-west')
    assert.match(shown.out, /Back at noon/)
    assert.equal((await json('book', 'status')).halted, false)
  } finally {
    await server.call('resume_market', { body: { sku: open.sku } })
  }
  assert.equal((await json('book', 'status', '--sku', 'h100-west')).halted, false)
})

test('a halt of the market asks first, and says of what', async () => {
  const as = (answer: boolean | undefined) => {
    const operator = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: server.platform_token }
    return runnerFor(operator, answer === undefined ? {} : { answer })
  }
  const status = async () => (await json('book', 'status', '--sku', 'h100-west')).scope
  const alone = await as(undefined)('market', 'halt')
  assert.deepEqual([alone.code, /whole market[\s\S]*--yes/.test(alone.err), await status()], [2, true, null], alone.err)
  const no = await as(false)('market', 'halt', '--sku', 'h100-west')
  assert.match(no.err, /Halt the SKU sku_\S+, for all accounts\? \[y\/N\]/)
  assert.equal(await status(), null)
  assert.equal((await as(undefined)('market', 'halt', '--sku', 'h100-west', '--yes')).code, 0)
  assert.equal(await status(), 'sku')
  assert.equal((await as(undefined)('market', 'resume', '--sku', 'h100-west')).code, 0)
})

test('buy and sell accept readable windows, and trade at the prices of the book', async () => {
  const before = Number((await json('billing', 'balance')).available_dollars)
  const bought = await json('orders', 'buy', 'h100-west', '--nodes', '2', '--for', '3h', '--yes')
  assert.deepEqual([bought.state, bought.side, bought.pool.name], ['filled', 'buy', 'main'])
  const [window] = bought.allocation_schedule_delta
  assert.deepEqual([window.end_at - window.start_at, window.node_count], [3 * 3_600, 2])
  const sold = await json('orders', 'sell', 'h100-west', '--from', '+1h', '--until', '+2h', '--nodes', '1', '--yes')
  assert.equal(sold.state, 'filled')
  const after = Number((await json('billing', 'balance')).available_dollars)
  assert.ok(after < before)
  const { data } = await json('billing', 'transactions', '--type', 'buy_fill', '--type', 'sell_fill')
  const moved = data.reduce((sum: number, { amount_dollars }: any) => sum + Number(amount_dollars), 0)
  assert.equal((after - before).toFixed(6), moved.toFixed(6))
})

test('a limit price is kept: the unfilled part expires or rests', async () => {
  const missed = await bourse('orders', 'buy', 'h100-west', '--price', '1', '--yes', '-o', 'json')
  assert.equal(missed.code, 3)
  assert.equal(JSON.parse(missed.out).cancel_reason, 'unfilled')
  assert.match(missed.err, /Nothing was traded.*--standing/)
  // An order for all or nothing ends with its first minute, so that minute is still to come.
  const later = ['--from', '+1h', '--price', '1.50', '--standing', '--pool', 'main', '--yes']
  const rests = await json('orders', 'buy', 'h100-west', ...later)
  assert.equal(rests.state, 'standing')
  const listed = await bourse('orders', 'list', '--state', 'standing')
  assert.match(listed.out, /^ID +SIDE +STATE +SKU +LIMIT \$\/NODE-H .*\nordr_/)
  assert.equal((await bourse('orders', 'cancel', rests.id, '--yes')).code, 0)
})

test('an order that cannot be filled is reported', async () => {
  const many = await bourse('orders', 'buy', 'h100-west', '--nodes', '9999')
  assert.deepEqual([many.code, many.out], [3, ''])
  assert.match(many.err, /^Nothing was traded\. Only \d+ of 9999 nodes are offered for the whole window .* UTC\)\./)
  assert.equal((await bourse('orders', 'buy', 'h100-west', '--standing')).code, 2)
  assert.equal((await bourse('orders', 'buy', 'h100-west', '--nodes', 'two')).code, 2)
  assert.equal((await bourse('orders', 'buy', 'no-such-sku')).code, 4)
  const back = await bourse('orders', 'buy', 'h100-west', '--from', '+1h', '--until', '+30m')
  assert.deepEqual([back.code, /ends before it starts/.test(back.err)], [2, true])
  const worth = await bourse('orders', 'buy', 'h100-west', '--price', 'much')
  assert.deepEqual([worth.code, /"much" is not an amount of dollars/.test(worth.err)], [2, true])
  assert.equal((await bourse('pools', 'create', '--name', 'second')).code, 0)
  const which = await bourse('orders', 'buy', 'h100-west')
  assert.deepEqual([which.code, /several market pools[\s\S]*--pool: second, main/.test(which.err)], [2, true])
  assert.equal((await bourse('pools', 'delete', 'second', '--yes')).code, 0)
})

test('an estimate prints the cost of an order, and the price of a market maker can be changed', async () => {
  const words = ['--side', 'buy', '--sku', 'h100-west', '--start-at', 'now', '--duration-seconds', '2h']
  const estimate = await json('orders', 'estimate', ...words, '--node-count', '4')
  assert.equal(estimate.type, 'quoted')
  assert.match((await bourse('sandbox', 'makers')).out, /h100-west +true +16 /)
  const moved = await json('sandbox', 'set-maker', 'h100-west', '--base-price-dollars-per-node-hour', '30.00')
  assert.equal(moved.base_price_dollars_per_node_hour, '30.000000')
  await server.settle()
  const after = await json('orders', 'estimate', ...words, '--node-count', '4')
  assert.ok(Number(after.total_dollars) > 1.5 * Number(estimate.total_dollars))
})

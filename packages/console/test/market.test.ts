/** The market in a browser: books, prices and trades as they change, and the way from a cell to the ticket. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { runnerFor } from '../../cli/test/run-here.ts'
import { makeValue } from '../../server/test/support/fixtures/fleet.ts'
import { type TestTrader, tradersOn } from '../../server/test/support/fixtures/traders.ts'
import { checkPage, problemsOf, visit } from './browser.ts'
import { skip } from './chromium.ts'

/** Names come from others: of SKUs in a form that a name has, of properties in any. */
const longAlias = `a100-${'x'.repeat(200)}`
const hostileRegion = '<img src=x onerror=alert(1)>\u202e tsew'

const { visitor, buyer, seller, sku, start } = skip ? noMarket() : await openMarket()

async function openMarket() {
  let buyer: TestTrader | undefined
  const visitor = await visit(async (server) => {
    buyer = await tradersOn(server).buyer('1000.000000')
    return buyer
  })
  const { server } = visitor
  const traders = tradersOn(server)
  await server.call('put_sku_property_value', {
    params: { property: 'region', name: 'west' },
    body: { display_name: hostileRegion },
  })
  await makeValue(server, 'accelerator', 'h100')
  const sku = await traders.sku({ alias: 'h100-west', region: 'west', accelerator: 'h100', num_accelerators: 8 })
  await traders.sku({ alias: longAlias })
  const seller = await traders.seller(sku, 8)
  const start = await traders.nextHour()
  const rests = { start_at: start, hours: 6, allow_standing: true, allow_partial: true }
  for (const price of ['2.00', '2.50']) {
    const { status } = await traders.order(seller, sku, { ...rests, side: 'sell', nodes: 3, price })
    assert.equal(status, 201)
  }
  const other = await traders.buyer()
  assert.equal((await traders.order(other, sku, { ...rests, side: 'buy', nodes: 2, price: '1.50' })).status, 201)
  // The browser stays for the whole file.
  await (await visitor.open('/instances')).close()
  return { visitor, buyer: buyer as TestTrader, seller, sku, start }
}

function noMarket() {
  return {} as Awaited<ReturnType<typeof openMarket>>
}

test('a book shows its ladder and depth, and its trades as others make them', leftOut(skip), async () => {
  // The address that the board had before leads to it, with all that it says.
  const page = await visitor.open(`/market?sku=h100-west&history=3h&unit=node&start=${start}`)
  await page.waitForURL((url) => url.pathname === '/console/' && url.searchParams.get('sku') === 'h100-west')
  const ladder = page.getByRole('table', { name: 'Prices', exact: true })
  await ladder.getByRole('row', { name: 'ask $2.00 3 3' }).waitFor()
  await ladder.getByRole('row', { name: 'ask $2.50 3 6' }).waitFor()
  await ladder.getByText('Spread $0.50').waitFor()
  await page.getByRole('img', { name: 'Depth: 2 nodes wanted, 6 offered' }).waitFor()
  await page.getByText('Nothing was traded in the last 7 days.').waitFor()
  await page.getByText(hostileRegion).first().waitFor()
  await page.getByRole('button', { name: 'Facts' }).click()
  await page.getByRole('dialog', { name: 'h100-west' }).getByText('Accelerators').waitFor()
  await page.keyboard.press('Escape')
  await checkPage(page, 'market')

  const buy = { side: 'buy', start_at: start, nodes: 1, price: '2.00' }
  assert.equal((await tradersOn(visitor.server).order(buyer, sku, buy)).status, 201)
  await page
    .getByRole('table', { name: 'Trades' })
    .getByRole('row', { name: /buy \$2\.00 1 .*\d–\d/ })
    .waitFor()
  await ladder.getByRole('row', { name: 'ask $2.00 2 2' }).waitFor()
  await page.getByRole('figure', { name: 'Prices of trades' }).waitFor()
  await page.getByText(/Cheapest from/).waitFor()
  await page.getByText(/^1 node of h100-west begins .*, in /).waitFor()
  const here = page.getByRole('navigation').getByRole('link', { name: 'Board', exact: true })
  await here.and(page.locator('[aria-current=page]')).waitFor()
  await checkPage(page, 'market-traded')
})

test(
  'a halted SKU is grey on the board, and says since when and why before somebody fills in an order',
  leftOut(skip),
  async () => {
    const { server } = visitor
    const message = 'A switch is replaced. <b>bold</b>'
    await server.call('halt_market', { body: { sku, message } })
    const page = await visitor.open(`/?sku=${sku}`)
    const banner = page.getByRole('status').filter({ hasText: /This SKU is halted since .*\d:\d\d\./ })
    await banner.getByText(message).waitFor()
    const board = page.getByRole('table', { name: 'Board' })
    await board.getByRole('row', { name: /^h100-west halted/ }).waitFor()
    await page.getByText('Halted: nothing here can be traded now.').waitFor()
    await checkPage(page, 'market-halted')
    await page.goto(`${server.url}/console/ticket?sku=${sku}`)
    await banner.waitFor()
    await server.call('resume_market', { body: { sku } })
    await banner.waitFor({ state: 'detached' })
  },
)

test('a halt of the whole market stands on every page', leftOut(skip), async () => {
  const { server } = visitor
  await server.call('halt_market', { body: { message: 'Back at noon' } })
  const page = await visitor.open('/instances')
  const banner = page.getByRole('status').filter({ hasText: /The whole market is halted since/ })
  await banner.getByText('Back at noon').waitFor()
  await page.goto(`${server.url}/console/?sku=${sku}`)
  await banner.waitFor()
  await page.getByRole('row', { name: /^h100-west halted/ }).waitFor()
  assert.equal(await page.getByRole('status').filter({ hasText: 'halted since' }).count(), 1)
  await server.call('resume_market', { body: {} })
  await banner.waitFor({ state: 'detached' })
})

test('every chart is also a table, and the table also a file', leftOut(skip), async () => {
  const page = await visitor.open(`/?sku=${sku}&history=3h&unit=node&start=${start}`)
  for (const name of [
    'Depth',
    'Trades',
    'Prices of trades',
    'Volume',
    'Prices by start',
    'Next 48 hours',
    'Spent by day',
  ]) {
    const figure = page.getByRole('figure', { name, exact: true })
    await figure.getByRole('button', { name: 'As a table' }).click()
    await figure.getByRole('table', { name }).waitFor()
  }
  await page.getByRole('search').getByRole('button', { name: 'As a table' }).click()
  await page.getByRole('figure', { name: 'Board' }).getByRole('table', { name: 'Board' }).waitFor()
  const depth = page.getByRole('figure', { name: 'Depth' })
  await depth.getByRole('row', { name: 'ask $2.50 3 5' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    depth.getByRole('button', { name: 'CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  assert.match(text, /^Side,Price,Nodes,With better ones\r\nask,2\.500000,3,5\r\n/)
  await checkPage(page, 'market-tables')
})

test(
  'ladder, depth and trades stand beside each other on the first screen, below the board',
  leftOut(skip),
  async () => {
    const page = await visitor.openWith({ viewport: { width: 1440, height: 900 } }, `/?sku=${sku}&start=${start}`)
    await page.getByRole('link', { name: 'ask $0.25' }).waitFor()
    const parts = [
      page.getByRole('region', { name: 'Ladder' }),
      page.getByRole('figure', { name: 'Depth', exact: true }),
      page.getByRole('figure', { name: 'Trades', exact: true }),
    ]
    const boxes = await Promise.all(parts.map((part) => part.boundingBox()))
    const [ladder, depth, trades] = boxes
    assert.ok(ladder && depth && trades)
    assert.ok(ladder.x < depth.x && depth.x < trades.x, JSON.stringify(boxes))
    assert.ok(
      [ladder, depth, trades].every(({ y, height }) => y > 200 && y + height <= 900),
      JSON.stringify(boxes),
    )
  },
)

test('a chart stays in view while what it shows is changed', leftOut(skip), async () => {
  const page = await visitor.openWith({ viewport: { width: 1280, height: 500 } }, `/?sku=${sku}`)
  const length = page.getByLabel('Length', { exact: true })
  await page.getByText(/Cheapest from/).waitFor()
  await page.getByRole('table', { name: 'Trades' }).waitFor()
  await length.scrollIntoViewIfNeeded()
  const before = Number(await page.evaluate('scrollY'))
  await length.selectOption('120')
  await page.waitForURL((url) => url.searchParams.get('length') === '120')
  const after = Number(await page.evaluate('scrollY'))
  assert.ok(before > 200 && after > before / 2, `the page was at ${before} and is at ${after}`)
})

test('the board shows price, own nodes and hours of each SKU, and opens the book of a row', leftOut(skip), async () => {
  const page = await visitor.open(`/?start=${start}`)
  const board = page.getByRole('table', { name: 'Board' })
  const row = board.getByRole('row', { name: /^h100-west/ })
  await row.getByText('/GPU-h').waitFor()
  await board
    .getByRole('row', { name: new RegExp(longAlias) })
    .getByText('no offer')
    .waitFor()
  await page.getByRole('link', { name: 'ask $0.25' }).waitFor()
  await page.getByRole('radio', { name: '$/node-h' }).check()
  await page.getByRole('link', { name: 'ask $2.00' }).waitFor()
  await page.getByRole('link', { name: 'bid $1.50' }).waitFor()
  await board.getByRole('button', { name: longAlias }).click()
  await page.getByRole('heading', { name: 'Nobody offers or wants this window' }).waitFor()
  await page.goBack()
  const bid = page.getByRole('link', { name: 'bid $1.50' })
  await bid.click()
  const ticket = page.getByRole('dialog', { name: 'Sell h100-west' })
  await ticket.getByLabel('Limit price').waitFor()
  assert.equal(await ticket.getByLabel('Limit price').inputValue(), '1.5')
  // In the unit of the board too: either field gives the limit.
  const perGpu = ticket.getByLabel('Limit, $/GPU-h')
  assert.equal(await perGpu.inputValue(), '0.1875')
  await perGpu.fill('0.2')
  assert.equal(await ticket.getByLabel('Limit price').inputValue(), '1.6')
  await perGpu.fill('0,2')
  await ticket.getByText('Write dollars per GPU-hour').waitFor()
  assert.equal(await ticket.getByLabel('Limit price').inputValue(), '1.6')
  assert.equal(await ticket.getByRole('radio', { name: 'Sell' }).isChecked(), true)
  // It is a link all the same: to the page of the ticket, in another tab for example.
  assert.match((await bid.getAttribute('href')) ?? '', /^\/console\/ticket\?side=sell&/)
  assert.deepEqual(problemsOf(page), [])
})

test(
  'hours of a strip are dragged, or walked to by keys, and open the ticket beside the board',
  leftOut(skip),
  async () => {
    const page = await visitor.open('/?nodes=2')
    const strip = page.getByRole('slider', { name: 'Hours ahead of h100-west' })
    // What comes above the board moves it down.
    await page.getByRole('region', { name: 'What you have' }).getByRole('link', { name: /^\$/ }).waitFor()
    await page.getByText('First steps').waitFor()
    const box = await strip.boundingBox()
    assert.ok(box)
    const [x, y] = [box.x + box.width * 0.1, box.y + 10]
    await page.mouse.move(x, y)
    await page.mouse.down({ button: 'right' })
    await page.mouse.up({ button: 'right' })
    await page.mouse.down()
    await page.mouse.move(x + (box.width / 168) * 3, y, { steps: 3 })
    await page.getByText(/^\w{3} \d+, \d\d:00.* · 2 nodes · /).waitFor()
    await page.mouse.up()
    const ticket = page.getByRole('dialog', { name: 'Buy h100-west' })
    await ticket.getByLabel('Length').waitFor()
    assert.deepEqual(await ticketIn(ticket), ['2', '4 h'])
    await checkPage(page, 'market-ticket')
    await page.keyboard.press('Escape')
    await ticket.waitFor({ state: 'detached' })
    await strip.and(page.locator(':focus')).waitFor()

    for (let hour = 0; hour < 3; hour++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    const said = (await strip.getAttribute('aria-valuetext')) ?? ''
    assert.match(said, /· 2 nodes · ≈ \$8\.00 · \$0\.25\/GPU-h$/)
    await checkPage(page, 'market-marked')
    await page.keyboard.press('Enter')
    await ticket.getByLabel('Length').waitFor()
    assert.deepEqual(await ticketIn(ticket), ['2', '2 h'])
    assert.equal(new URL(page.url()).pathname, '/console/')
    assert.deepEqual(problemsOf(page), [])
  },
)

test('on a phone the ticket is a sheet over the board, with its cost beside the button', leftOut(skip), async () => {
  const page = await visitor.openWith({ viewport: { width: 390, height: 844 } }, `/?sku=${sku}&start=${start}`)
  await page.getByRole('link', { name: 'Buy', exact: true }).click()
  const ticket = page.getByRole('dialog', { name: 'Buy h100-west' })
  const button = await ticket.getByRole('button', { name: 'Review the order' }).boundingBox()
  const cost = await ticket
    .getByText(/^Costs \$/)
    .last()
    .boundingBox()
  assert.ok(button && cost && button.y + button.height <= 844, JSON.stringify({ button, cost }))
  assert.ok(Math.abs(button.y + button.height / 2 - cost.y - cost.height / 2) < 12, JSON.stringify({ button, cost }))
  await checkPage(page, 'market-ticket-phone')
})

/** The nodes and the length of the window that a ticket has. */
async function ticketIn(ticket: Locator): Promise<string[]> {
  return [
    await ticket.getByLabel('Nodes', { exact: true }).inputValue(),
    await ticket.getByLabel('Length', { exact: true }).inputValue(),
  ]
}

test('a phone shows the price of each SKU without scrolling sideways', leftOut(skip), async () => {
  const page = await visitor.openWith({ viewport: { width: 390, height: 844 } }, '/')
  await page
    .getByRole('row', { name: /^h100-west/ })
    .getByText('/GPU-h')
    .waitFor()
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page scrolls sideways')
  const tools = page.getByRole('search').locator('input[type=search], label, button')
  const boxes = await Promise.all((await tools.all()).map((tool) => tool.boundingBox()))
  assert.equal(boxes.length, 5)
  assert.ok(
    boxes.every((box) => box && box.x >= 0 && box.x + box.width <= 390),
    JSON.stringify(boxes),
  )
  await checkPage(page, 'market-phone')
})

test('a SKU is found by its properties, and one that is not there is named', leftOut(skip), async () => {
  const page = await visitor.open('/?sku=nowhere')
  await page.getByRole('heading', { name: 'No SKU nowhere' }).waitFor()
  await page.goto(`${visitor.server.url}/console/?sku=${longAlias}&unit=node&start=${start}`)
  await page.getByRole('heading', { name: 'Nobody offers or wants this window' }).waitFor()
  const command = await page.getByText(/^bourse book show/).innerText()
  const words = command.split(' ').slice(1)
  assert.deepEqual(words.slice(0, 3), ['book', 'show', longAlias])
  const bourse = runnerFor({ BOURSE_BASE_URL: visitor.server.url, BOURSE_API_TOKEN: buyer.token })
  assert.deepEqual(await bourse(...words, '--json').then(({ code, err }) => [code, err]), [0, ''])
  await page.getByText('All SKUs with their properties').click()
  await page.getByLabel('Find a SKU').fill('H100')
  const table = page.getByRole('table', { name: 'SKUs', exact: true })
  await table.getByRole('row', { name: /h100-west/ }).focus()
  assert.equal(await table.getByRole('row', { name: /a100/ }).count(), 0)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('sku') === sku)
  await page.getByRole('link', { name: 'ask $2.00' }).waitFor()
  assert.ok(seller.pool)
  await checkPage(page, 'market-chosen')
})

test('what ends next has the price of another hour, and opens the ticket with it', leftOut(skip), async () => {
  const { server } = visitor
  const { now } = await server.call('get_clock')
  // The node of the first test is owned now.
  await server.advance(start + 600 - now)
  const page = await visitor.open('/')
  const said = page.getByRole('region', { name: 'What you have' })
  await said.getByText(/^1 node of h100-west ends .*, in \d\d min: extend 1 h for \$2\.00$/).waitFor()
  await said.getByText('Nothing runs on the 1 node owned.').waitFor()
  await said.getByText(/^\$998\.00 at this pace for more than a year\.$/).waitFor()
  await page.getByRole('figure', { name: 'Spent by day' }).waitFor()
  await said.getByRole('link', { name: 'extend 1 h for $2.00' }).click()
  const ticket = page.getByRole('dialog', { name: 'Buy h100-west' })
  await ticket.getByLabel('Length').waitFor()
  assert.deepEqual(await ticketIn(ticket), ['1', '1 h'])
  await checkPage(page, 'market-extended')
})

test('a file has all SKUs that are searched for, also those that are not shown yet', leftOut(skip), async () => {
  const traders = tradersOn(visitor.server)
  for (let n = 0; n < 104; n++) await traders.sku({ alias: `many-${n}` })
  const page = await visitor.open('/')
  await page.getByText('All SKUs with their properties').click()
  await page.getByLabel('Find a SKU').fill('many-')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('group').filter({ hasText: 'All SKUs' }).getByRole('button', { name: 'CSV', exact: true }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  assert.equal(lines.length, 1 + 104)
})

/** The market in a browser: books, prices and trades as they change, and the way from a cell to the ticket. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
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
  const page = await visitor.open(`/market?sku=h100-west&interval=minute&start=${start}`)
  const ladder = page.getByRole('table', { name: 'Prices' })
  await ladder.getByRole('row', { name: 'ask $2.00 3 3' }).waitFor()
  await ladder.getByRole('row', { name: 'ask $2.50 3 6' }).waitFor()
  await ladder.getByText('Spread $0.50').waitFor()
  await page.getByRole('img', { name: 'Depth: 2 nodes wanted, 6 offered' }).waitFor()
  await page.getByText('Nothing was traded in the last 7 days.').waitFor()
  await page.getByText(hostileRegion).first().waitFor()
  await checkPage(page, 'market')

  const buy = { side: 'buy', start_at: start, nodes: 1, price: '2.00' }
  assert.equal((await tradersOn(visitor.server).order(buyer, sku, buy)).status, 201)
  await page.getByRole('table', { name: 'Trades' }).getByText('$2.00').waitFor()
  await ladder.getByRole('row', { name: 'ask $2.00 2 2' }).waitFor()
  await page.getByRole('figure', { name: 'Prices of trades' }).waitFor()
  await page.getByText(/Cheapest from/).waitFor()
  await checkPage(page, 'market-traded')
})

test(
  'a halted market says so, with what the operator says of it, before somebody fills in an order',
  leftOut(skip),
  async () => {
    const { server } = visitor
    const message = 'A switch is replaced. <b>bold</b>'
    await server.call('halt_market', { body: { sku, message } })
    const page = await visitor.open(`/market?sku=${sku}`)
    const banner = page.getByRole('status').filter({ hasText: 'This SKU is halted.' })
    await banner.getByText(message).waitFor()
    await checkPage(page, 'market-halted')
    await page.goto(`${server.url}/console/ticket?sku=${sku}`)
    await banner.waitFor()
    await server.call('resume_market', { body: { sku } })
    await banner.waitFor({ state: 'detached' })
  },
)

test('every chart is also a table, and the table also a file', leftOut(skip), async () => {
  const page = await visitor.open(`/market?sku=${sku}&interval=minute&start=${start}`)
  for (const name of ['Depth', 'Hours ahead', 'Prices of trades', 'Volume', 'Prices by start']) {
    const figure = page.getByRole('figure', { name, exact: true })
    await figure.getByRole('button', { name: 'As a table' }).click()
    await figure.getByRole('table', { name }).waitFor()
  }
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

test('a chart stays in view while its interval, length or nodes change', leftOut(skip), async () => {
  const page = await visitor.openWith({ viewport: { width: 1280, height: 500 } }, `/market?sku=${sku}`)
  const nodes = page.getByLabel('Nodes', { exact: true }).last()
  await nodes.scrollIntoViewIfNeeded()
  await nodes.selectOption('2')
  await page.waitForURL((url) => url.searchParams.get('nodes') === '2')
  const place = await nodes.boundingBox()
  assert.ok(place && place.y >= 0 && place.y < 500, `the chart is at ${place?.y}`)
})

test(
  'hours of the heat map open the ticket with their window, and a price of the ladder with its limit',
  leftOut(skip),
  async () => {
    const page = await visitor.open(`/market?start=${start}`)
    const map = page.getByRole('grid', { name: 'Hours ahead of each SKU' })
    await map.getByRole('row', { name: new RegExp(longAlias) }).waitFor()
    await page.getByLabel('Show').selectOption('nodes')
    const cells = map.getByRole('row', { name: /^h100-west/ }).getByRole('gridcell')
    await cells.filter({ hasText: '$2.00' }).first().focus()
    const first = (await cells.filter({ hasText: '$2.00' }).first().getAttribute('aria-label')) ?? ''
    assert.match(first, /^h100-west, .*: \$2\.00, \d nodes/)
    await cells.nth(2).click({ button: 'right' })
    await cells.nth(2).click()
    await page.waitForURL((url) => url.pathname === '/console/ticket')
    const { searchParams } = new URL(page.url())
    assert.equal(searchParams.get('sku'), sku)
    assert.equal(Number(searchParams.get('end')) - Number(searchParams.get('start')), 3600)
    await page.goBack()
    // Only one of the two buttons led to the ticket.
    await page.waitForURL((url) => url.pathname === '/console/market')
    await page.getByRole('link', { name: 'bid $1.50' }).click()
    await page.getByLabel('Limit price').waitFor()
    assert.equal(await page.getByLabel('Limit price').inputValue(), '1.5')
    assert.equal(await page.getByRole('radio', { name: 'Sell' }).isChecked(), true)
    assert.deepEqual(problemsOf(page), [])
  },
)

test('a SKU is found by its properties, and one that is not there is named', leftOut(skip), async () => {
  const page = await visitor.open('/market?sku=nowhere')
  await page.getByRole('heading', { name: 'No SKU nowhere' }).waitFor()
  await page.goto(`${visitor.server.url}/console/market?sku=${longAlias}&start=${start}`)
  await page.getByRole('heading', { name: 'Nobody offers or wants this window' }).waitFor()
  const command = await page.getByText(/^bourse book show/).innerText()
  const words = command.split(' ').slice(1)
  assert.deepEqual(words.slice(0, 3), ['book', 'show', longAlias])
  const bourse = runnerFor({ BOURSE_BASE_URL: visitor.server.url, BOURSE_API_TOKEN: buyer.token })
  assert.deepEqual(await bourse(...words, '--json').then(({ code, err }) => [code, err]), [0, ''])
  await page.getByText('All SKUs with their properties').click()
  await page.getByLabel('Find a SKU').fill('H100')
  const table = page.getByRole('table', { name: 'SKUs' })
  await table.getByRole('row', { name: /h100-west/ }).focus()
  assert.equal(await table.getByRole('row', { name: /a100/ }).count(), 0)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.searchParams.get('sku') === sku)
  await page.getByRole('link', { name: 'ask $2.00' }).waitFor()
  assert.ok(seller.pool)
  await checkPage(page, 'market-chosen')
})

test('a file has all SKUs that are searched for, also those that are not shown yet', leftOut(skip), async () => {
  const traders = tradersOn(visitor.server)
  for (let n = 0; n < 104; n++) await traders.sku({ alias: `many-${n}` })
  const page = await visitor.open('/market')
  await page.getByText('All SKUs with their properties').click()
  await page.getByLabel('Find a SKU').fill('many-')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).first().click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  assert.equal(lines.length, 1 + 104)
})

/** Orders in a browser: those of programs appear by themselves, say why they rest, are amended and cancelled. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { type TestTrader, tradersOn } from '../../server/test/support/fixtures/traders.ts'
import { checkPage, problemsOf, visit } from './browser.ts'
import { skip } from './chromium.ts'

const { visitor, buyer, seller, sku, start } = skip ? noMarket() : await openMarket()

async function openMarket() {
  let buyer: TestTrader | undefined
  const visitor = await visit(async (server) => {
    buyer = await tradersOn(server).buyer('1000.000000')
    return buyer
  })
  const traders = tradersOn(visitor.server)
  const sku = await traders.sku({ alias: 'h100-west' })
  const seller = await traders.seller(sku, 4)
  const start = await traders.nextHour()
  const offer = { side: 'sell', start_at: start, nodes: 4, hours: 2, price: '2.00' }
  const { status } = await traders.order(seller, sku, { ...offer, allow_standing: true, allow_partial: true })
  assert.equal(status, 201)
  // The browser stays for the whole file.
  await (await visitor.open('/instances')).close()
  return { visitor, buyer: buyer as TestTrader, seller, sku, start }
}

function noMarket() {
  return {} as Awaited<ReturnType<typeof openMarket>>
}

async function place(fields: Record<string, unknown>) {
  const all = { side: 'buy', start_at: start, nodes: 1, allow_standing: true, ...fields }
  const { status, body } = await tradersOn(visitor.server).order(buyer, sku, all)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const stateOf = ({ id }: { id: string }) =>
  visitor.server.call('get_order', { params: { id }, token: buyer.token }).then(({ state }) => state)

/** The response to the cancellation of an order gets lost: the second try finds the order cancelled. */
async function loseCancellation(page: Page, { id }: { id: string }): Promise<() => boolean> {
  let isLost = false
  await page.route(`**/v2/orders/${id}`, async (route) => {
    if (isLost || route.request().method() !== 'DELETE') return route.continue()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  return () => isLost
}

/** How many cells of a page show less than they have. */
const cutCells = "[...document.querySelectorAll('td')].filter((cell) => cell.scrollWidth > cell.clientWidth).length"

test('an order that a program places appears, says why it rests, and is cancelled', leftOut(skip), async () => {
  const page = await visitor.open('/orders')
  await page.getByRole('heading', { name: 'No open order' }).waitFor()
  await page.getByText(/^bourse orders buy h100-west --nodes/).waitFor()
  await checkPage(page, 'orders-empty')
  // The box stands at its label.
  const box = await page.getByRole('checkbox', { name: 'Also of procurements and deployments' }).boundingBox()
  assert.ok(box && box.width <= 24 && box.height <= 24, JSON.stringify(box))
  const order = await place({ price: '1.25' })
  const row = page.getByRole('row', { name: /\$1\.25/ })
  await row.getByText('standing').waitFor()
  await row.getByRole('button', { name: /Why/ }).click()
  await page.getByText('The opposite side is available only at prices beyond the limit.').waitFor()
  await page.getByText(/\$0\.75/).waitFor()
  await checkPage(page, 'orders')
  await page.keyboard.press('Escape')
  // On a phone a row is a card, in which nothing is cut off.
  const viewport = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  assert.equal(await page.evaluate(cutCells), 0)
  if (viewport) await page.setViewportSize(viewport)
  // A row tells what it is, and is opened anywhere.
  await row.getByRole('link', { name: 'Buy 1 × h100-west' }).waitFor()
  await row.getByText('1 h', { exact: true }).click()
  await page.waitForURL((url) => url.pathname.endsWith(order.id))
  await page.goBack()

  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel the order' }).click()
  await page.getByRole('heading', { name: 'No open order' }).waitFor()
  assert.equal(await stateOf(order), 'cancelled')
  await page.getByLabel('Show').selectOption('past')
  await page.getByRole('row', { name: /cancelled/ }).waitFor()
  await page.waitForURL((url) => url.search === '?view=past')
  assert.deepEqual(problemsOf(page), [])
})

test(
  'an order is amended: the ticket is filled in, and the old one ends when the new one is placed',
  leftOut(skip),
  async () => {
    const order = await place({ price: '1.10', nodes: 2 })
    const page = await visitor.open(`/orders/${order.id}`)
    await page
      .getByRole('region', { name: 'Explanation' })
      .getByText(/prices beyond the limit/)
      .waitFor()
    await page.getByRole('table', { name: 'Events' }).getByText('order.created').waitFor()
    await checkPage(page, 'order-resting')
    assert.equal(await page.getByRole('navigation', { name: 'Place' }).textContent(), 'Orders /')
    await page.getByRole('button', { name: 'Amend' }).click()
    await page.getByRole('heading', { name: /^Amend Buy 2 × / }).waitFor()
    const limit = page.getByLabel('Limit price')
    assert.equal(await limit.inputValue(), '1.1')
    await limit.fill('2')
    await page.getByRole('region', { name: 'Estimate' }).getByText('Nothing: all of it trades at once.').waitFor()
    await page.getByText('As a program').click()
    await page.getByText(`bourse orders amend ${order.id} --limit-price 2`).waitFor()
    await page.getByRole('button', { name: 'Review the order' }).click()
    await page.getByRole('button', { name: 'Amend the order' }).click()
    const placed = page.getByRole('region', { name: 'Placed order' })
    await placed.getByText('filled', { exact: true }).waitFor()
    assert.equal(await stateOf(order), 'cancelled')

    await placed.getByRole('link', { name: /^Buy 2 × / }).click()
    await page
      .getByRole('region', { name: 'Fills' })
      .getByRole('row', { name: /\$2\.00 2 node-hours \$4\.00/ })
      .waitFor()
    await page.getByText('as the market').waitFor()
    await page.getByRole('table', { name: 'Events' }).getByText('order.filled').waitFor()
    await checkPage(page, 'order-filled')
  },
)

test('an order is placed again beside itself, by a person who is named', leftOut(skip), async () => {
  const past = await place({ start_at: start + 3600, price: '2.00', allow_standing: false })
  const page = await visitor.open(`/orders/${past.id}`)
  await page.getByRole('button', { name: 'Order again' }).click()
  const panel = page.getByRole('dialog', { name: 'Buy h100-west' })
  await panel.getByText('Costs $2.00').waitFor()
  // The page beside it goes on.
  await page.getByRole('heading', { name: 'Fills' }).click()
  await panel.getByRole('button', { name: 'Review the order' }).click()
  await page.getByRole('dialog', { name: 'Review' }).getByRole('button', { name: 'Back' }).click()
  await panel.getByRole('button', { name: 'Review the order' }).click()
  await checkPage(page, 'order-panel-review')
  await page.getByRole('button', { name: 'Buy 1 node' }).click()
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  await receipt.getByText('filled', { exact: true }).waitFor()
  await receipt.getByRole('link', { name: 'Buy 1 × h100-west' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith(past.id))
  const { data } = await visitor.server.call('list_orders', { token: buyer.token, query: { limit: 1 } })
  const session = data[0].created_by.name ?? ''
  assert.match(session, /^session-/)
  await page.getByRole('table', { name: 'Events' }).waitFor()
  assert.ok(!(await page.locator('main').innerText()).includes(session))
})

/** A seller takes one node of an order of the buyer. */
async function sellOne(window: { start_at: number; price: string }) {
  const { status, body } = await tradersOn(visitor.server).order(seller, sku, { ...window, side: 'sell', nodes: 1 })
  assert.equal(status, 201, JSON.stringify(body))
}

test('what is filled while an order is amended is not bought again', leftOut(skip), async () => {
  const window = { start_at: start + 4 * 3600, price: '1.40' }
  const order = await place({ ...window, nodes: 2, allow_partial: true })
  const page = await visitor.open(`/orders/${order.id}`)
  await page.getByRole('button', { name: 'Amend' }).click()
  await page.getByLabel('Limit price').fill('1.45')
  await page.getByRole('button', { name: 'Review the order' }).click()
  await page.getByRole('form', { name: /^Amend Buy 2 × / }).waitFor()
  await sellOne(window)
  await page.getByRole('button', { name: 'Amend the order' }).click()
  const placed = page.getByRole('region', { name: 'Placed order' })
  await placed.getByText('standing', { exact: true }).waitFor()
  const { data } = await visitor.server.call('list_orders', { token: buyer.token })
  assert.deepEqual([data[0].amends, data[0].allocation_schedule_delta[0].node_count], [order.id, 1])
  // Other tests find no open order.
  await sellOne(window)
  await placed.getByText('filled', { exact: true }).waitFor()
})

test(
  'of several orders that are cancelled at once, one that cannot be stops no other and says why',
  leftOut(skip),
  async () => {
    const alone = { start_at: start + 6 * 3600, price: '1.01' }
    const orders = [await place(alone), await place({ price: '1.02' }), await place({ price: '1.03' })] as const
    const [first, second] = orders
    const page = await visitor.open('/orders')
    await page.getByRole('row', { name: /\$1\.03/ }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows' }).check()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    // A seller is faster.
    await page.route(`**/v2/orders/${first.id}`, async (route) => {
      if (route.request().method() === 'DELETE') await sellOne(alone)
      await route.continue()
    })
    const wasLost = await loseCancellation(page, second)
    await page.getByRole('button', { name: 'Cancel 3 orders' }).click()
    await page.getByText('Cancelled 2 orders.').waitFor()
    assert.ok(wasLost())
    const dialog = page.getByRole('dialog', { name: /^Cancel .*\?$/ })
    await dialog.getByText('order_final').waitFor()
    // The one that failed is left, also when the list no longer has it.
    await page.getByText('No open order').waitFor()
    assert.match(String(await dialog.textContent()), new RegExp(`^Cancel one order\\?.*${first.id} was not cancelled`))
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.deepEqual(await Promise.all(orders.map(stateOf)), ['filled', 'cancelled', 'cancelled'])
  },
)

test(
  'a part that is filled is shown without an event and stays, and what cannot be cancelled any more says so',
  leftOut(skip),
  async () => {
    const later = { start_at: start + 3 * 3600, price: '1.50' }
    const order = await place({ ...later, nodes: 2, allow_partial: true })
    const page = await visitor.open(`/orders/${order.id}`)
    await page.getByText('Nothing is filled yet.').waitFor()
    await sellOne(later)
    await page.getByText('partially filled').waitFor()
    await page.getByText('50 %', { exact: true }).waitFor()
    await page
      .getByRole('region', { name: 'Fills' })
      .getByRole('row', { name: /\$1\.50 1 node-hour / })
      .waitFor()
    await page.getByRole('button', { name: 'Amend' }).click()
    await page.getByText('1 of 2 is filled and stays.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Nodes' }).inputValue(), '2')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel one order?' })
    await dialog.waitFor()
    await sellOne(later)
    await dialog.getByRole('button', { name: 'Cancel the order' }).click()
    await dialog.getByText('order_final').waitFor()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Order again' }).waitFor()
    const cancelled = await place({ price: '1.04' })
    await visitor.server.attempt('cancel_order', { params: { id: cancelled.id }, token: buyer.token })
    const ended = await visitor.open(`/orders/${cancelled.id}`)
    await ended.getByRole('heading', { name: 'Why it ended' }).waitFor()
    const page404 = await visitor.open('/orders/ordr_AAAAAAAAAAAAAAAAAAAAA')
    await page404.getByText('not_found').waitFor()
  },
)

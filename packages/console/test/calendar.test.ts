/** The calendar in a browser: lanes of what is owned, used and promised, drags that open the ticket, and a table. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { platformAccount } from '../../server/test/support/access.ts'
import { makeCapacity } from '../../server/test/support/fixtures/capacity.ts'
import { hour, makeMarket } from '../../server/test/support/fixtures/market.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { checkPage, closePagesAfterwards, problemsOf, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

closePagesAfterwards()

const server = skip ? (undefined as never) : await startTestServer()

/** Presses at one part of a lane's width and releases at another. */
async function drag(page: Page, lane: string, from: number, to: number): Promise<void> {
  const box = await page.getByRole('group', { name: lane }).boundingBox()
  assert.ok(box)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + from * box.width, y)
  await page.mouse.down()
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y)
  await page.mouse.move(box.x + to * box.width, y)
  await page.mouse.up()
}

/** What is said of a window while it is dragged; nothing is ordered. */
async function assertFlag(page: Page, lane: string, from: number, to: number): Promise<void> {
  const box = await page.getByRole('group', { name: lane }).boundingBox()
  assert.ok(box)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + from * box.width, y)
  await page.mouse.down()
  await page.mouse.move(box.x + to * box.width, y, { steps: 3 })
  await page.getByText(/^Buy \w{3} \d+, \d\d:00.* · 4 nodes/).waitFor()
  await page.mouse.move(box.x + from * box.width, y, { steps: 3 })
  await page.mouse.up()
}

/** The ticket that was opened beside the calendar: side, nodes, start and end as its fields show them. */
async function ticketBeside(page: Page): Promise<string[]> {
  const ticket = page.getByRole('dialog', { name: /^(Buy|Sell) / })
  const field = (name: string) => ticket.getByLabel(name, { exact: true }).inputValue()
  await ticket.getByLabel('Nodes', { exact: true }).waitFor()
  const side = (await ticket.getByRole('radio', { name: 'Sell' }).isChecked()) ? 'sell' : 'buy'
  assert.ok(page.url().includes('/calendar'), page.url())
  return [side, await field('Nodes'), await field('Start'), await field('End')]
}

/** A moment as the fields show it: `Nov 28, 14:00`. */
function shown(at: number): string {
  const [, day, month] = new Date(at * 1000).toUTCString().split(' ')
  return `${month} ${Number(day)}, ${new Date(at * 1000).toISOString().slice(11, 16)}`
}

/** Leaves it; its window is marked no longer. */
async function leaveTicket(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Leave the panel' }).click()
  await page.getByTestId('marked').waitFor({ state: 'detached' })
}

/** Maintenance of the SKU in the fourth hour. */
async function announceMaintenance({ start, sku }: Awaited<ReturnType<typeof makeMarket>>): Promise<void> {
  const { token } = await platformAccount(server)
  await server.call('create_maintenance_window', {
    token,
    body: {
      maintenance_type: 'info',
      title: 'New switches',
      description: 'The network is slower.',
      start_at: start + 3 * hour,
      end_at: start + 4 * hour,
      sku: [sku],
    },
  })
}

test('drags on the calendar open the ticket beside it, and refusals say why', leftOut(skip), async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const { token, pool } = buyer
  await market.order(seller, { side: 'sell', nodes: 4, minutes: 600, allow_standing: true, allow_partial: true })
  await market.order(buyer, { nodes: 4, minutes: 600 })
  await market.order(buyer, { side: 'sell', nodes: 4, minutes: 120, price: '3.000000', allow_standing: true })
  await server.call('update_pool', { params: { id: pool }, token, body: { name: 'main' } })
  await announceMaintenance(market)
  const { open } = visitorOf(server, buyer)
  // The range is twenty hours around what was bought: a drag from part a to part b is known by the second.
  const from = market.start - 5 * hour
  const address = `/calendar?zoom=day&at=${from}`
  const part = (at: number) => (at - from) / (24 * hour)
  const page = await open(address)
  const lane = 'main, '
  const end = market.start + 10 * hour
  await page.getByRole('button', { name: /4 owned, of which 4 promised and 0 free to sell; 0 in use/ }).waitFor()
  await page.getByRole('button', { name: /4 owned, of which 4 promised/ }).focus()
  await page.getByRole('region', { name: 'Details' }).getByText('an order sells 4 at $3').waitFor()
  await page.getByRole('button', { name: /4 owned, of which 0 promised and 4 free to sell; 0 in use/ }).focus()
  await page.getByRole('region', { name: 'Details' }).getByText('New switches').waitFor()
  await checkPage(page, 'calendar')

  await drag(page, lane, part(market.start + 900), part(market.start + hour))
  await page.getByText('promised to an open sell already').waitFor()
  await assertFlag(page, lane, part(end), part(end + 2 * hour))
  await drag(page, lane, part(market.start + 3 * hour), part(market.start + 5 * hour))
  const [three, five] = [market.start + 3 * hour, market.start + 5 * hour]
  assert.deepEqual(await ticketBeside(page), ['sell', '4', shown(three), shown(five)])
  // The lanes stay beside it, with the window marked; its fields move the mark.
  const markedX = async () => (await page.getByTestId('marked').boundingBox())?.x ?? 0
  const before = await markedX()
  await checkPage(page, 'calendar-ticket')
  await page.getByRole('button', { name: '+1 h' }).click()
  await eventually('the mark moves with the start of the ticket', async () => Math.abs((await markedX()) - before) > 20)
  await leaveTicket(page)

  await drag(page, lane, part(end), part(end + 2 * hour))
  assert.deepEqual(await ticketBeside(page), ['buy', '4', shown(end), shown(end + 2 * hour)])
  await leaveTicket(page)

  // The same without a mouse: Enter on a stretch, and the table, whose links open the same ticket.
  await page.getByRole('button', { name: /4 owned, of which 0 promised and 4 free to sell; 0 in use/ }).press('Enter')
  assert.deepEqual(await ticketBeside(page), ['sell', '4', shown(market.start + 2 * hour), shown(end)])
  await leaveTicket(page)
  await page.getByRole('button', { name: 'As a table' }).click()
  const link = page.getByRole('link', { name: 'Sell 4 nodes' }).first()
  assert.match((await link.getAttribute('href')) ?? '', /^\/console\/ticket\?side=sell&/)
  await link.click()
  assert.equal((await ticketBeside(page))[0], 'sell')
  assert.deepEqual(problemsOf(page), [])
})

test('the calendar names who uses what, and moves by its buttons', leftOut(skip), async () => {
  const account = await server.account()
  const { token } = account
  const own = await makeCapacity(server, account, { hosts: 1, slots: 2 })
  const instance = { name: 'web', pool: own.pool, sku: own.sku, image: own.image }
  const { id } = await server.call('create_instance', { token, body: instance })
  await server.settle()
  // A pool that owns nothing and wants nothing has no lane.
  await server.call('create_pool', { token, body: { name: 'idle' } })
  const { openWith } = visitorOf(server, account)
  const page = await openWith({ viewport: { width: 420, height: 860 } }, '/calendar')
  const used = page.getByRole('button', { name: /2 owned, .* 1 in use/ })
  await used.first().focus()
  await page.getByRole('link', { name: 'web' }).waitFor()
  assert.equal(await page.getByRole('group').count(), 1)
  await page.getByRole('button', { name: 'hour', exact: true }).click()
  await page.getByRole('button', { name: 'Later' }).click()
  const { searchParams } = new URL(page.url())
  assert.equal(searchParams.get('zoom'), 'hour')
  assert.ok(Number(searchParams.get('at')) > 0)
  await page.getByRole('button', { name: 'Now' }).click()
  await page.waitForURL((url) => !url.searchParams.has('at'))
  await used.first().waitFor()
  await server.call('terminate_instance', { params: { id }, token })
  await page
    .getByRole('button', { name: /2 owned, .* 0 in use/ })
    .first()
    .waitFor()
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page scrolls sideways')
  await checkPage(page, 'calendar-narrow')
})

test('of many lanes only those are drawn that are seen', leftOut(skip), async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer()
  const lanes = 40
  const make = async (name: string) => {
    const { id: pool } = await server.call('create_pool', { token: buyer.token, body: { name } })
    await market.order({ ...buyer, pool }, { nodes: 1, minutes: 60, price: '0.010000', allow_standing: true })
  }
  // All of them at once would wait for the lock of one account.
  for (let index = 1; index <= lanes; index++) await make(`pool-${index}`)
  const page = await visitorOf(server, buyer).open('/calendar')
  await page.getByRole('group', { name: /^pool-1, / }).waitFor()
  const drawn = await page.getByRole('group').count()
  assert.ok(drawn > 3 && drawn < 30, `${drawn} lanes were drawn`)
  await page.getByRole('group', { name: /^pool-1, / }).hover()
  await page.mouse.wheel(0, 10_000)
  await page.getByRole('group', { name: new RegExp(`^pool-${lanes}, `) }).waitFor()
  await page
    .getByRole('button', { name: /1 wanted by open buys/ })
    .first()
    .waitFor()
  assert.deepEqual(problemsOf(page), [])
})

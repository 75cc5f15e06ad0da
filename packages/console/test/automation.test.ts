/** Deployments and procurements in a browser: they are created with a preview, changed, paused, resumed and deleted. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { makeSpotMarket } from '../../server/test/support/fixtures/spot.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { checkPage, closePagesAfterwards, problemsOf, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

closePagesAfterwards()

const server = skip ? (undefined as never) : await startTestServer()

/** An estimate that was on its way when its automation was deleted. */
const estimateOfDeleted = /status of 404 .*\/estimate\)$/

async function pausesResumesAndEnds(page: Page, name: string, noun: string): Promise<void> {
  const status = page.getByRole('region', { name: 'Status' })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
  await status.getByText('paused').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  const resume = page.getByRole('dialog', { name: `Resume ${name}?` })
  await resume.getByText(/would/).first().waitFor()
  await resume.getByRole('button', { name: 'Resume' }).click()
  await status.getByText('paused').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Delete' }).click()
  const deletion = page.getByRole('dialog', { name: `Delete ${name}?` })
  assert.ok(await deletion.getByRole('button', { name: 'Delete' }).isDisabled())
  await deletion.getByRole('textbox').fill(name)
  await deletion.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: `No ${noun}` }).waitFor()
}

/** Keeps reads of events of instances waiting. Returns how to let them go on. */
async function holdEvents(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(
    (url) => url.searchParams.get('target_type') === 'instance',
    async (route) => {
      await released.promise
      await route.continue()
    },
  )
  return released.resolve
}

test('a spot deployment is previewed, bought for, repriced, paused and deleted', leftOut(skip), async () => {
  const spot = await makeSpotMarket(server)
  await spot.offer()
  const { open } = visitorOf(server, spot.buyer)
  const page = await open('/deployments')
  await page.getByRole('heading', { name: 'No deployment' }).waitFor()
  await page.getByRole('button', { name: 'Create deployment' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create a deployment' })
  await dialog.getByLabel('Kind').selectOption('spot')
  await dialog.getByLabel('Pool').selectOption(spot.buyer.pool)
  await dialog.getByLabel('SKU').selectOption(spot.market.sku)
  await dialog.getByLabel('Template').selectOption(spot.template)
  await dialog.getByLabel('Instances', { exact: true }).fill('2')
  await dialog.getByRole('button', { name: 'Create deployment' }).click()
  await dialog.getByText('A price in dollars').waitFor()
  await dialog.getByLabel('Maximum price').fill('2.40')
  await dialog.getByLabel('Name', { exact: true }).fill('crunch')
  await dialog.getByText('It would buy').waitFor()
  assert.match(String(await dialog.locator('pre').textContent()), /deployments create .*--max-buy-price 2\.40/)
  await checkPage(page, 'deployment-create')
  await dialog.getByRole('button', { name: 'Create deployment' }).click()

  await page.getByRole('heading', { name: 'crunch', level: 1 }).waitFor()
  await server.settle()
  // What it bought begins with the next minute.
  await server.advance(60)
  await page
    .getByRole('table', { name: /Instances of/ })
    .getByText('running')
    .nth(1)
    .waitFor()
  const chart = page.getByRole('figure', { name: 'Nodes: target and actual' })
  await chart.getByRole('button', { name: 'As a table' }).click()
  await page.getByRole('columnheader', { name: 'Instances running' }).waitFor()
  await page.getByRole('figure', { name: /^Price/ }).waitFor()
  await checkPage(page, 'deployment')

  await page.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit crunch' })
  await edit.getByRole('heading', { name: 'As it is now' }).waitFor()
  assert.ok(await edit.getByRole('button', { name: 'Save' }).isDisabled(), 'nothing to save')
  await edit.getByLabel('Instances', { exact: true }).fill('3')
  await edit.getByText('3 nodes').waitFor()
  await chart.getByRole('row', { name: / 2$/ }).first().waitFor()
  const readEvents = await holdEvents(page)
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByText('of 3').first().waitFor()
  await server.settle()
  await server.advance(60)
  await page
    .getByRole('table', { name: /Instances of/ })
    .getByText('running')
    .nth(2)
    .waitFor()
  // A day ago none ran. With old events, the third instance would have run all the time.
  assert.equal(await chart.getByRole('row').nth(1).getByRole('cell').last().textContent(), '0')
  readEvents()
  await chart.getByRole('row', { name: / 3$/ }).first().waitFor()
  await pausesResumesAndEnds(page, 'crunch', 'deployment')
  assert.deepEqual(problemsOf(page, estimateOfDeleted), [])
})

test(
  'a procurement shows what it misses, its prices and orders, and is changed and deleted',
  leftOut(skip),
  async () => {
    const { market, seller, buyer } = await makeSpotMarket(server)
    await market.order(seller, { side: 'sell', nodes: 1, price: '1.500000', allow_standing: true, allow_partial: true })
    const { open } = visitorOf(server, buyer)
    const page = await open('/procurements')
    await page.getByRole('heading', { name: 'No procurement' }).waitFor()
    await page.getByRole('button', { name: 'Create procurement' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create a procurement' })
    await dialog.getByLabel('Pool').selectOption(buyer.pool)
    await dialog.getByLabel('SKU').selectOption(market.sku)
    await dialog.getByLabel('Nodes', { exact: true }).fill('2')
    await dialog.getByLabel('Buys at most at').fill('$2')
    await dialog.getByLabel('Sells at least at').fill('1')
    await dialog.getByLabel('Looks ahead').fill('soon')
    await dialog.getByLabel('Name', { exact: true }).fill('keep')
    await dialog.getByRole('button', { name: 'Create procurement' }).click()
    await dialog.getByText('A span such as').waitFor()
    await dialog.getByLabel('Looks ahead').fill('6h')
    await dialog.getByText('It would buy').waitFor()
    await dialog.getByText('12 node-hours').waitFor()
    await dialog.getByRole('button', { name: 'Create procurement' }).click()

    await page.getByRole('heading', { name: 'keep', level: 1 }).waitFor()
    await server.settle()
    await page.getByRole('region', { name: 'Status' }).getByText('prices crossed').waitFor()
    await page
      .getByRole('table', { name: /Open orders/ })
      .getByText('buy')
      .first()
      .waitFor()
    await page
      .getByRole('figure', { name: /^Price/ })
      .getByRole('button', { name: 'As a table' })
      .click()
    await page.getByRole('columnheader', { name: 'Buys at most at' }).waitFor()
    await checkPage(page, 'procurement')
    await page.getByRole('link', { name: 'All its orders' }).click()
    await page.getByRole('button', { name: 'Only of one procurement: show all' }).waitFor()
    await page.getByRole('table', { name: 'Orders' }).getByText('buy').first().waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit keep' })
    await edit.getByLabel('Sells at least at').fill('3.00')
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Status' }).getByText('prices crossed').waitFor({ state: 'detached' })
    await pausesResumesAndEnds(page, 'keep', 'procurement')
    assert.deepEqual(problemsOf(page, estimateOfDeleted), [])
  },
)

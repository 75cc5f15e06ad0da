/** Money in a browser: ledger, usage, budgets, exports by plain links, and a statement that prints. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { tradersOn } from '../../server/test/support/fixtures/traders.ts'
import { checkPage, visit } from './browser.ts'
import { skip } from './chromium.ts'

// The server, the browser and the trade stay for all tests of the file.
const visitor = skip ? (undefined as never) : await visit((server) => tradersOn(server).buyer())
const page = skip ? (undefined as never) : await visitor.open('/money')
if (!skip) await trade()

/** A purchase of two node-hours at $1.20 that is filled, an open one for which $0.50 are held, and a hostile note. */
async function trade(): Promise<void> {
  const { server, account } = visitor
  const traders = tradersOn(server)
  const sku = await traders.sku({ alias: 'h100' })
  await server.call('create_workspace', { token: account.token, body: { name: 'research' } })
  const seller = await traders.seller(sku)
  const buyer = { ...account, pool: (await server.call('list_pools', { token: account.token })).data[0].id }
  await server.advance(60)
  const start_at = await traders.nextHour()
  for (const [trader, order] of [
    [seller, { side: 'sell', start_at }],
    [buyer, { side: 'buy', start_at }],
    [buyer, { side: 'buy', start_at, nodes: 1, price: '0.500000' }],
  ] as const) {
    const { status, text } = await traders.order(trader, sku, { ...order, allow_standing: true })
    assert.equal(status, 201, text)
  }
  const body = {
    type: 'adjustment',
    amount_dollars: '-1.000000',
    description: '<img src=x onerror=alert(1)> \u202e',
  } as const
  await server.call('create_account_transaction', { params: { account: account.id }, body })
  await server.settle()
}

test('balance, holds and ledger show what was bought and what is held', leftOut(skip), async () => {
  await page.reload()
  await page.getByText('$996.10').waitFor()
  await page.getByRole('row', { name: /\$0\.50/ }).waitFor()
  await page.getByRole('figure', { name: 'Balance, 30 days' }).locator('canvas').waitFor()
  await checkPage(page, 'money-balance')
  await page.getByRole('tab', { name: 'Ledger' }).click()
  await page
    .getByRole('row', { name: /buy fill/ })
    .getByText('−$2.40')
    .waitFor()
  await page.getByRole('link', { name: 'Buy 2 × h100' }).first().waitFor()
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  await checkPage(page, 'money-ledger')
  await page.goBack()
  assert.equal(new URL(page.url()).pathname, '/console/money', 'Back leads to the tab before')
  await page.getByRole('tab', { name: 'Balance', selected: true }).waitFor()
  await page.goForward()
  await page.getByLabel('Type').selectOption('credit_grant')
  await page.getByRole('row', { name: /buy fill/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /credit grant/ }).waitFor()
  await page.waitForURL((url) => url.search === '?tab=ledger&type=credit_grant')
})

test('usage is a chart by SKU with the same as a table', leftOut(skip), async () => {
  await page.getByRole('tab', { name: 'Usage' }).click()
  await page.getByLabel('By').selectOption('sku')
  await page.getByRole('table', { name: 'Usage' }).getByRole('cell', { name: 'h100' }).waitFor()
  await page.locator('canvas').waitFor()
  await page.getByRole('figure', { name: 'Spend' }).waitFor()
  await checkPage(page, 'money-usage')
  await page.getByRole('button', { name: 'As a table' }).click()
  await page.getByRole('columnheader', { name: 'h100' }).waitFor()
})

test('a budget is created after its mistake, and changed', leftOut(skip), async () => {
  await page.getByRole('tab', { name: 'Budgets' }).click()
  await page.getByRole('button', { name: 'Create a budget' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Training')
  await dialog.getByLabel('Amount in dollars').fill('4.80')
  const create = dialog.getByRole('button', { name: 'Create' })
  await create.click()
  const card = page.getByRole('region', { name: 'Budget Training' })
  await card.getByText('50 % spent').waitFor()
  await card.getByText('50 % (reached)').waitFor()
  await checkPage(page, 'money-budgets')
  await card.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Amount in dollars').fill('9.60')
  await dialog.getByLabel('Thresholds in percent').fill('80, half')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Whole numbers, divided by commas.').waitFor()
  assert.equal(await dialog.getByLabel('Thresholds in percent').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('Thresholds in percent').fill('80')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('25 % spent').waitFor()
  await page.getByLabel('Workspace').selectOption({ label: 'research' })
  await page.getByText('None fits these filters.').waitFor()
  await page.getByLabel('Workspace').selectOption('')
  await card.waitFor()
  await card.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing warns or stops any more at this amount.').waitFor()
  await page.getByRole('dialog', { name: 'Delete Training?' }).getByRole('button', { name: 'Delete' }).click()
  await card.waitFor({ state: 'detached' })
})

test('an export is a plain download with the session', leftOut(skip), async () => {
  await page.getByRole('tab', { name: 'Exports' }).click()
  await page.getByLabel('What').selectOption('ledger')
  const { now } = await visitor.server.call('get_clock')
  const day = new Date(now * 1000).toISOString().slice(0, 10)
  await page.getByLabel('To, in UTC').fill(day)
  await page.getByLabel('From, in UTC').fill(day)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  assert.match(text, /buy_fill/)
  assert.match(download.suggestedFilename(), /^ledger-\d{8}-\d{8}\.csv$/)
  await page.getByLabel('From, in UTC').fill('2001-01-01')
  await page.getByRole('alert').getByText('at most 400 days').waitFor()
  const from = page.getByRole('spinbutton', { name: 'From, in UTC' })
  await from.press('Tab')
  assert.equal(await from.inputValue(), 'Jan 1, 2001')
  await from.press('ArrowUp')
  assert.equal(await from.inputValue(), 'Jan 2, 2001')
  assert.equal(new URL(page.url()).searchParams.get('from'), '2001-01-02')
  await from.fill('someday')
  await page.getByText(/someday.*Write now/s).waitFor()
  await checkPage(page, 'money-exports-wrong')
  await from.fill('2001-01-02')
  await page.getByRole('button', { name: 'Choose a day' }).first().click()
  const sheet = page.getByRole('table', { name: 'January 2001' })
  await sheet.getByRole('button', { name: 'Tuesday, January 2', exact: true }).press('ArrowRight')
  await checkPage(page, 'money-exports-month')
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'detached' })
  assert.equal(await from.inputValue(), 'Jan 3, 2001')
})

test('the statement of a month prints alone', leftOut(skip), async () => {
  const sheet = await visitor.open('/money?tab=statement')
  await sheet.getByRole('row', { name: /h100/ }).getByText('$2.40').waitFor()
  const { created_at } = await visitor.server.call('get_account', { token: visitor.account.token })
  const month = new Date(created_at * 1000).toISOString().slice(0, 7)
  await sheet.getByText(`${month}-${visitor.account.id}`).waitFor()
  await sheet.getByText(/^Bourse at /).waitFor()
  // The account is new, and has no month before its first one.
  assert.equal(await sheet.getByLabel('Month').locator('option').count(), 1)
  await checkPage(sheet, 'money-statement')
  await sheet.emulateMedia({ media: 'print' })
  assert.equal(await sheet.getByRole('navigation', { name: 'Pages' }).isVisible(), false)
  assert.equal(await sheet.getByRole('button', { name: 'Print' }).isVisible(), false)
  assert.equal(await sheet.getByRole('tab', { name: 'Ledger' }).isVisible(), false)
  assert.equal(await sheet.getByRole('heading', { name: 'Money', exact: true }).isVisible(), false)
  assert.equal(await sheet.getByRole('heading', { name: /^Statement of/ }).isVisible(), true)
  const pdf = await sheet.pdf()
  assert.equal(pdf.subarray(0, 4).toString(), '%PDF')
})

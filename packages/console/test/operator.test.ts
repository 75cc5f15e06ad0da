/** The operator's pages in a browser, and what a customer sees of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platformAccount } from '../../server/test/support/access.ts'
import { makeCapacity } from '../../server/test/support/capacity.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { checkPage, closeBrowserAfterwards, problemsOf, skip, visitorOf } from './browser.ts'

closeBrowserAfterwards()

const stage = skip ? (undefined as never) : await openStage()

async function openStage() {
  const server = await startTestServer()
  const customer = await server.account({ name: '<i>Acme</i>' })
  const capacity = await makeCapacity(server, customer, { hosts: 1, slots: 4 })
  const platform = await platformAccount(server)
  return { server, customer, capacity, operator: visitorOf(server, platform), visitor: visitorOf(server, customer) }
}

test('an account is topped up, trusted, limited and frozen', { skip }, async () => {
  const { server, customer, operator } = stage
  const page = await operator.open('/operator')
  await page.getByRole('row', { name: /<i>Acme<\/i>/ }).waitFor()
  await checkPage(page, 'operator-accounts')
  await page.getByRole('link', { name: '<i>Acme</i>' }).click()
  await page.getByRole('button', { name: 'Top up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Dollars').fill('12.5x')
  await dialog.getByLabel('Description').fill('a gift')
  await dialog.getByRole('button', { name: 'Post' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Dollars').fill('1250.00')
  await dialog.getByRole('button', { name: 'Post' }).click()
  await page.getByRole('row', { name: /credit grant.*\+\$1,250\.00.*a gift/ }).waitFor()
  await page.getByLabel('Trust').selectOption('partner')
  await page.getByText('The account is partner now.').waitFor()
  await page.getByRole('tab', { name: 'Limits' }).click()
  await page.getByRole('row', { name: /^webhooks/ }).click()
  await dialog.getByLabel(/^Value/).fill('3')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('row', { name: /^webhooks 3 .*override/ }).waitFor()
  await checkPage(page, 'operator-account', /status of 400/)
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
  await page.getByText('frozen').waitFor()
  const seen = await server.ok('GET', '/preview/v2/account', { token: customer.token })
  assert.deepEqual([seen.is_frozen, seen.trust_level], [true, 'partner'])
  await page.getByRole('button', { name: 'Unfreeze', exact: true }).click()
  await dialog.getByRole('button', { name: 'Unfreeze', exact: true }).click()
  await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor()
  await page.close()
})

test('a host is shown with its slots and facts, drained, and another one gets a line to enrol', { skip }, async () => {
  const { operator, capacity, server } = stage
  const page = await operator.open('/operator?tab=hosts')
  const row = page.getByRole('row', { name: /healthy.*0 of 4/ })
  await row.waitFor()
  await checkPage(page, 'operator-hosts')
  await row.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What the host reports' }).waitFor()
  await checkPage(page, 'operator-host')
  await page.getByRole('button', { name: 'Drain' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Drain' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Drain' }).click()
  await page.getByText('draining').waitFor()
  assert.equal((await server.ok('GET', `/preview/v2/hosts/${capacity.hosts[0]}`)).state, 'draining')
  await page.getByRole('link', { name: 'All hosts' }).click()
  await page.getByRole('button', { name: 'Enrol a host' }).click()
  await dialog.getByLabel('SKU').selectOption(capacity.sku)
  await dialog.getByRole('button', { name: 'Make the command' }).click()
  await dialog.getByText(/agent\/v1\/bundle\.tgz/).waitFor()
  await page.close()
})

test('the market is halted with a message and resumed; fees, revenue and health are shown', { skip }, async () => {
  const { operator, server } = stage
  const page = await operator.open('/operator?tab=market')
  await page.getByLabel('Message').fill('We move house.')
  await page.getByRole('button', { name: 'Halt' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Halt' }).click()
  await page.getByText('The whole market is halted.').waitFor()
  await checkPage(page, 'operator-market')
  await page.getByRole('button', { name: 'Resume' }).click()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('The market is open.').waitFor()
  await page.getByRole('tab', { name: 'SKUs' }).click()
  await page.getByRole('row', { name: /capacity-/ }).click()
  await dialog.getByLabel('Fee in basis points').fill('250')
  await dialog.getByRole('button', { name: 'Set the fees' }).click()
  await page.getByText(/fee 2\.5 %/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Revenue and ledger' }).click()
  await page.getByRole('table', { name: 'Revenue' }).waitFor()
  await page.getByRole('tab', { name: 'Health' }).click()
  await page.getByText('Nothing contradicts itself.').waitFor()
  await checkPage(page, 'operator-health')
  const csv = await page.request.get(`${server.url}/metrics`)
  assert.equal(csv.status(), 200)
  await page.close()
})

test('a customer is not shown the way to these pages, and is told why they are empty', { skip }, async () => {
  const page = await stage.visitor.open('/operator')
  await page.getByRole('alert').first().waitFor()
  assert.equal(await page.getByRole('link', { name: 'Operator' }).count(), 0)
  assert.deepEqual(problemsOf(page, /status of (403|404)/), [])
})

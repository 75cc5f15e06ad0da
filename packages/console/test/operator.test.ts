/** The operator's pages in a browser, and what a customer sees of them. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { platformAccount } from '../../server/test/support/access.ts'
import { enrol, facts } from '../../server/test/support/agents.ts'
import { signedBundle } from '../../server/test/support/bundles.ts'
import { makeCapacity } from '../../server/test/support/fixtures/capacity.ts'
import { makeSku } from '../../server/test/support/fixtures/fleet.ts'
import { grantCredit } from '../../server/test/support/fixtures/money.ts'
import { startTestServer, type TestServer } from '../../server/test/support/server.ts'
import { checkPage, closePagesAfterwards, openStranger, problemsOf, type Visitor, visitorOf } from './browser.ts'
import { makeAdmin, skip } from './chromium.ts'

closePagesAfterwards()

const stage = skip ? (undefined as never) : await openStage()

async function openStage() {
  const server = await startTestServer({ dual_control_dollars: 2000 })
  const platform = await platformAccount(server)
  const people = await Promise.all([0, 1, 2, 3].map(() => makeAdmin(server, platform)))
  await server.advance(86_400)
  const customer = await server.account({ name: '<i>Acme</i>' })
  const capacity = await makeCapacity(server, customer, { hosts: 1, slots: 4 })
  // Each visitor is another person. The operators approve once they have had the right for a day.
  const visitors = people.map((user) => visitorOf(server, platform, user))
  const [operator, colleague, late, morning] = visitors as [Visitor, Visitor, Visitor, Visitor]
  // The one of the morning signs in after the clock has moved on.
  return { server, customer, capacity, operator, colleague, late, morning, visitor: visitorOf(server, customer) }
}

test('an account is topped up, trusted, limited and frozen', leftOut(skip), async () => {
  const { server, customer, operator } = stage
  const page = await operator.open('/operator?tab=accounts')
  await page.getByRole('row', { name: /<i>Acme<\/i>/ }).waitFor()
  await checkPage(page, 'operator-accounts')
  await page.getByRole('link', { name: '<i>Acme</i>' }).click()
  await page.getByRole('button', { name: 'Top up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('12.5x')
  await dialog.getByLabel('Description').fill('a gift')
  await dialog.getByRole('button', { name: 'Top up' }).click()
  await dialog.getByText('An amount in dollars, such as 500.00.').waitFor()
  await dialog.getByLabel('Amount').fill('1250')
  await dialog.getByRole('button', { name: 'Top up' }).click()
  await page.getByRole('row', { name: /credit grant.*\+\$1,250\.00.*a gift/ }).waitFor()
  await page.getByLabel('Trust', { exact: true }).selectOption('partner')
  await dialog.getByRole('button', { name: 'Make it so' }).click()
  await page.getByText('The account is partner now.').waitFor()
  await page.getByRole('tab', { name: 'Limits' }).click()
  await page.getByRole('row', { name: /^webhooks/ }).click()
  await dialog.getByLabel(/^Value/).fill('3')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('row', { name: /^webhooks 3 .*override/ }).waitFor()
  await page.getByRole('row', { name: /^image bytes 100 TiB/ }).click()
  await dialog.getByLabel(/^Value/).fill('a lot')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await dialog.getByText('A size such as 512 GiB.').waitFor()
  await dialog.getByLabel(/^Value/).fill('2 TiB')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('row', { name: /^image bytes 2\.?0* TiB/ }).waitFor()
  await checkPage(page, 'operator-account', /status of 400/)
  await page.getByRole('button', { name: 'Freeze', exact: true }).click()
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click()
  await page.getByText('frozen').waitFor()
  const seen = await server.call('get_account', { token: customer.token })
  assert.deepEqual([seen.is_frozen, seen.trust_level], [true, 'partner'])
  await page.getByRole('button', { name: 'Unfreeze', exact: true }).click()
  await dialog.getByRole('button', { name: 'Unfreeze', exact: true }).click()
  await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor()
  await page.close()
})

test(
  'an account is created with its first admin, a balance, and a link that is shown once',
  leftOut(skip),
  async () => {
    const { server, operator } = stage
    const page = await operator.open('/operator?tab=accounts')
    await page.getByRole('button', { name: 'Create an account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Id').fill('initech')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('The address of the person who is to be the first admin.').waitFor()
    await dialog.getByLabel('E-mail of the first admin').fill('peter@initech.example')
    await dialog.getByLabel('Balance to begin with').fill('500')
    await checkPage(page, 'operator-create-account')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const link = await dialog.getByText(/\/sign-in\//).textContent()
    await checkPage(page, 'operator-account-ready', /status of 409/)
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('row', { name: /initech .*active \$500\.00/ }).waitFor()
    const peter = await openStranger(server.url + new URL(link ?? '').pathname)
    await peter.getByRole('button', { name: /^Sign in/ }).click()
    await peter.getByText('$500.00').first().waitFor()
  },
)

test('a person whose address is refused is asked for again: the account is there', leftOut(skip), async () => {
  const { operator } = stage
  const page = await operator.open('/operator?tab=accounts&create=1')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Id').fill('umbrella')
  await dialog.getByLabel('E-mail of the first admin').fill('who@')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('The account umbrella is there, and nobody can come in yet.').waitFor()
  await dialog.getByLabel('E-mail').fill('alice@umbrella.example')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText(/\/sign-in\//).waitFor()
})

test('the form of a credit limit begins anew where another operator has set another limit', leftOut(skip), async () => {
  const { server, operator } = stage
  const other = await server.account()
  const page = await operator.open(`/operator/accounts/${other.id}?form=credit`)
  await page.clock.install()
  await page.reload()
  const field = page.getByRole('dialog', { name: 'Credit limit' }).getByLabel('Credit limit')
  await field.fill('75')
  await server.call('put_credit_limit', { params: { account: other.id }, body: { credit_limit_dollars: '300.000000' } })
  // No event of another account tells of it: the account is read every 30 s.
  await page.clock.fastForward(30_000)
  await page.getByRole('dialog').locator('input[value="300.00"]').waitFor()
  // What was typed over the old limit is no draft of the new one either.
  await page.reload()
  await field.waitFor()
  assert.equal(await field.inputValue(), '300.00')
})

test(
  'a host is shown with its slots and facts, drained, and another one gets a line to enrol',
  leftOut(skip),
  async () => {
    const { operator, capacity, server, customer } = stage
    const { sku, pool, image } = capacity
    const page = await operator.open('/operator?tab=hosts')
    const row = page.getByRole('row', { name: /healthy.*0 of 4/ })
    await row.waitFor()
    await page.getByLabel('Health').selectOption('unreachable')
    await row.waitFor({ state: 'detached' })
    await page.getByLabel('Health').selectOption('healthy')
    await row.waitFor()
    await checkPage(page, 'operator-hosts')
    await page.setViewportSize({ width: 420, height: 860 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 420)
    const { token } = customer
    const { id } = await server.call('create_instance', { token, body: { name: 'on-it', sku, pool, image } })
    await server.advance(60)
    await page.getByRole('row', { name: /healthy.*1 of 4/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Does it keep what its SKU promises?' }).waitFor()
    await page.getByText(/^(Its SKU|Yes, in all)/).waitFor()
    const runs = page.getByRole('table', { name: 'Instances' }).getByRole('row', { name: /^on-it/ })
    await runs.getByRole('link', { name: customer.id }).waitFor()
    await checkPage(page, 'operator-host')
    await server.call('terminate_instance', { params: { id }, token })
    await page.getByRole('button', { name: 'Drain' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Drain' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Drain' }).click()
    await page.getByText('draining').waitFor()
    assert.equal((await server.call('get_host', { params: { id: capacity.hosts[0] } })).state, 'draining')
    await page.getByRole('navigation', { name: 'Place' }).getByRole('link', { name: 'Hosts' }).click()
    await page.getByRole('button', { name: 'Enrol a host' }).click()
    await dialog.getByLabel('SKU').selectOption(capacity.sku)
    await dialog.getByRole('button', { name: 'Make the command' }).click()
    await dialog.getByText(/agent\/v1\/bundle\.tgz/).waitFor()
    await page.close()
  },
)

test('a host that is lost retires by force, and what that ends is said before', leftOut(skip), async () => {
  const { operator, server, customer } = stage
  const { sku, pool, image, hosts } = await makeCapacity(server, customer, { hosts: 1, slots: 1 })
  const { token } = customer
  const { id } = await server.call('create_instance', { token, body: { name: 'on-lost', sku, pool, image } })
  await server.settle()
  await server.call('create_fault', { body: { kind: 'host_silent', host: hosts[0] } })
  await server.advance(120)
  const { name } = await server.call('get_host', { params: { id: hosts[0] } })
  const page = await operator.open(`/operator/hosts/${hosts[0]}`)
  await page.getByText('unreachable', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Retire' }).click()
  const dialog = page.getByRole('dialog', { name: `Retire ${name}?` })
  await dialog.getByText('This ends 1 instance on it at once, without notice.').waitFor()
  await checkPage(page, 'operator-host-lost')
  await dialog.getByLabel(/to go on/).fill(name)
  await dialog.getByRole('button', { name: 'Retire' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('retired', { exact: true }).first().waitFor()
  assert.equal((await server.call('get_instance', { params: { id }, token })).state, 'terminated')
  await page.close()
})

test('the market is halted with a message and resumed; revenue and health are shown', leftOut(skip), async () => {
  const { operator, server, capacity } = stage
  const page = await operator.open('/operator?tab=market')
  await page.getByRole('heading', { name: 'The market is open.' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Resume/ }).count(), 0)
  await page.getByRole('button', { name: 'Halt the market' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/It stops \d+ open orders?/).waitFor()
  await dialog.getByLabel('Message').fill('We move house.')
  await dialog.getByRole('button', { name: 'Halt' }).click()
  await dialog.getByText('Type halt, so that nobody does this by mistake.').waitFor()
  assert.equal((await server.call('get_market_halt')).halted, 'none')
  await dialog.getByLabel('Type “halt” to go on').fill('halt')
  await checkPage(page, 'operator-halt')
  await dialog.getByRole('button', { name: 'Halt' }).click()
  await page.getByRole('heading', { name: 'The whole market is halted.' }).waitFor()
  await page.getByText(/ago, by \S+@\S+: “We move house\.”|now, by \S+@\S+: “We move house\.”/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Halt the market' }).count(), 0)
  await checkPage(page, 'operator-market')
  await page.getByRole('button', { name: 'Resume the market' }).click()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('heading', { name: 'The market is open.' }).waitFor()
  await page.getByRole('button', { name: 'Halt one SKU' }).click()
  await dialog.getByText('Choose a SKU to see what its halt stops.').waitFor()
  await dialog.getByLabel('SKU').selectOption(capacity.sku)
  await dialog.getByText(/It stops \d+ open orders?.*owned? (now|any)|It stops \d+ open orders?.*Nobody owns/).waitFor()
  await dialog.getByRole('button', { name: 'Halt' }).click()
  await page
    .getByRole('table', { name: 'Halted SKUs' })
    .getByRole('button', { name: /^Resume/ })
    .click()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('No SKU is halted on its own.').waitFor()
  await page.getByRole('link', { name: 'Revenue and ledger', exact: true }).click()
  await page.getByRole('table', { name: 'Revenue' }).waitFor()
  await page.getByRole('link', { name: 'Health', exact: true }).click()
  await page.getByText('They have not run since the start.').waitFor()
  assert.equal(await page.getByText('Nothing contradicts itself.').count(), 0)
  await checkPage(page, 'operator-health')
  const csv = await page.request.get(`${server.url}/metrics`)
  assert.equal(csv.status(), 200)
  await page.close()
})

test(
  'what accounts do is listed over all of them, with filters in the address and as a command',
  leftOut(skip),
  async () => {
    const { server, customer, capacity, operator } = stage
    const { token } = customer
    const { sku, pool, image } = capacity
    await grantCredit(server, customer.id, '1.00')
    const made = await server.call('create_instance', { token, body: { name: 'web', sku, pool, image } })
    const { now } = await server.call('get_clock')
    const start_at = now - (now % 60) + 3600
    const { id: trading } = await server.call('create_pool', { token, body: { name: 'trading' } })
    const order = {
      pool: trading,
      side: 'buy',
      sku,
      allow_standing: true,
      limit_price_dollars_per_node_hour: '0.010000',
      allocation_schedule_delta: [{ start_at, end_at: start_at + 3600, node_count: 1 }],
    } as const
    await server.call('create_order', { token, body: order })
    const page = await operator.open(`/operator/accounts/${customer.id}`)
    await page.getByRole('link', { name: 'orders', exact: true }).click()
    await page.getByRole('row', { name: new RegExp(`${customer.id} Buy standing`) }).waitFor()
    await page.getByLabel('Side').selectOption('buy')
    await page.getByText(`bourse platform orders --account ${customer.id} --side buy`).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('side'), 'buy')
    await checkPage(page, 'operator-orders')
    await page.getByRole('link', { name: 'All instances', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('nobody')
    await page.getByRole('heading', { name: 'Nothing to show' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('w*')
    const row = page.getByRole('row', { name: /web/ })
    await page.getByText(`bourse platform instances --account ${customer.id} --name 'w*'`).waitFor()
    await row.click()
    await page.getByRole('dialog').getByText(made.id).waitFor()
    await checkPage(page, 'operator-instance')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All pools', exact: true }).click()
    await page
      .getByRole('row', { name: new RegExp(customer.id) })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByRole('row', { name: new RegExp(customer.id) }).click()
    await page.getByRole('table', { name: 'Usage by SKU' }).waitFor()
    await checkPage(page, 'operator-usage')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: customer.id }).click()
    await page.getByRole('heading', { name: '<i>Acme</i>' }).waitFor()
    await page.close()
  },
)

test('a large credit is requested by one operator and approved by another', leftOut(skip), async () => {
  const { server, customer, operator, colleague } = stage
  const page = await operator.open(`/operator/accounts/${customer.id}?form=post`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('250000.00')
  await dialog.getByLabel('Description').fill('Framework <b>contract</b>')
  await dialog.getByText(`bourse account-transactions create ${customer.id} --type credit_grant`).waitFor()
  await dialog.getByRole('button', { name: 'Top up' }).click()
  await dialog.getByText('One operator alone may not post so much.').waitFor()
  await dialog.getByRole('button', { name: 'Request it' }).click()
  // What says that it is done is a dialog too, and stays while the mouse is on it.
  await dialog.getByLabel('Amount').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'credits', exact: true }).click()
  await page.getByRole('row', { name: /\$250,000\.00 credit grant pending/ }).click()
  await dialog.getByText('You asked for this, so you cannot approve it').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Approve and post' }).count(), 0)
  await checkPage(page, 'operator-credit-own', /status of 422/)
  const { pathname, search } = new URL(page.url())
  const other = await colleague.open(`${pathname}${search}`.replace('/console', ''))
  await other.getByRole('dialog').getByText('Approving posts it to the account at once').waitFor()
  await checkPage(other, 'operator-credit')
  await other.getByRole('button', { name: 'Approve and post' }).click()
  await other.getByText('The credit is in the ledger.').waitFor()
  // The first operator's page hears of it.
  await dialog.getByText('approved').waitFor()
  const { data } = await server.call('list_transactions', { token: customer.token })
  assert.equal(data[0].amount_dollars, '250000.000000')
  await other.close()
  await page.close()
})

test(
  'a credit limit that one operator may not set alone is requested, and another one sets it',
  leftOut(skip),
  async () => {
    const { server, operator, colleague } = stage
    const { id, token } = await server.account()
    const page = await operator.open(`/operator/accounts/${id}?form=credit`)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Credit limit').fill('50000.00')
    await dialog.getByText(`bourse accounts set-credit-limit ${id} 50000.00`).waitFor()
    await dialog.getByRole('button', { name: 'Set' }).click()
    await dialog.getByText('One operator alone may not set so high a limit.').waitFor()
    await dialog.getByLabel('Description').fill('Pays by invoice')
    await dialog.getByText(`bourse pending-credits create ${id} --type credit_limit --amount 50000.00`).waitFor()
    await checkPage(page, 'operator-credit-limit', /status of 422/)
    await dialog.getByRole('button', { name: 'Request it' }).click()
    await dialog.waitFor({ state: 'detached' })
    const other = await colleague.open(`/operator?tab=credits&account=${id}`)
    await other.getByRole('row', { name: /\$50,000\.00 credit limit pending/ }).click()
    await other.getByRole('dialog').getByText('Approving sets the limit of the account at once').waitFor()
    await other.getByRole('button', { name: 'Approve and set' }).click()
    await other.getByText('The credit limit is set.').waitFor()
    assert.equal((await server.call('get_balance', { token })).credit_limit_dollars, '50000.000000')
    await other.close()
    await page.close()
  },
)

test(
  'whoever signed in too long ago signs in anew before money moves, and finds the form filled in',
  leftOut(skip),
  async () => {
    const { server, customer, late } = stage
    const page = await late.open(`/operator/accounts/${customer.id}?form=post`)
    await page.getByLabel('Amount').fill('7.00')
    await page.getByLabel('Description').fill('late at night')
    await server.advance(901)
    await page.getByRole('dialog').getByRole('button', { name: 'Top up' }).click()
    await page.waitForURL((url) => url.pathname === '/sign_in')
    const { searchParams } = new URL(page.url())
    assert.equal(searchParams.get('step_up'), '1')
    assert.equal(searchParams.get('return_to'), `/console/operator/accounts/${customer.id}?form=post`)
    await page.goto(`${server.url}${searchParams.get('return_to')}`)
    assert.equal(await page.getByLabel('Description').inputValue(), 'late at night')
    await page.close()
  },
)

/** Adds an accelerator as deprecated, and changes it to one that is in use. */
async function addValue(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Values of properties' }).click()
  await dialog.getByLabel('Property').selectOption('accelerator')
  await dialog.getByRole('button', { name: 'Add a value' }).click()
  await dialog.getByLabel('Value', { exact: true }).fill('b300')
  await dialog.getByLabel('Text for people').fill('NVIDIA B300')
  await dialog.getByLabel('Use').selectOption('deprecated')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('row', { name: 'b300 NVIDIA B300 deprecated' }).click()
  const value = page.getByRole('dialog', { name: 'Change b300' })
  await value.getByLabel('Use').selectOption('current')
  await value.getByText('bourse sku-properties put-value accelerator b300').waitFor()
  await checkPage(page, 'operator-sku-value')
  await value.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('row', { name: 'b300 NVIDIA B300 in use' }).waitFor()
  await checkPage(page, 'operator-sku-values')
}

test(
  'a SKU is created with its properties, changed, retired and restored; errors stand at their fields',
  leftOut(skip),
  async () => {
    const { server, morning: operator } = stage
    const page = await operator.open('/operator?tab=skus')
    const dialog = page.getByRole('dialog')
    await addValue(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Create a SKU' }).click()
    await dialog.getByLabel('Alias').fill('b300 east')
    await dialog.getByLabel('Memory').fill('a lot')
    await dialog.getByLabel('Memory').press('Tab')
    await dialog.getByText('A size such as 512 GiB.').waitFor()
    await dialog.getByLabel('Memory').fill('2 TiB')
    await dialog.getByLabel('Accelerator', { exact: true }).selectOption('b300')
    await dialog.getByLabel('Accelerators', { exact: true }).fill('8')
    await dialog.getByLabel(/^Price step/).fill('a cent')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByText('A price in dollars, such as 2.50.').waitFor()
    await dialog.getByLabel(/^Price step/).fill('0.01')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    assert.equal(await dialog.locator('[aria-invalid="true"]').count(), 1)
    await checkPage(page, 'operator-sku', /status of 400/)
    await dialog.getByLabel('Alias').fill('b300-east')
    await dialog.getByLabel('Simulated').check()
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Created b300-east. Buyers do not see it until you list it.').waitFor()
    const row = page.getByRole('row', { name: /b300-east not listed simulated 8 × NVIDIA B300 2 TiB/ })
    await row.waitFor({ state: 'attached' })
    await dialog.getByLabel('Fee', { exact: true }).fill('250')
    await dialog.getByLabel('Memory').fill('')
    await dialog.getByText('bourse skus update b300-east --fee 250 --memory null').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changed b300-east.').waitFor()
    const { data } = await server.call('list_platform_skus')
    const sku = data.find(({ alias }) => alias === 'b300-east')
    assert.deepEqual(
      [sku.fee_bps, sku.memory_bytes, sku.simulated, sku.num_accelerators.value],
      [250, undefined, true, 8],
    )
    await dialog.getByRole('button', { name: 'List', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'List b300-east?' })
    await question.getByText('NVIDIA B300').waitFor()
    await checkPage(page, 'operator-sku-list', /status of 400/)
    await question.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByRole('row', { name: /b300-east listed simulated/ }).click()
    await dialog.getByRole('button', { name: 'Retire' }).click()
    await page
      .getByRole('dialog', { name: /Retire/ })
      .getByRole('button', { name: 'Retire' })
      .click()
    await page.getByText('b300-east is retired.').waitFor()
    await page.getByLabel('Show').selectOption('all')
    await page.getByRole('row', { name: /b300-east retired/ }).click()
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await page
      .getByRole('dialog', { name: /Restore/ })
      .getByRole('button', { name: 'Restore' })
      .click()
    await page.getByRole('row', { name: /b300-east listed/ }).waitFor()
    // The catalogue of customers is another list of the same noun.
    await page.getByText('As a customer').click()
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByRole('combobox', { name: 'SKU', exact: true }).selectOption('b300-east')
    await page.getByRole('link', { name: 'Desk', exact: true }).click()
    await page.getByRole('link', { name: 'SKUs', exact: true }).click()
    await page.getByRole('row', { name: /b300-east listed .* 2\.5 %/ }).waitFor()
    await page.close()
  },
)

test(
  'a SKU without a name is not made, and one without hardware is not listed by one click',
  leftOut(skip),
  async () => {
    const { server, morning: operator } = stage
    const page = await operator.open('/operator?tab=skus&open=new')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByText('This is needed.').waitFor()
    await dialog.getByLabel('Alias').fill('bare')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByRole('button', { name: 'List', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'List bare?' })
    await question.getByText('It says nothing about the hardware of a node.').waitFor()
    assert.equal(await question.getByRole('button', { name: 'List', exact: true }).isDisabled(), true)
    const { data } = await server.call('list_platform_skus', {})
    assert.equal(data.find(({ alias }) => alias === 'bare').listed, false)
  },
)

test(
  'properties of a SKU are overridden for one account, changed and removed; errors stand at their fields',
  leftOut(skip),
  async () => {
    const { server, customer, morning: operator } = stage
    const body = {
      alias: 'h100-west',
      num_vcpus: 208,
      memory_bytes: 2 ** 40,
      supports_public_ipv4: true,
      listed: false,
    }
    const sku = await server.call('create_sku', { body })
    const seen = () => server.attempt('get_sku', { params: { id: sku.id }, token: customer.token })
    assert.equal((await seen()).status, 404)
    const page = await operator.open(`/operator/accounts/${customer.id}`)
    await page.getByRole('tab', { name: 'SKU properties' }).click()
    await page.getByRole('heading', { name: 'Nothing differs' }).waitFor()
    await page.getByText(new RegExp(`^bourse sku-overrides put ${customer.id} `)).waitFor()
    await page.getByRole('button', { name: 'Override' }).click()
    const dialog = page.getByRole('dialog', { name: 'Override a SKU' })
    await dialog.getByLabel('SKU', { exact: true }).selectOption('h100-west')
    await dialog.getByText('Usually 208, and never more').waitFor()
    await dialog.getByLabel('Virtual CPUs').fill('400')
    await dialog.getByLabel('Memory').fill('512 GiB')
    await dialog.getByText(`bourse sku-overrides put ${customer.id} h100-west --num-vcpus 400`).waitFor()
    await dialog.getByRole('button', { name: 'Override', exact: true }).click()
    await dialog
      .getByText(/an override cannot promise 400/)
      .first()
      .waitFor()
    assert.equal(await dialog.getByLabel('Virtual CPUs').getAttribute('aria-invalid'), 'true')
    await checkPage(page, 'operator-override', /status of 422/)
    await dialog.getByLabel('Virtual CPUs').fill('104')
    await dialog.getByRole('button', { name: 'Override', exact: true }).click()
    await page.getByText('h100-west has properties of its own').waitFor()
    const table = page.getByRole('table', { name: 'SKU properties' })
    await table.getByRole('row', { name: 'h100-west Memory 1 TiB 512 GiB' }).waitFor()
    assert.equal((await seen()).body.num_vcpus.value, 104)
    await checkPage(page, 'operator-overrides', /status of 422/)

    await table.getByRole('row', { name: 'h100-west Virtual CPUs 208 104' }).click()
    const change = page.getByRole('dialog', { name: 'h100-west for <i>Acme</i>' })
    assert.equal(await change.getByRole('button', { name: 'Save' }).isDisabled(), true)
    await change.getByLabel('Virtual CPUs').fill('')
    await change.getByLabel('Supports public IPv4').selectOption({ label: 'No' })
    await change.getByRole('button', { name: 'Save' }).click()
    await table.getByRole('row', { name: 'h100-west Supports public IPv4 Yes No' }).click()
    const { data } = await server.call('list_sku_overrides', { params: { account: customer.id } })
    assert.deepEqual(Object.keys(data[0].properties), ['memory_bytes', 'supports_public_ipv4'])
    assert.equal(await change.getByLabel('Virtual CPUs').inputValue(), '')
    assert.equal(await change.getByLabel('Supports public IPv4').inputValue(), 'false')
    await change.getByRole('button', { name: 'Remove' }).click()
    const question = page.getByRole('dialog', { name: 'Remove the override of h100-west?' })
    await question.getByText('Memory: 1 TiB instead of 512 GiB').waitFor()
    await question.getByText(/The SKU is not listed/).waitFor()
    await checkPage(page, 'operator-override-end', /status of 422/)
    await question.getByRole('button', { name: 'Remove the override' }).click()
    await page.getByRole('heading', { name: 'Nothing differs' }).waitFor()
    assert.equal((await seen()).status, 404)
    await page.close()
  },
)

test(
  'an open override shows what another operator stores meanwhile, and does not send the old values',
  leftOut(skip),
  async () => {
    const { server, customer, morning: operator } = stage
    const properties = { alias: 'h200-west', num_vcpus: 208, supports_public_ipv4: true }
    const sku = await server.call('create_sku', { body: properties })
    await server.call('put_sku_override', { params: { account: customer.id, sku: sku.id }, body: { num_vcpus: 104 } })
    const page = await operator.open('/operator?tab=accounts')
    await page.clock.install()
    await page.goto(`${server.url}/console/operator/accounts/${customer.id}?tab=overrides&override=${sku.id}`)
    const dialog = page.getByRole('dialog', { name: 'h200-west for' })
    await dialog.getByLabel('Supports public IPv4').selectOption({ label: 'No' })
    assert.equal(await dialog.getByLabel('Virtual CPUs').inputValue(), '104')
    await server.call('put_sku_override', { params: { account: customer.id, sku: sku.id }, body: { num_vcpus: 52 } })
    const again = page.waitForResponse((response) => response.url().includes('/sku_overrides'))
    await page.clock.fastForward(60_000)
    await again
    await dialog.getByText('This override was changed in the meantime.').waitFor()
    await dialog.getByLabel('Supports public IPv4').selectOption({ label: 'No' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { data } = await server.call('list_sku_overrides', { params: { account: customer.id } })
    const stored = data.find((one: { sku: { id: string } }) => one.sku.id === sku.id).properties
    assert.deepEqual([stored.num_vcpus.value, stored.supports_public_ipv4.value], [52, false])
    await page.close()
  },
)

/** A host that runs a version of the agent, with what its updater says. */
async function hostWithAgent(server: TestServer, version: string) {
  const { token: operator } = await platformAccount(server)
  const body = { sku: await makeSku(server) }
  const { token } = await server.call('create_host_enrolment', { token: operator, body })
  const agent = await enrol(server, token, { facts: { ...facts, host_address: '192.0.2.77', public_ipv4s: [] } })
  const { epoch } = agent
  await agent.call('report_host', { body: { epoch, generation: 0, health: 'healthy', instances: [] } })
  const check = (runs: string, more: object = {}) =>
    agent.call('check_agent_update', {
      body: { managed_by: 'updater', version: runs, updater_version: runs, ...more },
    })
  const run = async (runs: string) => {
    await agent.call('report_agent_version', { body: { epoch, version: runs, commit: null } })
    await check(runs)
  }
  await run(version)
  return { id: agent.host, check, run }
}

test(
  'a rollout of the agent is followed, halts, is resumed and rolled back; a host is pinned',
  leftOut(skip),
  async () => {
    const { server, morning: operator } = stage
    const host = await hostWithAgent(server, '1.0.0')
    const { name } = await server.call('get_host', { params: { id: host.id } })
    await server.call('create_agent_bundle', { body: signedBundle({ version: '2.0.0' }) })
    const body = { agent_version: '2.0.0', groups: ['canary=1%', 'rest'], health_seconds: 0 }
    await server.call('create_agent_rollout', { body })
    const wanted = await eventually('the host is to be updated', async () => (await host.check('1.0.0')).wanted)
    const page = await operator.open('/operator?tab=rollouts')
    await page.getByRole('row', { name: /2\.0\.0 running/ }).waitFor()
    await checkPage(page, 'operator-rollouts')
    await page.getByRole('link', { name: '2.0.0' }).click()
    await page.getByRole('row', { name: new RegExp(`${name} .*updating 1\\.0\\.0 2\\.0\\.0`) }).waitFor()
    await host.check('1.0.0', { failed: { key: wanted?.key, reason: 'The <b>agent</b> did not start.' } })
    await page.getByRole('heading', { name: 'The update of a host failed.' }).waitFor()
    await page.getByText('The <b>agent</b> did not start.').first().waitFor()
    await page
      .getByRole('row', { name: /^(canary|rest) .* 1 0$/ })
      .first()
      .waitFor()
    await checkPage(page, 'operator-rollout-halted')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Halt', exact: true }).waitFor()
    await eventually('the host is to be updated again', async () => (await host.check('1.0.0')).wanted)
    await host.run('2.0.0')
    await page.getByText('completed').first().waitFor()
    await page.getByText('all had theirs').waitFor()
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('heading', { name: 'Back from 2.0.0' }).waitFor()
    await page.getByRole('link', { name }).first().click()
    await page.getByRole('heading', { name }).waitFor()
    await page.getByRole('button', { name: 'Pin the agent' }).click()
    await page.getByRole('button', { name: 'Unpin the agent' }).waitFor()
    assert.equal((await server.call('get_host', { params: { id: host.id } })).agent_pinned, true)
    await checkPage(page, 'operator-host-pinned')
    await page.close()
  },
)

test('the operator lands at the desk: market, fleet, money, and what needs somebody', leftOut(skip), async () => {
  const { morning: operator, server, customer, capacity } = stage
  const body = { type: 'credit_grant', amount_dollars: '9', description: 'for the desk' } as const
  await server.call('create_pending_credit', { params: { account: customer.id }, body })
  const page = await operator.open('/')
  await page.waitForURL((url) => url.pathname === '/console/operator')
  await page.getByRole('heading', { name: 'The market is open.' }).waitFor()
  await page.getByText(/A halt stops \d+ open orders?.*\. What runs goes on\./).waitFor()
  await page.getByText(/\d+ of \d+ hosts? keeps? (its|their) promise/).waitFor()
  await page.getByText(/^The market is open, \d+ SKUs? (is|are) listed\.$/).waitFor()
  await page.getByText('Operator', { exact: true }).waitFor()
  const now = page.getByRole('region', { name: 'Now' })
  await now.getByText(/\$9\.00 for .* asked by .*, waits for a second operator/).waitFor()
  const tiles = ['Sold, next 24 h', 'Turnover today', 'Kept for customers', 'Instances on hosts', 'Requests a second']
  for (const tile of tiles) await page.getByRole('region', { name: tile }).waitFor()
  await page.getByRole('region', { name: 'Turnover today' }).getByText(/^\$/).first().waitFor()
  // Audits have not run here, and nothing is claimed of them.
  await page.getByText('not run yet').waitFor()
  await checkPage(page, 'operator-desk')
  const host = await server.call('get_host', { params: { id: capacity.hosts[0] } })
  const fleet = page.getByRole('region', { name: 'Fleet' })
  await fleet
    .getByRole('img', { name: /^\d+ (running|sold|free|closed|broken)/ })
    .first()
    .waitFor()
  await fleet.getByRole('link', { name: host.name }).click()
  await page.getByRole('heading', { name: 'Does it keep what its SKU promises?' }).waitFor()
  await page.getByText('As a customer').click()
  await page.getByRole('link', { name: 'Board', exact: true }).click()
  await page.getByRole('heading', { name: 'Board' }).waitFor()
  await page.goto(new URL('/console/market', page.url()).href)
  await page.waitForURL((url) => url.pathname === '/console/' && url.searchParams.get('view') === 'account')
  await page.getByRole('heading', { name: 'Board' }).waitFor()
})

test('for a customer these pages do not exist', leftOut(skip), async () => {
  const page = await stage.visitor.open('/operator')
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Desk' }).count(), 0)
  assert.deepEqual(problemsOf(page, /status of (403|404)/), [])
})

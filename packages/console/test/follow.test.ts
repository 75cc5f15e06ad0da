/** Overview, events, webhooks and the sandbox's bar in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../server/test/webhooks/receivers.ts'
import { checkPage, skip, visit } from './browser.ts'

/** What the browser says about a request that is refused. */
const refused = /status of 400/

const visitor = skip ? undefined : await visit()
const { open, server, account } = visitor ?? ({} as never)

test('a new account sees its first steps, and what it owns and spends', { skip }, async () => {
  const page = await open('/')
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.getByRole('img', { name: /Nodes of the next seven days: 0 from/ }).waitFor()
  await page.getByText('available').waitFor()
  await checkPage(page, 'overview')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Capacity' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0)
})

test('events come live, are filtered by the address, and an open one has a permanent link', { skip }, async () => {
  const page = await open('/events?target_type=account')
  await page.getByRole('heading', { name: 'Events' }).waitFor()
  await server.ok('PUT', `/preview/v2/admin/accounts/${account.id}/trust_level`, { body: { trust_level: 'partner' } })
  const row = page.getByRole('row', { name: /trust_level.updated/ }).first()
  await row.waitFor()
  await row.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('"object": "event"').waitFor()
  const link = page.url()
  await checkPage(page, 'event')
  const again = await open(link.slice(link.indexOf('/events')))
  await again.getByRole('dialog').getByText("The account's trust level changed.").waitFor()
  await again.keyboard.press('Escape')
  await again.getByLabel('Action').selectOption('order.filled')
  await again.getByRole('heading', { name: 'No event' }).waitFor()
})

test('a webhook is made from a filter, shows its secret once, fails, and is sent again', { skip }, async () => {
  await using receiver = await openReceiver()
  receiver.reply = () => 500
  const page = await open('/events?action=trust_level.updated')
  await page.getByRole('link', { name: 'Webhook from this filter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('ftp://example.com')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByRole('link', { name: 'Open the webhook' }).click()
  await page.getByText('trust_level.updated').waitFor()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const row = page.getByRole('row', { name: /test.*500/ })
  await row.waitFor()
  await checkPage(page, 'webhook', refused)
  receiver.reply = () => 204
  await row.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await page
    .getByRole('row', { name: /succeeded.*204/ })
    .first()
    .waitFor()
  assert.ok(!(await page.content()).includes('whsec_'))
})

test('the bar moves the clock, makes faults, and copies what was done as a test', { skip }, async () => {
  const page = await open('/webhooks')
  const bar = page.getByRole('region', { name: 'Sandbox' })
  const before = (await server.ok('GET', '/sandbox/clock')).now
  await bar.getByRole('button', { name: 'Freeze the clock' }).click()
  await bar.getByRole('button', { name: 'Let the clock run' }).waitFor()
  await bar.getByRole('button', { name: '+1 h' }).click()
  await bar.getByRole('button', { name: 'Copy as test (2)' }).waitFor()
  assert.ok((await server.ok('GET', '/sandbox/clock')).now >= before + 3600)
  await bar.getByRole('button', { name: 'Faults' }).click()
  await bar.getByRole('button', { name: 'Slow answers' }).click()
  await bar.getByText(/http latency: 0 hits/).waitFor()
  await bar.getByRole('button', { name: 'Remove http_latency' }).click()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: /^Copy as test/ }).click()
  const script = await page.evaluate('navigator.clipboard.readText()')
  assert.match(String(script), /await client\.clock\.advance\(\{ seconds: 3600 \}\)/)
  await checkPage(page, 'sandbox-bar')
})

test('each action of the palette opens its dialog', { skip }, async () => {
  const page = await open('/')
  await page.getByRole('heading', { name: 'Capacity' }).waitFor()
  for (const [action, dialog] of [
    ['Create an instance', 'Create an instance'],
    ['Create a deployment', 'Create a deployment'],
    ['Upload an image', 'Upload an image'],
    ['Create a token', 'Create a token'],
    ['Create a webhook', 'Create a webhook'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Page, resource or action' }).waitFor()
    await page.keyboard.type(action)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: dialog }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: dialog }).waitFor({ state: 'detached' })
  }
})

/** The home of buyers, events, webhooks and the sandbox's bar in a browser. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { makeCapacity } from '../../server/test/support/fixtures/capacity.ts'
import { openReceiver } from '../../server/test/webhooks/receivers.ts'
import { axeViolations, checkPage, visit, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

/** What the browser says about a request that is refused. */
const refused = /status of 400/

const visitor = skip ? undefined : await visit()
const { open, server, account } = visitor ?? ({} as never)

test('a new account sees its first steps, and that nothing runs yet', leftOut(skip), async () => {
  const page = await open('/')
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  const said = page.getByRole('region', { name: 'What you have' })
  await said.getByText('Nothing runs.').waitFor()
  await said.getByText('available').waitFor()
  await checkPage(page, 'home')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await said.getByText('available').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0)
})

test(
  'the board says what ends and waits, names what failed and expires, and has its action beside it',
  leftOut(skip),
  async () => {
    const person = await server.account()
    const { token } = person
    const lasting = await makeCapacity(server, person, { hosts: 1, slots: 1 })
    const ending = await makeCapacity(server, person, { hosts: 1, slots: 1, end_in_seconds: 1_200 })
    const names = { broken: lasting, leaving: ending }
    for (const [name, { pool, sku, image }] of Object.entries(names)) {
      await server.call('create_instance', { token, body: { name, pool, sku, image } })
    }
    const { now } = await server.call('get_clock')
    const nightly = { name: 'nightly', expires_at: now + 3 * 86_400 }
    await server.call('create_token', { token, body: nightly })
    const waiting = { name: 'waiting', pool: lasting.pool, sku: lasting.sku, image: lasting.image }
    await server.call('create_instance', { token, body: waiting })
    await server.advance(60)
    const page = await visitorOf(server, person).open('/')
    const said = page.getByRole('region', { name: 'What you have' })
    await said.getByText('2 instances run on 2 nodes.').waitFor()
    await said.getByText(/^1 instance waits: \w/).waitFor()
    await said.getByText(/1 node of .* ends .*, in \d+ min/).waitFor()
    await page.getByRole('figure', { name: 'Next 48 hours' }).waitFor()
    const card = page.getByRole('region', { name: 'Needs attention' })
    await card.getByText('Token nightly expires').waitFor()
    await server.call('create_fault', { body: { kind: 'host_crash', host: lasting.hosts[0] } })
    await server.advance(600)
    await card.getByText(/leaving ends in \d+ min/).waitFor()
    await card.getByText('broken failed, and still uses its node').waitFor()
    await checkPage(page, 'home-attention')
    await server.advance(600)
    await card.getByText(/leaving ends/).waitFor({ state: 'detached' })
    await card.getByRole('link', { name: 'Replace' }).click()
    await page.getByRole('dialog', { name: /^Replace broken/ }).waitFor()
  },
)

test('events come live, are filtered by the address, and an open one has a permanent link', leftOut(skip), async () => {
  const page = await open('/events?target_type=account')
  await page.getByRole('heading', { name: 'Events' }).waitFor()
  await server.call('set_trust_level', { params: { account: account.id }, body: { trust_level: 'partner' } })
  const row = page.getByRole('row', { name: /trust_level.updated/ }).first()
  await row.waitFor()
  // Whoever leaves and comes back finds what came in between.
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
  await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
  await page.goBack()
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
  await again.getByRole('link', { name: 'Read the guide' }).waitFor()
})

test('events, the audit trail and webhooks tell names, and ids on hover', leftOut(skip), async () => {
  const person = await server.account()
  const { token } = person
  const { pool, sku, image } = await makeCapacity(server, person, { hosts: 1, slots: 1 })
  const { id } = await server.call('create_instance', { token, body: { name: 'early-hippopotamus', pool, sku, image } })
  const body = { url: 'https://example.com/hook', targets: [id], enabled: false }
  const { id: webhook } = await server.call('create_webhook', { token, body })
  const me = await server.call('get_account', { token })
  const own = visitorOf(server, person)
  const events = await own.open('/events')
  const row = events.getByRole('row', { name: `${me.token.name} created early-hippopotamus` })
  const link = row.getByRole('link', { name: 'early-hippopotamus' })
  await link.waitFor()
  assert.equal(await link.getAttribute('title'), id)
  await checkPage(events, 'events-names')
  const trail = await own.open('/access?tab=audit')
  await trail.getByRole('row', { name: /create_instance early-hippopotamus/ }).waitFor()
  const sends = await own.open(`/webhooks/${webhook}`)
  await sends.getByText('every event of early-hippopotamus').waitFor()
  await sends.getByRole('navigation', { name: 'Place' }).getByRole('link', { name: 'Webhooks' }).click()
  await sends.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
})

test('a webhook is made from a filter, shows its secret once, fails, and is sent again', leftOut(skip), async () => {
  await using receiver = await openReceiver()
  receiver.reply = () => 500
  // Others have moved the clock on since the first sign-in.
  const page = await visitorOf(server, account).open('/webhooks?create=1')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Actions').fill('order.*')
  await page.goto(`${server.url}/console/events?action=trust_level.updated`)
  await page.getByRole('link', { name: 'Webhook from this filter' }).click()
  // The filter counts, not the draft from before.
  assert.equal(await dialog.getByLabel('Actions').inputValue(), 'trust_level.updated')
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
  await page.getByText('did not succeed at the first attempt').waitFor()
  await page.getByRole('columnheader', { name: 'Next attempt' }).waitFor()
  await checkPage(page, 'webhook', refused)
  await server.call('set_trust_level', { params: { account: account.id }, body: { trust_level: 'trusted' } })
  const ofEvent = page.getByRole('row', { name: /has another trust level.*500/ })
  await ofEvent.click()
  const delivery = page.getByRole('dialog')
  await delivery.getByText(/The next attempt follows/).waitFor()
  await delivery.getByRole('row', { name: /500/ }).waitFor()
  await delivery.getByText('The message').click()
  await delivery.getByText('"type": "trust_level.updated"').waitFor()
  await checkPage(page, 'webhook-delivery', refused)
  await page.keyboard.press('Escape')
  receiver.reply = () => 204
  await row.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await page
    .getByRole('row', { name: /succeeded.*204/ })
    .first()
    .waitFor()
  assert.ok(!(await page.content()).includes('whsec_'))
})

test('the bar moves the clock, makes faults, and copies what was done as a test', leftOut(skip), async () => {
  const page = await open('/instances')
  const bar = page.getByRole('region', { name: 'Sandbox' })
  const before = (await server.call('get_clock')).now
  const pill = bar.getByRole('button', { name: /^Sandbox/ })
  await pill.click()
  await bar.getByRole('button', { name: 'Freeze the clock' }).click()
  await bar.getByRole('button', { name: 'Let the clock run' }).waitFor()
  // Other pages read the clock too, and tell the bar nothing less.
  await page.reload()
  await pill.getByText('stopped').waitFor()
  await pill.click()
  await bar.getByRole('button', { name: 'Let the clock run' }).waitFor()
  await bar.getByRole('button', { name: '+1 h' }).click()
  await bar.getByRole('button', { name: 'Copy as test (1)' }).waitFor()
  assert.ok((await server.call('get_clock')).now >= before + 3600)
  await bar.getByRole('button', { name: 'Faults' }).click()
  await bar.getByRole('button', { name: 'Slow responses' }).click()
  await bar.getByText(/http latency: \d+ hits?/).waitFor()
  await bar.getByRole('button', { name: 'Remove http_latency' }).click()
  const scrubber = bar.getByRole('slider', { name: 'Move the clock ahead' })
  await scrubber.press('ArrowRight')
  await scrubber.press('ArrowRight')
  await scrubber.press('Enter')
  await eventually('the clock is at the full hour after the next', async () => {
    assert.ok((await server.call('get_clock')).now >= Math.floor(before / 3600) * 3600 + 3 * 3600)
    return true
  })
  await bar.getByRole('button', { name: /^Copy as test/ }).click()
  await page.getByText(/^Copied a test of/).waitFor()
  const script = await page.evaluate('navigator.clipboard.readText()')
  assert.match(String(script), /await client\.clock\.advance\(\{ seconds: 3600 \}\)/)
  await checkPage(page, 'sandbox-bar')
})

test(
  'the palette takes an order, says when nothing fits, remembers, and closes by one Escape',
  leftOut(skip),
  async () => {
    const page = await open('/network')
    await page.getByRole('heading', { name: 'Network' }).waitFor()
    const field = page.getByRole('combobox', { name: 'Page, resource or action' })
    const dialog = page.getByRole('dialog', { name: 'Go to' })
    await page.keyboard.press('Control+k')
    await field.fill('nothing is called so')
    await dialog.getByText(/^Nothing fits/).waitFor()
    assert.deepEqual(await axeViolations(page), [])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await field.fill('dark')
    await dialog.getByRole('option', { name: /^Dark theme/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    await page.keyboard.press('Control+k')
    await dialog.getByRole('option').first().getByText('Dark theme').waitFor()
    await field.fill('3 nodes now for 6h under $2.20')
    await dialog.getByRole('option', { name: /^Buy 3 nodes/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ticket' }).waitFor()
    assert.equal(await page.getByLabel('Nodes', { exact: true }).inputValue(), '3')
  },
)

test('each action of the palette opens its dialog', leftOut(skip), async () => {
  const poolsOf = async () => {
    const { data } = await server.call('list_pools', { token: account.token })
    return data.map(({ id }) => id)
  }
  const before = await poolsOf()
  const page = await open('/')
  await page.getByRole('heading', { name: 'Board' }).waitFor()
  for (const [action, dialog] of [
    ['Create an instance', 'Create an instance'],
    ['Create a deployment', 'Create a deployment'],
    ['Upload an image', 'Upload an image'],
    ['Create a token', 'Create a token'],
    ['Create a template', 'Create a template'],
    ['Create a pool', 'Create a pool'],
    ['Move nodes', 'Move nodes'],
    ['Create a workspace', 'Create a workspace'],
    ['Add an SSH key', 'Add an SSH key'],
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
  // The key that chose an action has not also sent its form.
  assert.deepEqual(await poolsOf(), before)
})

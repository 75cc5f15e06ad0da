/** Instances in a browser: the list is live and large, and one instance is created, followed, replaced and ended. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { platformAccount } from '../../server/test/support/access.ts'
import { enrol } from '../../server/test/support/agents.ts'
import { type Capacity, grantNodes, makeCapacity } from '../../server/test/support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../../server/test/support/fixtures/fleet.ts'
import { makeSshKey, sshKeyLine } from '../../server/test/support/fixtures/ssh-keys.ts'
import type { TestAccount } from '../../server/test/support/server.ts'
import { checkPage, problemsOf, type Visitor, visit, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

const visitor = skip ? (undefined as never) : await visit()

/** A person of an account of their own, with capacity, on the one server of this file. */
async function personWith(capacity: Parameters<typeof makeCapacity>[2] = {}): Promise<Visitor & { own: Capacity }> {
  const { server } = visitor
  const account = await server.account()
  const own = await makeCapacity(server, account, capacity)
  return { ...visitorOf(server, account), own }
}

/** What the browser notes about a refused form, and about host keys that are not known yet. */
const refused = /status of 40[04]/

/** The width of a page does not exceed that of its screen. */
async function assertNoSideways(page: Page): Promise<void> {
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'the page scrolls sideways')
}

/**
 * A list on paper: all of its rows that were read, light also where the screen is dark, nothing that scrolls, and
 * nothing to press. The titles of columns are buttons, and stay.
 */
async function assertPrintsWhole(page: Page): Promise<void> {
  await page.evaluate("document.documentElement.dataset.theme = 'dark'")
  await page.emulateMedia({ media: 'print' })
  // waitForFunction would compile its condition at each frame, which the policy of the page forbids.
  await page.locator('tbody tr[tabindex]').nth(900).waitFor({ state: 'attached' })
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)')
  const table = page.getByRole('table').locator('..')
  assert.ok(await table.evaluate((element) => element.scrollHeight === element.clientHeight))
  const controls = page.locator(':is(button:not(th *), input, select):visible')
  assert.deepEqual(await controls.evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 120))), [])
  await page.emulateMedia({ media: 'screen' })
}

test('the list of instances is empty at first, and shows what others create and end', leftOut(skip), async () => {
  const { open, server, account } = visitor
  const { token } = account
  const page = await open('/instances')
  await page.getByRole('heading', { name: 'No instance' }).waitFor()
  // What to do stands above the same as a command.
  const button = await page.getByRole('button', { name: 'Create instance' }).nth(1).boundingBox()
  const command = await page.locator('pre').boundingBox()
  assert.ok(button && command && button.y + button.height < command.y, JSON.stringify({ button, command }))
  await checkPage(page, 'instances-empty')

  const sku = await makeSku(server)
  const image = await makeImage(server, account)
  const pool = await server.call('create_pool', { token, body: { name: 'night' } })
  const tags = { note: '<b>bold</b> <script>alert(1)</script> \u202etxt' }
  const body = { name: 'trainer', sku, image: image.id, pool: pool.id, tags }
  const instance = await server.call('create_instance', { token, body })
  const row = page.getByRole('row', { name: /trainer/ })
  await row.getByText('awaiting allocation').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Tags', { exact: true }).check()
  await row.getByText('note=<b>bold</b> <script>alert(1)</script>').waitFor()
  await page.keyboard.press('Escape')
  await checkPage(page, 'instances')

  await page.getByText('1 live in the account').waitFor()
  await server.call('terminate_instance', { params: { id: instance.id }, token })
  // What has ended is not among what lives.
  await row.waitFor({ state: 'detached' })
  await page.getByLabel('State').selectOption('running')
  await page.getByRole('heading', { name: 'No instance' }).waitFor()
  await page.waitForURL((url) => url.search === '?state=running')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByLabel('State').selectOption('all')
  await row.getByText('terminated').waitFor()
  await page.getByLabel('Search by name').fill('nobody')
  await page.getByRole('heading', { name: 'No instance' }).waitFor()
  await page.getByLabel('Search by name').fill('train')
  await page.getByLabel('Tag', { exact: true }).fill('note')
  await row.waitFor()
})

/** Fills in the form of an instance, after all of its mistakes. */
async function createAfterMistakes(page: Page, own: Capacity): Promise<void> {
  await page.getByRole('button', { name: 'Create instance' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create an instance' })
  // What is free is chosen, and all that is wrong is said at once.
  await dialog.getByText('8 of 8 nodes are free').waitFor()
  assert.equal(await dialog.getByLabel('Pool', { exact: true }).inputValue(), own.pool)
  assert.equal(await dialog.getByLabel('SKU', { exact: true }).inputValue(), own.sku)
  await dialog.getByText('You have no key yet.').waitFor()
  await dialog.getByText(/^User data, and keys/).click()
  await dialog.getByLabel('Keys that are not in the account').fill('no key')
  await dialog.getByRole('button', { name: 'Create instance' }).click()
  await dialog.getByText('Choose an image.').waitFor()
  await dialog.getByText('is not a public key of OpenSSH').waitFor()
  await dialog.locator('select[aria-invalid=true]:focus').waitFor()
  const images = dialog.getByLabel('Image', { exact: true })
  await images.locator('option').nth(1).filter({ hasText: 'offered' }).waitFor({ state: 'attached' })
  await images.selectOption(own.image)
  await dialog.getByLabel('Name', { exact: true }).fill('not a name')
  await dialog
    .getByLabel('Keys that are not in the account')
    .fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk3 ada@example')
  await dialog.getByText('--cloud-init-user-data').waitFor()
  await checkPage(page, 'instance-create')
  await dialog.getByRole('button', { name: 'Create instance' }).click()
  await dialog.getByRole('alert').getByText('Correct what is marked above.').waitFor()
  await dialog.locator('input[aria-invalid=true]:focus').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('web')
  await dialog.getByRole('button', { name: 'Create instance' }).click()
}

test('an instance is created, runs, shows its console, is replaced and ended', leftOut(skip), async () => {
  const { open, own, server, account } = await personWith()
  await server.call('create_ready_image', { body: { name: 'offered', is_public: true } })
  const page = await open('/instances')
  await createAfterMistakes(page, own)
  await page.getByRole('heading', { name: 'web', level: 1 }).waitFor()
  const state = page.getByRole('region', { name: 'State' })
  const badge = page.locator('h1 + span')
  await badge.getByText('running', { exact: true }).waitFor()
  await page.getByRole('log').getByText('Booting a simulated machine').waitFor()
  const shell = page.getByRole('region', { name: 'Secure shell' })
  await shell.getByText('ssh -p').waitFor()
  await shell.getByRole('button', { name: /^Copy bourse ssh/ }).waitFor()
  await shell.getByText('Host keys for OpenSSH').click()
  await shell.getByText(/^SHA256:/).waitFor()
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('ssh_authorized_keys').waitFor()
  await checkPage(page, 'instance', refused)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByText('Started on a host').waitFor()

  await page.getByRole('button', { name: 'Replace' }).click()
  const replace = page.getByRole('dialog', { name: 'Replace web' })
  await replace.getByText('Its user data is not taken over').waitFor()
  await replace.getByLabel('Name', { exact: true }).fill('web-2')
  await checkPage(page, 'instance-replace', refused)
  await replace.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('heading', { name: 'web-2', level: 1 }).waitFor()
  // Instances are named, also those that are no more.
  await state.getByRole('link', { name: 'web', exact: true }).waitFor()
  await badge.getByText('running', { exact: true }).waitFor()

  const terminate = page.getByRole('button', { name: 'Terminate' })
  await terminate.click()
  const end = page.getByRole('dialog', { name: 'Terminate web-2?' })
  await end.getByRole('button', { name: 'Cancel' }).click()
  await end.waitFor({ state: 'detached' })
  await page.locator('button:focus', { hasText: 'Terminate' }).waitFor()
  await terminate.click()
  await end.getByRole('button', { name: 'Terminate' }).click()
  await badge.getByText('terminated', { exact: true }).waitFor()
  const { data: people } = await server.call('list_users', { token: account.token })
  await state.getByText(`Ended by ${people[0].name} at`).waitFor()
  await page.getByRole('status').getByText('Complete').waitFor()
  const { data } = await server.call('list_instances', { token: account.token })
  assert.deepEqual(new Set(data.map(({ state: one }) => one)), new Set(['terminated']))
  assert.deepEqual(problemsOf(page, refused), [])
})

test('the keys that open an instance are chosen where it is made, and its page names them', leftOut(skip), async () => {
  const { open, own, server, account } = await personWith()
  const { token } = account
  await makeSshKey(server, account, 'ci-deploy')
  const page = await open('/access?tab=ssh-keys&create=1')
  const add = page.getByRole('dialog', { name: 'Add an SSH key' })
  await add.getByLabel('Public key').fill(sshKeyLine('ada', 'ada@laptop'))
  await add.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('row', { name: /ada@laptop/ }).waitFor()

  await page.goto(`${server.url}/console/instances?create=1`)
  const dialog = page.getByRole('dialog', { name: 'Create an instance' })
  const mine = dialog.getByLabel('ada@laptop')
  await mine.waitFor()
  assert.ok(await mine.isChecked(), 'one’s own keys are chosen at first')
  // A box stands before its label, and the button that sends it is in view.
  await dialog.getByText('Tags, priority and network').click()
  const label = await dialog.getByText('Public address', { exact: true }).boundingBox()
  const box = await dialog.getByLabel('Public address').boundingBox()
  assert.ok(label && box && box.x < label.x && Math.abs(box.y - label.y) < 12, JSON.stringify({ label, box }))
  const foot = await dialog.getByRole('button', { name: 'Create instance' }).boundingBox()
  assert.ok(foot && foot.y + foot.height <= 900, JSON.stringify(foot))
  await mine.uncheck()
  await dialog.getByText('Without a key and without user data nobody can enter').waitFor()
  await mine.check()
  await dialog.getByText('Keys of others in the account').click()
  await dialog.getByLabel('ci-deploy').check()
  await dialog.getByLabel('Image', { exact: true }).selectOption(own.image)
  await dialog.getByLabel('Name', { exact: true }).fill('keyed')
  await dialog.getByText('--ssh-keys').first().waitFor()
  await checkPage(page, 'instance-keys')
  await dialog.getByRole('button', { name: 'Create instance' }).click()
  await page.getByRole('heading', { name: 'keyed', level: 1 }).waitFor()
  const shell = page.getByRole('region', { name: 'Secure shell' })
  await shell.getByText('ada@laptop').waitFor()
  await shell.getByText('ci-deploy').waitFor()
  // An id is one line, whole for who copies it.
  const { data } = await server.call('list_instances', { token })
  const id = page.getByRole('region', { name: 'Properties' }).getByText(data[0].id, { exact: true })
  const line = await id.boundingBox()
  assert.ok(line && line.height < 24, JSON.stringify(line))

  await page.goto(`${server.url}/console/access?tab=ssh-keys`)
  await page.getByRole('button', { name: 'Delete the key ada@laptop' }).click()
  const end = page.getByRole('dialog', { name: 'Delete the key ada@laptop?' })
  await end.getByRole('list', { name: 'Machines with the key' }).getByText('keyed').waitFor()
  await checkPage(page, 'access-key-delete', refused)
  await end.getByRole('button', { name: 'Delete the key' }).click()
  await page.getByRole('row', { name: /ada@laptop/ }).waitFor({ state: 'detached' })
})

/** A host whose agent the test is, so that it decides what a machine writes. */
async function ownHost(account: TestAccount) {
  const { server } = visitor
  const { token } = await platformAccount(server)
  const sku = await makeSku(server)
  const permit = await server.call('create_host_enrolment', { token, body: { sku, slots: 2 } })
  const agent = await enrol(server, permit.token)
  const supply = (await server.call('get_host', { params: { id: agent.host } })).pool.id
  const pool = await grantNodes(server, account, { sku, supply, nodes: 2, end_in_seconds: 3_600 })
  const image = (await makeImage(server, account)).id
  await server.advance(60)
  const before = (await agent.call('get_desired_state')).generation
  const body = { name: 'x'.repeat(255), pool, sku, image }
  const { id } = await server.call('create_instance', { token: account.token, body })
  const { generation, instances } = await agent.call('get_desired_state', {
    query: { generation: before, wait_seconds: 55 },
  })
  const entry = { id, generation: instances[0].generation, state: 'running' } as const
  await agent.call('report_host', { body: { epoch: agent.epoch, generation, health: 'healthy', instances: [entry] } })
  const write = (seqnum: number, text: string) => {
    const data = Buffer.from(text).toString('base64')
    return agent.call('append_instance_logs', {
      params: { id },
      body: { chunks: [{ seqnum, logged_at: 1_000, data }] },
    })
  }
  return { id, write }
}

test('a console log follows, stops and resumes, and its terminal codes stay text', leftOut(skip), async () => {
  const { server } = visitor
  const account = await server.account()
  const { openWith } = visitorOf(server, account)
  const { id, write } = await ownHost(account)
  await write(1, '<b>one</b>\u001b[2J\u001b[31m red\u001b[0m\u001b]0;title\u0007 \u202eback\n')
  const page = await openWith({ viewport: { width: 420, height: 860 } }, `/instances/${id}`)
  const log = page.getByRole('log')
  await log.getByText('<b>one</b> red \ufffdback').waitFor()
  await write(2, 'two\n')
  await log.getByText('two').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await write(3, 'three\n')
  await page.getByRole('button', { name: 'Resume' }).click()
  await log.getByText('three').waitFor()
  assert.equal(await log.textContent(), '<b>one</b> red \ufffdback\ntwo\nthree\n')
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('Copied the console log.').waitFor()
  assert.match(String(await page.evaluate('navigator.clipboard.readText()')), /two\nthree\n$/)
  await assertNoSideways(page)

  // Notice comes ten minutes before the end of what is bought; then the time that is left is shown.
  await server.advance(3_600 - 500)
  const state = page.getByRole('region', { name: 'State' })
  await state.getByText('Notice was given').waitFor()
  assert.match(String(await page.getByRole('timer').textContent()), /^\d+ min/)
  // The end is said once, as a time of the browser.
  assert.doesNotMatch(String(await state.textContent()), /\d\dZ|as far as is known/)
  const extension = await page.getByRole('link', { name: /^Extend 1 h/ }).getAttribute('href')
  assert.match(String(extension), /\/ticket\?side=buy&sku=sku_.*&pool=pool_.*&start=\d+&end=\d+&nodes=1$/)
  // The page leads back to its list.
  await page.getByRole('navigation', { name: 'Place' }).getByRole('link', { name: 'Instances' }).waitFor()
  await checkPage(page, 'instance-ending', refused)
  await page.goto(`${server.url}/console/instances`)
  await page.getByRole('row', { name: /in \d+ min/ }).waitFor()
})

test('several instances are tagged and ended at once, and what failed is named', leftOut(skip), async () => {
  const { open, own, server, account } = await personWith()
  const { token } = account
  const make = (name: string) =>
    server.call('create_instance', { token, body: { name, pool: own.pool, sku: own.sku, image: own.image } })
  const made = [await make('one'), await make('two'), await make('three')]
  await server.call('create_pool', { token, body: { name: 'p'.repeat(200) } })
  const page = await open('/instances')
  await page.getByRole('row', { name: /three/ }).waitFor()
  // One long name leaves the other filters in view.
  await page.getByLabel('Pool').locator('option').nth(2).waitFor({ state: 'attached' })
  const filter = await page.getByLabel('SKU').boundingBox()
  assert.ok(filter && filter.x + filter.width < 1280, JSON.stringify(filter))
  await page.getByLabel('Select all rows').check()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  const tag = page.getByRole('dialog', { name: 'Tag 3 instances' })
  await tag.getByLabel('Add or change').fill('team')
  await tag.getByText('write key=value').waitFor()
  await tag.getByLabel('Add or change').fill('team=night')
  await tag.getByRole('button', { name: 'Tag 3 instances' }).click()
  await tag.waitFor({ state: 'hidden' })
  const { data } = await server.call('list_instances', { query: { tag: ['team=night'] }, token })
  assert.equal(data.length, 3)

  await page.getByLabel('Select all rows').check()
  await page.getByRole('button', { name: 'Terminate' }).click()
  const end = page.getByRole('dialog', { name: 'Terminate 3 instances?' })
  await server.call('terminate_instance', { params: { id: made[1]?.id as string }, token })
  await end.getByRole('button', { name: 'Terminate 3 instances' }).click()
  const failed = page.getByRole('alert').filter({ hasText: '1 of 3 were not ended' })
  await failed.getByRole('listitem').filter({ hasText: 'two' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('1 chosen').waitFor()
  assert.deepEqual(problemsOf(page, /\b409\b/), [])
})

/** A deployment keeps a thousand instances. */
async function makeThousand({ own, server, account }: Awaited<ReturnType<typeof personWith>>): Promise<void> {
  const { token } = account
  const fleet = { pool: own.pool, sku: own.sku, instance_template: own.template, target_instance_count: 1_000 }
  await server.call('put_account_limit', { params: { account: account.id, name: 'instances' }, body: { value: 2_000 } })
  const { id } = await server.call('create_deployment', { token, body: fleet })
  const areAllMade = async () => {
    await server.attempt('settle', { body: {} })
    const { live_instance_count } = await server.call('get_deployment', { params: { id }, token })
    assert.equal(live_instance_count, 1_000)
    return true
  }
  await eventually('the deployment has its thousand instances', areAllMade, { usual_seconds: 20 })
  // The stream of a page begins after these events. They would make it read the list again.
  await server.advance(2)
}

/** What has ended leaves the list of what lives, and is in that of all. */
async function endsAndLeaves(page: Page, name: string, end: () => Promise<unknown>): Promise<void> {
  const row = page.getByRole('row', { name })
  await row.waitFor()
  await end()
  await row.waitFor({ state: 'detached' })
  await page.getByLabel('State').selectOption('all')
  await row.getByText('terminated').waitFor()
}

test(
  'a list of a thousand is walked by keys while events come, and draws only what is seen',
  leftOut(skip),
  async () => {
    const person = await personWith({ hosts: 1, slots: 1 })
    await makeThousand(person)
    const { open, server, account } = person
    const { token } = account
    const page = await open('/orders')
    let refusals = 0
    await page.route(/instances\?.*starting_after/, (route) => {
      refusals += 1
      return route.fulfill({ status: 400, json: { type: 'api_error', message: 'Not now.', details: [] } })
    })
    await page.getByRole('link', { name: 'Instances', exact: true }).click()
    const rows = page.locator('tbody tr[tabindex]')
    await rows.first().waitFor()
    // A page that fails is asked for once, however often the table is drawn, and again by the person.
    await page
      .getByRole('table', { name: 'Instances' })
      .locator('..')
      .evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByText('The next rows could not be read.').waitFor()
    await rows.first().waitFor()
    assert.equal(refusals, 1)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The next rows could not be read.').waitFor({ state: 'detached' })
    await page
      .getByRole('table', { name: 'Instances' })
      .locator('..')
      .evaluate((element) => element.scrollTo(0, 0))
    await page.locator('tr[aria-rowindex="2"]').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const focused = page.locator('tbody tr:focus')
    assert.equal(await focused.getAttribute('aria-rowindex'), '3', 'j walks to the second row')
    await page.keyboard.press('k')
    assert.equal(await focused.getAttribute('aria-rowindex'), '2', 'k walks back')

    const { data } = await server.call('list_instances', { query: { limit: 40 }, token })
    const [first, ...others] = data.map(({ id }) => id)
    const end = (id: string) => server.call('terminate_instance', { params: { id }, token })
    await endsAndLeaves(page, data[0].name, () => end(first as string))
    const ending = (async () => {
      for (const id of others) await end(id)
    })()
    const scroller = page.getByRole('table', { name: 'Instances' }).locator('..')
    let most = 0
    // A thousand rows come page by page while the list is scrolled.
    const hasAllRows = async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      most = Math.max(most, await rows.count())
      return page.getByText(/^1\d\d\d\+? rows/).isVisible()
    }
    await eventually('the list has a thousand rows', hasAllRows, { usual_seconds: 20 })
    await ending
    assert.ok(most > 10 && most <= 120, `${most} rows were drawn`)
    await assertPrintsWhole(page)
    // The deployment replaces what has ended: new rows come above until all of it is replaced.
    await page.getByLabel('Search by name').fill(data[0].name)
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: data[0].name }).press('Enter')
    await page.getByRole('heading', { name: data[0].name, level: 1 }).waitFor()
    await page.goBack()
    await rows.first().waitFor()
    assert.deepEqual(problemsOf(page, /status of 400/), [])
  },
)

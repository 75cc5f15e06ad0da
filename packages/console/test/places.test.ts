/** Workspaces, limits, pools and templates in a browser: created, changed, used and deleted. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { makeCapacity } from '../../server/test/support/fixtures/capacity.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { checkPage, closePagesAfterwards, problemsOf, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

closePagesAfterwards()

const server = skip ? (undefined as never) : await startTestServer()

async function personWithPool() {
  const account = await server.account()
  const own = await makeCapacity(server, account, { hosts: 1, slots: 2 })
  return { ...visitorOf(server, account), own }
}

/** What the browser notes about a refusal. */
const refused = /status of 4(00|04|09|22)/

test('a workspace is created, renamed and deleted, and one with something in it stays', leftOut(skip), async () => {
  const account = await server.account()
  const { token } = account
  const page = await visitorOf(server, account).open('/account')
  await page.getByRole('row', { name: /default of this session/ }).waitFor()
  await page.getByRole('button', { name: 'Create a workspace' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('not a name')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.locator('[aria-invalid=true]:focus').waitFor()
  await dialog.getByLabel('Name').fill('research')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'research' }).click()
  await dialog.getByLabel('Name').fill('lab')
  await checkPage(page, 'account-workspace', refused)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /^lab/ }).waitFor()

  const { data } = await server.call('list_workspaces', { token })
  const lab = data.find(({ name }) => name === 'lab')?.id as string
  const pool = await server.call('create_pool', { token, body: { workspace: lab } })
  await page.getByRole('button', { name: 'lab' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('alert').waitFor()
  await server.call('delete_pool', { params: { id: pool.id }, token })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row', { name: /^lab/ }).waitFor({ state: 'detached' })
  assert.deepEqual(problemsOf(page, refused), [])
})

test(
  'limits are read as people write them, and one of which little is left is pointed out',
  leftOut(skip),
  async () => {
    const account = await server.account()
    for (let made = 0; made < 2; made++) await server.call('create_pool', { token: account.token, body: {} })
    await server.call('put_account_limit', { params: { account: account.id, name: 'pools' }, body: { value: 2 } })
    const page = await visitorOf(server, account).open('/account?tab=limits')
    await page.getByRole('row', { name: /^size of all images 0 bytes 10 TiB/ }).waitFor()
    await page.getByRole('row', { name: /^pools 2 2 .*100 % set for you/ }).waitFor()
    await page.getByRole('row', { name: /^rules of each firewall of each 50/ }).waitFor()
    await page.getByText(/Only the operator of the platform changes them/).waitFor()
    await checkPage(page, 'account-limits')
  },
)

test('nodes are moved to a new pool, which is renamed; a pool that owns something stays', leftOut(skip), async () => {
  const { open, own, account } = await personWithPool()
  const { token } = account
  const giver = await server.call('create_pool', { token, body: { name: 'giver' } })
  await server.call('create_pool', { token, body: { name: 'taker' } })
  const page = await open('/pools')
  await page.getByRole('row', { name: /granted by the operator .*2 × / }).waitFor()
  await page.getByRole('button', { name: 'giver' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('morning')
  await checkPage(page, 'pool')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'morning' }).click()
  await dialog.getByRole('link', { name: 'Move nodes' }).click()
  await dialog.getByLabel('When').fill('whenever')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await dialog
    .getByText(/^“?.*whenever/)
    .first()
    .waitFor()
  assert.equal(await dialog.getByLabel('From', { exact: true }).inputValue(), giver.id)
  await dialog.getByLabel('To', { exact: true }).selectOption({ label: 'taker · default' })
  await dialog.getByLabel('SKU').selectOption(own.sku)
  await dialog.getByLabel('When').fill('now for 1h')
  await dialog.getByRole('button', { name: 'Move' }).click()
  // It owns nothing, which the server says.
  await dialog.getByRole('alert').waitFor()
  await checkPage(page, 'pool-move', refused)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('tab', { name: 'Pools', exact: true }).click()
  await page.getByRole('button', { name: 'morning' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row', { name: /^morning/ }).waitFor({ state: 'detached' })
  assert.deepEqual(problemsOf(page, refused), [])
})

test('a template is created, begins an instance, and is deleted', leftOut(skip), async () => {
  const { open, own } = await personWithPool()
  const page = await open('/templates')
  await page.getByRole('button', { name: 'Create template' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Image', { exact: true }).selectOption(own.image)
  await dialog.getByLabel('Name', { exact: true }).fill('trainers')
  await dialog.getByText('Tags, priority and network').click()
  await dialog.getByLabel('Tags').fill('team=night')
  await checkPage(page, 'template-create')
  await dialog.getByRole('button', { name: 'Create template' }).click()
  await dialog.getByRole('heading', { name: 'trainers' }).waitFor()
  await checkPage(page, 'template')
  await dialog.getByRole('link', { name: 'Create instance' }).click()
  const create = page.getByRole('dialog', { name: 'Create an instance' })
  await create.getByText('Tags, priority and network').click()
  await create.locator('input[value="team=night"]').waitFor()
  assert.equal(await create.getByLabel('Image', { exact: true }).inputValue(), own.image)
  await create.getByRole('button', { name: 'Create instance' }).click()
  await page.getByRole('region', { name: 'Properties' }).getByText('team=night').waitFor()

  await page.getByRole('link', { name: 'Templates', exact: true }).click()
  await page.getByRole('button', { name: 'trainers' }).click()
  await dialog.getByText('No deployment uses it.').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row', { name: /^trainers/ }).waitFor({ state: 'detached' })
  assert.deepEqual(problemsOf(page, refused), [])
})

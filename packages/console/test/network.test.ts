/** Networks in a browser: rules of firewalls in words, subnets, partitions, and what refers to them. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { makeImage, makeSku } from '../../server/test/support/fixtures/fleet.ts'
import { checkPage, visit } from './browser.ts'
import { skip } from './chromium.ts'

// The server and the browser stay for all tests of the file.
const visitor = skip ? (undefined as never) : await visit()
const page = skip ? (undefined as never) : await visitor.open('/network')

test('a rule is added to a firewall and read in words', leftOut(skip), async () => {
  const { server, account } = visitor
  await page.getByRole('button', { name: 'Create a firewall' }).click()
  await page.getByLabel('Name').fill('web')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  const dialog = page.getByRole('dialog', { name: 'Firewall web' })
  await dialog.getByText('Nobody reaches the public address').waitFor()
  await dialog.getByRole('button', { name: 'Add a rule' }).click()
  await dialog.getByLabel('First port of rule 1').fill('5432')
  await dialog.getByLabel('Source of rule 1').fill('10.0.0.0/8')
  await dialog.getByLabel('Reason of rule 1').fill('<b>offices</b> \u202e')
  await dialog.getByRole('button', { name: 'Add a rule' }).click()
  await dialog.getByLabel('Protocol of rule 2').selectOption('all')
  await dialog.getByText('Anyone may reach everything').waitFor()
  await dialog.getByText('Rule 1 adds nothing: rule 2 allows all of it.').waitFor()
  await checkPage(page, 'network-rules')
  await dialog.getByRole('button', { name: 'Remove rule 2' }).click()
  await dialog.getByText('may reach PostgreSQL (TCP port 5432)').waitFor()
  const save = dialog.getByRole('button', { name: 'Save the rules' })
  await dialog.getByLabel('Source of rule 1').fill('10.0.0.1/8')
  await save.click()
  await dialog.getByRole('row', { name: /IPv4 network without host bits/ }).waitFor()
  await dialog.getByLabel('Source of rule 1').fill('10.0.0.0/8')
  await save.click()
  await page
    .getByRole('row', { name: /web/ })
    .getByText(/private network 10.0.0.0\/8 .*PostgreSQL/)
    .waitFor()
  const { data } = await server.call('list_firewalls', { token: account.token })
  assert.equal(data[0].rules[0].description, '<b>offices</b> \u202e')
})

test('a form that is submitted twice at once is sent once', leftOut(skip), async () => {
  const { server, account } = visitor
  const page = await visitor.open('/network')
  const before = (await server.call('list_firewalls', { token: account.token })).data.length
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/firewalls')) sent.push(request.url())
  })
  await page.getByRole('button', { name: 'Create a firewall' }).click()
  await page
    .getByRole('dialog')
    .locator('form')
    .evaluate((form: { requestSubmit(): void }) => {
      form.requestSubmit()
      form.requestSubmit()
    })
  await page.getByRole('dialog', { name: /^Firewall / }).waitFor()
  assert.equal(sent.length, 1)
  const { data } = await server.call('list_firewalls', { token: account.token })
  assert.equal(data.length, before + 1)
})

test('a subnet is created, shows what refers to it, and is not deleted before that', leftOut(skip), async () => {
  const { server, account } = visitor
  const { token } = account
  await makeSku(server, { region: 'north', infiniband_fabric: 'north-ib', rdma_type: 'infiniband' })
  const image = await makeImage(server, account)
  const page = await visitor.open('/network?tab=subnets')
  await page.getByRole('heading', { name: 'No subnet' }).waitFor()
  await page.getByRole('button', { name: 'Create a subnet' }).click()
  await page.getByLabel('Name').fill('storage')
  await page.getByLabel('Region').selectOption('north')
  await page.getByLabel('Network', { exact: true }).fill('10.80.0.0/20')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('row', { name: /storage/ })
  await row.getByText('10.80.0.0/20').waitFor()
  await checkPage(page, 'network-subnets')
  const { data } = await server.call('list_subnets', { token })
  const template = { name: 'db', image: image.id, subnet: data[0].id }
  await server.call('create_instance_template', { token, body: template })
  await row.getByRole('button', { name: 'storage' }).click()
  await page.getByRole('listitem').getByText('db').waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alert').getByText('Code and request').click()
  await page.getByRole('alert').getByText('in_use · request').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
})

test('a partition is created on a fabric, renamed and deleted', leftOut(skip), async () => {
  await page.clock.install()
  await page.reload()
  await page.getByRole('tab', { name: 'InfiniBand partitions' }).click()
  await page.getByRole('button', { name: 'Create a partition' }).click()
  await page.getByLabel('Name').fill('sweeps')
  await page.getByLabel('Fabric').selectOption('north-ib')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'sweeps' }).click()
  await page.getByLabel('Tags').fill('team=training')
  // Somebody else renames it meanwhile: saving the tags does not undo that.
  const { server, account } = visitor
  const { data } = await server.call('list_infiniband_partitions', { token: account.token })
  await server.call('update_infiniband_partition', {
    params: { id: data[0].id },
    token: account.token,
    body: { name: 'runs' },
  })
  // No event tells of it: the list is read every 15 s.
  await page.clock.fastForward(30_000)
  await page.getByRole('dialog', { name: 'runs' }).getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('row', { name: /runs.*team=training/ })
    .getByRole('button', { name: 'runs' })
    .click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText('Nothing refers to it.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No partition' }).waitFor()
})

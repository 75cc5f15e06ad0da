/** The list of instances in a browser: it is live, and its state is part of the address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeImage, makeSku } from '../../server/test/support/fleet.ts'
import { checkPage, skip, visit } from './browser.ts'

test('the list of instances is empty at first, and shows what others create and end', { skip }, async () => {
  const { open, server, account } = await visit()
  const { token } = account
  const page = await open('/instances')
  await page.getByRole('heading', { name: 'No instance' }).waitFor()
  await checkPage(page, 'instances-empty')

  const sku = await makeSku(server)
  const image = await makeImage(server, account)
  const pool = await server.ok('POST', '/v2/pools', { token, body: { name: 'night' } })
  const body = { name: 'trainer', sku, image: image.id, pool: pool.id }
  const instance = await server.ok('POST', '/v2/instances', { token, body })
  const row = page.getByRole('row', { name: /trainer/ })
  await row.getByText('awaiting allocation').waitFor()
  await checkPage(page, 'instances')

  await server.ok('POST', `/v2/instances/${instance.id}/terminate`, { token })
  await row.getByText('terminated').waitFor()
  await page.getByLabel('State').selectOption('running')
  await page.getByRole('heading', { name: 'No instance' }).waitFor()
  assert.equal(new URL(page.url()).search, '?state=running')
})

/** Images in a browser: an upload that goes on after a reload, warnings before it, and what an action affects. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { makeCapacity } from '../../server/test/support/fixtures/capacity.ts'
import { beginImage, bytesOf, sendPart } from '../../server/test/support/fixtures/images.ts'
import { checkPage, visit } from './browser.ts'
import { skip } from './chromium.ts'

const mebibyte = 2 ** 20
const folder = mkdtempSync(join(tmpdir(), 'bourse-console-images-'))
afterAll(() => rmSync(folder, { recursive: true }))

// The server and the browser stay for all tests of the file.
const visitor = skip ? (undefined as never) : await visit()
const first = skip ? (undefined as never) : await visitor.open('/images')

function fileOf(name: string, bytes: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

/** The numbers of the parts whose bytes the page sends from now on. */
function sentParts(page: Page): number[] {
  const sent: number[] = []
  page.on('request', (request) => {
    const part = /\/parts\/(\d+)\?/.exec(request.url())?.[1]
    if (request.method() === 'PUT' && part) sent.push(Number(part))
  })
  return sent
}

test('an upload goes on after a reload with the parts that the server does not have', leftOut(skip), async () => {
  const { server, account } = visitor
  const bytes = bytesOf(12 * mebibyte)
  const file = fileOf('trainer.img', bytes)
  // Begun elsewhere in parts of 5 MiB, of which one arrived.
  const { id } = await beginImage({ server, token: account.token }, { name: 'trainer' })
  await sendPart({ server, token: account.token }, id, 1, bytes.subarray(0, 5 * mebibyte))
  const page = first
  page.on('dialog', (dialog) => void dialog.accept())
  const sent = sentParts(page)
  // The first attempt of the third part gets no answer.
  let isHanging = false
  await page.route(/\/parts\/3\?/, (route) => {
    if (isHanging) return route.continue()
    isHanging = true
  })
  await page.reload()
  await goOn(page, file)
  await page.getByText(/^83 % · /).waitFor()
  await checkPage(page, 'images-uploading')
  assert.deepEqual(sent.splice(0).sort(), [2, 3])

  await page.reload()
  await goOn(page, file)
  await page.getByText('10 MiB were there already').waitFor()
  await page.getByRole('status').getByText('Uploaded', { exact: true }).waitFor()
  assert.deepEqual(sent, [3])
  await page
    .getByRole('row', { name: /trainer/ })
    .getByText('completed')
    .waitFor()
})

async function goOn(page: Page, file: string): Promise<void> {
  await page.getByRole('link', { name: 'Go on with trainer' }).click()
  await page.getByLabel('File').setInputFiles(file)
  await page.getByText('raw with an MBR partition table').waitFor()
  await page.getByRole('button', { name: 'Go on' }).click()
}

test('a file that is no image is refused before anything is sent, unless it is wanted', leftOut(skip), async () => {
  const page = await visitor.open('/images')
  await page.getByRole('row', { name: /trainer/ }).waitFor()
  // As a text, because these tests are checked without the types of browsers.
  const dropped = await page.evaluateHandle(
    `{ const data = new DataTransfer(); data.items.add(new File(['notes '.repeat(200)], 'notes.txt')); data }`,
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
  await page.getByText('This is text, not a disk image.').waitFor()
  await page.getByLabel('File').setInputFiles(fileOf('empty.img', Buffer.alloc(0)))
  await page.getByText('The file is empty.').waitFor()
  const disk = Buffer.concat([Buffer.from('KDMV'), Buffer.alloc(4096)])
  await page.getByLabel('File').setInputFiles(fileOf('appliance.vmdk', disk))
  await page.getByText('qemu-img convert -f vmdk -O qcow2 appliance.vmdk').waitFor()
  const upload = page.getByRole('button', { name: 'Upload', exact: true })
  assert.equal(await upload.isEnabled(), false)
  await page.getByLabel('Use it as a raw disk nevertheless').check()
  await page.getByLabel('Name').fill('two words')
  await checkPage(page, 'images-upload')
  await upload.click()
  await page.getByRole('alert').getByText('Correct what is marked above.').waitFor()
  await page.getByRole('alert').getByText('Code and request').click()
  await page.getByRole('alert').getByText('invalid_format · request').waitFor()
  await page.getByLabel('Name').fill('appliance')
  await upload.click()
  await page
    .getByRole('row', { name: /appliance/ })
    .getByText('completed')
    .waitFor()
})

test('revoking shows first what it affects, and a message of others stays text', leftOut(skip), async () => {
  const { open, server, account } = visitor
  const { token } = account
  const { image, pool, sku } = await makeCapacity(server, account)
  const body = { name: 'web-1', pool, sku, image }
  await server.call('create_instance', { token, body })
  await server.call('create_instance', { token, body: { ...body, name: 'web-2' } })
  const page = await open(`/images/${image}`)
  await page.getByRole('button', { name: 'Revoke' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No instance is created from them until the image is reinstated.').waitFor()
  await dialog.getByRole('link', { name: 'web-2' }).waitFor()
  await checkPage(page, 'image-revoke')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('no new instance starts from it').waitFor()
  assert.equal((await server.call('get_image', { params: { id: image }, token })).state, 'revoked')

  const message = '<img src=x onerror="document.title=1"> \u202egnp'
  await server.call('deprecate_image', { params: { id: image }, token, body: { message } })
  await page.getByText('<img src=x onerror="document.title=1">').waitFor()
  await page.getByRole('button', { name: 'Reinstate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click()
  await page.getByRole('button', { name: 'Revoke' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alert').getByText('Code and request').click()
  await page.getByRole('alert').getByText('in_use · request').waitFor()
})

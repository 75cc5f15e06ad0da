/**
 * From a sign-in link to a running instance, its console, its shell, more time, and its end, by the mouse alone. It
 * counts the clicks, and takes the pictures that the documents show.
 */
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { checkPage, closePagesAfterwards, openStranger, problemsOf } from './browser.ts'
import { signInLink, skip } from './chromium.ts'

closePagesAfterwards()

const clicksMax = 7
/** The host keys of a machine are not found until it has booted. The page asks again. */
const untilBooted = /status of 404 .*\/ssh\)$/

test('a stranger comes from a link to a running instance in seven clicks, and to its end', leftOut(skip), async () => {
  const { server, link } = await openQuickstart()
  const page = await openStranger(link)
  let clicks = 0
  const click = async (target: Locator) => {
    await target.click()
    clicks += 1
  }

  await click(page.getByRole('button', { name: /^Sign in/ }))
  await drag(page.getByRole('slider', { name: 'Hours ahead of h100-west' }), { hours: 3 })
  clicks += 1
  const panel = page.getByRole('dialog', { name: 'Buy h100-west' })
  await click(panel.getByText('Start an instance on it'))
  await panel.getByText('Nothing: all of it trades at once.').waitFor()
  await checkPage(page, 'film-ticket')
  await click(panel.getByRole('button', { name: 'Review' }))
  const review = page.getByRole('dialog', { name: 'Review' })
  await click(review.getByRole('button', { name: /^Buy/ }))
  const receipt = page.getByRole('region', { name: 'Placed order' })
  await receipt.getByText('filled', { exact: true }).waitFor()
  await checkPage(page, 'film-receipt')
  await click(receipt.getByRole('link', { name: /-/ }).last())
  await page.waitForURL(/\/console\/instances\/inst_/)
  await page.getByText('running', { exact: true }).first().waitFor()
  assert.ok(clicks <= clicksMax, `${clicks} clicks`)

  await page.getByRole('log').getByText('Booting a simulated machine').waitFor()
  await page
    .getByRole('region', { name: 'Secure shell' })
    .getByText(/^bourse ssh /)
    .waitFor()
  await checkPage(page, 'film-instance', untilBooted)

  await page.getByRole('link', { name: /^Extend/ }).click()
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Buy/ }).click()
  await receipt.getByText('filled', { exact: true }).waitFor()

  await page.goBack()
  await page.getByRole('button', { name: 'Terminate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Terminate' }).click()
  await page.getByText('terminated', { exact: true }).first().waitFor()
  assert.deepEqual(problemsOf(page, untilBooted), [])
  assert.ok(server)
})

async function openQuickstart() {
  const server = await startTestServer()
  const { accounts } = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
  const customer = accounts.find(({ id }) => id === 'acme') ?? accounts[0]
  assert.ok(customer)
  return { server, link: await signInLink(server, customer) }
}

/** Drags over the first hours of a strip, which begin with the present one. */
async function drag(strip: Locator, { hours }: { hours: number }): Promise<void> {
  const box = await strip.boundingBox()
  assert.ok(box)
  const [y, width] = [box.height / 2, box.width / 168]
  const targetPosition = { x: width * (hours - 0.5), y }
  await strip.dragTo(strip, { sourcePosition: { x: width / 2, y }, targetPosition, steps: 3 })
}

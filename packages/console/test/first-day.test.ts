/** The first day of a newcomer in the seeded sandbox, with the keyboard alone: buy, run, read the console, sell. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { axeViolations, closePagesAfterwards, problemsOf, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

closePagesAfterwards()

/** The seeded world, in which simulated traders offer on both sides. */
async function openQuickstart() {
  const server = await startTestServer()
  const { accounts } = await server.call('load_scenario', { params: { name: 'quickstart' }, body: {} })
  const customer = accounts.find(({ id }) => id === 'acme') ?? accounts[0]
  const me = await server.call('get_account', { token: customer.token })
  const account = { id: me.id, token: customer.token, workspace_id: me.workspace.id }
  return { server, account, visitor: visitorOf(server, account) }
}

const stage = skip ? (undefined as never) : await openQuickstart()

const tabsMax = 150
/** The host keys of a machine are not found until it has booted. The page asks again. */
const untilBooted = /status of 404 .*\/ssh\)$/

/** Presses Tab until a control of the page with this name has the focus. */
async function tabTo(page: Page, role: 'button' | 'textbox' | 'combobox', name: string, within: Locator | Page = page) {
  const wanted = within.getByRole(role, { name, exact: true }).first()
  await wanted.waitFor()
  for (let pressed = 0; pressed < tabsMax; pressed++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach the ${role} ${name}.`)
}

/** Milliseconds within which the second key of a pair counts. */
const pairMilliseconds = 1_200
/** Notes when keys arrive. */
const noteKeys = `
  if (!window.keysAt) document.addEventListener('keydown', ({ timeStamp }) => window.keysAt.push(timeStamp), true)
  window.keysAt = []`

/**
 * Presses the two keys of a page. A loaded machine may take longer between them than a pair lasts: then once more. A
 * pair that counts is not repeated, however long its page takes: the page would take the keys for text.
 */
async function goTo(page: Page, letter: string, path: string) {
  const press = async () => {
    await page.evaluate(noteKeys)
    await Promise.all([page.keyboard.press('g'), page.keyboard.press(letter)])
    const [first = 0, second = 0] = await page.evaluate<number[]>('window.keysAt')
    return second - first < pairMilliseconds
  }
  await eventually(`the keys g and ${letter} arrive as a pair`, press)
  await page.waitForURL((url) => url.pathname.endsWith(path))
}

/** Checks what is shown for barriers to people who use assistive technology. */
async function assertAccessible(page: Page, shown: string): Promise<void> {
  assert.deepEqual(await axeViolations(page), [], `axe, ${shown}`)
}

test('a newcomer buys, runs, reads the console and sells, with the keyboard alone', leftOut(skip), async () => {
  const { visitor, server, account } = stage
  // An order for now is for the present minute, which must not pass before the order is placed.
  await server.call('freeze_clock')
  const page = await visitor.open('/')
  await page.getByRole('figure', { name: 'Next 48 hours' }).waitFor()
  await assertAccessible(page, 'board')
  await goTo(page, 't', '/ticket')
  await tabTo(page, 'textbox', 'Type an order')
  await page.keyboard.type('1 node of h100-west now for 3h')
  await page.getByRole('region', { name: 'Estimate' }).getByText('Nothing: all of it trades at once.').waitFor()
  await assertAccessible(page, 'ticket')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Buy 1 node of h100-west?' }).waitFor()
  await assertAccessible(page, 'review of a purchase')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Placed order' }).getByText('filled', { exact: true }).waitFor()

  await server.call('resume_clock')
  await goTo(page, 'i', '/instances')
  await tabTo(page, 'button', 'Create instance')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create an instance' })
  await dialog.getByLabel('Name', { exact: true }).waitFor()
  await assertAccessible(page, 'creation of an instance')
  for (const [field, choice] of Object.entries({ Pool: 'main', SKU: 'h100-west', Image: 'trainer-2' })) {
    await tabTo(page, 'combobox', field, dialog)
    await page.keyboard.type(choice)
  }
  await tabTo(page, 'textbox', 'Name', dialog)
  await page.keyboard.type('first-day')
  await page.keyboard.press('Enter')
  await server.advance(60)
  await page.getByText('running', { exact: true }).first().waitFor()
  await assertAccessible(page, 'instances')
  const { data } = await server.call('list_instances', {
    query: { state: ['running'], limit: 200 },
    token: account.token,
  })
  const made = data.find(({ name }) => name === 'first-day')
  assert.ok(made)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Page, resource or action' }).waitFor()
  await page.keyboard.type('sell')
  await page.keyboard.press('Enter')
  await tabTo(page, 'textbox', 'Type an order')
  await page.keyboard.type('sell 1 node of h100-west +1h for 1h')
  await page.getByRole('region', { name: 'Estimate' }).getByText('Nothing: all of it trades at once.').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Sell 1 node of h100-west?' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Placed order' }).getByText('filled', { exact: true }).waitFor()
  await assertAccessible(page, 'placed order')
  assert.deepEqual(problemsOf(page, untilBooted), [])
  await page.close()
})

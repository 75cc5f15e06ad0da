/** The reference and the guides in a browser: what a person does there, without an error and an outside request. */
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import { launchBrowser, skip } from '../../../console/test/chromium.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const { token } = await server.account()
let browser: Browser | undefined
/** The reference is large: it took longer than half a minute on a slow machine. */
const waitMilliseconds = 120_000
afterAll(() => browser?.close())

async function openPage(options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
  browser ??= await launchBrowser()
  const context = await browser.newContext(options)
  context.setDefaultTimeout(waitMilliseconds)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== new URL(server.url).origin)
      problems.push(`a request to ${request.url()}`)
  })
  return { page, problems }
}

test(
  'an operation can be tried with a token, which is kept for the session and in this tab only',
  leftOut(skip),
  async () => {
    const { page, problems } = await openPage()
    await page.goto(`${server.url}/docs#tag/account/get_account`)
    const field = () => page.locator('.scalar-password-input').first()
    await field().fill(token)
    await page.reload()
    await field().waitFor()
    assert.equal(await field().inputValue(), token)
    await page.locator('button:has-text("(get /preview/v2/account)")').first().click()
    const [response] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/preview/v2/account')),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ])
    assert.equal(response.status(), 200)
    assert.equal(await page.evaluate('sessionStorage.getItem("bourse.api_token")'), token)
    assert.ok(!(await page.evaluate<string>('JSON.stringify({ ...localStorage })')).includes(token))
    const other = await openPage()
    await other.page.goto(`${server.url}/docs`)
    const empty = other.page.locator('.scalar-password-input').first()
    await empty.waitFor()
    assert.equal(await empty.inputValue(), '')
    assert.deepEqual([...problems, ...other.problems], [])
  },
)

test('examples of optional parameters are shown and not sent', leftOut(skip), async () => {
  const { page, problems } = await openPage()
  await page.goto(`${server.url}/docs#tag/instance-sku-catalog/list_skus`)
  await page.locator('.scalar-password-input').first().fill(token)
  await page.locator('button:has-text("(get /v2/skus)")').first().click()
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/v2/skus')),
    page.getByRole('button', { name: /^Send/ }).first().click(),
  ])
  assert.deepEqual([new URL(response.url()).search, response.status()], ['', 200])
  assert.deepEqual(problems, [])
})

test('the search of every page finds operations and sections, by the keyboard too', leftOut(skip), async () => {
  const { page, problems } = await openPage({ colorScheme: 'dark', viewport: { width: 420, height: 800 } })
  await page.goto(`${server.url}/docs/guides`)
  const field = page.locator('#search')
  await field.fill('replace instance')
  await page.locator('#found [role=option]').first().waitFor()
  await field.press('ArrowDown')
  await field.press('Enter')
  await page.waitForURL(({ hash }) => hash === '#tag/instances/replace_instance')
  await page
    .getByRole('heading', { name: /^Replace an instance/ })
    .first()
    .waitFor()
  await field.fill('holdz of an order')
  await page.locator('#found').getByText('Holds').first().click()
  await page.waitForURL(({ pathname }) => pathname.startsWith('/docs/'))
  await field.fill('qqzzxx')
  await page.locator('#found').getByText('Nothing found.').waitFor()
  assert.deepEqual(problems, [])
})

test(
  'an operation has samples of the clients, none of others, and a badge where it may change',
  leftOut(skip),
  async () => {
    const { page, problems } = await openPage()
    await page.goto(`${server.url}/docs#tag/billing/get_balance`)
    const operation = page.locator('.section', { has: page.getByRole('heading', { name: /^Get the balance/ }) }).last()
    await operation.getByText('client.balance.get()').first().waitFor()
    await operation.getByText('Preview', { exact: true }).first().waitFor()
    await operation.getByRole('button', { name: /SDK/ }).first().click()
    const options = page.getByRole('option')
    await options.first().waitFor()
    assert.deepEqual(await options.allInnerTexts(), ['SDK', 'Command line', 'curl'])
    await options.filter({ hasText: 'Command line' }).click()
    await operation.getByText('bourse billing balance').first().waitFor()
    assert.deepEqual(problems, [])
  },
)

test('a page is as wide as a phone, and its commands are read without scrolling', leftOut(skip), async () => {
  const { page, problems } = await openPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${server.url}/docs/guides/first-job`)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  const hidden = await page
    .locator('pre:has(.language-console, .language-sh)')
    .evaluateAll((blocks) => blocks.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
  assert.ok(hidden.length > 5)
  assert.deepEqual(new Set(hidden), new Set([0]))
  assert.deepEqual(problems, [])
})

test('an area of the reference leads to the page that explains it', leftOut(skip), async () => {
  const { page, problems } = await openPage()
  await page.goto(`${server.url}/docs#tag/orders`)
  await page.locator('a[href="/docs/guides/trading"]').first().click()
  await page.waitForURL(({ pathname }) => pathname === '/docs/guides/trading')
  assert.equal(await page.locator('main h1').innerText(), 'Trading')
  await page.getByRole('link', { name: 'API reference' }).first().click()
  await page.waitForURL(({ pathname }) => pathname === '/docs')
  assert.deepEqual(problems, [])
})

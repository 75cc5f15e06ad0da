/** What every page has to have: axe, no sideways scroll, help, the requests behind it; and one stream for two tabs. */
import assert from 'node:assert/strict'
import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import type { Page, Request } from 'playwright-core'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { statement } from '../../server/src/core/db/db.ts'
import { platformAccount } from '../../server/test/support/access.ts'
import { startTestServer, type TestServer } from '../../server/test/support/server.ts'
import { axeViolations, closePagesAfterwards, problemsOf, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

closePagesAfterwards()

const stage = skip ? (undefined as never) : await openStage()

async function openStage() {
  const server = await startTestServer()
  const account = await server.account()
  const operator = visitorOf(server, await platformAccount(server))
  return { server, operator, visitor: visitorOf(server, account) }
}

const tabsOf = (page: string, tabs: string) => tabs.split(' ').map((tab) => `${page}?tab=${tab}`)

/** Every list and tab of the console that an account sees without resources. */
const paths = [
  '/',
  '/ticket',
  '/orders',
  '/calendar',
  ...tabsOf('/pools', 'pools transfers'),
  '/procurements',
  '/instances',
  '/templates',
  '/deployments',
  '/images',
  ...tabsOf('/network', 'firewalls subnets partitions'),
  '/events',
  '/webhooks',
  ...tabsOf('/money', 'ledger usage budgets exports statement'),
  ...tabsOf('/access', 'people grants roles tokens ssh-keys sessions rights audit'),
  ...tabsOf('/account', 'workspaces limits'),
  '/no/such/page',
]
const operatorPaths = tabsOf(
  '/operator',
  'desk accounts orders instances pools usage credits skus hosts market revenue health',
)

/** The heading and the chosen tab. */
const shown = `String(
  Array.from(document.querySelectorAll('h1, [role=tab][aria-selected=true]'), (one) => one.textContent))`

/**
 * Goes to an address inside the page: loading all of it anew for each address would take most of the time. Ends when
 * the heading or the chosen tab is another one, as the page before stays until the next one is loaded.
 */
async function goTo(page: Page, path: string): Promise<void> {
  const before = await page.evaluate<string>(shown)
  await page.evaluate(`
    history.pushState({}, '', ${JSON.stringify(path)})
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))`)
  const isAnother = async () => {
    const now = await page.evaluate<string>(shown)
    assert.ok(!['', before].includes(now), `It shows: ${now}`)
    return true
  }
  await eventually(`${path} shows something else than was shown before`, isAnother, { usual_seconds: 5 })
}

/** Opens each address in one tab, and checks it once it has read what it shows. */
async function assertEach(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await goTo(page, `/console${address}`)
    await page.getByText('Loading…').first().waitFor({ state: 'detached' })
    for (const width of [420, 3_840]) {
      await page.setViewportSize({ width, height: 900 })
      const fits = 'document.documentElement.scrollWidth <= innerWidth'
      assert.ok(await page.evaluate(fits), `${address} scrolls sideways at ${width} pixels`)
    }
    assert.deepEqual(await axeViolations(page), [], address)
  }
  assert.deepEqual(problemsOf(page), [])
}

test('each page passes axe and fits a phone and a wide screen', leftOut(skip), async () => {
  await assertEach(await stage.visitor.open('/no/such/tab'), paths)
})

test('each page of the operator passes axe and fits a phone and a wide screen', leftOut(skip), async () => {
  await assertEach(await stage.operator.open('/'), operatorPaths)
})

/** What the browser made of the style sheets: the fonts that it has loaded, and some sizes in pixels. */
const look = `document.fonts.ready.then((fonts) => {
  const sizeOf = (selector) => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)
  return {
    fonts: [...new Set([...fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family))].toSorted(),
    text: sizeOf('main'),
    heading: sizeOf('h1'),
    bar: document.querySelector('header').getBoundingClientRect().height,
    row: Math.round(document.querySelector('tbody tr[tabindex]').getBoundingClientRect().height),
  }
})`

test('pages are set in the fonts of the console, small and dense', leftOut(skip), async () => {
  const page = await stage.visitor.open('/access?tab=people')
  await page.getByRole('row', { name: /@example.com/ }).waitFor()
  assert.deepEqual(await page.evaluate(look), {
    fonts: ['Inter'],
    text: 13,
    heading: 17,
    bar: 48,
    row: 32,
  })
})

test('the font of code is loaded where a page shows some, but not on the board', leftOut(skip), async () => {
  const { server } = stage
  const page = await visitorOf(server, await server.account()).open('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText('Loading…').first().waitFor({ state: 'detached' })
  const loaded = `document.fonts.ready.then((fonts) =>
    [...fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))`
  assert.deepEqual(await page.evaluate(loaded), ['Inter'])
  await goTo(page, '/console/instances')
  await page.getByText('bourse instances create').waitFor()
  const all = await page.evaluate<string[]>(loaded)
  assert.deepEqual(all.toSorted(), ['Inter', 'JetBrains Mono'])
})

test('the sandbox is one pill in the bar, and one stop of the keyboard', leftOut(skip), async () => {
  const page = await stage.visitor.open('/orders')
  const bar = page.getByRole('region', { name: 'Sandbox' })
  await bar.waitFor()
  assert.equal(await bar.locator('button, a, input, select').count(), 1)
  const box = await bar.boundingBox()
  assert.ok(box && box.y + box.height <= 48, JSON.stringify(box))
})

test('what has changed lights up, but not for whoever asks for less motion', leftOut(skip), async () => {
  const motion = `(({ style = getComputedStyle(document.documentElement) }) =>
    ['--quick', '--flash'].map((name) => style.getPropertyValue(name)))({})`
  const still = await stage.visitor.open('/orders')
  assert.deepEqual(await still.evaluate(motion), ['0s', 'none'])
  const moving = await stage.visitor.openWith({ reducedMotion: 'no-preference' }, '/orders')
  assert.deepEqual(await moving.evaluate(motion), ['.16s ease-out', 'changed .2s ease-out'])
})

test('a phone shows the page in its first screen, below one bar', leftOut(skip), async () => {
  const page = await stage.visitor.openWith({ viewport: { width: 390, height: 844 } }, '/orders')
  const heading = await page.getByRole('heading', { name: 'Orders', exact: true }).boundingBox()
  assert.ok(heading && heading.y < 80, JSON.stringify(heading))
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Money', exact: true }).click()
  await page.getByRole('heading', { name: 'Money', exact: true }).waitFor()
  await page.getByRole('button', { name: /^Account of/ }).click()
  assert.deepEqual(await axeViolations(page), [])
})

test('tables are cards on a phone, with all of their values and no sideways scroll', leftOut(skip), async () => {
  const page = await stage.visitor.openWith({ viewport: { width: 390, height: 844 } }, '/access?tab=people')
  const row = page.getByRole('row', { name: /@example.com/ }).first()
  await row.waitFor()
  const cells = await row.getByRole('cell').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
  assert.ok(cells.length > 2 && Math.max(...cells) <= 390, JSON.stringify(cells))
  assert.deepEqual(await axeViolations(page), [])
})

test('what the question mark opens lies inside of the screen', leftOut(skip), async () => {
  const page = await stage.visitor.open('/')
  await page.getByRole('button', { name: 'About Board' }).click()
  const box = await page.locator('[popover]:popover-open').boundingBox()
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox()
  assert.ok(box && heading && box.x >= heading.x, JSON.stringify({ box, heading }))
})

test('the keys and the requests of a page are shown, and the palette passes axe', leftOut(skip), async () => {
  const page = await stage.visitor.open('/orders')
  await page.getByRole('heading', { name: 'No open order' }).waitFor()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('j k', { exact: true }).waitFor()
  for (const group of ['Anywhere', 'In a table', 'Go to a page', 'Create']) {
    await dialog.getByRole('heading', { name: group }).waitFor()
  }
  await dialog.getByText('c i', { exact: true }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Requests', exact: true }).click()
  await dialog
    .getByText(/^\/v2\/orders\?/)
    .first()
    .click()
  await dialog
    .locator('details[open]')
    .getByText(/curl[\s\S]*\/v2\/orders\?/)
    .first()
    .waitFor()
  assert.deepEqual(await axeViolations(page), [])
  await closeAndPressControlK(page)
  await page.getByRole('combobox', { name: 'Page, resource or action' }).waitFor()
  assert.deepEqual(await axeViolations(page), [])
})

/** The browser tells of the closed dialog after the key that follows at once. */
async function closeAndPressControlK(page: Page): Promise<void> {
  await page.evaluate(`
    document.querySelector('dialog[open]').close()
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))`)
}

/** Collects the heights at which the heading has stood. */
const watchHeading = `
  window.heights = new Set()
  const look = () => {
    const heading = document.querySelector('h1')
    if (heading) window.heights.add(Math.round(heading.getBoundingClientRect().top))
    requestAnimationFrame(look)
  }
  look()`
/** Ends when the page is shown, or when it has had the time for it. */
const pageOrFrames = `new Promise((ended) => {
  const look = (left) => {
    if (left === 0 || window.heights.size > 0) requestAnimationFrame(ended)
    else requestAnimationFrame(() => look(left - 1))
  }
  look(60)
})`

test('the bar of a sandbox moves no page that is shown', leftOut(skip), async () => {
  const page = await stage.visitor.open('/no/such/page')
  await page.getByRole('region', { name: 'Sandbox' }).waitFor()
  await page.addInitScript(watchHeading)
  await page.route(/sandbox-bar.*\.js$/, async (route) => {
    await page.evaluate(pageOrFrames)
    await route.continue()
  })
  await page.goto(new URL('/console/orders', page.url()).href)
  await page.getByRole('region', { name: 'Sandbox' }).waitFor()
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
  assert.equal(await page.evaluate('heights.size'), 1)
})

test('the list of requests keeps its place while others are sent', leftOut(skip), async () => {
  const page = await stage.visitor.open('/instances')
  await page.getByRole('heading', { name: 'No instance' }).waitFor()
  await page.getByRole('button', { name: 'Requests', exact: true }).click()
  const requests = page.getByRole('dialog').locator('details')
  const first = await requests.first().elementHandle()
  const count = await requests.count()
  assert.ok(first !== null && count > 0)
  await goTo(page, '/console/orders')
  const more = page.getByRole('button', { name: /^Show \d+ newer$/ })
  await more.waitFor()
  assert.equal(await requests.count(), count)
  await more.click()
  await requests.nth(count).waitFor()
  assert.ok(await page.evaluate((one) => one.isConnected, first))
})

test('two tabs share one stream, and the other one goes on when the first is closed', leftOut(skip), async () => {
  const { server } = stage
  const account = await server.account()
  const own = visitorOf(server, account)
  const change = (trust_level: TrustLevel) =>
    server.call('set_trust_level', { params: { account: account.id }, body: { trust_level } })
  await change('partner')
  const first = await own.open('/events')
  await first.getByText('Live', { exact: true }).waitFor()
  const streams: Request[] = []
  first.context().on('request', (request) => {
    if (request.headers().accept === 'text/event-stream') streams.push(request)
  })
  const second = await own.open('/events')
  await second.getByText('Live', { exact: true }).waitFor()
  const rows = second.getByRole('row', { name: /trust_level.updated/ })
  await change('basic')
  await rows.nth(1).waitFor()
  assert.equal(streams.length, 0)
  // The cursor of the first tab, with the filter that it belongs to.
  const opened = second.waitForResponse((response) => response.url().includes('on_gap='))
  await first.close()
  assert.equal((await opened).status(), 200)
  await change('trusted')
  await rows.nth(2).waitFor()
  assert.deepEqual(
    streams.map((request) => request.frame().page() === second),
    [true],
  )
  assert.deepEqual(problemsOf(second), [])
})

/** Takes the newest event of an account away, as the copy of an older data directory does. */
async function loseEvent({ inside }: TestServer, account: string): Promise<void> {
  const owner = `account_id = '${account}'`
  await inside?.runtime.database.asOwner((db) =>
    db.run(
      statement(
        null,
        `with counter as (update event_counters set position = position - 1 where ${owner} returning position)
        delete from events where ${owner} and position > (select position from counter)`,
      ),
    ),
  )
}

/** The requests of a page from now on whose path and query begin so. */
function requestsOf(page: Page, path: string): URL[] {
  const urls: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (`${url.pathname}${url.search}`.startsWith(path)) urls.push(url)
  })
  return urls
}

test(
  'after events were lost each tab reads once more what it shows, and follows what comes',
  leftOut(skip),
  async () => {
    const { server } = stage
    const account = await server.account()
    const own = visitorOf(server, account)
    let changes = 0
    const change = async () => {
      const trust_level = changes++ % 2 === 0 ? 'partner' : 'trusted'
      await server.call('set_trust_level', { params: { account: account.id }, body: { trust_level } })
    }
    await change()
    const first = await own.open('/events')
    await first.getByText('Live', { exact: true }).waitFor()
    const second = await own.open('/instances')
    await second.getByRole('heading', { name: 'No instance' }).waitFor()
    const third = await own.open('/events')
    const rows = third.getByRole('row', { name: /trust_level.updated/ })
    await change()
    await rows.nth(1).waitFor()
    await server.advance(60)
    const { now } = await server.call('get_clock')
    const reads = requestsOf(second, '/v2/instances?')
    const streams = requestsOf(second, '/preview/v2/events?')
    const isNew = (url: URL) => Number(url.searchParams.get('since')) >= now
    const goesOn = second.waitForRequest((request) => isNew(new URL(request.url())))
    // The first tab may hear of it, or else the second one, which goes on at a place that is lost.
    await loseEvent(server, account.id)
    await first.close()
    // A log that has passed the place again shows no loss.
    await goesOn
    await change()
    await change()
    await rows.nth(2).waitFor()
    // Until the page has read again, it may also lack events that came before the loss.
    await eventually('the lost event has left the page, and the others are there', async () => {
      assert.equal(await rows.count(), 3)
      return true
    })
    assert.equal(reads.length, 1)
    // What the log still has is not read again.
    assert.equal(streams.filter(isNew).length, 1)
    await second.close()
    await change()
    await rows.nth(3).waitFor()
    assert.equal(await rows.count(), 4)
  },
)

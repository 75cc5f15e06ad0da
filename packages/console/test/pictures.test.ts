/**
 * The pictures of the console that documents show, in light and dark: each page gets ready and shows what its picture
 * is about, and the files are there in their sizes. With BOURSE_PICTURES=1 it takes them anew, into docs/images. The
 * world has the same seed and the same time of day each time; days and ids differ.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { platformAccount } from '../../server/test/support/access.ts'
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/support/server.ts'
import { closePagesAfterwards, problemsOf, visitorOf } from './browser.ts'
import { skip } from './chromium.ts'

closePagesAfterwards()

const images = join(import.meta.dirname, '../../../docs/images')
const takesAnew = process.env.BOURSE_PICTURES === '1'
const bytesMax = 200_000
/** The host keys of a machine are not found until it has booted. The page asks again. */
const untilBooted = /status of 404 .*\/ssh\)$/

/** A page that a document shows. */
type ShownPage = {
  readonly path: string
  /** Brings it to the state to show. */
  readonly prepare: (page: Page) => Promise<unknown>
  /** Words that its picture has to show. */
  readonly words: readonly string[]
  readonly isOperators?: boolean
  readonly viewport?: { readonly width: number; readonly height: number }
}

const usual = { width: 1280, height: 900 }
const board = (page: Page) => page.getByRole('slider', { name: 'Hours ahead of h100-west' }).waitFor()

const shownPages: Readonly<Record<string, ShownPage>> = {
  market: {
    path: '/?sku=h100-west',
    prepare: async (page) => {
      await page
        .getByRole('table', { name: 'Prices', exact: true })
        .getByText(/^Spread/)
        .waitFor()
      await board(page)
    },
    words: ['h100-west', 'a100-north', 'Free now', 'Ladder', 'Depth', 'Trades'],
  },
  ticket: {
    path: '/ticket',
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Type an order' }).fill('2 nodes of h100-west tomorrow 9am for 6h')
      await page.getByRole('region', { name: 'Estimate' }).getByText('Worst case').first().waitFor()
    },
    words: ['Costs now', 'Worst case', 'bourse orders create', 'Start an instance on it'],
  },
  calendar: {
    path: '/calendar',
    prepare: (page) =>
      page
        .getByRole('group', { name: /afternoon/ })
        .first()
        .waitFor(),
    words: ['afternoon', 'legacy', 'training', 'h100-west', 'promised to open sells', 'now'],
  },
  instance: {
    path: '/instances',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'trainer', exact: true }).click()
      await page.getByRole('link', { name: /^Extend 1 h for \$/ }).waitFor()
      await page.getByRole('log').getByText('login:').waitFor()
    },
    words: ['trainer', 'running', 'bourse ssh trainer', 'Hardware', '8 × NVIDIA H100'],
  },
  desk: {
    path: '/operator',
    isOperators: true,
    prepare: async (page) => {
      await page.getByRole('region', { name: 'Fleet' }).getByRole('img').first().waitFor()
      await page.getByText('Turnover, by day of UTC').waitFor()
    },
    words: ['The market is open.', 'as promised', 'Turnover today', 'h100-west'],
  },
  phone: {
    path: '/',
    viewport: { width: 390, height: 844 },
    prepare: board,
    words: ['h100-west', 'nodes free', 'Orders'],
  },
}

/** The seeded world at nine in the morning, when simulated traders have traded for half a day and more. */
async function openMorning(): Promise<{ server: TestServer; customer: TestAccount; ada: string }> {
  const server = await startTestServer()
  const { accounts, ids } = await server.call('load_scenario', { params: { name: 'quickstart' }, body: { seed: 1 } })
  const { token } = accounts.find(({ id }) => id === 'acme') ?? assert.fail('no customer')
  const { now } = await server.call('freeze_clock')
  const nine = 9 * 3_600
  const morning = Math.ceil((now + 12 * 3_600 - nine) / 86_400) * 86_400 + nine
  await server.call('advance_clock', { body: { to: morning } })
  const { id, workspace } = await server.call('get_account', { token })
  return { server, customer: { id, token, workspace_id: workspace.id }, ada: ids.user_admin as string }
}

/** Buys a node for some hours from now, and starts an instance on it, which ends with them. */
async function startTrainer(server: TestServer, { token }: TestAccount): Promise<void> {
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60)
  const window = { start_at, end_at: start_at + 5 * 3_600, node_count: 1 }
  const skus = await server.call('list_skus', { token })
  const publicImages = await server.call('list_images', { token })
  const sku = skus.data.find(({ alias }) => alias === 'h100-west')?.id as string
  const image = publicImages.data.find(({ name }) => name === 'trainer-2')?.id as string
  const { id: pool } = await server.call('create_pool', { token, body: { name: 'afternoon' } })
  const order = { side: 'buy', sku, pool, limit_price_dollars_per_node_hour: '100' } as const
  await server.call('create_order', { token, body: { ...order, allocation_schedule_delta: [window] } })
  const { id } = await server.call('create_instance', { token, body: { name: 'trainer', pool, sku, image } })
  await eventually('the instance of the documents runs', async () => {
    await server.advance(60)
    return (await server.call('get_instance', { params: { id }, token })).state === 'running'
  })
  // Some of its time has passed.
  await server.advance(3_600)
}

/** An operator with a name that stays the same. */
async function makeOperator(server: TestServer, { token }: TestAccount): Promise<string> {
  const { id } = await server.call('create_user', { token, body: { email: 'olga@bourse.example', name: 'olga' } })
  const body = { principal_type: 'user', principal_id: id, role: 'role_admin' } as const
  await server.call('create_grant', { token, body })
  return id
}

/** Checks that nothing loads any more and that all words are within the picture. */
async function assertShown(page: Page, name: string, words: readonly string[], height: number): Promise<void> {
  await eventually(`${name} has loaded`, async () => (await page.getByText('Loading', { exact: false }).count()) === 0)
  for (const word of words) {
    await eventually(`${name} shows ${word}`, async () => {
      const boxes = await Promise.all((await page.getByText(word).all()).map((one) => one.boundingBox()))
      return boxes.some((box) => box !== null && box.y + box.height <= height)
    })
  }
}

test('the pages that documents show get ready, and show what their pictures are about', leftOut(skip), async () => {
  const { server, customer, ada } = await openMorning()
  await startTrainer(server, customer)
  const platform = await platformAccount(server)
  const visitor = visitorOf(server, customer, ada)
  const operator = visitorOf(server, platform, await makeOperator(server, platform))
  for (const [name, { path, prepare, words, isOperators, viewport = usual }] of Object.entries(shownPages)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await (isOperators ? operator : visitor).openWith({ viewport, colorScheme }, path)
      await prepare(page)
      await assertShown(page, name, words, viewport.height)
      const file = join(images, fileOf(name, colorScheme))
      if (takesAnew) await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' })
      assert.deepEqual(problemsOf(page, untilBooted), [], name)
      await page.close()
    }
  }
})

function fileOf(name: string, scheme: 'light' | 'dark'): string {
  return scheme === 'light' ? `${name}.png` : `${name}-dark.png`
}

test('the documents have each picture in light and dark, in its size', () => {
  const expected = Object.keys(shownPages).flatMap((name) => [fileOf(name, 'light'), fileOf(name, 'dark')])
  assert.deepEqual(
    globSync(join(images, '*.png'))
      .map((path) => basename(path))
      .sort(),
    expected.sort(),
  )
  for (const [name, { viewport = usual }] of Object.entries(shownPages)) {
    for (const scheme of ['light', 'dark'] as const) {
      const path = join(images, fileOf(name, scheme))
      // Width and height follow the signature and the name of the first chunk.
      const bytes = readFileSync(path)
      assert.deepEqual({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }, viewport, path)
      assert.ok(statSync(path).size <= bytesMax, `${path} is too large`)
    }
  }
})

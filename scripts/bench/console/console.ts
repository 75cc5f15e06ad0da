// Measures the console in a browser: what it loads, how soon it paints, and how soon it shows what others do. Times are
// in milliseconds; each is compared with its goal, since there is no other console to compare with.
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, skip } from '../../../packages/console/test/chromium.ts'
import { openTestServer } from '../../../packages/server/test/support/server.ts'
import { bench } from '../bench.ts'
import { atMost, type BenchRow } from '../row.ts'
import { clickTo, largestPaint, shownAt } from './in-page.ts'
import { type ListSize, measureLongList } from './long-list.ts'
import { firstLoad, largestRoute } from './sizes.ts'
import { openStage, type Stage, signIn } from './stage.ts'

const longListRows = ['console_frames', 'console_memory_kb']
const timedRows = ['console_paint_ms', 'console_route_ms', 'console_cached_route_ms', 'console_commit_to_pixel_ms']

/** What the console loads. */
export const consoleSizesBench = bench({
  rows: ['console_first_load_kb', 'console_route_kb'],
  // The build is the same in both.
  sizes: { usual: {}, tiny: {} },
  measure: async function* () {
    yield atMost('console_first_load_kb', firstLoad(), 150)
    yield atMost('console_route_kb', largestRoute(), 60)
  },
})

/** The console in a browser. */
export const consoleBench = bench<{ readonly rounds: number; readonly list: ListSize }>({
  rows: [...timedRows, ...longListRows],
  missing: async () => skip || undefined,
  sizes: {
    usual: {
      rounds: 7,
      list: { rows: 1_000, pace: 50, seconds: 10, heap_parts: 8, heap_parts_left_out: 3, orders_each: 100 },
    },
    tiny: {
      rounds: 1,
      list: { rows: 20, pace: 2, seconds: 3, heap_parts: 3, heap_parts_left_out: 1, orders_each: 1 },
    },
  },
  measure: async function* ({ rounds, list }, wanted) {
    const browser = await launchBrowser()
    try {
      await using server = await openTestServer()
      const stage = await openStage(server, browser)
      yield atMost('console_paint_ms', await measurePaint(browser, stage, rounds), 1_000)
      yield* await measureRoutes(stage, rounds)
      yield atMost('console_commit_to_pixel_ms', await measureCommit(stage, rounds), 500)
      if (longListRows.some(wanted)) yield* await measureLongList(stage, list)
    } finally {
      await browser.close()
    }
  },
})

/** The largest contentful paint of the board with an empty cache, in each round. */
async function measurePaint(browser: Browser, { server, account }: Stage, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext()
    await signIn(context, server, account)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.clearBrowserCache')
    await page.goto(`${server.url}/console`)
    await page.getByRole('table', { name: 'Board' }).waitFor()
    times.push(await page.evaluate<number>(largestPaint))
    await context.close()
  }
  return times
}

/** From a click in the navigation to the heading of the page: the first visit, and one from the cache. */
async function measureRoutes({ server, context }: Stage, rounds: number): Promise<BenchRow[]> {
  const page = await context.newPage()
  const first: number[] = []
  const cached: number[] = []
  const go = (title: string) => page.evaluate<number>(clickTo(title))
  for (let round = 0; round < rounds; round++) {
    await page.goto(`${server.url}/console`)
    await page.getByRole('table', { name: 'Board' }).waitFor()
    first.push(await go('Instances'))
    await go('Board')
    cached.push(await go('Instances'))
  }
  await page.close()
  return [atMost('console_route_ms', first, 100), atMost('console_cached_route_ms', cached, 50)]
}

/** From the response of a write elsewhere to the row in an open list, in each round. */
async function measureCommit({ server, context, create }: Stage, rounds: number): Promise<number[]> {
  const page: Page = await context.newPage()
  await page.goto(`${server.url}/console/instances`)
  await page.getByRole('row', { name: /first/ }).waitFor()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const name = `commit-${round}`
    const seen = page.evaluate<number>(shownAt(name))
    await create(name)
    const committed = Date.now()
    times.push(Math.max(0, (await seen) - committed))
  }
  await page.close()
  return times
}

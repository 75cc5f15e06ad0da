// Measures a list of a thousand rows while events come: how many frames are drawn, and whether memory grows.
import type { CDPSession } from 'playwright-core'
import { makeBuyer, makeMarket } from '../../../packages/server/test/support/fixtures/market.ts'
import { atMost, type BenchRow } from '../row.ts'
import { lateFrames, loadAll } from './in-page.ts'
import type { Stage } from './stage.ts'

/** A screen of 60 frames a second drops one where two frames are further apart than this. Milliseconds. */
const longFrame = 34
/** The events of an hour of one event a second. */
const hourOfEvents = 3_600
/** How many are created at the same time. */
const together = 20

export type ListSize = {
  /** A multiple of 20. */
  readonly rows: number
  /** Events a second, and for how many seconds. */
  readonly pace: number
  readonly seconds: number
  /** The heap is measured after each part. In the first ones, code is compiled and buffers get their sizes. */
  readonly heap_parts: number
  readonly heap_parts_left_out: number
  /** Orders in a part, each with an event when it is placed and one when it is cancelled. */
  readonly orders_each: number
}

/** The rows `console_frames`, the share of frames that came late, and `console_memory_kb`, what an hour adds. */
export async function measureLongList(
  { server, account, context, create }: Stage,
  size: ListSize,
): Promise<BenchRow[]> {
  const { rows, pace, seconds, heap_parts, heap_parts_left_out, orders_each } = size
  const made: string[] = []
  for (let from = 0; from < rows; from += together) {
    const batch = Array.from({ length: together }, (_, index) => create(`row-${from + index}`))
    made.push(...(await Promise.all(batch)).map(({ id }) => id))
  }
  const page = await context.newPage()
  await page.goto(`${server.url}/console/instances`)
  await page.getByRole('row', { name: new RegExp(`row-${rows - 1}`) }).waitFor()
  // Rows that are loaded while the list is scrolled would count as growth.
  await page.evaluate(loadAll)
  const devtools = await context.newCDPSession(page)
  const end = async (id: string | undefined) => {
    if (id) await server.call('terminate_instance', { params: { id }, token: account.token })
  }
  await paced(pace, () => end(made.pop()))
  const frames = page.evaluate<number>(lateFrames({ milliseconds: (seconds - 2) * 1_000, limit: longFrame }))
  for (let second = 1; second < seconds; second++) await paced(pace, () => end(made.pop()))
  const late = await frames
  // These events make no row larger, so that what stays is the page's own.
  const market = await makeMarket(server)
  const buyer = await makeBuyer(server, '100.000000', account)
  const heaps: number[] = []
  for (let part = 0; part < heap_parts; part++) {
    for (let count = 0; count < orders_each; count++) await market.cancel(buyer, await market.order(buyer, {}))
    heaps.push(await heapOf(devtools))
  }
  await page.close()
  const grown = slopeOf(heaps.slice(heap_parts_left_out)) / 1_000
  return [
    atMost('console_frames', late, 0.05),
    atMost('console_memory_kb', Math.max(0, (grown / (2 * orders_each)) * hourOfEvents), 1_000),
  ]
}

/** The slope of the line through equidistant values with the least squares. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const sum = values.reduce((total, value, index) => total + (index - middle) * value, 0)
  return sum / values.reduce((total, _, index) => total + (index - middle) ** 2, 0)
}

/** Calls a function so many times within a second. */
async function paced(count: number, run: () => Promise<void>): Promise<void> {
  const began = performance.now()
  for (let done = 0; done < count; done++) {
    await run()
    const rest = began + ((done + 1) * 1_000) / count - performance.now()
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest))
  }
}

/** The bytes that the page keeps, after a collection. */
async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize
}

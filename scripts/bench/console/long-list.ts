// Measures a list of a thousand rows while events come: how many frames are drawn, and whether memory grows.
import type { CDPSession } from 'playwright-core'
import type { Row } from '../row.ts'
import { lateFrames, loadAll } from './in-page.ts'
import { rowOf, type Stage } from './stage.ts'

const rows = 1_000
/** Events a second, and for how many seconds. */
const pace = 50
const seconds = 10
/** A screen of 60 frames a second drops one where two frames are further apart than this. Milliseconds. */
const longFrame = 34
/** The events of an hour of one event a second. */
const hourOfEvents = 3_600

/** The rows `console_frames`, the share of frames that came late, and `console_memory_kb`, what an hour adds. */
export async function measureLongList({ server, account, context, create }: Stage): Promise<Row[]> {
  const made: string[] = []
  for (let from = 0; from < rows; from += 20) {
    const batch = Array.from({ length: 20 }, (_, index) => create(`row-${from + index}`))
    made.push(...(await Promise.all(batch)).map(({ id }) => id))
  }
  const page = await context.newPage()
  await page.goto(`${server.url}/console/instances`)
  await page.getByRole('row', { name: /row-999/ }).waitFor()
  // Rows that are loaded while the list is scrolled would count as growth.
  await page.evaluate(loadAll)
  const devtools = await context.newCDPSession(page)
  const end = async (id: string | undefined) => {
    if (id) await server.ok('POST', `/v2/instances/${id}/terminate`, { token: account.token })
  }
  await paced(pace, () => end(made.pop()))
  const before = await heapOf(devtools)
  const frames = page.evaluate<number>(lateFrames({ milliseconds: (seconds - 2) * 1_000, limit: longFrame }))
  for (let second = 1; second < seconds; second++) await paced(pace, () => end(made.pop()))
  const late = await frames
  const events = pace * (seconds - 1)
  const grown = ((await heapOf(devtools)) - before) / 1_000
  await page.close()
  return [
    rowOf('console_frames', late, 0.05),
    rowOf('console_memory_kb', Math.max(0, (grown / events) * hourOfEvents), 1_000),
  ]
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

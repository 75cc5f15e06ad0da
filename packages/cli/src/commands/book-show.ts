/** `bourse book show`: depth and prices of one SKU at a glance. */

import type { PriceBucket, PriceLevel } from '@bourse/api/market/orderbook.ts'
import { rangeOf } from '@bourse/text/formats/moments.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { Argument, type Command, Option } from 'commander'
import { resolveReference } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { momentFromNow, readWindow, type WindowOptions } from '../input/windows.ts'
import { styleOf, wholeText } from '../output/output.ts'
import { type Canvas, depthPlot, type PriceSpan, pricePlot } from '../output/plot.ts'
import { printsNoRows } from '../output/rows/without-rows.ts'

type Interval = 'minute' | 'hour' | 'day'
type BookShowOptions = GlobalOptions & WindowOptions & { readonly interval: Interval }

const spans = {
  minute: { seconds: 60, back: hourSeconds, what: 'by minute, over an hour' },
  hour: { seconds: hourSeconds, back: daySeconds, what: 'by hour, over a day' },
  day: { seconds: daySeconds, back: 30 * daySeconds, what: 'by day, over 30 days' },
} as const satisfies Record<Interval, { seconds: number; back: number; what: string }>
const widthWithoutTerminal = 80
const widthMax = 100
const widthMin = 40
const height = 9
const levels = 8

/** Adds the command. */
export function addBookShow(book: Command, context: CommandContext): void {
  const command = printsNoRows(book.command('show'))
    .description('Draw the depth of the order book of a SKU in a window, and its past prices.')
    .addArgument(new Argument('<sku>', 'SKU: alias or id.'))
    .option('--from <time>', 'Start of the window: now, +2h, 2026-01-31T12:00Z.', 'now')
    .option('--for <span>', 'Length of the window: 90m, 2h, 1d. Default 2h.')
    .option('--until <time>', 'End of the window, instead of --for: +2h, 2026-01-31T14:00Z.')
    .option('--window <window>', "Start and length or end at once: 'tomorrow 9am +6h'.")
    .addOption(
      new Option('--interval <interval>', 'Time span of one column of prices.')
        .choices(Object.keys(spans))
        .default('hour'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ bourse book show h100-west\n  $ bourse book show h100-west --interval minute',
    )
  command.action(async (typed: string) => {
    const options = command.optsWithGlobals<BookShowOptions>()
    await show(openSession(context, options), typed, options)
  })
}

async function show(session: Session, typed: string, options: BookShowOptions): Promise<void> {
  const { client, lookup, terminal, output } = session
  const sku = (await resolveReference(lookup, 'sku', typed)) as `sku_${string}`
  const { interval } = options
  const { seconds, back, what } = spans[interval]
  const [window, since] = await Promise.all([readWindow(session, options), momentFromNow(session, -back, seconds)])
  const [depth, prices] = await Promise.all([
    client.orderbookDepth.get({ ...window, requirements: `id:${sku}`, depth: levels }),
    client.priceHistory.list({ sku, interval, since, limit: 200 }),
  ])
  if (output.format !== 'table') {
    const price_history = { object: prices.object, data: prices.data, has_more: prices.has_more }
    return terminal.data(wholeText({ object: 'book', depth, price_history }, output))
  }
  const canvas = canvasOf(terminal)
  const minutes = (window.end_at - window.start_at) / 60
  const sides = { bids: depth.bids.map(levelIn(minutes)), asks: depth.asks.map(levelIn(minutes)) }
  const range = rangeOf(window.start_at, window.end_at, styleOf(terminal, output))
  terminal.data(terminal.dim(`Nodes at each price, on average over ${range}; dollars per node-hour`))
  for (const line of depthPlot(sides, canvas)) terminal.data(line)
  terminal.data(terminal.dim(`\nPrices ${what}, dollars per node-hour: │ lowest to highest, ● average by volume`))
  for (const line of pricePlot(prices.data.map(spanOf), { seconds, height, canvas })) terminal.data(line)
}

function canvasOf({ width = widthWithoutTerminal, dim, bidColour, askColour }: Session['terminal']): Canvas {
  return { width: Math.max(widthMin, Math.min(widthMax, width)), dim, bidColour, askColour }
}

/** The mean number of nodes: a level may have its nodes for a part of the window only. */
function levelIn(minutes: number) {
  return ({ price_dollars_per_node_hour, allocation_schedule_delta }: PriceLevel) => {
    const nodeSeconds = allocation_schedule_delta.reduce(
      (sum, { start_at, end_at, node_count }) => sum + ((end_at ?? start_at) - start_at) * node_count,
      0,
    )
    return { price: Number(price_dollars_per_node_hour), nodes: Math.round((nodeSeconds / 60 / minutes) * 10) / 10 }
  }
}

function spanOf(bucket: PriceBucket): PriceSpan {
  return {
    at: bucket.start_at,
    low: Number(bucket.low_price_dollars_per_node_hour),
    high: Number(bucket.high_price_dollars_per_node_hour),
    mean: Number(bucket.vwap_price_dollars_per_node_hour),
  }
}

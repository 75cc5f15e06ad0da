/** `bourse book board`, `book curve` and `book heatmap` on a terminal: charts in place of many rows. */

import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import {
  type CurvePoint,
  getBookCurve,
  getBookHeatmap,
  type HeatmapCell,
  type HeatmapRow,
} from '@bourse/api/market/market-charts.ts'
import { getBookBoard } from '@bourse/api/market/orderbook-board.ts'
import type { OrderbookBoardRow } from '@bourse/sdk'
import type { Query } from '@bourse/sdk/client-types.ts'
import { counted } from '@bourse/text/formats/amounts.ts'
import { lengthOf } from '@bourse/text/formats/durations.ts'
import { rangeOf } from '@bourse/text/formats/moments.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { givenFields, givenOthers } from '../../input/flags.ts'
import { readInput } from '../../input/operation-input.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../../input/session.ts'
import { styleOf } from '../../output/output.ts'
import { type Canvas, heatPlot, type PriceSpan, pricePlot } from '../../output/plot.ts'
import { chartWidth } from './chart-wanted.ts'

type BookChartOptions = GlobalOptions & Readonly<Record<string, unknown>>

const height = 9
/** The height of a chart that is one of several. */
const rowHeight = 5

/** Draws the board; undefined where a table, or data for a program, is wanted. */
export function drawBoard(context: CommandContext, options: BookChartOptions): Promise<void> | undefined {
  const width = chartWidth(context, options)
  return width === undefined ? undefined : board(openSession(context, options), options, width)
}

/** Draws a forward curve; undefined where a table, or data for a program, is wanted. */
export function drawCurve(context: CommandContext, options: BookChartOptions): Promise<void> | undefined {
  const width = chartWidth(context, options)
  return width === undefined ? undefined : curve(openSession(context, options), options, width)
}

/** Draws a heat map; undefined where a table, or data for a program, is wanted. */
export function drawHeatmap(context: CommandContext, options: BookChartOptions): Promise<void> | undefined {
  const width = chartWidth(context, options)
  return width === undefined ? undefined : heatmap(openSession(context, options), options, width)
}

async function curve(session: Session, options: BookChartOptions, width: number): Promise<void> {
  const query = await queryOf<'get_orderbook_curve'>(session, getBookCurve as Endpoint, options)
  const { node_count, length_minutes, step_minutes, points } = await session.client.orderbookCurve.get(query)
  const { terminal } = session
  const order = `${counted(node_count, 'node')} for ${lengthOf(length_minutes * 60)}`
  terminal.data(terminal.dim(`${order} from each start, dollars per node-hour: ● mean, │ to worst`))
  const spans = points.flatMap((point) => spanOf(point) ?? [])
  if (spans.length === 0) return terminal.data(`In none of ${counted(points.length, 'window')} are all nodes offered.`)
  const isFlat = spans.every(({ low, high }) => low === spans[0]?.low && high === low)
  const chart = { seconds: step_minutes * 60, height: isFlat ? 1 : height, canvas: canvasOf(session, width) }
  for (const line of pricePlot(spans, chart)) terminal.data(line)
  const best = spans.reduce((least, span) => (span.mean < least.mean ? span : least))
  const range = rangeOf(best.at, best.at + length_minutes * 60, styleOf(terminal, session.output))
  terminal.data(`Cheapest: ${best.mean.toFixed(4)}, ${range}`)
  const without = points.length - spans.length
  if (without > 0) terminal.data(`Not all nodes are offered in ${without} of ${counted(points.length, 'window')}.`)
}

async function heatmap(session: Session, options: BookChartOptions, width: number): Promise<void> {
  const query = await queryOf<'get_orderbook_heatmap'>(session, getBookHeatmap as Endpoint, options)
  const { step_minutes, rows, has_more } = await session.client.orderbookHeatmap.get(query)
  const { terminal } = session
  const cells = `cells of ${lengthOf(step_minutes * 60)}`
  terminal.data(terminal.dim(`Best offer in dollars per node-hour, ${cells}; lowest price, most nodes`))
  for (const line of heatPlot(rows.map(heatRowOf), canvasOf(session, width))) terminal.data(line)
  if (has_more) terminal.note('More SKUs fit; --sku or --requirements choose others.')
}

async function board(session: Session, options: BookChartOptions, width: number): Promise<void> {
  const query = await queryOf<'get_orderbook_board'>(session, getBookBoard, options)
  const { from, current_hour_at: now, rows, has_more } = await session.client.orderbookBoard.get(query)
  const { terminal } = session
  if (rows.length === 0) return terminal.data('No SKU fits.')
  terminal.data(terminal.dim('Dollars per node-hour: traded until ┊ now, then the best offer of each hour'))
  for (const row of rows) {
    const spans = boardSpans(row, { from, now })
    const chart = { seconds: hourSeconds, height: rows.length > 1 ? rowHeight : height, now }
    terminal.data(`\n${boardLine(row)}`)
    if (spans.length === 0) terminal.data(terminal.dim('Nothing was traded, and nothing is offered.'))
    else for (const line of pricePlot(spans, { ...chart, canvas: canvasOf(session, width) })) terminal.data(line)
  }
  if (has_more) terminal.note('More SKUs fit; --sku or --requirements choose others.')
}

/** One SKU in a line: `h100-west  ask 18.05  −1.8 %  spread 0.40  9 nodes free`. */
function boardLine(row: OrderbookBoardRow): string {
  const { sku, change_bps, free_node_count, halted } = row
  const { best_ask_dollars_per_node_hour: ask, spread_dollars_per_node_hour: spread } = row
  return [
    sku.alias || sku.id,
    ask === null ? 'no offer' : `ask ${Number(ask).toFixed(4)}`,
    ...(change_bps === null ? [] : [`${change_bps > 0 ? '+' : ''}${(change_bps / 100).toFixed(1)} % in a day`]),
    ...(spread === null ? [] : [`spread ${Number(spread).toFixed(4)}`]),
    `${counted(free_node_count, 'node')} free`,
    ...(halted ? ['halted'] : []),
  ].join('  ')
}

/** The hours that have a price: of trades before the current hour, of offers from it on. */
function boardSpans(row: OrderbookBoardRow, { from, now }: { from: number; now: number }): PriceSpan[] {
  const past = row.traded_dollars_per_node_hour.map((price, index) => ({ at: from + index * hourSeconds, price }))
  const ahead = row.asked_dollars_per_node_hour.map((price, index) => ({ at: now + index * hourSeconds, price }))
  return [...past.filter(({ at }) => at < now), ...ahead].flatMap(({ at, price }) => {
    return price === null ? [] : [{ at, low: Number(price), high: Number(price), mean: Number(price) }]
  })
}

async function queryOf<N extends 'get_orderbook_board' | 'get_orderbook_curve' | 'get_orderbook_heatmap'>(
  session: Session,
  endpoint: Endpoint,
  options: BookChartOptions,
): Promise<Query<N>> {
  const typed = { positional: {}, flags: givenFields(endpoint, options), others: givenOthers(endpoint, options) }
  return (await readInput(session, endpoint, typed)) as Query<N>
}

function canvasOf({ terminal: { dim, bidColour, askColour } }: Session, width: number): Canvas {
  return { width, dim, bidColour, askColour }
}

function spanOf(point: CurvePoint): PriceSpan | undefined {
  const { average_price_dollars_per_node_hour: average, limit_price_dollars_per_node_hour: limit } = point
  if (average === null || limit === null) return undefined
  return { at: point.start_at, low: Number(average), high: Number(limit), mean: Number(average) }
}

function heatRowOf({ sku, cells }: HeatmapRow) {
  return { label: sku.alias, cells: cells.map(heatCellOf) }
}

function heatCellOf({ start_at, best_ask_dollars_per_node_hour: price, offered_node_count: nodes }: HeatmapCell) {
  return { at: start_at, price: price === null ? undefined : Number(price), nodes }
}

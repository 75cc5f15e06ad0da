/** `bourse orders buy` and `bourse orders sell`: short forms of `bourse orders create`. */
import { createOrder, type Order } from '@bourse/api/market/orders.ts'
import type { Body } from '@bourse/sdk/client-types.ts'
import { clockOf } from '@bourse/text/formats/amounts.ts'
import { decimalShapeOf, readDollars } from '@bourse/text/grammar/amounts.ts'
import { Argument, type Command } from 'commander'
import { fieldsOf } from '../input/fields.ts'
import { resolveReference, workspaceOfNew } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { readWindow, type WindowOptions } from '../input/windows.ts'
import { nothingTraded } from '../output/outcome.ts'
import { printObject, requirePrintable } from '../output/output.ts'
import type { PlanNames } from '../output/plans.ts'
import { usageProblem } from '../output/usage.ts'
import { shapeOf } from './operation-run.ts'
import { isInThePast } from './order-reports.ts'
import { approve, report } from './spending.ts'

type Side = 'buy' | 'sell'
type TradeOptions = GlobalOptions &
  WindowOptions & {
    readonly nodes: string
    readonly price?: string
    readonly pool?: string
    readonly partial?: boolean
    readonly standing?: boolean
    readonly idempotencyKey?: string
  }
type Pool = `pool_${string}` | `svc:pool:${string}`
type TradeParams = {
  readonly side: Side
  readonly pool: Pool
  readonly sku: `sku_${string}`
  readonly start_at: number
  readonly end_at: number
  readonly node_count: number
  readonly partial: boolean
}

/** What the contract accepts as a price. */
const pricePattern = fieldsOf(createOrder.body).find(({ name }) => name.startsWith('limit_price'))?.pattern ?? ''

const texts = {
  buy: {
    what: 'Buy nodes of a SKU for some time.',
    price: 'The highest price',
    later: '--from +1h --for 1d --price 17.50 --standing --partial',
  },
  sell: {
    what: 'Sell nodes that a pool owns for some time.',
    price: 'The lowest price',
    later: '--from +1h --for 1h --price 25.00 --standing --partial',
  },
} as const

/** Adds both commands. */
export function addOrdersTrade(orders: Command, context: CommandContext): void {
  for (const side of ['buy', 'sell'] as const) {
    const { what, price, later } = texts[side]
    const command = orders
      .command(side)
      .description(`${what} The default price is the present price of the order book.`)
      .addArgument(new Argument('<sku>', 'SKU: alias or id.'))
      .option('--nodes <number>', 'Number of nodes.', '1')
      .option('--from <time>', 'Start: now, +2h, tomorrow 9am, 2026-01-31T12:00Z.', 'now')
      .option('--for <span>', 'Duration: 90m, 2h, 1d. Default 2h.')
      .option('--until <time>', 'End, instead of --for: +2h, 2026-01-31T14:00Z.')
      .option('--window <window>', "Start and length or end at once: 'tomorrow 9am +6h'.")
      .option('--price <dollars>', `${price}, in dollars per node-hour: 18.50.`)
      .option('--pool <pool>', 'The pool of the order. Default: the only market pool of the workspace.')
      .option('--partial', 'Accept a partial fill.')
      .option('--standing', 'Let the unmatched part rest on the order book. Needs --price.')
      .option('--dry-run', 'Only show the plan. Exit code 0: something would be traded, 3: nothing.')
      .option('--idempotency-key <key>', 'Makes the call safe to repeat, for 7 days.')
      .addHelpText(
        'after',
        `\nExamples:\n  $ bourse orders ${side} h100-west --nodes 2 --for 2h\n` +
          `  $ bourse orders ${side} h100-west ${later}\n` +
          `  $ bourse orders ${side} h100-west --nodes 2 --dry-run\n\n` +
          'Shows the plan first and asks. --yes goes ahead without asking. Exit code 3: nothing was traded.',
      )
    command.action(async (sku: string) => {
      const options = command.optsWithGlobals<TradeOptions>()
      await trade(openSession(context, options), { side, sku }, options)
    })
  }
}

async function trade(session: Session, { side, sku: typed }: { side: Side; sku: string }, options: TradeOptions) {
  const { lookup, terminal, output } = session
  requirePrintable(output, shapeOf(createOrder))
  if (options.standing && options.price === undefined) throw usageProblem('--standing needs --price.')
  const price = priceOf(options.price)
  if (!/^[1-9]\d*$/.test(options.nodes))
    throw usageProblem(`--nodes takes a whole number from 1 on, not "${options.nodes}".`)
  const [sku, pool] = await Promise.all([
    resolveReference(lookup, 'sku', typed) as Promise<TradeParams['sku']>,
    findPool(session, options.pool),
  ])
  const plan = () =>
    planOf(session, { side, sku, pool: pool.ref, names: { sku: typed, pool: pool.name }, price }, options)
  // The minute of a window that begins now may pass between the first request and the last one.
  const body = await plan().catch((error) => (isInThePast(error) ? plan() : Promise.reject(error)))
  if (!body) return
  const order = await place(session, body, options.idempotencyKey)
  printObject(terminal, output, order, shapeOf(createOrder))
  await report(session, createOrder, order)
}

type WantedTrade = Pick<TradeParams, 'side' | 'pool' | 'sku'> & {
  readonly names: PlanNames
  readonly price: string | undefined
}

/** Shows what an order would do, and asks. Undefined after a dry run. */
async function planOf(
  session: Session,
  { side, sku, pool, names, price }: WantedTrade,
  options: TradeOptions,
): Promise<Body<'create_order'> | undefined> {
  const window = await readWindow(session, options)
  const { partial = false, standing = false } = options
  const node_count = Number(options.nodes)
  const body = {
    pool,
    side,
    sku,
    allocation_schedule_delta: [{ ...window, node_count }],
    limit_price_dollars_per_node_hour:
      price ?? (await priceNow(session, { side, pool, sku, ...window, node_count, partial })),
    allow_standing: standing,
    allow_partial: partial,
  }
  return (await approve(session, createOrder, { id: undefined, body, names })) ? body : undefined
}

/**
 * Places an order. If its first minute has passed since its plan was made, as when the answer to the question took
 * long, it begins with the running one: the person agreed to no less. With an idempotency key the order stays as it is.
 */
async function place(
  { client, lookup, terminal }: Session,
  body: Body<'create_order'>,
  idempotencyKey: string | undefined,
): Promise<Order> {
  if (idempotencyKey !== undefined) return (await client.orders.create(body, { idempotencyKey })) as Order
  try {
    return (await client.orders.create(body)) as Order
  } catch (error) {
    if (!isInThePast(error)) throw error
    const [window] = body.allocation_schedule_delta
    const start_at = Math.floor((await lookup.account.get()).server.now / 60) * 60
    if (!window || start_at >= window.end_at) throw error
    terminal.note(`The first minute of the window has passed. It now begins at ${clockOf(start_at)}.`)
    return (await client.orders.create({ ...body, allocation_schedule_delta: [{ ...window, start_at }] })) as Order
  }
}

/** A price as it was typed: `18.50`, `$18.50`. */
export function priceOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readDollars(text, decimalShapeOf(pricePattern), { isPrice: true })
}

/** The worst price of what the order trades at the present order book. */
export async function priceNow(
  { lookup }: Session,
  { side, sku, start_at, end_at, node_count, partial }: TradeParams,
): Promise<string> {
  const asked = { side, sku, start_at, duration_seconds: end_at - start_at, node_count, allow_partial: partial }
  const { post_order_body, message } = await lookup.orders.createEstimate(asked)
  if (post_order_body) return post_order_body.limit_price_dollars_per_node_hour
  const remedy = partial
    ? 'Give --price with --standing to wait for some.'
    : 'Take a part with --partial, or give --price.'
  throw nothingTraded(`Nothing was traded. ${message ?? ''} ${remedy}`)
}

/** The pool that was named, or else the only market pool of the workspace. */
export async function findPool(
  { lookup }: Session,
  typed: string | undefined,
): Promise<{ readonly ref: Pool; readonly name: string }> {
  if (typed !== undefined) return { ref: (await resolveReference(lookup, 'pool', typed)) as Pool, name: typed }
  const workspace = (await workspaceOfNew(lookup)) ?? (await lookup.account.get()).workspace.id
  const { data, has_more } = await lookup.pools.list({ kind: 'market', workspace, limit: 4 })
  const [only, more] = data
  if (!only) throw usageProblem('There is no market pool.', 'Create one with `bourse pools create`.')
  if (more) {
    const names = [...data.map(({ name }) => name), ...(has_more ? ['…'] : [])]
    throw usageProblem('There are several market pools.', `Choose one with --pool: ${names.join(', ')}.`)
  }
  return { ref: only.id, name: only.name }
}

/** `bourse orders buy` and `bourse orders sell`: short forms of `bourse orders create`. */
import { createOrder } from '@bourse/api/market/orders.ts'
import { Argument, type Command } from 'commander'
import { resolveReference } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { readWindow, type WindowOptions } from '../input/windows.ts'
import { printObject } from '../output/output.ts'
import { usageProblem } from '../output/usage.ts'
import { shapeOf } from './operation-run.ts'

type Side = 'buy' | 'sell'
type Options = GlobalOptions &
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
}

const texts = {
  buy: { what: 'Buy nodes of a SKU for some time.', price: 'The highest price', found: 'is offered' },
  sell: { what: 'Sell nodes that a pool owns for some time.', price: 'The lowest price', found: 'is wanted' },
} as const

/** Adds both commands. */
export function addOrdersTrade(orders: Command, context: CommandContext): void {
  for (const side of ['buy', 'sell'] as const) {
    const { what, price } = texts[side]
    const command = orders
      .command(side)
      .description(`${what} The default price is the present one of the order book.`)
      .addArgument(new Argument('<sku>', 'SKU id or alias.'))
      .option('--nodes <number>', 'Number of nodes.', '1')
      .option('--from <time>', 'Start: now, +2h, 2026-01-31T12:00Z.', 'now')
      .option('--for <span>', 'Duration: 90m, 2h, 1d. Default 2h.')
      .option('--until <time>', 'End, instead of --for.')
      .option('--price <dollars>', `${price}, in dollars per node-hour: 18.50.`)
      .option('--pool <pool>', 'The pool of the order. Default: the only market pool of the workspace.')
      .option('--partial', 'Accept a partial fill.')
      .option('--standing', 'Let the unmatched part rest on the order book. Needs --price.')
      .option('--idempotency-key <key>', 'Makes the call safe to repeat, for 7 days.')
      .addHelpText(
        'after',
        `\nExamples:\n  $ bourse orders ${side} h100-west --nodes 2 --for 2h\n` +
          `  $ bourse orders ${side} h100-west --from +1h --for 1d --price 17.50 --standing --partial`,
      )
    command.action(async (sku: string) => {
      const options = command.optsWithGlobals<Options>()
      await trade(openSession(context, options), { side, sku }, options)
    })
  }
}

async function trade(session: Session, { side, sku: typed }: { side: Side; sku: string }, options: Options) {
  const { client, lookup, terminal, output } = session
  if (options.standing && options.price === undefined) throw usageProblem('--standing needs --price.')
  const price = priceOf(options.price)
  if (!/^[1-9]\d*$/.test(options.nodes))
    throw usageProblem(`--nodes takes a whole number from 1 on, not "${options.nodes}".`)
  const [sku, pool, window] = await Promise.all([
    resolveReference(lookup, 'sku', typed) as Promise<TradeParams['sku']>,
    findPool(session, options.pool),
    readWindow(session, options),
  ])
  const params: TradeParams = { side, pool, sku, ...window, node_count: Number(options.nodes) }
  const body = {
    pool,
    side,
    sku,
    allocation_schedule_delta: [{ ...window, node_count: params.node_count }],
    limit_price_dollars_per_node_hour: price ?? (await priceNow(session, params)),
    allow_standing: options.standing ?? false,
    allow_partial: options.partial ?? false,
  }
  const { idempotencyKey } = options
  const order = await client.orders.create(body, idempotencyKey === undefined ? {} : { idempotencyKey })
  printObject(terminal, output, order, shapeOf(createOrder))
  if (order.cancel_reason === 'unfilled' && order.fills.length === 0) {
    const remedy = 'Give a better --price, accept a partial fill with --partial, or rest on the book with --standing.'
    terminal.note(`Nothing was traded: the order book cannot fill the order at this price. ${remedy}`)
  }
}

function priceOf(text: string | undefined): string | undefined {
  if (text === undefined || /^\d{1,9}(\.\d{1,6})?$/.test(text)) return text
  throw usageProblem(`"${text}" is not a price.`, '--price takes dollars with at most six decimals: 18.50.')
}

/** The worst price of the whole order at the present order book. */
async function priceNow(
  { lookup }: Session,
  { side, sku, start_at, end_at, node_count }: TradeParams,
): Promise<string> {
  const asked = { side, sku, start_at, duration_seconds: end_at - start_at, node_count }
  const { post_order_body } = await lookup.orders.createEstimate(asked)
  if (post_order_body) return post_order_body.limit_price_dollars_per_node_hour
  const nodes = node_count === 1 ? 'node' : `${node_count} nodes`
  const remedy = 'See `bourse book show`, or give --price.'
  throw new Error(`There are no ${nodes} for the whole window: less ${texts[side].found}. ${remedy}`)
}

async function findPool({ lookup }: Session, typed: string | undefined): Promise<Pool> {
  if (typed !== undefined) return (await resolveReference(lookup, 'pool', typed)) as Pool
  const { workspace } = await lookup.account.get()
  const { data, has_more } = await lookup.pools.list({ kind: 'market', workspace: workspace.id, limit: 4 })
  const [only, more] = data
  if (!only) throw usageProblem('There is no market pool.', 'Create one with `bourse pools create`.')
  if (more) {
    const names = [...data.map(({ name }) => name), ...(has_more ? ['…'] : [])]
    throw usageProblem('There are several market pools.', `Choose one with --pool: ${names.join(', ')}.`)
  }
  return only.id
}

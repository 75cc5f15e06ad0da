/** `bourse run`: from nothing to a prompt. It buys nodes, starts an instance on each, waits, and opens a shell. */

import { simulatedHostname } from '@bourse/api/fleet/agent.ts'
import { createInstance, type Instance } from '@bourse/api/fleet/instances.ts'
import { createOrder } from '@bourse/api/market/orders.ts'
import type { Body } from '@bourse/sdk/client-types.ts'
import { counted } from '@bourse/text/formats/amounts.ts'
import { decimalShapeOf, readDollars } from '@bourse/text/grammar/amounts.ts'
import { microsOf, printDollars } from '@bourse/text/money.ts'
import type { Command } from 'commander'
import { readFile } from '../input/field-values.ts'
import { publicImages, resolveReference } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { readWindow, type WindowOptions } from '../input/windows.ts'
import { isNotOffered, isWithoutTrade } from '../output/outcome.ts'
import { printObject, requirePrintable } from '../output/output.ts'
import { usageProblem } from '../output/usage.ts'
import { readInstanceWait, waitForInstance } from './instance-waiting.ts'
import { shapeOf } from './operation-run.ts'
import { isInThePast } from './order-reports.ts'
import { findPool, priceNow, priceOf } from './orders-trade.ts'
import { approve } from './spending.ts'
import { enterShell, findShell, simulatedTexts } from './ssh.ts'

type RunOptions = GlobalOptions &
  WindowOptions & {
    readonly nodes: string
    readonly price?: string
    readonly maxCost?: string
    readonly image?: string
    readonly pool?: string
    readonly name?: string
    readonly cloudInitUserData?: string
    readonly user: string
    readonly identity?: string
    readonly shell?: boolean
    readonly timeout?: string
    readonly idempotencyKey?: string
  }
type Launch = Pick<Body<'create_instance'>, 'pool' | 'sku' | 'image' | 'cloud_init_user_data'> & {
  readonly buy: NonNullable<Body<'create_instance'>['buy']>
}

/** Adds the command. */
export function addRun(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .description('Buy nodes, start an instance on each, and open a shell: one line from nothing to a prompt.')
    .argument('<sku>', 'SKU: alias or id.')
    .argument('[words...]', 'Command to run instead of a shell. Put -- before words that begin with a dash.')
    .option('--nodes <number>', 'Number of nodes, each with an instance.', '1')
    .option('--for <span>', 'Duration: 90m, 2h, 1d. Default 2h.')
    .option('--until <time>', 'End, instead of --for: +2h, tomorrow 9am, 2026-01-31T14:00Z.')
    .option('--price <dollars>', 'The highest price, in dollars per node-hour. Default: the present price of the book.')
    .option('--max-cost <dollars>', 'The most that the whole purchase may cost.')
    .option('--image <image>', 'Image: name, id or path. Default: the newest public image.')
    .option('--pool <pool>', 'Pool of the nodes and instances. Default: the only market pool of the workspace.')
    .option('--name <text>', 'Name of the instance; with several nodes, -1, -2 and so on are appended.')
    .option('--cloud-init-user-data <file>', 'User data for cloud-init. A file; - reads standard input.')
    .option('-l, --user <name>', 'User to log in as.', 'root')
    .option('-i, --identity <file>', 'Private key file.')
    .option('--no-shell', 'Only start. This is also the case with several nodes.')
    .option('--timeout <span>', 'How long to wait for the instances: 90s, 10m. Default 10m.')
    .option('--dry-run', 'Only show the plan. Exit code 0: something would be bought, 3: nothing.')
    .option('--idempotency-key <key>', 'Makes the call safe to repeat, for 7 days.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ bourse run h100-west --for 1h\n  $ bourse run h100-west --for 1h -- nvidia-smi\n' +
        '  $ bourse run h100-west --nodes 2 --for 1h --max-cost 80 --name batch\n\n' +
        'Shows the plan first and asks. --yes goes ahead without asking. A node is bought together with\n' +
        'its instance, or neither. Nodes stay in the pool when an instance ends early.',
    )
  command.action(async (sku: string, words: string[]) => {
    const options = command.optsWithGlobals<RunOptions>()
    await runInstances(openSession(context, options), { typed: sku, words }, options)
  })
}

async function runInstances(
  session: Session,
  { typed, words }: { readonly typed: string; readonly words: readonly string[] },
  options: RunOptions,
): Promise<void> {
  const { terminal, output } = session
  requirePrintable(output, shapeOf(createInstance))
  const count = readCount(options, words)
  const wait = readInstanceWait('running', options.timeout)
  const started: Instance[] = []
  for (const { id } of await startAll(session, { typed, count }, options)) {
    started.push((await waitForInstance(session, id, wait)) as Instance)
  }
  const [only] = started
  if (count > 1 || options.shell === false || !only) {
    for (const instance of started) printObject(terminal, output, instance, shapeOf(createInstance))
    return
  }
  const { id, name } = only
  const address = await findShell(session, { id, wait: true })
  if (address.hostname !== simulatedHostname) return enterShell(address, { ...options, id, name, words })
  printObject(terminal, output, only, shapeOf(createInstance))
  for (const text of simulatedTexts(name)) terminal.note(text)
}

function readCount({ nodes, shell }: RunOptions, words: readonly string[]): number {
  if (!/^[1-9]\d*$/.test(nodes)) throw usageProblem(`--nodes takes a whole number from 1 on, not "${nodes}".`)
  const count = Number(nodes)
  if (words.length > 0 && (count > 1 || shell === false)) {
    throw usageProblem(
      'A command runs in the shell of one instance.',
      'Leave out --nodes and --no-shell, or the command.',
    )
  }
  return count
}

/** What is bought: `count` nodes, each for at most `mostMicros`. */
type WantedNodes = { readonly typed: string; readonly count: number; readonly mostMicros: bigint | undefined }

/** The plan of now. The minute in which it begins may pass between its first request and its last one. */
function planNow(session: Session, wanted: WantedNodes, options: RunOptions): Promise<Launch | undefined> {
  const plan = () => planOf(session, wanted, options)
  return plan().catch((error) => (isInThePast(error) ? plan() : Promise.reject(error)))
}

/** Shows what would be bought and what it costs, and asks. Undefined after a dry run. */
async function planOf(
  session: Session,
  { typed, count, mostMicros }: WantedNodes,
  options: RunOptions,
): Promise<Launch | undefined> {
  const { lookup } = session
  const price = priceOf(options.price)
  const [sku, pool, image] = await Promise.all([
    resolveReference(lookup, 'sku', typed) as Promise<Launch['sku']>,
    findPool(session, options.pool),
    findImage(session, options.image),
  ])
  const window = await readWindow(session, options)
  const trade = { side: 'buy', pool: pool.ref, sku, node_count: count, partial: false } as const
  const limit = price ?? (await priceNow(session, { ...trade, ...window }))
  const order = {
    pool: pool.ref,
    side: 'buy',
    sku,
    allocation_schedule_delta: [{ ...window, node_count: count }],
    limit_price_dollars_per_node_hour: limit,
  }
  const names = { sku: typed, pool: pool.name }
  session.terminal.note(`Starts ${counted(count, 'instance')} from the image ${image.name}.`)
  if (!(await approve(session, createOrder, { id: undefined, body: order, names }))) return undefined
  const data = options.cloudInitUserData
  return {
    pool: pool.ref,
    sku,
    image: image.ref,
    ...(data !== undefined && { cloud_init_user_data: readFile(data).toString('base64') }),
    buy: {
      end_at: window.end_at,
      limit_price_dollars_per_node_hour: limit,
      ...(mostMicros !== undefined && { max_cost_dollars: printDollars(mostMicros) }),
    },
  }
}

const plainDecimal = decimalShapeOf(String.raw`^\d{1,12}(\.\d{1,6})?$`)

/** The image that was named, or else the newest that the operator offers to every account. */
async function findImage(
  { lookup }: Session,
  typed: string | undefined,
): Promise<{ readonly ref: Launch['image']; readonly name: string }> {
  if (typed !== undefined)
    return { ref: (await resolveReference(lookup, 'image', typed)) as Launch['image'], name: typed }
  const [newest] = await publicImages(lookup)
  if (!newest)
    throw usageProblem('The platform operator offers no public image.', 'Choose one of your own with --image.')
  return { ref: newest.id as Launch['image'], name: newest.name }
}

/** How often what is bought at the present price is planned, where the offers change before the purchase. */
const plansMax = 3

/**
 * Buys and starts one after the other. Where one is refused, those before it stay, and are named. Without a price of
 * its own, a purchase whose offers have changed is planned anew, and asked about again. Empty after a dry run.
 */
async function startAll(
  session: Session,
  { typed, count }: Pick<WantedNodes, 'typed' | 'count'>,
  options: RunOptions,
): Promise<Instance[]> {
  const { terminal } = session
  const most = options.maxCost === undefined ? undefined : readDollars(options.maxCost, plainDecimal)
  const mostMicros = most === undefined ? undefined : microsOf(most) / BigInt(count)
  const started: Instance[] = []
  let launch: Launch | undefined
  let plans = 0
  while (started.length < count) {
    try {
      if (!launch) {
        launch = await planNow(session, { typed, count: count - started.length, mostMicros }, options)
        plans += 1
      }
      if (!launch) break
      started.push(await startOne(session, launch, { at: started.length + 1, count }, options))
    } catch (error) {
      if (options.price === undefined && isNotOfferedAtLimit(error) && plans < plansMax) {
        terminal.note('The offers have changed since the plan.')
        launch = undefined
        continue
      }
      if (started.length === 0) throw error
      terminal.note(`${started.length} of ${count} instances were started, and stay.`)
      // Something was traded, so the exit code is not that of nothing.
      throw isWithoutTrade(error) ? new Error(error.message, { cause: error }) : error
    }
  }
  return started
}

async function startOne(
  { client, terminal }: Session,
  launch: Launch,
  { at, count }: { readonly at: number; readonly count: number },
  { name, idempotencyKey }: RunOptions,
): Promise<Instance> {
  const numbered = (text: string) => (count === 1 ? text : `${text}-${at}`)
  const body = { ...launch, ...(name !== undefined && { name: numbered(name) }) }
  const made = await client.instances.create(
    body,
    idempotencyKey === undefined ? {} : { idempotencyKey: numbered(idempotencyKey) },
  )
  terminal.note(`Bought a node, and created ${made.name} (${made.id}) on it.`)
  return made as Instance
}

/** Whether a purchase was refused because nothing is offered at its limit, rather than within its cost. */
function isNotOfferedAtLimit(error: unknown): boolean {
  return isNotOffered(error) && error.details.some(({ field }) => field === 'buy.limit_price_dollars_per_node_hour')
}

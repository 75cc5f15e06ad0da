/**
 * Commands that can spend money or sell capacity: they show a plan, ask, and say afterwards what came of it. Which
 * operations these are is data of the contract (confirmations.ts).
 */
import type { AutomationEstimate } from '@bourse/api/automation/automation-estimates.ts'
import type { Deployment } from '@bourse/api/automation/deployments.ts'
import type { OperationName } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { OrderEstimate } from '@bourse/api/market/order-estimates.ts'
import type { Order } from '@bourse/api/market/orders.ts'
import type { Body } from '@bourse/sdk/client-types.ts'
import { ApiError } from '@bourse/sdk/errors.ts'
import { counted } from '@bourse/text/formats/amounts.ts'
import { confirm } from '../input/confirmation.ts'
import type { Session } from '../input/session.ts'
import { momentFromNow } from '../input/windows.ts'
import { nothingTraded } from '../output/outcome.ts'
import { wholeText } from '../output/output.ts'
import { automationPlan, orderPlan, type PlanNames } from '../output/plans.ts'
import { reportOrder } from './order-reports.ts'

/** The request of a spending command. */
export type SpendingRequest = {
  readonly id: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** What was typed for the SKU and the pool; their ids otherwise. */
  readonly names: Partial<PlanNames>
}

/** A plan to show. Undefined: the command can neither spend anything nor end instances, so it is sent at once. */
type SpendingPlan = {
  readonly lines: readonly string[]
  readonly question: string
  readonly estimate: OrderEstimate | AutomationEstimate | undefined
  readonly would_trade: boolean
  /** Why nothing would be traded. */
  readonly obstacle: string
}
type Spending = {
  readonly plan: (session: Session, request: SpendingRequest) => Promise<SpendingPlan | undefined>
  readonly report: (session: Session, response: unknown) => Promise<void>
}

const spending: Partial<Record<OperationName, Spending>> = {
  create_order: { plan: planOrder, report: (session, response) => reportOrder(session, response as Order) },
  create_instance: { plan: planInstance, report: reportNothing },
  amend_order: { plan: planAmendment, report: (session, response) => reportOrder(session, response as Order) },
  create_deployment: { plan: planDeployment, report: reportAutomation },
  update_deployment: { plan: planDeploymentUpdate, report: reportNothing },
  create_procurement: { plan: planProcurement, report: reportAutomation },
  update_procurement: { plan: planProcurementUpdate, report: reportNothing },
}

/** The plan of an order with an invalid window. */
const unknownPlan = {
  lines: ['Plan: not known, because the window of the order is invalid'],
  question: 'Continue?',
  estimate: undefined,
  would_trade: false,
  obstacle: 'The window of the order is invalid.',
}

/**
 * Shows the plan of an operation and asks for confirmation. Returns false after a dry run, which only shows the plan.
 * Throws where the answer is no, and where a dry run would trade nothing.
 */
export async function approve(session: Session, endpoint: Endpoint, request: SpendingRequest): Promise<boolean> {
  const { terminal, output, options } = session
  // With --curl nothing is sent, so there is nothing to approve.
  if (options.curl) return true
  const plan = await planFor(session, endpoint, request)
  if (options.dryRun) {
    if (!plan) throw nothingTraded('Nothing would be traded. This neither buys nor sells.')
    // A plan of one line has only its obstacle, which is said below.
    const lines = plan.would_trade || plan.lines.length > 1 ? plan.lines : []
    if (output.format === 'table') for (const line of lines) terminal.data(line)
    else terminal.data(wholeText(plan.estimate ?? null, output))
    if (!plan.would_trade) throw nothingTraded(`Nothing would be traded. ${plan.obstacle}`)
    return false
  }
  if (!plan) return true
  for (const line of plan.lines) terminal.note(line)
  await confirm(session, plan.question)
  return true
}

/**
 * The plan of an operation. Where `--yes` has agreed already, an estimate that is refused does not stop the command:
 * the server decides about it, which may be a repetition under its idempotency key.
 */
async function planFor(
  session: Session,
  endpoint: Endpoint,
  request: SpendingRequest,
): Promise<SpendingPlan | undefined> {
  try {
    return await spending[endpoint.name as OperationName]?.plan(session, request)
  } catch (error) {
    if (error instanceof ApiError && session.options.yes && !session.options.dryRun) return undefined
    throw error
  }
}

/** Says what came of a spending operation. Throws where an order traded nothing and does not rest. */
export async function report(session: Session, endpoint: Endpoint, response: unknown): Promise<void> {
  await spending[endpoint.name as OperationName]?.report(session, response)
}

async function planOrder(
  { lookup }: Session,
  { body: sent, names }: SpendingRequest,
): Promise<SpendingPlan | undefined> {
  const body = sent as Body<'create_order'>
  const delta: unknown = body.allocation_schedule_delta
  const window = (Array.isArray(delta) ? delta[0] : undefined) as Body<'create_order'>['allocation_schedule_delta'][0]
  // The server refuses an invalid window with a better message than an estimate could give.
  if (!(window?.end_at > window?.start_at)) return unknownPlan
  const estimate = (await lookup.orders.createEstimate({
    side: body.side,
    sku: body.sku,
    pool: body.pool,
    start_at: window.start_at,
    duration_seconds: window.end_at - window.start_at,
    node_count: window.node_count,
    limit_price_dollars_per_node_hour: body.limit_price_dollars_per_node_hour,
    allow_standing: body.allow_standing ?? false,
    allow_partial: body.allow_partial ?? false,
  })) as OrderEstimate
  const shown = { sku: names.sku ?? body.sku, pool: names.pool ?? body.pool }
  return planOfOrder(estimate, body, shown)
}

/** An instance spends where it buys what it runs in. */
async function planInstance(session: Session, request: SpendingRequest): Promise<SpendingPlan | undefined> {
  const { buy, pool, sku } = request.body as Body<'create_instance'>
  if (!buy) return undefined
  const { start_at = await momentFromNow(session, 0, 60), end_at, limit_price_dollars_per_node_hour } = buy
  const allocation_schedule_delta = [{ start_at, end_at, node_count: 1 }]
  const order = { side: 'buy', pool, sku, allocation_schedule_delta, limit_price_dollars_per_node_hour }
  return planOrder(session, { ...request, body: order })
}

/** The plan of an order with other terms, less what it has filled. */
async function planAmendment(
  { lookup }: Session,
  { id, body: sent }: SpendingRequest,
): Promise<SpendingPlan | undefined> {
  const change = sent as Body<'amend_order'>
  const order = (await lookup.orders.get(id as 'ordr_')) as Order
  if (!order.pool) return undefined
  const { now } = (await lookup.account.get()).server
  const { node_count = order.total.node_count, end_at = order.total.end_at } = change
  const { start_at = Math.max(order.total.start_at, now - (now % 60)) } = change
  // The server refuses an invalid window with a better message than an estimate could give.
  if (end_at <= start_at) return unknownPlan
  const terms = {
    pool: order.pool.id,
    side: order.side,
    sku: order.sku.id,
    limit_price_dollars_per_node_hour:
      change.limit_price_dollars_per_node_hour ?? order.limit_price_dollars_per_node_hour,
    allow_standing: change.allow_standing ?? order.allow_standing,
    allow_partial: change.allow_partial ?? order.allow_partial,
  }
  const window = { start_at, duration_seconds: end_at - start_at, node_count }
  const estimate = (await lookup.orders.createEstimate({ ...terms, ...window, amends: order.id })) as OrderEstimate
  const body = { ...terms, allocation_schedule_delta: [{ start_at, end_at, node_count }] }
  const plan = planOfOrder(estimate, body, { sku: order.sku.alias || order.sku.id, pool: order.pool.name })
  const [title = '', ...lines] = plan.lines
  return { ...plan, lines: [title.replace('Plan: ', 'Plan: amend to '), ...lines], question: 'Amend the order?' }
}

function planOfOrder(estimate: OrderEstimate, body: Body<'create_order'>, names: PlanNames): SpendingPlan {
  const { side, limit_price_dollars_per_node_hour: price } = body
  const { refusal, traded_node_minutes: traded = 0 } = estimate
  const remedy = 'Give a better --price, accept a partial fill with --partial, or rest on the book with --standing.'
  const missing = `${estimate.message ?? `The order book cannot fill the order at $${price}.`} ${remedy}`
  const rests = 'The order would only wait on the order book.'
  const obstacle = refusal?.message ?? (estimate.type === 'quoted' ? rests : missing)
  const lines = orderPlan(estimate, names)
  return {
    lines: lines.length > 0 ? lines : [`Plan: ${side} ${names.sku}. Nothing would be traded. ${obstacle}`],
    question: side === 'buy' ? 'Buy?' : 'Sell?',
    estimate,
    would_trade: traded > 0 && !refusal,
    obstacle,
  }
}

async function planDeployment(
  { lookup }: Session,
  { body, names }: SpendingRequest,
): Promise<SpendingPlan | undefined> {
  if (body.kind !== 'spot') return undefined
  const estimate = (await lookup.deployments.createEstimate(
    body as Body<'create_deployment_estimate'>,
  )) as AutomationEstimate
  return planOfAutomation(estimate, { verb: 'Create', noun: 'spot deployment', names })
}

async function planDeploymentUpdate(
  { lookup }: Session,
  { id, body }: SpendingRequest,
): Promise<SpendingPlan | undefined> {
  const change = body as Body<'create_deployment_update_estimate'>
  const estimate = (await lookup.deployments.createUpdateEstimate(id as 'depl_', change)) as AutomationEstimate
  const plan = planOfAutomation(estimate, { verb: 'Change', noun: 'spot deployment', names: {} })
  if (plan || change.target_instance_count === undefined) return plan
  const deployment = (await lookup.deployments.get(id as 'depl_')) as Deployment
  return planOfScaleDown(deployment, change, estimate)
}

/** Undefined where the change ends no instance. */
function planOfScaleDown(
  { name, enabled, live_instance_count }: Deployment,
  change: Body<'create_deployment_update_estimate'>,
  estimate: AutomationEstimate,
): SpendingPlan | undefined {
  const { target_instance_count = live_instance_count, enabled: isKept = enabled } = change
  const ending = live_instance_count - target_instance_count
  if (!isKept || ending <= 0) return undefined
  const ended = counted(ending, 'instance')
  return {
    lines: [`Plan: end ${ended} of the deployment ${name}, and keep ${target_instance_count}`],
    question: `End ${ended}?`,
    estimate,
    would_trade: false,
    obstacle: `The change would end ${ended}.`,
  }
}

async function planProcurement(
  { lookup }: Session,
  { body, names }: SpendingRequest,
): Promise<SpendingPlan | undefined> {
  const wanted = body as Body<'create_procurement_estimate'>
  const estimate = (await lookup.procurements.createEstimate(wanted)) as AutomationEstimate
  return planOfAutomation(estimate, { verb: 'Create', noun: 'procurement', names })
}

async function planProcurementUpdate(
  { lookup }: Session,
  { id, body }: SpendingRequest,
): Promise<SpendingPlan | undefined> {
  const change = body as Body<'create_procurement_update_estimate'>
  const estimate = (await lookup.procurements.createUpdateEstimate(id as 'proc_', change)) as AutomationEstimate
  return planOfAutomation(estimate, { verb: 'Change', noun: 'procurement', names: {} })
}

type SpendingChange = { readonly verb: string; readonly noun: string; readonly names: Partial<PlanNames> }

/** Undefined where the change allows no order that would not be placed without it. */
function planOfAutomation(
  estimate: AutomationEstimate,
  { verb, noun, names }: SpendingChange,
): SpendingPlan | undefined {
  if (!estimate.can_trade_more) return undefined
  const { target_node_count, sku, pool, buy, sell, reason } = estimate
  const nodes = counted(target_node_count, 'node')
  const where = `${nodes} of ${names.sku ?? sku} in the pool ${names.pool ?? pool}`
  return {
    lines: automationPlan(estimate, `${verb.toLowerCase()} a ${noun} that keeps ${where}`),
    question: `${verb} it?`,
    estimate,
    would_trade: buy.traded_node_minutes + sell.traded_node_minutes > 0,
    obstacle: reason?.message ?? '',
  }
}

/** An automation trades after the answer to its creation. */
async function reportAutomation({ terminal }: Session, response: unknown): Promise<void> {
  const { object, name } = response as { object: string; name: string }
  const noun = object === 'procurement' ? 'procurement' : 'deployment'
  if (object === 'deployment') return
  terminal.note(`It trades from now on. Its orders: bourse orders list --${noun} ${name}`)
}

async function reportNothing(): Promise<void> {}

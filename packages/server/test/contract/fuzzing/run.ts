/**
 * Sends requests from several workers, verifies every response, stores the ids in it, and reports each failure as a
 * curl command.
 */
import { BlockList } from 'node:net'
import { choicesOf, type RandomChoices } from '../../sim/choices.ts'
import { type DrawContext, drawRequest, type Percents, weighted } from './calls.ts'
import { type FuzzedOperation, readOperations } from './document.ts'
import { emptyMemory, forget, learn } from './memory.ts'
import { curlOf, type FuzzActor, type FuzzRequest, written } from './requests.ts'
import { shrink } from './shrink.ts'
import { violationOf } from './verify.ts'
import { type FuzzWire, openWire, type WireResponse } from './wire.ts'

export type FuzzOptions = {
  readonly url: string
  readonly requests: number
  readonly seed: string
  readonly platform: FuzzActor
  readonly customers: readonly FuzzActor[]
  /** Ids that no call may refer to, because the run relies on them. */
  readonly keepOut: readonly string[]
  readonly bases: DrawContext['bases']
  readonly isMeant: (operation: FuzzedOperation) => boolean
  /** Responses that are valid in this run for any request. */
  readonly isExcused?: (response: WireResponse) => boolean
  /** Whether an operation must succeed once, so that those that have not are tried more often. Default: none must. */
  readonly mustSucceed?: (operation: string) => boolean
  /** The number of concurrent requests. */
  readonly workers?: number
}

/** The result of a run. */
export type FuzzReport = {
  readonly sent: number
  readonly statuses: ReadonlyMap<number, number>
  /** Successes by operation. */
  readonly successes: ReadonlyMap<string, number>
  /** Requests with a broken rule. */
  readonly flawed: number
  readonly slowest_milliseconds: number
  readonly failures: readonly string[]
}

const failuresMax = 5
const randomPercents: Percents = { flaw: 45, stranger: 2, unreached: 15, aimed: 70 }
/** The most good requests after the random ones. 300 to 700 are usual. */
const reachingMax = 10_000
const reachingPercents: Percents = { flaw: 0, stranger: 0, unreached: 60, aimed: 100 }
const othersKept = 12

type FuzzRun = {
  readonly options: FuzzOptions
  readonly wire: FuzzWire
  readonly choices: RandomChoices
  readonly context: DrawContext & { now: number; percents: Percents }
  readonly statuses: Map<number, number>
  readonly successes: Map<string, number>
  readonly failures: string[]
  sent: number
  flawed: number
  slowest: number
  /** Replacements of the world that are running, and those that have ended. */
  wiping: number
  wipes: number
}

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  using wire = openWire(options.url)
  const run = beginRun(options, wire)
  await explore(run)
  const worker = async () => {
    while (run.sent < options.requests && run.failures.length < failuresMax) await takeStep(run)
  }
  await Promise.all(Array.from({ length: options.workers ?? 8 }, worker))
  await reachOthers(run)
  const { sent, statuses, successes, flawed, slowest, failures } = run
  return { sent, statuses, successes, flawed, slowest_milliseconds: slowest, failures }
}

/** Goes on with good requests until each operation that can succeed has done so. */
async function reachOthers(run: FuzzRun): Promise<void> {
  run.context.percents = reachingPercents
  const { unreached } = run.context
  const sentMax = run.sent + reachingMax
  while (unreached.size > 0 && run.sent < sentMax && run.failures.length < failuresMax) await takeStep(run)
}

function beginRun(options: FuzzOptions, wire: FuzzWire): FuzzRun {
  const choices = choicesOf(options.seed)
  const memory = emptyMemory()
  for (const id of options.keepOut) memory.keptOut.add(id)
  const { platform, customers, bases } = options
  const now = Math.floor(Date.now() / 1000)
  const weights = readOperations().filter(options.isMeant).map(weighted)
  const { mustSucceed = () => false } = options
  const operations = weights.map(({ operation }) => operation)
  const unreached = new Set(operations.filter(({ name }) => mustSucceed(name)))
  const parts = { platform, customers, bases, unreached, others: [], again: [] }
  const context = { choices, memory, weighted: weights, now, percents: randomPercents, ...parts }
  const successes = new Map(weights.map(({ operation }) => [operation.name, 0]))
  const counts = { statuses: new Map(), successes, failures: [], sent: 0, flawed: 0, slowest: 0, wiping: 0, wipes: 0 }
  return { options, wire, choices, context, ...counts }
}

/** Reads every list once, so that the first calls can refer to existing resources. */
async function explore({ options, wire, context }: FuzzRun): Promise<void> {
  const lists = context.weighted
    .map(({ operation }) => operation)
    .filter(({ name, path }) => name.startsWith('list_') && !path.includes('{'))
  for (const actor of [options.platform, ...options.customers]) {
    for (const operation of lists) {
      const response = await wire.send(
        written({ operation, actor, params: {}, query: [], headers: {}, body: undefined }),
      )
      if (response.status === 200) learn(context.memory, actor.account, JSON.parse(response.text))
    }
  }
}

async function takeStep(run: FuzzRun): Promise<void> {
  const request = drawRequest(run.context)
  run.sent += 1
  if (request.flaw) run.flawed += 1
  const isWipe = wipingOperations.has(request.operation.name)
  if (isWipe) run.wiping += 1
  const response = await run.wire.send(written(request))
  if (isWipe) {
    run.wiping -= 1
    run.wipes += 1
  }
  run.slowest = Math.max(run.slowest, response.milliseconds)
  run.statuses.set(response.status, (run.statuses.get(response.status) ?? 0) + 1)
  const violation = violationIn(run, request, response)
  if (violation) return explain(run, request, violation)
  if (response.status < 300) takeIn(run, request, response)
}

function violationIn(
  { options, wipes, wiping }: FuzzRun,
  request: FuzzRequest,
  response: WireResponse,
): string | undefined {
  if (options.isExcused?.(response)) return undefined
  // A wiped world has lost the responses to used keys.
  const { expected, ...first } = request
  return violationOf(expected && (wiping > 0 || expected.wipes !== wipes) ? first : request, response)
}

/** Operations that replace the world. */
const wipingOperations: ReadonlySet<string> = new Set(['reset_sandbox', 'load_scenario'])

/** Stores the ids and tokens of a successful response. */
function takeIn(
  { context, successes, choices, wipes, wiping }: FuzzRun,
  request: FuzzRequest,
  response: WireResponse,
): void {
  const { operation, actor, params, headers } = request
  successes.set(operation.name, (successes.get(operation.name) ?? 0) + 1)
  context.unreached.delete(operation)
  if (operation.method === 'DELETE') forget(context.memory, params.id ?? '')
  if (!String(response.headers['content-type']).startsWith('application/json')) return
  const body = JSON.parse(response.text)
  learn(context.memory, actor.account, body)
  if (typeof body.token === 'string' && body.token.split('.').length === 3) takeToken(context, actor, body)
  if (headers['idempotency-key'] !== undefined && !request.expected && choices.chance(30) && wiping === 0) {
    context.again.push({ ...request, expected: { status: response.status, text: response.text, wipes } })
  }
}

type MadeToken = { token: string; id: string; allowed_cidrs?: string[] | null }

function takeToken({ others, choices }: DrawContext, actor: FuzzActor, body: MadeToken): void {
  const account = body.id.startsWith('tokn_') ? actor.account : body.id
  const isElsewhere = !reachesServer(body.allowed_cidrs ?? null)
  // A token of another network gets one refusal for everything, so that a few are enough.
  if (isElsewhere && !choices.chance(25)) return
  others.push({ name: `made by ${actor.name}`, token: body.token, account, isLasting: false, isElsewhere })
  if (others.length > othersKept) others.shift()
}

/** Whether a token may be used from where the fuzzer is, which is 127.0.0.1. */
function reachesServer(cidrs: readonly string[] | null): boolean {
  if (cidrs === null) return true
  const networks = new BlockList()
  for (const cidr of cidrs.filter((one) => !one.includes(':'))) {
    const [address, prefix] = cidr.split('/') as [string, string]
    networks.addSubnet(address, Number(prefix), 'ipv4')
  }
  return networks.check('127.0.0.1', 'ipv4')
}

async function explain(run: FuzzRun, request: FuzzRequest, violation: string): Promise<void> {
  const { options, wire } = run
  run.failures.push('')
  const place = run.failures.length - 1
  const kind = kindOf(violation)
  const small = await shrink(request, async (candidate) => {
    if (!request.flaw && request.operation.body && !request.operation.fitsBody(candidate.body)) return false
    const found = violationIn(run, candidate, await wire.send(written(candidate)))
    return found !== undefined && kindOf(found) === kind
  })
  const who = `${request.operation.name} by ${request.actor.name}, request ${run.sent} of seed ${options.seed}`
  run.failures[place] = `${violation}\n  ${who}\n  ${curlOf(options.url, small)}`
}

/** The common part of violations of one kind. */
function kindOf(violation: string): string {
  return violation.split(':', 1)[0] as string
}

/** Operations that a long run may call: all except those that wipe the world or freeze its clock. */
export function isRoutine({ name, path }: FuzzedOperation): boolean {
  return !path.startsWith('/sandbox/') || /^(get_clock|list_|create_simulated_hosts|create_ready_image)/.test(name)
}

/** All operations except those of the process, including those that wipe the world. */
export function isSandboxed({ path }: FuzzedOperation): boolean {
  return path.startsWith('/sandbox/') || path.startsWith('/preview/v2/admin/') || path.startsWith('/v2/')
}

/** Whether a response refuses a trade because an operator call of the run has halted the market. */
export function isHalted({ status, text }: WireResponse): boolean {
  return status === 503 && text.includes('The market is halted')
}

/** Operations without a successful call. */
export function silentOperations({ successes }: FuzzReport): string[] {
  return [...successes].filter(([, count]) => count === 0).map(([name]) => name)
}

/** A report in one line. */
export function describeReport({ sent, flawed, statuses, slowest_milliseconds, failures }: FuzzReport): string {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  const slowest = `slowest ${Math.round(slowest_milliseconds)} ms`
  return `${sent} requests, ${flawed} with a broken rule, ${failures.length} wrong: ${counts.join(', ')}; ${slowest}`
}

/** Puts the HTTP edge of one server together: what every request needs, and the routes of each port. */
import { app, sandboxRoutes } from '../app.ts'
import { usualKeepAliveSeconds } from '../config.ts'
import { monotonicMilliseconds } from '../core/base/clock.ts'
import { createConsoleRoutes } from '../core/console/console-routes.ts'
import { commandsMax, connectionShare } from '../core/db/connection-share.rules.ts'
import { createDocsRoutes } from '../core/docs/docs-routes.ts'
import { createHttp, type HttpOptions, type HttpServer } from '../core/http/http.ts'
import { createRateLimits } from '../core/http/rate-limits.ts'
import type { EdgeOptions } from '../core/http/request-context.ts'
import type { Route } from '../core/http/routes.ts'
import type { TransferRoute } from '../core/http/transfer.ts'
import { systemCommand } from '../core/work/command.ts'
import { createConcurrency } from '../core/work/concurrency.ts'
import { databaseFigures } from '../core/work/database-figures.ts'
import { createFairQueue } from '../core/work/fair-queue.ts'
import { coreFigures } from '../core/work/figures.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { createBundleTransfer } from '../fleet/agents/agent-bundle.service.ts'
import { createAgentGate } from '../fleet/agents/agent-gate.service.ts'
import { bundleTransfer } from '../fleet/rollouts/agent-bundles.service.ts'
import { otherForms } from '../iam/names/names.service.ts'
import { createGate } from '../iam/tokens/gate.service.ts'
import { createEntrance } from '../process/entrance.service.ts'
import { type Metrics, openMetrics } from '../process/metrics.service.ts'
import { processRoutes } from '../process/process.routes.ts'
import { describeProcess, type ProcessParts } from '../process/process.service.ts'
import { transportHeaders } from '../process/transport.rules.ts'
import { putUnnamedProxy } from '../process/unnamed-proxies.store.ts'
import type { FaultInjector } from '../sandbox/faults/fault-injector.service.ts'
import type { ServerOptions } from './server-options.ts'

/** The parts of a server that its edge shows or asks. */
type EdgeParts = Pick<ProcessParts, 'loop' | 'isDraining' | 'probe'> & {
  readonly fault_injector: FaultInjector | undefined
}

/** Listens: the main port first, then that of the metrics where they have one of their own. */
export async function openEdge(options: ServerOptions, runtime: Runtime, parts: EdgeParts): Promise<HttpServer[]> {
  const turns = openTurns(options)
  const metrics = openServerMetrics(options, runtime, { ...parts, turns })
  const shared = sharedOptions(options, runtime, { turns, metrics, fault_injector: parts.fault_injector })
  const process = processRoutesOf(options, metrics, parts)
  const hasOwnPort = options.metrics_port !== undefined
  const own = process.filter(({ endpoint }) => !(hasOwnPort && endpoint.path === '/metrics'))
  const routes = [...own, ...app.routes, ...(options.mode === 'sandbox' ? sandboxRoutes : [])]
  const main = await createHttp({ ...shared, routes, transfers: transfersOf(runtime) }).listen(options)
  if (!hasOwnPort) return [main]
  const only = process.filter(({ endpoint }) => endpoint.path === '/metrics')
  return [main, await listenAside(options, { ...shared, routes: only })]
}

function openServerMetrics(
  { monotonic = monotonicMilliseconds, certificates, are_keys_rejected, metrics_of_all }: ServerOptions,
  runtime: Runtime,
  { loop, probe, fault_injector, turns }: EdgeParts & Pick<EdgeOptions, 'turns'>,
): Metrics {
  const kinds = app.reconcilers.map(({ kind }) => kind)
  return openMetrics({
    runtime,
    loop,
    turns,
    kinds,
    figures: { frequent: [...coreFigures(kinds), ...databaseFigures, ...app.figures], hourly: app.hourly_figures },
    writeProblem: () => probe?.problem(),
    certificates,
    are_keys_rejected,
    of_all: metrics_of_all,
    isDatabaseDown: fault_injector?.isDatabaseDown,
    now: monotonic,
  })
}

function processRoutesOf(
  { mode, schema_version, requires_safe_database = true }: ServerOptions,
  metrics: Metrics,
  { loop, isDraining, probe, fault_injector }: EdgeParts,
): Route[] {
  return processRoutes(
    describeProcess({
      loop,
      metrics,
      schema_version,
      mode,
      requires_safe_database,
      isDatabaseDown: fault_injector?.isDatabaseDown,
      isDraining,
      probe,
    }),
  )
}

type OwnParts = Pick<EdgeOptions, 'turns'> & Pick<EdgeParts, 'fault_injector'> & { readonly metrics: Metrics }

/** What the requests of all ports share. */
function sharedOptions(options: ServerOptions, runtime: Runtime, { turns, metrics, fault_injector }: OwnParts) {
  const { mode, monotonic = monotonicMilliseconds, console_origin } = options
  return {
    runtime,
    gate: createGate(runtime, monotonic, options.later),
    agents: createAgentGate(runtime, monotonic),
    rate_limits: createRateLimits({
      multiplier: rateMultiplier(options),
      replicas: options.replicas ?? 1,
      now: monotonic,
      siblings: options.rate_siblings,
    }),
    concurrency: createConcurrency({ max: mode === 'sandbox' ? 1000 : 20 }),
    turns,
    streams: runtime.services.streams,
    fingerprint_secret: options.keys.fingerprint_key.reveal(),
    otherForms,
    check_responses: options.check_responses ?? false,
    trusted_proxies: options.trusted_proxies ?? [],
    proxy_header: options.proxy_header ?? 'x-forwarded-for',
    allowed_hosts: options.allowed_hosts ?? [],
    recordProxy: (address: string) => systemCommand(runtime, (ctx) => putUnnamedProxy(ctx.db, address)),
    transport_headers: transportHeaders(options),
    keep_alive_seconds: options.keep_alive_seconds ?? usualKeepAliveSeconds,
    observe: metrics.observe,
    ...(console_origin === undefined ? {} : { console_origin }),
    ...(fault_injector ? hooksOf(fault_injector) : {}),
  }
}

/** The routes of bytes and pages, which the contract does not have. */
function transfersOf({ blobs }: Runtime): TransferRoute[] {
  const stored = blobs.kind === 'files' ? app.transfers : []
  const imageOrigin = blobs.kind === 'objects' ? blobs.origin : undefined
  const pages = [...app.pages, createEntrance(), ...createDocsRoutes(), ...createConsoleRoutes(imageOrigin)]
  return [...stored, ...pages, createBundleTransfer(), bundleTransfer]
}

/**
 * The turns of requests at the database. There are fewer for commands than connections, so that reconcilers and order
 * batches always have some. A sandbox leaves most of them to one account, since it often has only one.
 */
export function openTurns({
  mode,
  connections_max = connectionShare(1).transactions,
}: Pick<ServerOptions, 'mode' | 'connections_max'>): EdgeOptions['turns'] {
  const isSandbox = mode === 'sandbox'
  return {
    commands: createFairQueue({ running_max: commandsMax(connections_max), running_of_one_max: isSandbox ? 12 : 2 }),
    queries: createFairQueue({ running_max: 32, running_of_one_max: isSandbox ? 24 : 8 }),
  }
}

/** The factor of all rates. */
export function rateMultiplier({ mode, rate_multiplier }: Pick<ServerOptions, 'mode' | 'rate_multiplier'>): number {
  return rate_multiplier ?? (mode === 'sandbox' ? 100 : 1)
}

/** The port of the metrics. No balancer stands in front of it: what connects there speaks for itself. */
function listenAside(
  { metrics_host: host = '127.0.0.1', metrics_port: port = 0 }: ServerOptions,
  edge: HttpOptions,
): Promise<HttpServer> {
  const near = edge.proxy_header === 'proxy-protocol' ? { trusted_proxies: [] } : {}
  return createHttp({ ...edge, ...near }).listen({ host, port })
}

/** Where the faults of a sandbox reach into requests. */
function hooksOf({ waitForWorld, refuseIfOutdated, injectFault }: FaultInjector) {
  return { waitForWorld, refuseIfOutdated, injectFault }
}

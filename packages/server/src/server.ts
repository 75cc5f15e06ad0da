/** Assembles one server from its database, keys, areas, HTTP edge and reconcilers, and closes them in reverse order. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { app, sandboxRoutes } from './app.ts'
import { usualKeepAliveSeconds } from './config.ts'
import { after, monotonicMilliseconds, pause } from './core/base/clock.ts'
import { createCryptoRandom } from './core/base/random.ts'
import { startProblem } from './core/base/start-problem.ts'
import { openBlobStore } from './core/blobs/blob-store.ts'
import { createConsoleRoutes } from './core/console/console-routes.ts'
import { checkSettings } from './core/db/database-settings.ts'
import { openDatabase } from './core/db/db.ts'
import { createDocsRoutes } from './core/docs/docs-routes.ts'
import { openEgress } from './core/egress/egress.ts'
import { createHttp, type HttpOptions, type HttpServer } from './core/http/http.ts'
import { createRateLimits } from './core/http/rate-limits.ts'
import type { EdgeOptions } from './core/http/request-context.ts'
import { systemCommand } from './core/work/command.ts'
import { createConcurrency } from './core/work/concurrency.ts'
import { createFairQueue } from './core/work/fair-queue.ts'
import { coreFigures } from './core/work/figures.ts'
import { ensureInstallation } from './core/work/installation.ts'
import { createReconcilerLoop, type ReconcilerLoop, topicsOf } from './core/work/reconciler.ts'
import { joinReferrers } from './core/work/references.ts'
import type { Mode, Runtime } from './core/work/runtime.ts'
import { startWriteProbe } from './core/work/write-probe.ts'
import { createEntrance } from './entrance.service.ts'
import { startSelfAudit } from './events/audits/self-audit.service.ts'
import {
  beginCursorHistory,
  currentCursorKeys,
  type Keyring,
  openCursorKeys,
} from './events/log/cursor-keys.service.ts'
import { keepPartitions, startPartitionUpkeep } from './events/log/partitions.service.ts'
import { createBundleTransfer } from './fleet/agents/agent-bundle.service.ts'
import { createAgentGate } from './fleet/agents/agent-gate.service.ts'
import { endWaits } from './fleet/agents/desired-state.service.ts'
import { readHostNetworks } from './fleet/hosts/host-addresses.service.ts'
import { beginHostHistory } from './fleet/hosts/machines.service.ts'
import { readTunnelSettings } from './fleet/tunnels/tunnels.service.ts'
import { keepAuditMonths, startAuditUpkeep } from './iam/audit/partitions.service.ts'
import { otherForms } from './iam/names/names.service.ts'
import { createGate } from './iam/tokens/gate.service.ts'
import { startImageUpkeep } from './images/image-upkeep.service.ts'
import { startImageVerification } from './images/image-verification.service.ts'
import { openMetrics } from './metrics.service.ts'
import { processRoutes } from './process.routes.ts'
import { describeProcess, type ProcessParts } from './process.service.ts'
import { createFaultInjector, type FaultInjector } from './sandbox/faults/fault-injector.service.ts'
import type { RuntimeOptions, ServerOptions } from './server-options.ts'
import { createServices } from './services.ts'
import { transportHeaders } from './transport.rules.ts'
import { putUnnamedProxy } from './unnamed-proxies.store.ts'
import { startWebhookWorker } from './webhooks/webhook-worker.service.ts'

/** A running server. */
export type Server = AsyncDisposable & {
  /** A URL at which programs of this machine reach the server. */
  readonly url: string
  /** The address and port that the server listens on, as a URL. */
  readonly bound_url: string
  /** The same of `/metrics`, where it has a port of its own. */
  readonly metrics_url: string | undefined
  readonly port: number
  readonly runtime: Runtime
  readonly loop: ReconcilerLoop
  readonly installation_id: string
  /**
   * Reports that the server is not ready and goes on serving for some seconds, so that load balancers send requests
   * elsewhere before the server is disposed.
   */
  drain(seconds: number): Promise<void>
}

/** Starts a server on a migrated database. Throws a start problem if it cannot run safely. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { mode, log } = options
  let loop: ReconcilerLoop | undefined
  let edge: HttpServer | undefined
  let isDraining = false
  const { runtime, installation_id } = await openRuntime(options, {
    ownUrl: () => edge?.url,
    kick: () => loop?.kick(),
    suspendReconcilers: (work) => (loop as ReconcilerLoop).suspend(work),
  })
  const { database } = runtime
  const fault_injector = mode === 'sandbox' ? createFaultInjector(runtime) : undefined
  loop = createReconcilerLoop(
    runtime,
    app.reconcilers,
    fault_injector ? { is_paused: fault_injector.isDatabaseDown } : {},
  )
  // The simulation runs all work itself, step by step.
  const { schema_version, probe_milliseconds } = options
  const pace = probe_milliseconds === undefined ? {} : { every_milliseconds: probe_milliseconds }
  const probe = (options.runs_reconcilers ?? true) ? startWriteProbe(runtime, { schema_version, ...pace }) : undefined
  const parts = { loop, fault_injector, isDraining: () => isDraining, probe }
  const http = await openEdge(options, runtime, parts).catch(async (error) => {
    fault_injector?.stop()
    probe?.stop()
    await database[Symbol.asyncDispose]()
    throw explainListen(error, options)
  })
  const [main, side] = http as [HttpServer, HttpServer?]
  edge = main
  if (options.runs_reconcilers ?? true) loop.start()
  const stopAuditQueue = runtime.services.audit_queue.start(runtime, options.later ?? after)
  const stopWebhooks =
    (options.runs_reconcilers ?? true) ? deliverWebhooks(runtime, options, fault_injector) : undefined
  const stopImageUpkeep = startImageUpkeep(runtime)
  const stopVerification = startImageVerification(runtime)
  const upkeeps = [startPartitionUpkeep(database, log), startAuditUpkeep(database, log)]
  const stopSelfAudit = mode === 'production' ? startSelfAudit(runtime, app.audits, app.hourly_figures) : () => {}
  const close = async () => {
    fault_injector?.stop()
    stopSelfAudit()
    probe?.stop()
    endWaits(runtime)
    // Requests end first, so that every accepted one gets a response; then due work; the database last.
    for (const server of http) await server.close()
    await loop.stop()
    await stopAuditQueue()
    await Promise.all([stopImageUpkeep(), stopVerification(), stopWebhooks?.()])
    await Promise.all(upkeeps.map((stop) => stop()))
    await database[Symbol.asyncDispose]()
  }
  return {
    url: main.url,
    bound_url: main.bound_url,
    metrics_url: side && `${side.bound_url}/metrics`,
    port: main.port,
    runtime,
    loop,
    installation_id,
    drain: async (seconds) => {
      isDraining = true
      for (const server of http) server.drain()
      await pause(seconds * 1000)
    },
    [Symbol.asyncDispose]: close,
  }
}

function deliverWebhooks(
  runtime: Runtime,
  { egress }: ServerOptions,
  fault_injector: FaultInjector | undefined,
): () => Promise<void> {
  const { is_public_only } = runtime.services.webhook_settings
  return startWebhookWorker(runtime, {
    egress: openEgress({ is_public_only, ...egress }),
    fault: fault_injector?.failWebhook ?? (() => undefined),
  })
}

/** What a runtime asks of the server that it is part of. */
type ServerHooks = Pick<Runtime, 'kick' | 'suspendReconcilers'> & { readonly ownUrl: () => string | undefined }

const noServer: ServerHooks = {
  ownUrl: () => undefined,
  kick: () => {},
  suspendReconcilers: (work) => work(async () => 0),
}

/**
 * Opens a runtime for commands, without an HTTP edge and reconcilers: for a server, and for tools that write to the
 * database. The servers find the due rows of such writes by polling. The caller closes the database.
 */
export async function openRuntime(
  options: RuntimeOptions,
  { ownUrl, kick, suspendReconcilers }: ServerHooks = noServer,
): Promise<{ runtime: Runtime; installation_id: string }> {
  const { mode, log, keys, random = createCryptoRandom() } = options
  // A history is recorded by the connection that sees it first, which may be the first one of this process.
  let keyring: Keyring | undefined
  const database = openDatabase(options.target, {
    connections_max: options.connections_max ?? 20,
    ...(options.idle_milliseconds === undefined ? {} : { idle_milliseconds: options.idle_milliseconds }),
    ...(options.lock_milliseconds === undefined ? {} : { lock_milliseconds: options.lock_milliseconds }),
    log,
    ...(options.seen === undefined ? {} : { seen: options.seen }),
    record_history: async (db) => {
      await beginCursorHistory(db, keyring)
      await beginHostHistory(db)
    },
    ...(options.requires_safe_database === false ? {} : { verify: async (db) => void (await checkSettings(db)) }),
  })
  try {
    if (options.keeps_partitions ?? true) await Promise.all([keepPartitions(database), keepAuditMonths(database)])
    const installation = await ensureInstallation(database, { mode, random })
    const cursor_keys = await openCursorKeys(database, keys.cursor_roots)
    keyring = cursor_keys
    const host_networks = readHostNetworks(options.host_networks ?? {}, mode)
    const tunnel_settings = readTunnelSettings(options.host_networks ?? {})
    const image_store = options.image_store ?? { kind: 'files', directory: join(tmpdir(), 'bourse-images') }
    const blobs = await openBlobStore(image_store, { installation_id: installation.id, log })
    const token_audience = mode === 'production' ? (options.public_url as string) : `bourse:${installation.id}`
    const runtime: Runtime = {
      mode,
      // A sandbox without a configured URL uses the address that it listens on.
      public_url: () => options.public_url?.replace(/\/$/, '') ?? ownUrl() ?? 'http://localhost',
      database,
      log,
      random,
      services: createServices({
        runtime: () => runtime,
        database,
        log,
        cursor_keys,
        host_networks,
        tunnel_settings,
        dual_control_dollars: options.dual_control_dollars,
        monotonic: options.monotonic ?? monotonicMilliseconds,
        rate_multiplier: rateMultiplier(options),
        mode,
        sign_in_providers: options.sign_in_providers ?? [],
      }),
      blobs,
      keys: { ...keys, cursors: () => currentCursorKeys(cursor_keys), token_audience },
      referrers: joinReferrers(app.referrers),
      topics: topicsOf(app.reconcilers),
      kick,
      suspendReconcilers,
      ...(options.failpoint ? { failpoint: options.failpoint } : {}),
    }
    return { runtime, installation_id: installation.id }
  } catch (error) {
    // Open connections would keep the process alive although its start failed.
    await database[Symbol.asyncDispose]()
    throw error
  }
}

function rateMultiplier({ mode, rate_multiplier }: Pick<ServerOptions, 'mode' | 'rate_multiplier'>): number {
  return rate_multiplier ?? (mode === 'sandbox' ? 100 : 1)
}

/** Converts an error of listening to a start problem; returns other errors unchanged. */
function explainListen(error: NodeJS.ErrnoException, options: ServerOptions): unknown {
  const { host, port, metrics_host = '127.0.0.1', metrics_port } = options
  const places = [
    `${host}, port ${port}`,
    ...(metrics_port === undefined ? [] : [`${metrics_host}, port ${metrics_port}`]),
  ]
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program uses the port. Set BOURSE_PORT (and BOURSE_METRICS_PORT) to a free port.',
    EACCES: 'this user may not use the port. Set BOURSE_PORT to a port above 1023.',
    EADDRNOTAVAIL:
      'this machine does not have the address. Set BOURSE_HOST (and BOURSE_INSECURE_METRICS_HOST) to one that it has.',
    ENOTFOUND: 'the host name does not exist. Set BOURSE_HOST to an address of this machine.',
  }
  const reason = reasons[error.code ?? '']
  return reason
    ? startProblem('address_unavailable', `Cannot listen on ${places.join(', and ')}: ${reason}`, error)
    : error
}

/**
 * The turns of requests at the database. There are fewer for commands than connections, so that reconcilers and order
 * batches always have some. A sandbox leaves most of them to one account, since it often has only one.
 */
export function openTurns(mode: Mode): EdgeOptions['turns'] {
  const isSandbox = mode === 'sandbox'
  return {
    commands: createFairQueue({ running_max: 16, running_of_one_max: isSandbox ? 12 : 2 }),
    queries: createFairQueue({ running_max: 32, running_of_one_max: isSandbox ? 24 : 8 }),
  }
}

type Parts = Pick<ProcessParts, 'loop' | 'isDraining' | 'probe'> & { fault_injector: FaultInjector | undefined }

async function openEdge(
  options: ServerOptions,
  runtime: Runtime,
  { loop, fault_injector, isDraining, probe }: Parts,
): Promise<HttpServer[]> {
  const { mode, monotonic = monotonicMilliseconds } = options
  const isDatabaseDown = fault_injector?.isDatabaseDown
  const turns = openTurns(mode)
  const kinds = app.reconcilers.map(({ kind }) => kind)
  const figures = { frequent: [...coreFigures(kinds), ...app.figures], hourly: app.hourly_figures }
  const metrics = openMetrics({
    runtime,
    loop,
    turns,
    kinds,
    figures,
    writeProblem: () => probe?.problem(),
    isDatabaseDown,
    now: monotonic,
  })
  const multiplier = rateMultiplier(options)
  const { schema_version, requires_safe_database = true, proxy_header = 'x-forwarded-for' } = options
  const described = {
    loop,
    metrics,
    schema_version,
    mode,
    requires_safe_database,
    isDatabaseDown,
    isDraining,
    probe,
  }
  const process = processRoutes(describeProcess(described))
  const hasOwnMetricsPort = options.metrics_port !== undefined
  const shared = {
    runtime,
    gate: createGate(runtime, monotonic, options.later),
    agents: createAgentGate(runtime, monotonic),
    rate_limits: createRateLimits({ multiplier, replicas: options.replicas ?? 1, now: monotonic }),
    concurrency: createConcurrency({ max: mode === 'sandbox' ? 1000 : 20 }),
    turns,
    streams: runtime.services.streams,
    fingerprint_secret: options.keys.fingerprint_key.reveal(),
    otherForms,
    check_answers: options.check_answers ?? false,
    trusted_proxies: options.trusted_proxies ?? [],
    proxy_header,
    allowed_hosts: options.allowed_hosts ?? [],
    recordProxy: (address: string) => systemCommand(runtime, (ctx) => putUnnamedProxy(ctx.db, address)),
    transport_headers: transportHeaders(options),
    keep_alive_seconds: options.keep_alive_seconds ?? usualKeepAliveSeconds,
    observe: metrics.observe,
    ...(options.console_origin === undefined ? {} : { console_origin: options.console_origin }),
    ...(fault_injector ? hooksOf(fault_injector) : {}),
  }
  const own = process.filter(({ endpoint }) => !(hasOwnMetricsPort && endpoint.path === '/metrics'))
  const stored = runtime.blobs.kind === 'files' ? app.transfers : []
  const image_origin = runtime.blobs.kind === 'objects' ? runtime.blobs.origin : undefined
  const pages = [...app.pages, createEntrance(), ...createDocsRoutes(), ...createConsoleRoutes(image_origin)]
  const transfers = [...stored, ...pages, createBundleTransfer()]
  const routes = [...own, ...app.routes, ...(mode === 'sandbox' ? sandboxRoutes : [])]
  const main = await createHttp({ ...shared, routes, transfers }).listen(options)
  if (!hasOwnMetricsPort) return [main]
  const only = process.filter(({ endpoint }) => endpoint.path === '/metrics')
  return [main, await listenAside(options, { ...shared, routes: only })]
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

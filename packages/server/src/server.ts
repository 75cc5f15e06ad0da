/** Assembles one server from its database, keys, areas, HTTP edge and reconcilers, and closes them in reverse order. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '@bourse/text/time/pause.ts'
import { app } from './app.ts'
import { openEdge, rateMultiplier } from './assembly/edge.ts'
import type { RuntimeOptions, ServerOptions } from './assembly/server-options.ts'
import { createServices } from './assembly/services.ts'
import { after, monotonicMilliseconds } from './core/base/clock.ts'
import { createCryptoRandom } from './core/base/random.ts'
import { startProblem } from './core/base/start-problem.ts'
import { openBlobStore } from './core/blobs/blob-store.ts'
import { checkSettings } from './core/db/database-settings.ts'
import { openDatabase } from './core/db/db.ts'
import { openEgress } from './core/egress/egress.ts'
import type { HttpServer } from './core/http/http.ts'
import { openTracing } from './core/trace/tracing.ts'
import { ensureInstallation } from './core/work/installation.ts'
import { createReconcilerLoop, type ReconcilerLoop, topicsOf } from './core/work/reconciler.ts'
import { joinReferrers } from './core/work/references.ts'
import type { Runtime } from './core/work/runtime.ts'
import { startWriteProbe } from './core/work/write-probe.ts'
import { startSelfAudit } from './events/audits/self-audit.service.ts'
import {
  beginCursorHistory,
  currentCursorKeys,
  type Keyring,
  keepCursorKeys,
  openCursorKeys,
} from './events/log/cursor-keys.service.ts'
import { keepPartitions, startPartitionUpkeep } from './events/log/partitions.service.ts'
import { endWaits } from './fleet/agents/desired-state.service.ts'
import { readHostNetworks } from './fleet/hosts/host-addresses.service.ts'
import { beginHostHistory } from './fleet/hosts/machines.service.ts'
import { readTunnelSettings } from './fleet/tunnels/tunnels.service.ts'
import { keepAuditMonths, startAuditUpkeep } from './iam/audit/partitions.service.ts'
import { startImageUpkeep } from './images/image-upkeep.service.ts'
import { startImageVerification } from './images/image-verification.service.ts'
import { createFaultInjector, type FaultInjector } from './sandbox/faults/fault-injector.service.ts'
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
  const pace = probe_milliseconds === undefined ? {} : { every: probe_milliseconds }
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
  const stopCursorKeys = mode === 'production' ? keepCursorKeys(runtime.services.cursor_keys) : () => {}
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
    stopCursorKeys()
    probe?.stop()
    endWaits(runtime)
    // Requests end first, so that every accepted one gets a response; then due work; the database last.
    for (const server of http) await server.close()
    await loop.stop()
    await stopAuditQueue()
    await Promise.all([stopImageUpkeep(), stopVerification(), stopWebhooks?.()])
    await Promise.all(upkeeps.map((stop) => stop()))
    await database[Symbol.asyncDispose]()
    await runtime.tracing?.close()
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
  const tracing = await openTracing(options.tracing, log)
  let keyring: Keyring | undefined
  const database = openDatabase(options.target, {
    ...(options.connections_max === undefined ? {} : { connections_max: options.connections_max }),
    ...(options.account_readers_max === undefined ? {} : { account_readers_max: options.account_readers_max }),
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
    const cursor_keys = await openCursorKeys(database, () => keys.cursor_roots)
    keyring = cursor_keys
    const host_networks = readHostNetworks(options.host_networks ?? {}, mode)
    const tunnel_settings = readTunnelSettings(options.host_networks ?? {})
    const imageStore = options.image_store ?? { kind: 'files', directory: join(tmpdir(), 'bourse-images') }
    const blobs = await openBlobStore(imageStore, { installation_id: installation.id, log })
    const token_audience = mode === 'production' ? (options.public_url as string) : `bourse:${installation.id}`
    const runtime: Runtime = {
      mode,
      // A sandbox without a configured URL uses the address that it listens on.
      public_url: () => options.public_url?.replace(/\/$/, '') ?? ownUrl() ?? 'http://localhost',
      database,
      log,
      ...(tracing ? { tracing } : {}),
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
        agent_signers: options.agent_signers ?? [],
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

/** Puts one server together: database, keys, areas, the HTTP edge, reconcilers; and takes it apart in reverse. */

import { app, sandboxRoutes } from './app.ts'
import { monotonicMilliseconds } from './core/clock.ts'
import { createConcurrency } from './core/concurrency.ts'
import { checkSettings } from './core/database-settings.ts'
import type { DatabaseTarget } from './core/database-target.ts'
import { openDatabase } from './core/db.ts'
import { createHttp, type HttpServer } from './core/http.ts'
import { ensureInstallation } from './core/installation.ts'
import type { Keys } from './core/keys.ts'
import type { Log } from './core/log.ts'
import { createPulse } from './core/pulse.ts'
import { createCryptoRandom, type Random } from './core/random.ts'
import { createRateLimits } from './core/rate-limits.ts'
import { createReconcilerLoop, type ReconcilerLoop, topicsOf } from './core/reconciler.ts'
import { joinReferrers } from './core/references.ts'
import type { Failpoint, Mode, Runtime } from './core/runtime.ts'
import { openCursorKeys } from './events/cursor-keys.service.ts'
import { keepPartitions, startPartitionUpkeep } from './events/partitions.service.ts'
import { createGate } from './iam/gate.service.ts'
import { processRoutes } from './process.routes.ts'
import { describeProcess, openMetrics, readDocsAssets } from './process.service.ts'
import { createDisturber, type Disturber } from './sandbox/disturbances.service.ts'

/** How one server is set up. The database is migrated. */
export type ServerOptions = {
  readonly mode: Mode
  readonly target: DatabaseTarget
  readonly keys: Keys
  readonly log: Log
  readonly host: string
  readonly port: number
  readonly public_url?: string | undefined
  readonly console_origin?: string | undefined
  readonly metrics_port?: number | undefined
  readonly replicas?: number
  readonly connections_max?: number
  /** Number of migrations that this program knows. */
  readonly schema_version: number
  /** The simulation hands in its own; otherwise the operating system's. */
  readonly random?: Random
  readonly failpoint?: (name: Failpoint, request_id: string) => Promise<void> | void
  /** The process's own time in milliseconds; the simulation hands in its own. */
  readonly monotonic?: () => number
  /** Checks every answer against the contract. For tests. */
  readonly check_answers?: boolean
  /** Whether due work runs by itself; the simulation steps it. */
  readonly runs_reconcilers?: boolean
  /** False only for tests on a database that forgets everything at a power cut. */
  readonly requires_safe_database?: boolean
  /** How generous rate limits are; the sandbox has 100. */
  readonly rate_multiplier?: number
}

/** A running server. */
export type Server = AsyncDisposable & {
  readonly url: string
  readonly port: number
  readonly runtime: Runtime
  readonly loop: ReconcilerLoop
  readonly installation_id: string
}

/** Starts a server on a migrated database. Throws a start problem where it must not run. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { mode, log, keys } = options
  const database = openDatabase(options.target, {
    connections_max: options.connections_max ?? 20,
    ...(options.requires_safe_database === false ? {} : { verify: async (db) => void (await checkSettings(db)) }),
  })
  await keepPartitions(database)
  const installation = await ensureInstallation(database, { mode, random: options.random ?? createCryptoRandom() })
  const cursors = await openCursorKeys(database, keys.cursor_roots)
  const token_audience = mode === 'production' ? (options.public_url as string) : `bourse:${installation.id}`
  let loop: ReconcilerLoop | undefined
  const runtime: Runtime = {
    mode,
    database,
    log,
    random: options.random ?? createCryptoRandom(),
    memory: new Map(),
    keys: { ...keys, cursors, token_audience },
    pulse: createPulse(database.reader),
    referrers: joinReferrers(app.referrers),
    topics: topicsOf(app.reconcilers),
    kick: () => loop?.kick(),
    hold: (work) => (loop as ReconcilerLoop).hold(work),
    ...(options.failpoint ? { failpoint: options.failpoint } : {}),
  }
  const disturber = mode === 'sandbox' ? createDisturber(runtime) : undefined
  loop = createReconcilerLoop(runtime, app.reconcilers, disturber ? { is_paused: disturber.isDatabaseDown } : {})
  const http = await openEdge(options, runtime, { loop, disturber })
  if (options.runs_reconcilers ?? true) loop.start()
  const stopUpkeep = startPartitionUpkeep(database, log)
  const close = async () => {
    disturber?.stop()
    // Requests first, so that none that was accepted goes unanswered; then what is due; the database last.
    for (const server of http) await server.close()
    await loop.stop()
    await stopUpkeep()
    await database[Symbol.asyncDispose]()
  }
  const [main] = http as [HttpServer]
  return {
    url: main.url,
    port: main.port,
    runtime,
    loop,
    installation_id: installation.id,
    [Symbol.asyncDispose]: close,
  }
}

type Parts = { loop: ReconcilerLoop; disturber: Disturber | undefined }

async function openEdge(options: ServerOptions, runtime: Runtime, { loop, disturber }: Parts): Promise<HttpServer[]> {
  const { mode, monotonic = monotonicMilliseconds } = options
  const metrics = openMetrics(() => runtime.database.load())
  const multiplier = options.rate_multiplier ?? (mode === 'sandbox' ? 100 : 1)
  const process = processRoutes(describeProcess({ loop, metrics, schema_version: options.schema_version, mode }))
  const hasOwnMetricsPort = options.metrics_port !== undefined
  const shared = {
    runtime,
    gate: createGate(runtime, monotonic),
    rate_limits: createRateLimits({ multiplier, replicas: options.replicas ?? 1, now: monotonic }),
    concurrency: createConcurrency({ max: mode === 'sandbox' ? 1000 : 20 }),
    fingerprint_secret: options.keys.fingerprint_key.reveal(),
    check_answers: options.check_answers ?? false,
    assets: readDocsAssets(),
    observe: metrics.observe,
    ...(options.console_origin === undefined ? {} : { console_origin: options.console_origin }),
    ...(disturber ? { disturb: disturber.disturb } : {}),
  }
  const own = process.filter(({ endpoint }) => !(hasOwnMetricsPort && endpoint.path === '/metrics'))
  const routes = [...own, ...app.routes, ...(mode === 'sandbox' ? sandboxRoutes : [])]
  const main = await createHttp({ ...shared, routes }).listen(options)
  if (!hasOwnMetricsPort) return [main]
  const only = process.filter(({ endpoint }) => endpoint.path === '/metrics')
  const side = await createHttp({ ...shared, routes: only }).listen({
    host: options.host,
    port: options.metrics_port ?? 0,
  })
  return [main, side]
}

/** `bourse serve`: production. */
import { findServiceManager } from '@bourse/agent/systemd.ts'
import type { Config } from '@bourse/server/config.ts'
import type { Log } from '@bourse/server/core/base/log.ts'
import type { WorkerLink } from '@bourse/server/start/worker.ts'
import type { Command } from 'commander'
import type { CommandContext } from '../../input/session.ts'
import { stopSignal } from '../../input/stop-signal.ts'
import { notStarted } from '../../output/quiet-ends.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'

const settings = `
Settings are read from the environment:
  BOURSE_DATABASE_URL       PostgreSQL 17 or newer
  BOURSE_PUBLIC_URL         under which customers reach this server: an https URL
  BOURSE_SIGNING_KEYS_FILE, BOURSE_MASTER_KEY_FILE, BOURSE_CURSOR_KEYS_FILE
                            made by \`bourse keys create\`
  BOURSE_HOST, BOURSE_PORT  to listen on; default 127.0.0.1 and 8080
  BOURSE_TLS_CERT_FILE, BOURSE_TLS_KEY_FILE
                            PEM files, for https on that port; read again when they change; default none: http
  BOURSE_METRICS_PORT       of /metrics, on 127.0.0.1; default 9090
  BOURSE_ALLOWED_HOSTS      names under which /metrics may be requested, as bourse-1.internal; default none
  BOURSE_WORKERS            processes that serve; default one for each processor, at most 8
  BOURSE_REPLICAS           replicas that share the database; rate limits are divided by it; default 1
  BOURSE_DATA_DIR           for a record of the newest database server that was used, and for images unless
                            BOURSE_IMAGE_STORE is set; default data
  BOURSE_LOG_LEVEL          the least severe lines of the log: debug, info (default), warn, error or silent
  BOURSE_PLATFORM_ACCOUNT   the account of the platform operator; default bourse
  BOURSE_CONSOLE_ORIGIN     of a console at another server, which may call the API from a browser; default none
  BOURSE_WEBHOOK_PROXY      an HTTP proxy through which webhooks are sent; default none: to public addresses only
  BOURSE_TRUSTED_PROXIES    that say who their clients are, as 127.0.0.1,10.0.4.0/24; default none
  BOURSE_PROXY_HEADER       in what they say it, and nothing else is read: x-forwarded-for (default), forwarded, or
                            proxy-protocol (version 2)
  BOURSE_HSTS_SECONDS       how long browsers use only https for an https public URL; default 31536000, 0 for none
  BOURSE_KEEP_ALIVE_SECONDS how long a connection stays open without a request; default 75
  BOURSE_OIDC_FILE          providers by which people sign in: docs/guides/sign-in.md
  BOURSE_REPLICA_NAME       the name of this process in its log; default the host name
  BOURSE_DUAL_CONTROL_DOLLARS
                            credits and credit limits above it need a second operator; default none
  BOURSE_AGENT_SIGNERS_FILE public keys that may sign versions of the agent; default none: any key may
  BOURSE_DRAIN_SECONDS      how long it serves after SIGTERM, while /readyz is 503; default 5
  BOURSE_HOST_NETWORKS, BOURSE_PUBLIC_NETWORKS
                            in which hosts may declare addresses, as 10.1.0.0/16,10.2.0.0/16; default all
  BOURSE_TUNNEL_NETWORK     the addresses of hosts inside of tunnels; default 100.112.0.0/12
  BOURSE_IMAGE_STORE        a directory for images, or s3://bucket/prefix with
  BOURSE_S3_ENDPOINT, BOURSE_S3_REGION, BOURSE_S3_CREDENTIALS_FILE
  OTEL_EXPORTER_OTLP_ENDPOINT
                            a collector of traces; this and its other variables: docs/guides/monitoring.md
Each of these gives up a protection; \`bourse doctor\` lists those in use:
  BOURSE_INSECURE_PUBLIC_URL    1: accepts an http public URL
  BOURSE_INSECURE_METRICS_HOST  address on which other hosts read /metrics, without a token
  BOURSE_INSECURE_HOST_TRAFFIC  1: accepts hosts without WireGuard, whose subnets are not encrypted

Example:
  $ bourse serve`

/** Adds the command. */
export function addServe(program: Command, { variables }: CommandContext): void {
  printsNoRows(program.command('serve'))
    .description('Run a production server, with your own PostgreSQL and keys, and up to 1,000 replicas.')
    .addHelpText('after', settings)
    .action(async () => {
      const stopped = stopSignal()
      const { logFailedStart } = await import('@bourse/server/start/launch.ts')
      const { readConfig } = await import('@bourse/server/config.ts')
      const { openWorkerLink, configOfWorker } = await import('@bourse/server/start/worker.ts')
      const link = openWorkerLink(variables)
      const read = async () => configOfWorker(readConfig('production', variables), link)
      const config = await read().catch((error) => {
        logFailedStart(error, { replica_name: variables.BOURSE_REPLICA_NAME || undefined })
        throw notStarted(error)
      })
      if (link) return serveAsWorker(config, stopped, link).finally(link.close)
      const serving: Serving = (log, ended) => {
        const manager = findServiceManager(variables, (text) => log.warn({}, text))
        manager.ready()
        return ended.finally(manager.stopping)
      }
      if (config.workers > 1) await serveByWorkers(config, stopped, serving)
      else await serveAlone(config, stopped, serving)
    })
}

/** Tells the service manager that the server serves, until it has ended. */
type Serving = (log: Log, ended: Promise<string>) => Promise<string>

async function serveAlone(config: Config, stopped: Promise<string>, serving: Serving): Promise<void> {
  await using launched = await launch(config)
  const { bound_url, metrics_url, runtime } = launched.server
  runtime.log.info({ url: bound_url, metrics_url }, `Serving at ${bound_url}. Metrics at ${metrics_url}.`)
  const signal = await serving(runtime.log, stopped)
  sayStop(runtime.log, signal, config)
  await launched.server.drain(config.drain_seconds)
}

/** Drains for as long as the others do, also where the parent is gone: its requests have nobody else. */
async function serveAsWorker(config: Config, stopped: Promise<string>, link: WorkerLink): Promise<void> {
  await using launched = await launch(config, link)
  const { bound_url: url, metrics_url, runtime } = launched.server
  runtime.log.info({ url, metrics_url }, 'The worker serves.')
  link.tell({ kind: 'serving', url, metrics_url })
  const reason = await Promise.race([stopped, link.stopped])
  runtime.log.info({ reason }, `${reason}: the worker drains.`)
  await launched.server.drain(config.drain_seconds)
}

async function serveByWorkers(config: Config, stopped: Promise<string>, serving: Serving): Promise<void> {
  const { startWorkers } = await import('@bourse/server/start/workers.ts')
  const workers = await startWorkers(config, stopped).catch((error) => {
    throw notStarted(error)
  })
  const { log, url, metrics_url } = workers
  log.info({ url, metrics_url, workers: config.workers }, `Serving at ${url}. Metrics at ${metrics_url}.`)
  try {
    sayStop(log, await serving(log, Promise.race([stopped, workers.failed])), config)
    await workers.stop('SIGTERM')
  } catch (error) {
    await workers.stop('SIGTERM')
    throw notStarted(error)
  }
}

async function launch(config: Config, link?: WorkerLink) {
  const { launchProduction, logFailedStart } = await import('@bourse/server/start/launch.ts')
  return await launchProduction(config, link).catch((error) => {
    logFailedStart(error, config)
    link?.tell({ kind: 'failed', code: error.code ?? 'unknown', message: error.message })
    throw notStarted(error)
  })
}

function sayStop(log: Log, signal: string, { drain_seconds }: Config): void {
  log.info({ signal, drain_seconds }, `${signal}: stopping in ${drain_seconds} s. A second signal ends it at once.`)
}

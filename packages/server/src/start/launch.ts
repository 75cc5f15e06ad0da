/** Starts the program: `bourse start` runs a complete sandbox, `bourse serve` runs production. */
import { chmod, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { sandboxFileName } from '@bourse/text/program.ts'
import type { Config } from '../config.ts'
import type { FollowedFiles } from '../core/base/followed-files.ts'
import { type Log, type LogOrigin, openLog } from '../core/base/log.ts'
import { programRoot } from '../core/base/program-root.ts'
import { isRefusal } from '../core/base/refusal.ts'
import { isStartProblem, startProblem } from '../core/base/start-problem.ts'
import { version } from '../core/base/version.ts'
import { readBlobStoreOptions } from '../core/blobs/blob-settings.ts'
import { connectionShare, connectionsNeeded } from '../core/db/connection-share.rules.ts'
import { checkSettings, describeProblem } from '../core/db/database-settings.ts'
import { openSeenServers, recallSeenServers } from '../core/db/seen-server.ts'
import type { RateSiblings } from '../core/http/rate-exchange.ts'
import { type FollowedKeys, followKeys } from '../core/keys/followed-keys.ts'
import { ensureKeyFiles, readKeyFiles } from '../core/keys/key-files.ts'
import { migrate } from '../core/migrations/migrate.ts'
import { readMigrations } from '../core/migrations/migration-files.ts'
import { startBundledPostgres } from '../core/postgres/bundled-postgres.ts'
import { lockDataDirectory } from '../core/postgres/data-directory.ts'
import { openCertificates } from '../core/tls/certificates.ts'
import type { MetricsOfAll } from '../process/metrics.service.ts'
import type { SandboxAccess } from '../sandbox/scenarios/bootstrap.service.ts'
import type { Server } from '../server.ts'

const migrationsDirectory = join(programRoot, 'migrations')

/** A launched program. Its disposal stops everything that it started, in reverse order. */
type Launched = AsyncDisposable & { readonly server: Server }

/** A launched sandbox, with its tokens and the file that contains them. */
export type LaunchedSandbox = Launched & {
  readonly access: SandboxAccess
  readonly file: string
  /** Open a session of the customer's admin and one of the operator at a browser, once. */
  readonly sign_in_urls: { readonly customer: string; readonly operator: string }
}

/** Returns lines with example commands for a running sandbox. */
type DescribeSandbox = (sandbox: { readonly url: string; readonly access: SandboxAccess }) => Promise<readonly string[]>

/**
 * Starts a sandbox: creates what is missing in the data directory, loads a scenario at the first start, opens the API.
 * Writes address and tokens to a file that clients read, with the lines of `describe` as comments.
 */
export async function launchSandbox(
  config: Config,
  print: (line: string) => void,
  describe: DescribeSandbox = async () => [],
): Promise<LaunchedSandbox> {
  await using stack = new AsyncDisposableStack()
  const directory = stack.use(await lockDataDirectory(config.data_directory))
  const made = await ensureKeyFiles(join(directory.path, 'keys'))
  const keys = await readKeyFiles({ ...made, ...config.key_paths }, { production: false })
  const bundled = { data_directory: directory.path, log: print, meanwhile: () => void loadProgram().catch(() => {}) }
  const target = config.database ?? stack.use(await startBundledPostgres(bundled)).target
  const server = stack.use(
    await openServer(config, { target, keys, print, log: openLog(config.log_level, undefined, originOf(config)) }),
  )
  const { createSandboxLinks, ensureSandbox } = await loadProgram()
  const access = await ensureSandbox(server.runtime, config.platform_account)
  const sign_in_urls = await createSandboxLinks(server.runtime, config.platform_account)
  const file = join(directory.path, sandboxFileName)
  const comments = (await describe({ url: server.url, access })).map((line) => `# ${line}`)
  const { token, platform_token } = access
  const values = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token, BOURSE_PLATFORM_TOKEN: platform_token }
  const lines = [...Object.entries(values).map(([name, value]) => `${name}=${value}`), ...comments]
  await writePrivate(file, `${lines.join('\n')}\n`)
  const all = stack.move()
  return { server, access, file, sign_in_urls, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** What a process knows of the others of its replica. */
type Siblings = {
  readonly number: number
  readonly metrics: MetricsOfAll
  readonly rates: Omit<RateSiblings, 'workers'>
}

/** Starts production in this process. Needs keys, a database and a public URL, and refuses unsafe ones. */
export async function launchProduction(config: Config, siblings?: Siblings): Promise<Launched> {
  await using stack = new AsyncDisposableStack()
  const log = openLog(config.log_level, undefined, originOf(config))
  const print = (line: string) => log.info({}, line)
  const followed_keys = await followKeys(config.key_paths, { log })
  stack.defer(followed_keys.stop)
  if (!config.database) throw new Error('readConfig requires a database in production.')
  const { keys } = followed_keys
  const parts = { target: config.database, keys, followed_keys, print, log, siblings }
  const server = stack.use(await openServer(config, parts))
  const { ensurePlatform } = await loadProgram()
  await ensurePlatform(server.runtime, config.platform_account)
  if ((siblings?.number ?? 1) === 1) await warnOfConnections(config, server.runtime)
  const all = stack.move()
  return { server, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** Where the database allows too few connections, the last processes that open theirs refuse requests. */
async function warnOfConnections(config: Config, { database, log }: Server['runtime']): Promise<void> {
  const warnings = await checkSettings(database.reader, { connections_needed: connectionsNeeded(config) })
  const few = warnings.find(({ setting }) => setting === 'connections')
  if (few) log.warn({}, describeProblem(few))
}

/** Logs why production did not start: a line like every other one. */
export function logFailedStart(
  thrown: unknown,
  { replica_name = hostname() }: { readonly replica_name?: string | undefined },
): void {
  const log = openLog('error', undefined, originOf({ replica_name }))
  if (isStartProblem(thrown)) log.error({ code: thrown.code }, thrown.message)
  else log.error({ err: thrown }, 'The server did not start.')
}

/**
 * Creates the first token of a production installation, with direct access to its database and signing key. Throws
 * platform_token_exists if the platform account already has an admin token.
 */
export function createPlatformToken(config: Config, print: (line: string) => void): Promise<string> {
  return withPlatform(config, print, ({ createFirstPlatformToken }, runtime) =>
    createFirstPlatformToken(runtime, config.platform_account),
  )
}

/**
 * Creates a sign-in link for the first person of a production installation, in the same way. A person who is an admin
 * of the platform account already gets another link.
 */
export function createPlatformPerson(
  config: Config,
  email: string,
  print: (line: string) => void,
): Promise<{ readonly url: string; readonly expires_at: number }> {
  return withPlatform(config, print, ({ createFirstPersonLink }, runtime) =>
    createFirstPersonLink(runtime, config.platform_account, email),
  )
}

type LoadedProgram = Awaited<ReturnType<typeof loadProgram>>

async function withPlatform<T>(
  config: Config,
  print: (line: string) => void,
  create: (program: LoadedProgram, runtime: Server['runtime']) => Promise<T>,
): Promise<T> {
  const keys = await readKeyFiles(config.key_paths, { production: true })
  if (!config.database) throw new Error('readConfig requires a database in production.')
  const seen = recallSeenServers(seenFile(config))
  await migrate(config.database, { directory: migrationsDirectory, log: print, keeps_programs: true, seen })
  const { mode, database: target, public_url, platform_account, log_level } = config
  const program = await loadProgram()
  const { runtime } = await program.openRuntime({ mode, target, seen, keys, public_url, log: openLog(log_level) })
  await using _ = runtime.database
  await program.ensurePlatform(runtime, platform_account)
  try {
    return await create(program, runtime)
  } catch (error) {
    if (!isRefusal(error, 'invalid_state')) throw error
    const remedy =
      'Let that admin create further tokens (`bourse tokens create`) and links (`bourse users sign-in-link`). To ' +
      'create a first one again, delete all admin tokens; an admin user gets another link with --person.'
    throw startProblem('platform_token_exists', `The platform account already has an admin. ${remedy}`)
  }
}

/** Loads the server's code. This happens while PostgreSQL starts on another core, which takes about as long. */
async function loadProgram() {
  const [server, providers, clients, signers, platform, sandbox] = await Promise.all([
    import('../server.ts'),
    import('../iam/providers/provider-settings.service.ts'),
    import('../iam/providers/provider-clients.service.ts'),
    import('../fleet/agents/agent-signers.service.ts'),
    import('../iam/accounts/bootstrap.service.ts'),
    import('../sandbox/scenarios/bootstrap.service.ts'),
  ])
  return { ...server, ...providers, ...clients, ...signers, ...platform, ...sandbox }
}

/** Names the process in each line of its log. */
export function originOf({ replica_name }: Pick<Config, 'replica_name'>): LogOrigin {
  return { replica: replica_name, pid: process.pid, version }
}

/** The file that keeps the newest server of the database that was used at this place. */
function seenFile({ data_directory }: Pick<Config, 'data_directory'>): string {
  return join(data_directory, 'database-server.json')
}

type ServerParts = {
  readonly target: NonNullable<Config['database']>
  readonly keys: Awaited<ReturnType<typeof readKeyFiles>>
  readonly print: (line: string) => void
  readonly log: Log
  readonly followed_keys?: FollowedKeys
  readonly siblings?: Siblings | undefined
}

async function openServer(config: Config, parts: ServerParts): Promise<Server> {
  const { target, keys, followed_keys, print, log, siblings } = parts
  const isOwn = config.mode === 'sandbox' && config.database === undefined
  // A sandbox has no standby, and its data directory may be copied.
  const seen = openSeenServers(config.mode === 'production' ? seenFile(config) : undefined, log)
  const keeps_programs = config.mode === 'production'
  const logSteps = isOwn ? withoutSteps(print) : print
  await migrate(target, { directory: migrationsDirectory, log: logSteps, keeps_programs, seen })
  const schema_version = (await readMigrations(migrationsDirectory)).length
  const { mode, host, port, public_url, console_origin, metrics_port, metrics_host, host_networks } = config
  const { transactions, account_reads } = connectionShare(config.workers)
  const { readAgentSigners, readProviders, startServer, warnOfUndated } = await loadProgram()
  const sign_in_providers = await readProviders(config.oidc_file)
  const agent_signers = await readAgentSigners(config.agent_signers_file)
  const image_store = await readBlobStoreOptions(config.image_store)
  const certificates = config.tls_files && (await openCertificates(config.tls_files, { log }))
  const server = await startServer({
    mode,
    target,
    seen,
    keys,
    are_keys_rejected: followed_keys && (() => followed_keys.problem() !== undefined),
    log,
    host,
    port,
    certificates,
    // Browsers have passkeys for a name, and for no address.
    shown_host: mode === 'sandbox' && host === '127.0.0.1' ? 'localhost' : undefined,
    public_url,
    console_origin,
    egress: { proxy: config.webhook_proxy },
    trusted_proxies: config.trusted_proxies,
    proxy_header: config.proxy_header,
    allowed_hosts: config.allowed_hosts,
    hsts_seconds: config.hsts_seconds,
    keep_alive_seconds: config.keep_alive_seconds,
    metrics_port,
    metrics_host,
    host_networks,
    sign_in_providers,
    agent_signers,
    dual_control_dollars: config.dual_control_dollars,
    tracing: config.tracing,
    replicas: config.replicas,
    rate_siblings: siblings && { workers: config.workers, ...siblings.rates },
    connections_max: transactions,
    account_readers_max: account_reads,
    metrics_of_all: siblings?.metrics,
    image_store,
    schema_version,
  })
  const followed = [certificates, followed_keys].filter((files) => files !== undefined)
  if (followed.length > 0) lookOnHangup(followed, log)
  // Not awaited: a provider that is down does no harm.
  void warnOfUndated(server.runtime)
  return server
}

/** Operators and their tools send this signal where they have replaced files. */
function lookOnHangup(followed: readonly FollowedFiles[], log: Log): void {
  process.on('SIGHUP', () => {
    log.info({}, 'SIGHUP: looking at the files of keys and certificate.')
    for (const { look } of followed) void look()
  })
}

/** Leaves out each migration of a sandbox's own database: there are dozens, and nobody has to act on one. */
function withoutSteps(print: ServerParts['print']): ServerParts['print'] {
  return (line) => {
    if (!line.startsWith('Applied migration ')) print(line)
  }
}

async function writePrivate(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 })
  // writeFile does not change the mode of an existing file.
  await chmod(path, 0o600)
}

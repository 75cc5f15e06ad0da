/** Reads the configuration from the environment. An invalid variable stops the start with an error that names it. */

import { availableParallelism, hostname } from 'node:os'
import { resolve } from 'node:path'
import { isUnencryptedUrl } from '@bourse/api/kit/loopback.ts'
import { dataDirectoryOf, type Environment } from '@bourse/text/program.ts'
import type { IntegerSetting } from '@bourse/text/settings.ts'
import { type Network, parseNetwork } from './core/base/networks.rules.ts'
import { type IntegerVariable, serverSettings } from './core/base/server-settings.ts'
import { startProblem } from './core/base/start-problem.ts'
import { type BlobSettings, readBlobSettings } from './core/blobs/blob-settings.ts'
import { type DatabaseTarget, parseDatabaseUrl } from './core/db/database-target.ts'
import type { KeyPaths } from './core/keys/key-files.ts'
import type { ProxyHeader } from './core/proxies/client-address.rules.ts'
import type { TlsFiles } from './core/tls/certificates.ts'
import { readTraceSettings, type TraceSettings } from './core/trace/trace-settings.ts'
import type { Mode } from './core/work/runtime.ts'

/** How long a connection stays open without a request, unless the operator says otherwise. */
export const usualKeepAliveSeconds = serverSettings.BOURSE_KEEP_ALIVE_SECONDS.fallback

/** The configuration of a server. */
export type Config = {
  readonly mode: Mode
  readonly host: string
  readonly port: number
  /** Production serves its metrics at a port of their own. */
  readonly metrics_port: number | undefined
  readonly metrics_host: string
  /** Names by which `/metrics` may be asked for, besides that of the public URL. */
  readonly allowed_hosts: readonly string[]
  readonly data_directory: string
  /** Undefined means the bundled PostgreSQL. */
  readonly database: DatabaseTarget | undefined
  readonly public_url: string | undefined
  /** The files of the certificate with which the API is served by https. Undefined: it is served by http. */
  readonly tls_files: TlsFiles | undefined
  readonly key_paths: Partial<KeyPaths>
  readonly platform_account: string
  readonly console_origin: string | undefined
  /** The HTTP proxy (CONNECT) through which webhooks are delivered. It then decides which addresses are allowed. */
  readonly webhook_proxy: string | undefined
  /** The networks of the proxies in front of the server, which say where requests come from. */
  readonly trusted_proxies: readonly Network[]
  /** In what they say it. */
  readonly proxy_header: ProxyHeader
  /** How long browsers use only https for this host, if the public URL is one. 0: they are not told. */
  readonly hsts_seconds: number
  /** How long a connection stays open without a request. */
  readonly keep_alive_seconds: number
  /** Where spans are sent, if they are. */
  readonly tracing: TraceSettings | undefined
  readonly replicas: number
  /** The processes of this replica that serve requests. 1: it is a single process. */
  readonly workers: number
  /** The name of this process in its log. */
  readonly replica_name: string
  /** How long the server still serves after a stop signal, while it reports that it is not ready. */
  readonly drain_seconds: number
  /** The networks in which hosts may declare addresses, as lists of CIDRs. Undefined allows all. */
  readonly host_networks: {
    readonly hosts: string | undefined
    readonly publics: string | undefined
    /** The addresses of hosts inside of tunnels. Undefined: the default. */
    readonly tunnels: string | undefined
    /** Whether hosts without WireGuard may carry traffic of machines unencrypted. */
    readonly accepts_unencrypted: boolean
  }
  /** The file of the providers of OpenID Connect by which people come in. */
  readonly oidc_file: string | undefined
  /** The file of the keys that may sign versions of the agent. */
  readonly agent_signers_file: string | undefined
  readonly image_store: BlobSettings
  /** Credits above so many dollars need a second operator. Undefined: none do. */
  readonly dual_control_dollars: number | undefined
  readonly log_level: (typeof serverSettings.BOURSE_LOG_LEVEL.words)[number]
}

const databaseMeaning = 'the URL of the PostgreSQL database'
/** More than this share one database rarely better: whoever wants them says so. */
const usualWorkersMax = 8

/**
 * Reads the configuration of `bourse start` (sandbox) or `bourse serve` (production). `serves` is false for commands
 * beside the servers, which need no images: a unit of systemd may set the store for its servers only.
 */
export function readConfig(
  mode: Mode,
  variables: Environment,
  { serves = true }: { readonly serves?: boolean } = {},
): Config {
  const isSandbox = mode === 'sandbox'
  const public_url = readPublicUrl(variables, isSandbox)
  const database = variables.BOURSE_DATABASE_URL ? parseDatabaseUrl(variables.BOURSE_DATABASE_URL) : undefined
  if (!isSandbox && !database) throw missing('BOURSE_DATABASE_URL', databaseMeaning)
  if (!isSandbox && !public_url) throw missing('BOURSE_PUBLIC_URL', 'the URL under which customers reach this server')
  const metrics = variables.BOURSE_METRICS_PORT
  const replicas = readInteger(variables, 'BOURSE_REPLICAS')
  const data_directory = resolve(dataDirectoryOf(variables))
  const trusted_proxies = readNetworks(variables, 'BOURSE_TRUSTED_PROXIES')
  return {
    mode,
    host: readText(variables, 'BOURSE_HOST'),
    port: readInteger(variables, 'BOURSE_PORT'),
    metrics_port: metrics || !isSandbox ? readInteger(variables, 'BOURSE_METRICS_PORT') : undefined,
    metrics_host: readText(variables, 'BOURSE_INSECURE_METRICS_HOST'),
    allowed_hosts: readNames(variables, 'BOURSE_ALLOWED_HOSTS'),
    data_directory,
    database,
    public_url,
    tls_files: readTlsFiles(variables),
    key_paths: definedPaths(variables),
    platform_account: readAccount(variables),
    console_origin: readUrl(variables, 'BOURSE_CONSOLE_ORIGIN'),
    webhook_proxy: readUrl(variables, 'BOURSE_WEBHOOK_PROXY'),
    trusted_proxies,
    proxy_header: readProxyHeader(variables, trusted_proxies),
    hsts_seconds: readInteger(variables, 'BOURSE_HSTS_SECONDS'),
    keep_alive_seconds: readInteger(variables, 'BOURSE_KEEP_ALIVE_SECONDS'),
    tracing: readTraceSettings(variables),
    replicas,
    workers: isSandbox ? 1 : readInteger(variables, 'BOURSE_WORKERS', usualWorkers()),
    replica_name: variables.BOURSE_REPLICA_NAME || hostname(),
    drain_seconds: isSandbox
      ? readInteger(variables, 'BOURSE_DRAIN_SECONDS', 0)
      : readInteger(variables, 'BOURSE_DRAIN_SECONDS'),
    host_networks: {
      hosts: variables.BOURSE_HOST_NETWORKS || undefined,
      publics: variables.BOURSE_PUBLIC_NETWORKS || undefined,
      tunnels: variables.BOURSE_TUNNEL_NETWORK || undefined,
      accepts_unencrypted: readSwitch(variables, 'BOURSE_INSECURE_HOST_TRAFFIC'),
    },
    oidc_file: variables.BOURSE_OIDC_FILE ? resolve(variables.BOURSE_OIDC_FILE) : undefined,
    agent_signers_file: variables.BOURSE_AGENT_SIGNERS_FILE ? resolve(variables.BOURSE_AGENT_SIGNERS_FILE) : undefined,
    image_store: readBlobSettings(variables, { data_directory, replicas: serves ? replicas : 1 }),
    dual_control_dollars: variables.BOURSE_DUAL_CONTROL_DOLLARS
      ? readInteger(variables, 'BOURSE_DUAL_CONTROL_DOLLARS')
      : undefined,
    log_level: readLogLevel(variables, isSandbox),
  }
}

/** The database of a production installation, for work that needs nothing else of it. */
export function readDatabaseTarget({ BOURSE_DATABASE_URL }: Environment): DatabaseTarget {
  if (!BOURSE_DATABASE_URL) throw missing('BOURSE_DATABASE_URL', databaseMeaning)
  return parseDatabaseUrl(BOURSE_DATABASE_URL)
}

function missing(name: string, meaning: string) {
  return startProblem('bad_configuration', `Set ${name}: ${meaning}.`)
}

/** The whole number of a variable, within the bounds of its entry in `serverSettings`. */
function readInteger(variables: Environment, name: IntegerVariable, fallback?: number): number {
  const setting: IntegerSetting & { readonly fallback?: number } = serverSettings[name]
  const text = variables[name]
  if (!text) return fallback ?? setting.fallback ?? setting.min
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= setting.min && value <= setting.max) return value
  throw startProblem('bad_configuration', `${name} must be a whole number between ${setting.min} and ${setting.max}.`)
}

function readText(
  variables: Environment,
  name: 'BOURSE_HOST' | 'BOURSE_INSECURE_METRICS_HOST' | 'BOURSE_PLATFORM_ACCOUNT',
): string {
  return variables[name] || serverSettings[name].fallback
}

function readPublicUrl(variables: Environment, isSandbox: boolean): string | undefined {
  const url = readUrl(variables, 'BOURSE_PUBLIC_URL')
  const isAccepted = isSandbox || readSwitch(variables, 'BOURSE_INSECURE_PUBLIC_URL')
  if (url === undefined || isAccepted || !isUnencryptedUrl(url)) return url
  throw startProblem(
    'bad_configuration',
    'BOURSE_PUBLIC_URL is an http URL, so clients and hosts would send their tokens unencrypted. Use an https URL, ' +
      'with BOURSE_TLS_CERT_FILE or a proxy that terminates TLS. To accept this, set BOURSE_INSECURE_PUBLIC_URL=1.',
  )
}

function readSwitch(variables: Environment, name: string): boolean {
  const text = variables[name] || '0'
  if (text === '1' || text === '0') return text === '1'
  throw startProblem('bad_configuration', `${name} must be 1 or 0.`)
}

function readUrl(variables: Environment, name: string): string | undefined {
  const text = variables[name]
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.search && !url.hash) return text.replace(/\/+$/, '')
  throw startProblem('bad_configuration', `${name} must be an http or https URL without query.`)
}

function readList(variables: Environment, name: string): string[] {
  const texts = (variables[name] ?? '').split(',').map((text) => text.trim())
  return texts.filter((text) => text !== '')
}

const namePattern = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i

function readNames(variables: Environment, name: string): string[] {
  const named = readList(variables, name)
  const wrong = named.find((text) => !namePattern.test(text))
  if (wrong === undefined) return named
  throw startProblem(
    'bad_configuration',
    `${name} must list names without a port, such as bourse.internal. ${JSON.stringify(wrong)} is none.`,
  )
}

const networksMax = 64

function readNetworks(variables: Environment, name: string): Network[] {
  const named = readList(variables, name)
  if (named.length > networksMax)
    throw startProblem('bad_configuration', `${name} has at most ${networksMax} networks.`)
  return named.map((text) => {
    const network = parseNetwork(text) ?? parseNetwork(`${text}/${text.includes(':') ? 128 : 32}`)
    if (network) return network
    throw startProblem(
      'bad_configuration',
      `${name} must list networks and addresses, such as 10.0.0.0/8,127.0.0.1. ${JSON.stringify(text)} is neither.`,
    )
  })
}

function readProxyHeader({ BOURSE_PROXY_HEADER: text }: Environment, trusted: readonly Network[]): ProxyHeader {
  const { words, fallback } = serverSettings.BOURSE_PROXY_HEADER
  if (!text) return fallback
  const known = words.find((name) => name === text)
  if (!known) throw startProblem('bad_configuration', `BOURSE_PROXY_HEADER must be one of ${words.join(', ')}.`)
  if (trusted.length > 0) return known
  const problem =
    'BOURSE_PROXY_HEADER says what proxies send, and no proxy is named. Name yours in BOURSE_TRUSTED_PROXIES.'
  throw startProblem('bad_configuration', problem)
}

/** One for each processor that this process may use. */
function usualWorkers(): number {
  return Math.min(availableParallelism(), usualWorkersMax)
}

function readTlsFiles({ BOURSE_TLS_CERT_FILE: certificate, BOURSE_TLS_KEY_FILE: key }: Environment) {
  if (certificate && key) return { certificate: resolve(certificate), key: resolve(key) }
  if (!certificate && !key) return undefined
  const absent = certificate ? 'BOURSE_TLS_KEY_FILE' : 'BOURSE_TLS_CERT_FILE'
  throw startProblem('bad_configuration', `Set ${absent} too: https needs a certificate and its private key.`)
}

function definedPaths(variables: Environment): Partial<KeyPaths> {
  return {
    ...(variables.BOURSE_SIGNING_KEYS_FILE ? { signing: variables.BOURSE_SIGNING_KEYS_FILE } : {}),
    ...(variables.BOURSE_MASTER_KEY_FILE ? { master: variables.BOURSE_MASTER_KEY_FILE } : {}),
    ...(variables.BOURSE_CURSOR_KEYS_FILE ? { cursor: variables.BOURSE_CURSOR_KEYS_FILE } : {}),
  }
}

function readAccount(variables: Environment): string {
  const account = readText(variables, 'BOURSE_PLATFORM_ACCOUNT')
  if (/^[a-z0-9][a-z0-9-]{2,39}$/.test(account)) return account
  throw startProblem('bad_configuration', 'BOURSE_PLATFORM_ACCOUNT must have 3-40 characters of a-z, 0-9 and -.')
}

function readLogLevel(variables: Environment, isSandbox: boolean): Config['log_level'] {
  const { words } = serverSettings.BOURSE_LOG_LEVEL
  const level = variables.BOURSE_LOG_LEVEL || (isSandbox ? 'warn' : 'info')
  const known = words.find((name) => name === level)
  if (known) return known
  throw startProblem('bad_configuration', `BOURSE_LOG_LEVEL must be one of ${words.join(', ')}.`)
}

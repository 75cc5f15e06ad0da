/** The options of one server, as a program or a test gives them. */
import type { Later } from '../core/base/clock.ts'
import type { Log } from '../core/base/log.ts'
import type { Network } from '../core/base/networks.rules.ts'
import type { Random } from '../core/base/random.ts'
import type { BlobStoreOptions } from '../core/blobs/blob-store.ts'
import type { DatabaseTarget } from '../core/db/database-target.ts'
import type { SeenServers } from '../core/db/seen-server.ts'
import type { EgressOptions } from '../core/egress/egress.ts'
import type { RateSiblings } from '../core/http/rate-exchange.ts'
import type { Keys } from '../core/keys/keys.ts'
import type { ProxyHeader } from '../core/proxies/client-address.rules.ts'
import type { Certificates } from '../core/tls/certificates.ts'
import type { TraceSettings } from '../core/trace/trace-settings.ts'
import type { Failpoint, Mode } from '../core/work/runtime.ts'
import type { HostNetworkTexts } from '../fleet/hosts/host-addresses.service.ts'
import type { SignInProvider } from '../iam/providers/provider-settings.rules.ts'
import type { MetricsOfAll } from '../process/metrics.service.ts'

/** The options of one server. Its database is already migrated. */
export type ServerOptions = {
  readonly mode: Mode
  readonly target: DatabaseTarget
  /** What is known of servers of the database that were used at this place. The default is nothing. */
  readonly seen?: SeenServers | undefined
  readonly keys: Keys
  /** Whether the files of the keys hold others that are not taken. Undefined: they are not followed. */
  readonly are_keys_rejected?: (() => boolean) | undefined
  readonly log: Log
  readonly host: string
  readonly port: number
  /** The certificate of the API, which is then served by https. The metrics at a port of their own never are. */
  readonly certificates?: Certificates | undefined
  /** The name by which the server calls itself where it has no public URL. The default is the host. */
  readonly shown_host?: string | undefined
  readonly public_url?: string | undefined
  readonly console_origin?: string | undefined
  /** The store of image bytes. The default is files in the system's temporary directory. */
  readonly image_store?: BlobStoreOptions | undefined
  /** A port for `/metrics` alone. Undefined: the port of the API. */
  readonly metrics_port?: number | undefined
  /** Names by which `/metrics` may be asked for, besides that of the public URL. The default is none. */
  readonly allowed_hosts?: readonly string[]
  /** The address of that port. The default is 127.0.0.1. */
  readonly metrics_host?: string
  /** How webhooks are delivered: through a proxy, and in tests with other name servers or certificates. */
  readonly egress?: Omit<EgressOptions, 'is_public_only'> & { readonly is_public_only?: boolean }
  /** The networks of proxies that say who their clients are. The default is none. */
  readonly trusted_proxies?: readonly Network[]
  /** In what they say it. The default is `X-Forwarded-For`. */
  readonly proxy_header?: ProxyHeader
  /** How long a connection stays open without a request. The default is 75. */
  readonly keep_alive_seconds?: number
  /** How long browsers use only https for the host of the public URL, if that is one of https. Default: never told. */
  readonly hsts_seconds?: number
  /** The networks in which hosts may declare addresses. The default is all. */
  readonly host_networks?: HostNetworkTexts
  /** The providers of OpenID Connect by which people come in. The default is none. */
  readonly sign_in_providers?: readonly SignInProvider[]
  /** The keys that may sign versions of the agent. The default is all: then hosts alone decide. */
  readonly agent_signers?: readonly string[]
  /** Credits above so many dollars need a second operator. The default is none. */
  readonly dual_control_dollars?: number | undefined
  /** Where spans are sent. The default is nowhere. */
  readonly tracing?: TraceSettings | undefined
  readonly replicas?: number
  /** The workers beside this one, which draw from the same rate buckets. */
  readonly rate_siblings?: RateSiblings | undefined
  readonly connections_max?: number
  /** Connections for the reads of accounts. */
  readonly account_readers_max?: number
  /** The metrics of the processes beside this one. */
  readonly metrics_of_all?: MetricsOfAll | undefined
  /** The longest time between two statements of a transaction; the simulation pauses replicas for longer. */
  readonly idle_milliseconds?: number
  /** The longest wait for a lock, 2,000 by default. For tests whose requests wait in turn on a slow machine. */
  readonly lock_milliseconds?: number
  /** The number of migrations of this program. */
  readonly schema_version: number
  /** The default is the operating system's randomness; the simulation passes its own. */
  readonly random?: Random
  readonly failpoint?: (name: Failpoint, requestId: string) => Promise<void> | void
  /** The monotonic clock in milliseconds; the simulation passes its own. */
  readonly monotonic?: () => number
  /** Runs work that requests defer; the simulation passes its own timers. */
  readonly later?: Later
  /** Checks every response against the contract. For tests. */
  readonly check_responses?: boolean
  /** Whether the server runs due work; the simulation runs it step by step. */
  readonly runs_reconcilers?: boolean
  /** How often the server tries a durable write. The default is every five seconds. */
  readonly probe_milliseconds?: number
  /** Whether the start maintains the partitions of the event log. False if another server has just done so. */
  readonly keeps_partitions?: boolean
  /** False only for tests on a database that is not durable. */
  readonly requires_safe_database?: boolean
  /** The factor of all rate limits; 100 in a sandbox. */
  readonly rate_multiplier?: number
}

/** The options that `openRuntime` needs. */
export type RuntimeOptions = Pick<
  ServerOptions,
  | 'mode'
  | 'target'
  | 'tracing'
  | 'seen'
  | 'keys'
  | 'log'
  | 'public_url'
  | 'image_store'
  | 'host_networks'
  | 'sign_in_providers'
  | 'agent_signers'
  | 'dual_control_dollars'
  | 'connections_max'
  | 'account_readers_max'
  | 'idle_milliseconds'
  | 'monotonic'
  | 'lock_milliseconds'
  | 'random'
  | 'failpoint'
  | 'keeps_partitions'
  | 'requires_safe_database'
  | 'rate_multiplier'
>

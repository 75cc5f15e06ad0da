/** The variables that a server reads: config.ts takes bounds and defaults from here, and so does the reference. */
import type { SettingTable } from '@bourse/text/settings.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'

const yearSeconds = 365 * daySeconds
const switchForm = '`1` or `0`'
const urlForm = 'an http or https URL without query'
const privateForm = 'a file that other users cannot read'
/** Programs that work on the database without serving it. */
const databaseReaders = [
  'serve',
  'start',
  'migrate',
  'backup',
  'doctor',
  'audit verify',
  'audit export',
  'keys rotate',
  'keys reencrypt',
]
/** Programs that read keys. */
const keyReaders = ['serve', 'start', 'backup verify', 'doctor', 'audit verify', 'keys rotate', 'keys reencrypt']
const servers = ['serve', 'start']

/** The variables of `bourse start` and `bourse serve`, in the order of the reference. */
export const serverSettings = {
  BOURSE_DATABASE_URL: {
    meaning:
      'The PostgreSQL database, 17 or newer. Several hosts are separated by commas. Parameters: `sslmode` ' +
      '(`verify-full`, `verify-ca`, `no-verify`, `disable`), `sslrootcert`, `host` (a directory of sockets), ' +
      '`target_session_attrs`.',
    form: '`postgres://user:password@host:port/database`',
    unset: '`serve`: required. `start`: the bundled PostgreSQL',
    readers: databaseReaders,
  },
  BOURSE_PUBLIC_URL: {
    meaning:
      'The URL under which customers and hosts reach the server. In production an https URL, or an http URL of this ' +
      'host.',
    form: urlForm,
    unset: '`serve`: required. `start`: the address on which it listens',
    readers: servers,
  },
  BOURSE_HOST: {
    meaning: 'The address on which the API is served. An address other than loopback is reachable from other hosts.',
    form: 'an address or name of this host',
    fallback: '127.0.0.1',
    readers: servers,
  },
  BOURSE_PORT: {
    meaning: 'The port of the API. `0` takes a free port.',
    min: 0,
    max: 65_535,
    fallback: 8080,
    readers: servers,
  },
  BOURSE_DATA_DIR: {
    meaning:
      'The directory of a sandbox: its database, keys, images and `sandbox.env`. In production: a record of the ' +
      'newest database server that was used, and images unless `BOURSE_IMAGE_STORE` is set.',
    form: 'a directory',
    fallback: 'data',
    readers: ['serve', 'start', 'doctor', 'audit verify', 'audit export', 'every command that calls the API'],
  },
  BOURSE_TLS_CERT_FILE: {
    meaning: 'The PEM file of the certificate with its chain, for https on the port of the API. Read again on change.',
    form: 'a file; needs `BOURSE_TLS_KEY_FILE`',
    unset: 'the API is served by http',
    readers: servers,
  },
  BOURSE_TLS_KEY_FILE: {
    meaning: 'The PEM file of the private key of the certificate. Other users must not be able to read it.',
    form: 'a file; needs `BOURSE_TLS_CERT_FILE`',
    unset: 'the API is served by http',
    readers: servers,
  },
  BOURSE_METRICS_PORT: {
    meaning: 'The port of `/metrics`. `0` takes a free port.',
    min: 0,
    max: 65_535,
    fallback: 9090,
    unset: '`serve`: 9090. `start`: the port of the API',
    readers: servers,
  },
  BOURSE_ALLOWED_HOSTS: {
    meaning:
      'Names under which `/metrics` may be requested, besides IP addresses, the host of the public URL, `localhost` ' +
      'and names without a dot.',
    form: 'names without a port, separated by commas',
    readers: servers,
  },
  BOURSE_SIGNING_KEYS_FILE: {
    meaning: 'The file of the keys that sign tokens. `bourse keys create` makes it.',
    form: privateForm,
    unset: '`serve`: required. `start`: made in the data directory',
    readers: keyReaders,
  },
  BOURSE_MASTER_KEY_FILE: {
    meaning: 'The file of the key that encrypts secrets in the database. `bourse keys create` makes it.',
    form: privateForm,
    unset: '`serve`: required. `start`: made in the data directory',
    readers: keyReaders,
  },
  BOURSE_CURSOR_KEYS_FILE: {
    meaning: 'The file of the keys that authenticate cursors of events and lists. `bourse keys create` makes it.',
    form: privateForm,
    unset: '`serve`: required. `start`: made in the data directory',
    readers: keyReaders,
  },
  BOURSE_REPLICAS: {
    meaning: 'How many replicas serve the same database. Rate limits are divided by this number.',
    min: 1,
    max: 1000,
    fallback: 1,
    readers: servers,
  },
  BOURSE_REPLICA_NAME: {
    meaning: 'The name of this replica in its log.',
    unset: 'the host name',
    readers: servers,
  },
  BOURSE_WORKERS: {
    meaning: 'How many processes of a replica serve requests.',
    min: 1,
    max: 64,
    unset: 'one for each processor, at most 8',
    readers: ['serve'],
  },
  BOURSE_DRAIN_SECONDS: {
    meaning: 'How long a server still serves after SIGTERM, while `/readyz` is 503.',
    min: 0,
    max: 300,
    fallback: 5,
    unset: '5',
    readers: ['serve'],
  },
  BOURSE_KEEP_ALIVE_SECONDS: {
    meaning: 'How long a connection stays open without a request. It must be longer than at a load balancer in front.',
    min: 15,
    max: hourSeconds,
    // Longer than load balancers usually keep an idle connection (60 s): one that is closed as they use it is a 502.
    fallback: 75,
    readers: servers,
  },
  BOURSE_LOG_LEVEL: {
    meaning: 'The least severe lines of the log.',
    words: ['debug', 'info', 'warn', 'error', 'silent'],
    unset: '`serve`: `info`. `start`: `warn`',
    readers: servers,
  },
  BOURSE_PLATFORM_ACCOUNT: {
    meaning: 'The id of the account of the platform operator. It cannot change once the database has one.',
    form: '3 to 40 characters of `a-z`, `0-9` and `-`, the first of them not `-`',
    fallback: 'bourse',
    readers: servers,
  },
  BOURSE_CONSOLE_ORIGIN: {
    meaning: 'The origin of a console that another server serves: it may call the API from a browser.',
    form: urlForm,
    readers: servers,
  },
  BOURSE_TRUSTED_PROXIES: {
    meaning: 'The networks and addresses of your proxies. The server accepts the client address that they state.',
    form: 'at most 64 networks, separated by commas, such as `10.0.4.0/24`',
    unset: 'no proxy is trusted',
    readers: servers,
  },
  BOURSE_PROXY_HEADER: {
    meaning:
      'Where a trusted proxy states the address of the client. Nothing else is read. It needs ' +
      '`BOURSE_TRUSTED_PROXIES`.',
    words: ['x-forwarded-for', 'forwarded', 'proxy-protocol'],
    fallback: 'x-forwarded-for',
    readers: servers,
  },
  BOURSE_HSTS_SECONDS: {
    meaning: 'How long browsers use only https for the host of an https public URL. `0`: browsers are not told.',
    min: 0,
    max: 2 * yearSeconds,
    fallback: yearSeconds,
    readers: servers,
  },
  BOURSE_WEBHOOK_PROXY: {
    meaning: 'The HTTP proxy (CONNECT) through which webhooks are sent. It then decides which addresses are allowed.',
    form: urlForm,
    unset: 'webhooks are sent directly. `serve`: to public addresses only',
    readers: servers,
  },
  BOURSE_OIDC_FILE: {
    meaning: 'The file of the OpenID Connect providers by which people sign in.',
    form: 'a JSON file',
    readers: servers,
  },
  BOURSE_DUAL_CONTROL_DOLLARS: {
    meaning:
      'Credits to an account that exceed it within 24 hours, and credit limits above it, need a second platform ' +
      'operator.',
    min: 0,
    max: 1_000_000_000_000,
    fallback: 0,
    unset: 'no credit needs a second platform operator',
    readers: servers,
  },
  BOURSE_AGENT_SIGNERS_FILE: {
    meaning: 'The file of 1 to 16 public keys (`ssh-ed25519`), one a line, that may sign versions of the agent.',
    form: 'a file',
    unset: 'a version that is added may be signed by any key, and hosts get no keys as they enrol',
    readers: servers,
  },
  BOURSE_HOST_NETWORKS: {
    meaning: 'The networks in which hosts may declare their own addresses.',
    form: 'IPv4 networks, separated by commas',
    unset: 'all that another host can reach',
    readers: servers,
  },
  BOURSE_PUBLIC_NETWORKS: {
    meaning: 'The networks in which hosts may declare public addresses for instances.',
    form: 'IPv4 networks, separated by commas',
    unset: 'all that another host can reach',
    readers: servers,
  },
  BOURSE_TUNNEL_NETWORK: {
    meaning: 'The network from which hosts get their addresses inside of tunnels.',
    form: 'one IPv4 network between /8 and /30',
    // A network of carriers (RFC 6598), and the part of it that other programs use least.
    fallback: '100.112.0.0/12',
    readers: servers,
  },
  BOURSE_INSECURE_PUBLIC_URL: {
    meaning: '`1` accepts an http public URL of another host in production: tokens are sent unencrypted.',
    form: switchForm,
    fallback: 0,
    readers: ['serve'],
  },
  BOURSE_INSECURE_METRICS_HOST: {
    meaning:
      'The address of the port `BOURSE_METRICS_PORT`. On one that is not loopback, other hosts can read `/metrics` ' +
      'without a token. Without that port, as in a sandbox by default, it is on the address and port of the API.',
    form: 'an address or name of this host',
    fallback: '127.0.0.1',
    readers: servers,
  },
  BOURSE_INSECURE_HOST_TRAFFIC: {
    meaning: '`1` accepts hosts without WireGuard: their subnets are carried unencrypted between hosts.',
    form: switchForm,
    fallback: 0,
    readers: servers,
  },
  BOURSE_WORKER_NUMBER: {
    meaning: 'The number of a worker. `bourse serve` sets it for the processes that it starts: do not set it.',
    readers: ['workers of serve'],
  },
} as const satisfies SettingTable

/** The network of tunnels, unless the operator chooses another one. */
export const tunnelNetworkDefault = serverSettings.BOURSE_TUNNEL_NETWORK.fallback

/** The names of the variables with a whole number. */
export type IntegerVariable = {
  [Name in keyof typeof serverSettings]: (typeof serverSettings)[Name] extends { readonly min: number } ? Name : never
}[keyof typeof serverSettings]

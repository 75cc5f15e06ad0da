import { startProblem } from '../base/start-problem.ts'
import { isLocalDatabase, type TlsOptions, tlsOptions } from './database-tls.ts'

/** The address of a database and the user to connect as, in the names of `pg`. To log one, use describeTarget. */
export type DatabaseTarget = {
  /** A host name, an address, or the directory of a Unix socket (starts with a slash). */
  readonly host: string
  readonly port: number
  /** Further addresses: those of servers that may become the primary. */
  readonly others?: readonly { readonly host: string; readonly port: number }[]
  readonly user: string
  readonly database: string
  readonly password?: string
  /** Absent or false: no TLS. */
  readonly ssl?: false | TlsOptions
}

const noHost = 'no-host.invalid'
const parameterNames = ['sslmode', 'sslrootcert', 'host', 'target_session_attrs']
const example = 'postgres://user:password@host:5432/database'

/**
 * Reads BOURSE_DATABASE_URL. Accepts `sslmode` (verify-full, verify-ca, no-verify, disable), `sslrootcert` (a file),
 * `host` (a socket directory) and `target_session_attrs` (read-write, primary: what the program always needs). Any
 * other parameter is refused, because it would have no effect. Several hosts are separated by commas, as for libpq. No
 * message contains the URL, because it may contain a password.
 */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  // libpq accepts user@/database for a socket; the URL standard requires a host after a user.
  const [first, ...others] = splitHosts(text)
  const standard = first.replace(/^([a-z]+:\/\/[^/@]*@)\//, `$1${noHost}/`)
  const url = URL.canParse(standard) ? new URL(standard) : undefined
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw startProblem('bad_database_url', `BOURSE_DATABASE_URL is not a PostgreSQL URL. It looks like ${example}.`)
  }
  const parameters = readParameters(url)
  const named = url.hostname === noHost ? '' : decode(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host')
  const host = parameters.get('host') ?? named
  const user = decode(url.username, 'user')
  const database = decode(url.pathname.slice(1), 'database')
  for (const [part, value] of Object.entries({ host, user, database })) {
    if (value === '') {
      throw startProblem('bad_database_url', `BOURSE_DATABASE_URL names no ${part}. It looks like ${example}.`)
    }
  }
  checkSessionAttributes(parameters.get('target_session_attrs'))
  if (others.length > 0 && parameters.has('host')) {
    throw startProblem('bad_database_url', 'BOURSE_DATABASE_URL names several hosts and the parameter "host". Use one.')
  }
  const addresses = others.map(parseAddress)
  // One of several addresses on another machine is enough to need verification.
  const furthest = addresses.find((address) => !isLocalDatabase(address.host))?.host ?? host
  const tls = { sslmode: parameters.get('sslmode'), sslrootcert: parameters.get('sslrootcert') }
  const ssl = tlsOptions(isLocalDatabase(host) ? furthest : host, tls)
  return {
    host,
    port: portOf(url),
    ...(others.length === 0 ? {} : { others: addresses }),
    user,
    database,
    ...(url.password === '' ? {} : { password: decode(url.password, 'password') }),
    ...(ssl ? { ssl } : {}),
  }
}

/** A target as text for logs and messages, without the password. */
export function describeTarget(target: DatabaseTarget): string {
  const places = [target, ...(target.others ?? [])].map(({ host, port }) =>
    host.startsWith('/') ? `socket ${host}` : `${host}:${port}`,
  )
  return `database "${target.database}" at ${places.join(' or ')} as user "${target.user}"`
}

/** The URL with its first host only, and the further hosts. The URL standard allows one host. */
function splitHosts(text: string): [string, ...string[]] {
  const [, before, hosts = '', rest = ''] = /^([a-z]+:\/\/(?:[^/@]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? []
  if (before === undefined || !hosts.includes(',')) return [text]
  const [first = '', ...others] = hosts.split(',')
  return [`${before}${first}${rest}`, ...others]
}

function parseAddress(text: string): { host: string; port: number } {
  const url = URL.canParse(`postgres://${text}/`) ? new URL(`postgres://${text}/`) : undefined
  if (!url || url.hostname === '' || url.username !== '' || url.pathname !== '/') {
    throw startProblem('bad_database_url', 'BOURSE_DATABASE_URL has a list of hosts with a part that is not host:port.')
  }
  return { host: decode(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host'), port: portOf(url) }
}

function portOf({ port }: URL): number {
  return port === '' ? 5432 : Number(port)
}

function checkSessionAttributes(attributes = 'read-write'): void {
  if (['read-write', 'primary'].includes(attributes)) return
  throw startProblem(
    'bad_database_url',
    'BOURSE_DATABASE_URL has a target_session_attrs that is not supported. Use read-write, because the program needs ' +
      'the primary.',
  )
}

function readParameters(url: URL): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of url.searchParams) {
    if (!parameterNames.includes(name)) {
      throw startProblem(
        'bad_database_url',
        `BOURSE_DATABASE_URL has the parameter "${name}", which is not supported. ` +
          `Remove it. The supported parameters are ${parameterNames.join(', ')}.`,
      )
    }
    parameters.set(name, value)
  }
  return parameters
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw startProblem(
      'bad_database_url',
      `The ${part} in BOURSE_DATABASE_URL has a "%" that is not part of an escape sequence. Write %25 instead.`,
    )
  }
}

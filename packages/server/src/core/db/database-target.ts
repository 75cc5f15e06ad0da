import { readFileSync } from 'node:fs'
import { startProblem } from '../base/start-problem.ts'

/** The address of a database and the user to connect as, in the names of `pg`. To log one, use describeTarget. */
export type DatabaseTarget = {
  /** A host name, an address, or the directory of a Unix socket (starts with a slash). */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password?: string
  /** Absent or false: no TLS. */
  readonly ssl?: false | TlsOptions
}

type TlsOptions = {
  readonly rejectUnauthorized: boolean
  readonly ca?: string
  readonly checkServerIdentity?: () => undefined
}

const noHost = 'no-host.invalid'
const example = 'postgres://user:password@host:5432/database'

/**
 * Reads BOURSE_DATABASE_URL. Accepts `sslmode` (disable, require, verify-ca, verify-full), `sslrootcert` (a file) and
 * `host` (a socket directory). Any other parameter is refused, because it would have no effect. No message contains
 * the URL, because it may contain a password.
 */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  // libpq accepts user@/database for a socket; the URL standard requires a host after a user.
  const standard = text.replace(/^([a-z]+:\/\/[^/@]*@)\//, `$1${noHost}/`)
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
  const ssl = tlsOptions(parameters.get('sslmode'), parameters.get('sslrootcert'))
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    user,
    database,
    ...(url.password === '' ? {} : { password: decode(url.password, 'password') }),
    ...(ssl ? { ssl } : {}),
  }
}

/** A target as text for logs and messages, without the password. */
export function describeTarget(target: DatabaseTarget): string {
  const place = target.host.startsWith('/') ? `socket ${target.host}` : `${target.host}:${target.port}`
  return `database "${target.database}" at ${place} as user "${target.user}"`
}

function readParameters(url: URL): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of url.searchParams) {
    if (!['sslmode', 'sslrootcert', 'host'].includes(name)) {
      throw startProblem(
        'bad_database_url',
        `BOURSE_DATABASE_URL has the parameter "${name}", which is not supported. ` +
          'Remove it. The supported parameters are sslmode, sslrootcert and host.',
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

function tlsOptions(mode: string | undefined, certificate_file: string | undefined): TlsOptions | undefined {
  const ca = certificate_file === undefined ? {} : { ca: readCertificate(certificate_file) }
  switch (mode) {
    case undefined:
      // A root certificate without a mode means that the server has to be verified with it.
      return certificate_file === undefined ? undefined : { rejectUnauthorized: true, ...ca }
    case 'disable':
      return undefined
    case 'require':
      return { rejectUnauthorized: false }
    case 'verify-ca':
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined, ...ca }
    case 'verify-full':
      return { rejectUnauthorized: true, ...ca }
    default:
      // `prefer` and `allow` fall back to plain text when an attacker in between asks for it.
      throw startProblem(
        'bad_database_url',
        `BOURSE_DATABASE_URL has an sslmode that is not supported. Use disable, require, verify-ca or verify-full.`,
      )
  }
}

function readCertificate(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw startProblem('bad_database_url', `The sslrootcert of BOURSE_DATABASE_URL, ${file}, cannot be read.`, error)
  }
}

/** Decides how the connection to one database host is encrypted and verified. */
import { readFileSync } from 'node:fs'
import { isLoopbackHost } from '@bourse/api/kit/loopback.ts'
import { startProblem } from '../base/start-problem.ts'

/** The option of `pg` for an encrypted connection. */
export type TlsOptions = {
  readonly rejectUnauthorized: boolean
  readonly ca?: string
  readonly checkServerIdentity?: () => undefined
}

/** The parameters of a database URL that concern encryption. */
type TlsParameters = { readonly sslmode: string | undefined; readonly sslrootcert: string | undefined }

/** Whether a host is this machine: a loopback address, or the directory of a Unix socket. */
export function isLocalDatabase(host: string): boolean {
  return host.startsWith('/') || isLoopbackHost(host)
}

/**
 * The encryption of the connection to one host; undefined means none. Without `sslmode`, another machine has to prove
 * its identity (verify-full), because it is sent the password and every secret that the database holds. `pg` checks
 * the name of the host that it connects to, so a URL with several hosts calls this for each.
 */
export function tlsOptions(host: string, { sslmode, sslrootcert }: TlsParameters): TlsOptions | undefined {
  const ca = sslrootcert === undefined ? {} : { ca: readCertificate(sslrootcert) }
  // A root certificate without a mode means that the server has to be verified with it.
  const isOptional = isLocalDatabase(host) && sslrootcert === undefined
  switch (sslmode ?? (isOptional ? 'disable' : 'verify-full')) {
    case 'disable':
      return undefined
    case 'no-verify':
      return { rejectUnauthorized: false }
    case 'verify-ca':
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined, ...ca }
    case 'verify-full':
      return { rejectUnauthorized: true, ...ca }
    case 'require':
      // libpq verifies nothing here, node-postgres everything, and operators expect the one or the other.
      throw startProblem(
        'bad_database_url',
        'BOURSE_DATABASE_URL has sslmode=require, which encrypts without verifying the server, so anyone in between ' +
          'can read the password. Use verify-full, with sslrootcert=FILE for a private certificate authority. ' +
          'To encrypt without verifying nevertheless, write no-verify.',
      )
    default:
      // The other modes, prefer and allow, fall back to plain text when an attacker in between asks for it.
      throw startProblem(
        'bad_database_url',
        'BOURSE_DATABASE_URL has an sslmode that is not supported. Use verify-full, verify-ca, no-verify or disable.',
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

/** The address and token of the command line. */
import { readFileSync } from 'node:fs'
import { isUnencryptedUrl } from '@bourse/api/kit/loopback.ts'
import { dataDirectory, type Environment, sandboxFile } from '@bourse/server/config.ts'
import { tokenRemedy } from '../output/failure.ts'
import { usageProblem } from '../output/usage.ts'
import { readLogin } from './logins.ts'

/** The address and the token, if they are set, and the file that was read. */
export type Settings = {
  readonly base_url: string | undefined
  readonly token: string | undefined
  readonly file: string
}

/**
 * Reads the environment, then the file that a sandbox writes to its data directory. The file's token is used with the
 * file's own address only.
 */
export function readSettings(variables: Environment, base_url?: string): Settings {
  const file = sandboxFile(dataDirectory(variables))
  const left = readEnvironmentFile(file)
  const login = readLogin(variables)
  // A sandbox of this directory goes before the sign-in: what is tried here must not reach another server.
  const address = base_url || variables.BOURSE_BASE_URL || left.BOURSE_BASE_URL || login?.base_url
  const isOf = (url: string | undefined) => address !== undefined && address.replace(/\/+$/, '') === url
  const stored = isOf(login?.base_url) ? login?.token : undefined
  return {
    base_url: address,
    token: variables.BOURSE_API_TOKEN || stored || (isOf(left.BOURSE_BASE_URL) ? left.BOURSE_API_TOKEN : undefined),
    file,
  }
}

type CallOptions = { readonly baseUrl?: string; readonly insecureHttp?: boolean }

/** Settings with everything that a call of the API needs. */
export function requireSettings(variables: Environment, options: CallOptions): { base_url: string; token: string } {
  const settings = readSettings(variables, options.baseUrl)
  const base_url = requireAddress(variables, options)
  if (!settings.token) throw usageProblem(`There is no token for ${base_url}.`, remedy, 'access')
  // The message omits the text, which may be a part of a secret.
  if (!/^[\x21-\x7e]+$/.test(settings.token)) {
    throw usageProblem('The API token contains invalid characters.', tokenRemedy, 'access')
  }
  return { base_url, token: settings.token }
}

const remedy =
  'Start a sandbox with `bourse start`, sign in with `bourse login`, or set BOURSE_BASE_URL and BOURSE_API_TOKEN.'

/** The address of the server. A token may be sent to it. */
export function requireAddress(variables: Environment, options: CallOptions): string {
  const { base_url, file } = readSettings(variables, options.baseUrl)
  if (!base_url) {
    throw usageProblem(`The server is not set: there is neither BOURSE_BASE_URL nor ${file}.`, remedy, 'access')
  }
  if (isUnencryptedUrl(base_url) && !acceptsHttp(variables, options)) {
    throw usageProblem(`${base_url} is not encrypted: anyone in between can read the token.`, httpRemedy)
  }
  return base_url.replace(/\/+$/, '')
}

/** What to do about an http URL of another machine. */
export const httpRemedy = 'Use an https URL. To send the token nevertheless, give --insecure-http.'

/** Whether the caller accepts plain HTTP to other machines. */
export function acceptsHttp({ BOURSE_INSECURE_HTTP }: Environment, { insecureHttp = false }: CallOptions): boolean {
  return insecureHttp || BOURSE_INSECURE_HTTP === '1'
}

function readEnvironmentFile(file: string): Readonly<Record<string, string>> {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    const pairs = lines.map((line) => /^([A-Z_]+)=(.*)$/.exec(line)).filter((found) => found !== null)
    return Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
  } catch {
    // No sandbox has run here, or it belongs to another user.
    return {}
  }
}

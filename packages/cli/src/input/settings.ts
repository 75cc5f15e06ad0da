/** The address, the token and other settings of the command line, and where each comes from. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isUnencryptedUrl } from '@bourse/api/kit/loopback.ts'
import { dataDirectoryOf, type Environment, sandboxFileName } from '@bourse/text/program.ts'
import { tokenRemedy } from '../output/failure.ts'
import { usageProblem } from '../output/usage.ts'
import { checkedOutput, type Note, type Profile, readProfiles, requireProfile } from './profiles.ts'

/** Where a setting comes from: `--base-url`, `BOURSE_BASE_URL`, `profile acme`, or a file. */
export type Origin = string

/** A setting with its origin; both are undefined where it is not set. */
export type Setting = { readonly value: string | undefined; readonly origin: Origin | undefined }

/** All settings of a call. */
export type Settings = {
  readonly base_url: string | undefined
  readonly token: string | undefined
  readonly workspace: string | undefined
  readonly output: string | undefined
  /** The name of the profile in use. */
  readonly profile: string | undefined
  /** The settings file of a sandbox, whether it exists or not. */
  readonly file: string
  readonly origins: Readonly<Record<'base_url' | 'token' | 'workspace' | 'output' | 'profile', Origin | undefined>>
}

type CallOptions = {
  readonly baseUrl?: string
  readonly insecureHttp?: boolean
  readonly profile?: string
  readonly output?: string
  readonly json?: boolean
}

/** Reads all settings, each from the first place that has it. */
export function readSettings(variables: Environment, given: CallOptions, note?: Note): Settings {
  const file = sandboxFile(variables)
  const sandbox = readEnvironmentFile(file)
  const { name, profile, origin } = chooseProfile(variables, given, note)
  // A profile that is named on the command line is a flag: it comes before the environment.
  const isNamed = origin === '--profile'
  const ofProfile = (value: string | undefined) => set(value, `profile ${name}`)
  const base_url = first(
    set(given.baseUrl, '--base-url'),
    isNamed ? ofProfile(profile?.base_url) : unset,
    set(variables.BOURSE_BASE_URL, 'BOURSE_BASE_URL'),
    ofProfile(profile?.base_url),
    set(sandbox.BOURSE_BASE_URL, file),
  )
  // The token of a profile or of a sandbox is sent to the address of the same profile or sandbox only.
  const profileToken = isSame(base_url.value, profile?.base_url) ? ofProfile(profile?.token) : unset
  const token = first(
    isNamed ? profileToken : unset,
    set(variables.BOURSE_API_TOKEN, 'BOURSE_API_TOKEN'),
    profileToken,
    isSame(base_url.value, sandbox.BOURSE_BASE_URL) ? set(sandbox.BOURSE_API_TOKEN, file) : unset,
  )
  // The other settings of a profile belong to its server, too.
  const belongs = isSame(base_url.value, profile?.base_url)
  const workspace = first(
    isNamed && belongs ? ofProfile(profile?.workspace) : unset,
    set(variables.BOURSE_WORKSPACE, 'BOURSE_WORKSPACE'),
    belongs ? ofProfile(profile?.workspace) : unset,
  )
  const output = first(
    set(given.json ? 'json' : given.output, given.json ? '--json' : '--output'),
    isNamed ? ofProfile(profile?.output) : unset,
    set(checkedOutput(variables.BOURSE_OUTPUT || undefined), 'BOURSE_OUTPUT'),
    ofProfile(profile?.output),
  )
  return {
    base_url: base_url.value,
    token: token.value,
    workspace: workspace.value,
    output: output.value,
    profile: name,
    file,
    origins: {
      base_url: base_url.origin,
      token: token.origin,
      workspace: workspace.origin,
      output: output.origin,
      profile: origin,
    },
  }
}

type ChosenProfile = {
  readonly name: string | undefined
  readonly profile: Profile | undefined
  readonly origin: Origin | undefined
}

/** The profile in use: the named one, else the current one of the file. A named one must exist. */
function chooseProfile(variables: Environment, { profile: named }: CallOptions, note?: Note): ChosenProfile {
  const file = readProfiles(variables, note)
  const { value, origin } = first(
    set(named, '--profile'),
    set(variables.BOURSE_PROFILE, 'BOURSE_PROFILE'),
    set(file.current, file.path),
  )
  if (value === undefined) return { name: undefined, profile: undefined, origin: undefined }
  return { name: value, profile: requireProfile(file, value), origin }
}

const unset: Setting = { value: undefined, origin: undefined }

function set(value: string | undefined, origin: Origin): Setting {
  return value ? { value, origin } : unset
}

function first(...settings: readonly Setting[]): Setting {
  return settings.find(({ value }) => value !== undefined) ?? unset
}

/** Whether two addresses are of the same server. */
export function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && plain(one) === plain(other)
}

/** An address without what makes no difference: upper case in the host, the usual port, slashes at the end. */
function plain(address: string): string {
  const text = URL.canParse(address) ? new URL(address).href : address
  return text.replace(/\/+$/, '')
}

/** Settings with everything that a call of the API needs. */
export function requireSettings(
  variables: Environment,
  options: CallOptions,
  note?: Note,
): Settings & { readonly base_url: string; readonly token: string } {
  const settings = requireAddress(variables, options, note)
  const { token } = settings
  if (!token) throw usageProblem(`There is no token for ${settings.base_url}.`, remedy, 'access')
  // The message omits the text, which may be a part of a secret.
  if (!isToken(token)) throw usageProblem('The API token contains invalid characters.', tokenRemedy, 'access')
  return { ...settings, token }
}

const remedy =
  'Start a sandbox with `bourse start`, sign in with `bourse login`, run `bourse init`, or set BOURSE_BASE_URL and ' +
  'BOURSE_API_TOKEN.'

/** Settings with the address of a server that a token may be sent to. */
export function requireAddress(
  variables: Environment,
  options: CallOptions,
  note?: Note,
): Settings & { readonly base_url: string } {
  const settings = readSettings(variables, options, note)
  const { base_url } = settings
  if (!base_url) {
    const message = `The server is not set: there is neither BOURSE_BASE_URL nor a profile nor ${settings.file}.`
    throw usageProblem(message, remedy, 'access')
  }
  if (isUnencryptedUrl(base_url) && !acceptsHttp(variables, options)) {
    throw usageProblem(`${base_url} is not encrypted: anyone in between can read the token.`, httpRemedy)
  }
  return { ...settings, base_url }
}

/** Whether a text can be a token: visible characters only. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

/** What to do about an http URL of another machine. */
export const httpRemedy = 'Use an https URL. To send the token nevertheless, give --insecure-http.'

/** Whether the caller accepts plain HTTP to other machines. */
export function acceptsHttp({ BOURSE_INSECURE_HTTP }: Environment, { insecureHttp = false }: CallOptions): boolean {
  return insecureHttp || BOURSE_INSECURE_HTTP === '1'
}

/** The address and the token that a sandbox wrote to its data directory. */
export function readSandboxFile(variables: Environment): { base_url?: string; token?: string; file: string } {
  const file = sandboxFile(variables)
  const { BOURSE_BASE_URL: base_url, BOURSE_API_TOKEN: token } = readEnvironmentFile(file)
  return { ...(base_url ? { base_url } : {}), ...(token ? { token } : {}), file }
}

function sandboxFile(variables: Environment): string {
  return resolve(dataDirectoryOf(variables), sandboxFileName)
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

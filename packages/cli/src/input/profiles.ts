/**
 * Profiles: named servers with their tokens, in `config.toml`. The file holds secrets, so only its owner may read it.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from '@bourse/text/program.ts'
import { parse, stringify, TomlError, type TomlTable } from 'smol-toml'
import { formats } from '../output/formats.ts'
import { usageProblem } from '../output/usage.ts'

/** The settings of one server. */
export type Profile = {
  readonly base_url: string
  readonly token: string | undefined
  /** The workspace of bare names and of new resources. */
  readonly workspace: string | undefined
  /** The output format. */
  readonly output: string | undefined
}

/** The file with all profiles. */
export type ProfileFile = {
  readonly path: string
  /** The name of the profile that is used unless another is named. */
  readonly current: string | undefined
  readonly profiles: ReadonlyMap<string, Profile>
}

const fileBytesMax = 1_048_576
const profilesMax = 1_000

/** The file of the profiles: in `XDG_CONFIG_HOME`, else in `.config` of the home directory. */
export function profilePath({ XDG_CONFIG_HOME, HOME }: Environment): string {
  return join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'bourse', 'config.toml')
}

/** Tells the user something. */
export type Note = (text: string) => void

/**
 * Reads the profiles; an absent file has none. Where others can read the file, its mode is repaired and `note` says so.
 * Where it cannot be repaired, or nobody can be told, it is refused.
 */
export function readProfiles(variables: Environment, note: Note | undefined): ProfileFile {
  const path = profilePath(variables)
  const table = readTable(path, note)
  const { current, profiles = {} } = table
  if (typeof profiles !== 'object' || profiles instanceof Date || Array.isArray(profiles)) {
    throw invalid(path, '"profiles" must be tables: [profiles.NAME].')
  }
  if (current !== undefined && typeof current !== 'string') throw invalid(path, '"current" must be a name in quotes.')
  const read = Object.entries(profiles).map(
    ([name, value]) => [checkedName(name), profileOf(path, name, value)] as const,
  )
  return { path, current, profiles: new Map(read) }
}

function readTable(path: string, note: Note | undefined): TomlTable {
  let bytes: number
  try {
    bytes = repairMode(path, note)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  if (bytes > fileBytesMax) throw invalid(path, 'it is larger than 1 MiB.')
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The message of the parser quotes the file, which has secrets.
    if (error instanceof TomlError) throw invalid(path, `line ${error.line} is not valid TOML.`)
    throw usageProblem(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`, undefined, 'access')
  }
}

/** Takes the file away from other users. Returns its size. */
function repairMode(path: string, note: Note | undefined): number {
  const { mode, size } = statSync(path)
  if ((mode & 0o077) === 0) return size
  try {
    if (note) chmodSync(path, 0o600)
  } catch {
    note = undefined
  }
  if (!note) {
    const remedy = `It holds tokens. Make it yours alone: chmod 600 ${path}`
    throw usageProblem(`Others can read ${path}.`, remedy, 'access')
  }
  note(`Others could read ${path}, which holds tokens. Its mode is 600 now. Replace tokens that may have been read.`)
  return size
}

function profileOf(path: string, name: string, value: unknown): Profile {
  const table = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>
  const text = (key: string): string | undefined => {
    const member = table[key]
    if (member === undefined || typeof member === 'string') return member
    throw invalid(path, `"${key}" of the profile ${name} must be a text in quotes.`)
  }
  const base_url = text('base_url')
  if (base_url === undefined) throw invalid(path, `The profile ${name} has no "base_url".`)
  return { base_url, token: text('token'), workspace: text('workspace'), output: checkedOutput(text('output')) }
}

/** Writes the profiles as a whole, to a file that only its owner may read. */
export function writeProfiles({ path, current, profiles }: ProfileFile): void {
  if (profiles.size > profilesMax) throw usageProblem(`There are more than ${profilesMax} profiles.`)
  const named = [...profiles].map(([name, profile]) => {
    return [name, Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined))]
  })
  const table = { ...(current === undefined ? {} : { current }), profiles: Object.fromEntries(named) }
  const text = `# Written by \`bourse profiles\`. It holds tokens: keep it to yourself.\n${stringify(table)}`
  const beside = `${path}.${process.pid}.new`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' })
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw usageProblem(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}.`, undefined, 'access')
  }
}

/** A profile by its name. */
export function requireProfile({ profiles, path }: ProfileFile, name: string): Profile {
  const profile = profiles.get(name)
  if (profile) return profile
  const known = [...profiles.keys()].join(', ')
  const remedy = known === '' ? 'Add one with `bourse profiles add`.' : `Profiles in ${path}: ${known}.`
  throw usageProblem(`There is no profile ${name}.`, remedy, 'not_found')
}

/** A valid name of a profile. */
export function checkedName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name
  throw usageProblem(
    `"${name}" is not a name of a profile.`,
    'Use 1 to 64 letters, digits, dots, underscores and hyphens, a letter or digit first.',
  )
}

/** A valid output format. */
export function checkedOutput(output: string | undefined): string | undefined {
  if (output === undefined || (formats as readonly string[]).includes(output)) return output
  throw usageProblem(`"${output}" is not an output format.`, `Formats: ${formats.join(', ')}.`)
}

function invalid(path: string, why: string) {
  return usageProblem(`${path} is invalid: ${why}`, 'Correct it, or remove it and run `bourse init`.')
}

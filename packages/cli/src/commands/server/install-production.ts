/** `bourse install production`: the keys and the settings of a new installation, checked before they are written. */
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Environment } from '@bourse/text/program.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { outputFor, printObject } from '../../output/output.ts'
import { findPart } from '../../output/program-version.ts'
import { usageProblem } from '../../output/usage.ts'
import { firstSet, isWritable, listedSettings, type SettingValue, withSettings } from './production-settings.ts'

/** The options, each with the setting that it gives. */
const settings = [
  { option: 'databaseUrl', name: 'BOURSE_DATABASE_URL' },
  { option: 'publicUrl', name: 'BOURSE_PUBLIC_URL' },
  { option: 'host', name: 'BOURSE_HOST' },
  { option: 'port', name: 'BOURSE_PORT' },
  { option: 'tlsCert', name: 'BOURSE_TLS_CERT_FILE' },
  { option: 'tlsKey', name: 'BOURSE_TLS_KEY_FILE' },
  { option: 'replicas', name: 'BOURSE_REPLICAS' },
  { option: 'imageStore', name: 'BOURSE_IMAGE_STORE' },
] as const
/** What names a file or a directory: servers are started elsewhere. */
const paths = ['BOURSE_TLS_CERT_FILE', 'BOURSE_TLS_KEY_FILE', 'BOURSE_IMAGE_STORE', 'BOURSE_DATA_DIR']
const settingsFile = 'bourse.env'
/** Bytes; the file has some kilobytes. */
const fileMax = 256 * 1024
const shape = { members: ['object', 'settings', 'keys'], columns: ['settings', 'keys'] }

type InstallationOptions = GlobalOptions & Readonly<Partial<Record<(typeof settings)[number]['option'], string>>>

const help = `
Checks settings, certificate and its key as \`bourse serve\` does, and that the database is PostgreSQL 17 or newer and
has no installation yet. Then it makes three key files in DIRECTORY/keys, and writes DIRECTORY/bourse.env. Where
something is wrong it writes nothing, and it replaces neither keys nor settings. A setting that is not given is taken
from its variable, such as BOURSE_DATABASE_URL: other users of this machine can see the words of a command, so a URL
with a password belongs there. Other settings in the environment are written too.

Then \`bourse tokens create --platform --person EMAIL --env-file DIRECTORY/bourse.env\` prints the link of the first
person, and \`bourse serve --env-file DIRECTORY/bourse.env\` serves, on each machine with a copy of the directory.

Example:
  $ bourse install production /etc/bourse --public-url https://market.example`

/** Adds the command to the group. */
export function addInstallProduction(group: Command, context: CommandContext): void {
  const command = group
    .command('production')
    .description('Make the keys and the settings of a new installation, after checking what they name.')
    .argument('<directory>', 'Where they are written, such as /etc/bourse.')
    .option('--public-url <url>', 'The https URL under which customers reach the servers.')
    .option('--database-url <url>', 'The PostgreSQL database, of its owner: postgresql://owner@host/database.')
    .option('--host <address>', 'The address on which servers listen. Default 127.0.0.1.')
    .option('--port <number>', 'Their port. Default 8080; units of systemd have it in their name.')
    .option('--tls-cert <file>', 'The certificate of the servers with its chain, in PEM. Default: a proxy has one.')
    .option('--tls-key <file>', 'The private key of the certificate.')
    .option('--replicas <number>', 'How many servers will share the database. Default 1.')
    .option('--image-store <place>', 'A directory that all servers share, or s3://bucket/prefix.')
    .addHelpText('after', help)
  command.action((directory: string) =>
    install(context, resolve(directory), command.optsWithGlobals<InstallationOptions>()),
  )
}

async function install(
  { terminal, variables }: CommandContext,
  directory: string,
  given: InstallationOptions,
): Promise<void> {
  const output = outputFor(shape, given)
  const file = join(directory, settingsFile)
  const keys = join(directory, 'keys')
  const before = await readBefore(file)
  await refuseKeys(keys)
  const values = readValues(variables, given, listedSettings(before))
  const { checkNewInstallation } = await import('@bourse/server/start/new-installation.ts')
  const notes = await checkNewInstallation(Object.fromEntries(values.map(({ name, value }) => [name, value])))
  await write({ file, keys, before, values })
  for (const note of notes) terminal.note(note)
  terminal.note(`Keep an encrypted backup of ${keys}. Without it, all tokens and encrypted secrets are lost.`)
  terminal.note(`Next: \`bourse tokens create --platform --person you@example.com --env-file ${file}\``)
  terminal.note(`and on each machine of a server, with a copy of ${directory}: \`bourse serve --env-file ${file}\`.`)
  printObject(terminal, output, { object: 'installation', settings: file, keys }, shape)
}

/** The text into which the settings are written: that of the package, or the one that explains them all. */
async function readBefore(file: string): Promise<string> {
  const template = findPart('ops/systemd')
  if (template === undefined) {
    throw usageProblem('This command needs the whole program: install the package `bourse` instead of `@bourse/cli`.')
  }
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw usageProblem(`${file} cannot be read: ${error.code}.`, 'Choose another directory, or another user.')
  })
  if (text === undefined) return await readFile(join(template, settingsFile), 'utf8')
  if (text.length > fileMax) throw usageProblem(`${file} is longer than ${fileMax} bytes.`)
  const set = firstSet(text)
  if (set === undefined) return text
  const remedy = 'Change the file by hand, or choose another directory. Nothing was written.'
  throw usageProblem(`${file} sets ${set} already: it belongs to an installation.`, remedy)
}

async function refuseKeys(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw usageProblem(`${directory} cannot be read: ${error.code}.`, 'Choose another directory, or another user.')
  })
  if (names.length === 0) return
  const remedy = 'Keys are never replaced: what they have encrypted would be lost. Choose another directory.'
  throw usageProblem(`${directory} is not empty.`, remedy)
}

/** The settings that were given, as they are written: paths hold wherever a server is started. */
function readValues(variables: Environment, given: InstallationOptions, listed: readonly string[]): SettingValue[] {
  const options = settings.map(({ option, name }) => [name, given[option]] as const)
  const optional = new Map(options.filter(([, value]) => value !== undefined))
  const names = [...new Set([...settings.map(({ name }) => name), ...listed])]
  const values = names.flatMap((name) => {
    const value = optional.get(name as (typeof settings)[number]['name']) ?? variables[name]
    if (!value) return []
    const isPath = paths.includes(name) && !value.startsWith('s3://')
    return [{ name, value: isPath ? resolve(value) : value }]
  })
  const keyed = values.find(({ name }) => /^BOURSE_(SIGNING_KEYS|MASTER_KEY|CURSOR_KEYS)_FILE$/.test(name))
  if (keyed) {
    throw usageProblem(`${keyed.name} is set, and this command makes keys.`, 'Unset it, or write bourse.env by hand.')
  }
  const strange = values.find(({ value }) => !isWritable(value))
  if (strange === undefined) return values
  const remedy = 'Programs that read bourse.env disagree about it: percent-encode it in a URL, or rename the file.'
  throw usageProblem(`${strange.name} has a quote, a backslash or a control character.`, remedy)
}

type NewFiles = {
  readonly file: string
  readonly keys: string
  readonly before: string
  readonly values: readonly SettingValue[]
}

/** Writes keys and settings, or nothing. They get the owner of the directory of the keys, where a package made it. */
async function write({ file, keys, before, values }: NewFiles): Promise<void> {
  const { ensureKeyFiles, keyVariables } = await import('@bourse/server/core/keys/key-files.ts')
  const owner = await stat(keys).catch(() => undefined)
  const former = await stat(file).catch(() => undefined)
  const isRoot = process.geteuid?.() === 0
  const draft = `${file}.new`
  await claim(draft)
  try {
    await refuseKeys(keys)
  } catch (error) {
    await rm(draft)
    throw error
  }
  try {
    const files = await ensureKeyFiles(keys, 'operator')
    if (owner && isRoot) for (const path of Object.values(files)) await chown(path, owner.uid, owner.gid)
    const names = Object.keys(keyVariables) as (keyof typeof keyVariables)[]
    const keyed = names.map((name) => ({ name: keyVariables[name], value: files[name] }))
    await writeFile(draft, withSettings(before, [...values, ...keyed]))
    if (former) await chmod(draft, former.mode & 0o770)
    if (former && isRoot) await chown(draft, former.uid, former.gid)
    await rename(draft, file)
  } catch (error) {
    // The directory of the keys was empty, and the draft has kept others from it.
    for (const name of await readdir(keys).catch(() => [])) await rm(join(keys, name), { force: true })
    if (owner === undefined) await rm(keys, { recursive: true, force: true })
    await rm(draft, { force: true })
    throw notWritten(file, error)
  }
}

/** Makes the draft of the settings, which only one of two programs can. */
async function claim(draft: string): Promise<void> {
  try {
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 })
    await writeFile(draft, '', { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notWritten(draft, error)
    const remedy = 'If none runs, one was interrupted: remove the file and the directory of the keys beside it.'
    throw usageProblem(`${draft} exists: another \`bourse install production\` may be running.`, remedy)
  }
}

function notWritten(file: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException
  return usageProblem(`${dirname(file)} cannot be written: ${code ?? message}.`, 'Nothing of it was kept.', 'failed')
}

/**
 * `bourse install`: the keys and settings of a new installation, and the units of systemd for server and agent with
 * their user and directories.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { outputFor, printList } from '../../output/output.ts'
import { findPart } from '../../output/program-version.ts'
import { usageProblem } from '../../output/usage.ts'
import { addInstallProduction } from './install-production.ts'
import { actionFor, type FileAction, installedText, programProblem, type UnitFile, unitFiles } from './systemd-files.ts'

type InstallOptions = GlobalOptions & { readonly root: string }
type PlannedFile = UnitFile & { readonly action: FileAction; readonly text: string }

const run = promisify(execFile)
const columns = ['action', 'path', 'mode']
const members = ['object', ...columns, 'text']
/** Bytes; a unit is some kilobytes. */
const fileMax = 1_000_000

/** Adds the command. */
export function addInstall(program: Command, context: CommandContext): void {
  const group = program.command('install').description('Set up servers of production on this machine.')
  addInstallProduction(group, context)
  const command = group.command('systemd')
  command
    .description('Print the units of systemd with their user, directories and settings; with --yes, install them.')
    .option('--root <directory>', 'The root of another system, such as that of an image. Nothing is started.', '/')
    .addHelpText(
      'after',
      `
Files that somebody has changed stay as they are. /etc/bourse/bourse.env holds the settings and is written once.

Examples:
  $ bourse install systemd
  $ bourse install systemd --yes`,
    )
  command.action(async () => {
    const options = command.optsWithGlobals<InstallOptions>()
    await install(context, { ...options, root: resolve(options.root) })
  })
}

async function install({ terminal, variables }: CommandContext, options: InstallOptions): Promise<void> {
  const output = outputFor({ members, columns }, options)
  const files = await planFiles(options.root)
  if (!options.yes) {
    if (output.format === 'table') for (const file of files) terminal.data(describeFile(file))
    else printFiles(files)
    return terminal.note('Nothing was changed. `--yes` does it.')
  }
  checkMachine(variables.PATH ?? '')
  for (const file of files) await writeFileOf(file, options.root)
  await settle(options.root)
  printFiles(files)
  const kept = files.filter(({ action, is_setting }) => action === 'keep' && !is_setting)
  for (const { path } of kept)
    terminal.note(`${path} has been changed and stays as it is. Remove it to get the new one.`)
  terminal.note('Next: the settings in /etc/bourse/bourse.env, then `systemctl enable --now bourse-server@8080`.')

  function printFiles(planned: readonly PlannedFile[]): void {
    const data = planned.map((file) => ({ object: 'unit_file', ...shownFile(file) }))
    printList(terminal, output, { object: 'list', data, has_more: false }, { members, columns })
  }
}

function shownFile({ action, path, mode, text }: PlannedFile) {
  return { action, path, mode: mode.toString(8).padStart(4, '0'), text }
}

function describeFile({ action, path, text }: PlannedFile): string {
  const isWritten = action === 'create' || action === 'update'
  return isWritten ? `# ${action} ${path}\n${text}` : `# ${action} ${path}`
}

async function planFiles(root: string): Promise<readonly PlannedFile[]> {
  if (existsSync(join(root, 'usr/lib/systemd/system/bourse-server@.service'))) {
    throw usageProblem('The Debian package bourse has installed the units.', 'See `systemctl cat bourse-server@8080`.')
  }
  const words = [process.execPath, await realpath(process.argv[1] ?? '')]
  const problem = programProblem(words)
  if (problem) throw usageProblem(problem, 'Install it elsewhere: npm install --global --prefix /usr/local bourse.')
  const sources = findPart('ops/systemd')
  if (sources === undefined) {
    throw usageProblem('This command needs the whole program: install the package `bourse` instead of `@bourse/cli`.')
  }
  return await Promise.all(
    unitFiles.map(async (file) => {
      const source = await readFile(join(sources, file.source), 'utf8')
      const text = installedText(source, file, words.join(' '))
      return { ...file, text, action: actionFor(text, await readPresent(join(root, file.path)), file) }
    }),
  )
}

/** The text of a file; undefined if there is none. A link or a directory there belongs to somebody else. */
async function readPresent(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path)).subarray(0, fileMax).toString()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw usageProblem(`${path} cannot be read: ${code}.`, 'Only root can read all settings.')
  }
}

function checkMachine(path: string): void {
  if (process.geteuid?.() !== 0) {
    throw usageProblem('Only root can install units.', 'Add sudo; without --yes nothing is changed.', 'access')
  }
  for (const program of ['systemd-sysusers', 'systemd-tmpfiles']) {
    if (path.split(delimiter).some((folder) => existsSync(join(folder, program)))) continue
    throw usageProblem(`${program} is missing.`, 'Install systemd: on Debian, the package systemd.', 'failed')
  }
}

async function writeFileOf({ action, path, mode, text }: PlannedFile, root: string): Promise<void> {
  if (action !== 'create' && action !== 'update') return
  const target = join(root, path)
  const draft = `${target}.bourse-new`
  await mkdir(dirname(target), { recursive: true })
  await writeFile(draft, text)
  await chmod(draft, mode)
  await rename(draft, target)
}

/** Makes user and directories, and tells systemd of the units. */
async function settle(root: string): Promise<void> {
  const elsewhere = root === '/' ? [] : [`--root=${root}`]
  await run('systemd-sysusers', [...elsewhere, 'bourse.conf'])
  await run('systemd-tmpfiles', [...elsewhere, '--create', 'bourse.conf'])
  if (root === '/' && existsSync('/run/systemd/system')) await run('systemctl', ['daemon-reload'])
}

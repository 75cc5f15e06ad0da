/** The command line: its commands, options and help. Modules of commands are loaded when a command needs them. */

import { Command, Help, Option } from 'commander'
import { groupOf, headings, overviewText, shortDescription } from './commands/help/overview.ts'
import { outline } from './generated/outline.ts'
import type { CommandContext, GlobalOptions } from './input/session.ts'
import { namesIn } from './input/shortcuts.ts'
import { type Format, formats } from './output/formats.ts'
import { version } from './output/program-version.ts'
import { refuseColumns } from './output/rows/without-rows.ts'

/** Prints what the parser has to say about a wrong command line. */
export type WriteError = (text: string) => void

type Add = (program: Command, context: CommandContext) => void

/** The commands that are no operations, with their modules. */
const standalone: Readonly<Record<string, () => Promise<Add>>> = {
  start: async () => (await import('./commands/server/start.ts')).addStart,
  serve: async () => (await import('./commands/server/serve.ts')).addServe,
  migrate: async () => (await import('./commands/server/migrate.ts')).addMigrate,
  backup: async () => (await import('./commands/server/backup.ts')).addBackup,
  restore: async () => (await import('./commands/server/restore.ts')).addRestore,
  agent: async () => (await import('./commands/agent.ts')).addAgent,
  doctor: async () => (await import('./commands/server/doctor.ts')).addDoctor,
  keys: async () => (await import('./commands/server/keys.ts')).addKeys,
  install: async () => (await import('./commands/server/install.ts')).addInstall,
  login: async () => (await import('./commands/setup/login.ts')).addLogin,
  logout: async () => (await import('./commands/setup/login.ts')).addLogout,
  whoami: async () => (await import('./commands/setup/login.ts')).addWhoami,
  version: async () => (await import('./commands/version.ts')).addVersion,
  init: async () => (await import('./commands/setup/init.ts')).addInit,
  profiles: async () => (await import('./commands/setup/profiles.ts')).addProfiles,
  config: async () => (await import('./commands/setup/config.ts')).addConfig,
  completion: async () => {
    const { addCompletion } = await import('./commands/setup/completion.ts')
    return (program, context) => addCompletion(program, context, createProgram)
  },
}

/**
 * Creates the program, with the command that the words name. Without a command it has the names and descriptions of
 * all, which is what its help shows. It throws commander's errors and never ends the process.
 */
export async function createProgram(
  context: CommandContext,
  words: readonly string[],
  writeError: WriteError = context.terminal.note,
): Promise<Command> {
  const program = emptyProgram(context, writeError)
  const noun = namesIn(words)[0]?.word
  const isAboutAll = noun === undefined || (noun === 'help' && words.length === 1)
  if (isAboutAll) addOutline(program)
  else if (Object.hasOwn(standalone, noun)) (await standalone[noun]?.())?.(program, context)
  else if (outline.some(([name]) => name === noun)) await addOperations(program, context)
  else await addEverything(program, context)
  return program
}

/** Creates the program with all commands. */
export async function createWholeProgram(context: CommandContext): Promise<Command> {
  const program = emptyProgram(context, context.terminal.note)
  await addEverything(program, context)
  return program
}

async function addEverything(program: Command, context: CommandContext): Promise<void> {
  const adders = await Promise.all(Object.values(standalone).map((load) => load()))
  for (const add of adders) add(program, context)
  await addOperations(program, context)
}

async function addOperations(program: Command, context: CommandContext): Promise<void> {
  const { addNouns } = await import('./commands/nouns.ts')
  addNouns(program, context)
}

function addOutline(program: Command): void {
  const grouped = outline.map(([name, description, words]) => ({
    name,
    description,
    words,
    group: groupOf(name, description),
  }))
  for (const heading of headings) {
    for (const { name, description, words } of grouped.filter(({ group }) => group === heading)) {
      const shown = words === undefined ? name : `${name} ${words}`
      program.command(shown).description(description).helpGroup(heading)
    }
  }
}

/**
 * The words of a command line, with `help orders buy` as `orders buy --help`. Words that name no command stay without
 * `--help`, so that they are refused with the nearest name.
 */
export function withHelpLast(program: Command, words: readonly string[]): readonly string[] {
  const names = namesIn(words).map(({ word }) => word)
  if (names[0] !== 'help' || names.length === 1) return words
  const at = words.indexOf('help')
  const rest = words.toSpliced(at, 1)
  let command: Command | undefined = program
  for (const name of names.slice(1)) {
    if (command.commands.length === 0) break
    command = command.commands.find((one) => one.name() === name || one.aliases().includes(name))
    if (command === undefined) return rest
  }
  return [...rest, '--help']
}

/** Whether a command line asks for the options that all commands have. */
export function asksForOptions(words: readonly string[]): boolean {
  const names = namesIn(words).map(({ word }) => word)
  return names.join(' ') === 'help options'
}

/** Joins `--sort` with its value, which may begin with `-`: `-o` would take the rest of `-occurred_at`. */
export function withSortJoined(words: readonly string[]): string[] {
  const isSorted = words.map((_, index) => words[index - 1] === '--sort')
  return words.flatMap((word, index) => {
    if (isSorted[index]) return []
    const value = words[index + 1]
    return word === '--sort' && value !== undefined ? [`--sort=${value}`] : [word]
  })
}

function emptyProgram(context: CommandContext, writeError: WriteError): Command {
  const program = new Command('bourse')
  program
    .description('Run, use and try a compute marketplace.')
    .configureHelp({
      // The help of the program itself has a line a command; its options follow the commands.
      subcommandDescription: (command) =>
        command.parent?.parent === null
          ? shortDescription(command.description())
          : command.summary() || command.description(),
      visibleOptions(command) {
        return command.parent === null ? [] : Help.prototype.visibleOptions.call(this, command)
      },
    })
    .version(`bourse ${version}`, '-V, --version', 'Print the version. `bourse version` also asks the server.')
    .helpCommand('help [command...]', 'Show the help of a command: bourse help orders buy.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.data(text.trimEnd()),
      writeErr: (text) => writeError(text.trimEnd()),
    })
    .commandsGroup('Help:')
    .addHelpText('after', overviewText)
    .addHelpText('afterAll', ({ command }) =>
      command.parent === null ? '' : '\nOptions of all commands: bourse help options',
    )
    .hook('preAction', async (_, command) => {
      refuseColumns(command)
      await settleFormat(program, context)
    })
  addGlobalOptions(program)
  return program
}

function addGlobalOptions(program: Command): void {
  program
    .addOption(new Option('-o, --output <format>', 'Output format of data. Default table.').choices(formats))
    .option('--json', 'Same as -o json.')
    .option('--columns <names>', 'Columns of tables and csv, separated by commas. Write nested ones as sku.alias.')
    .option('--no-header', 'Print no header for tables and csv.')
    .option('--utc', 'Times of tables in UTC. Default where the output is no terminal; on one, ages: 2 h ago.')
    .option('--local', 'Times of tables in the local time.')
    .option('--exact', 'Exact values in tables: ids, six decimals of money, times in ISO 8601, bytes, seconds.')
    .option('--raw', 'Print text unchanged, also escape sequences and invisible characters, which others may control.')
    .option('--no-color', 'Print no colours. NO_COLOR does the same.')
    .option('--base-url <url>', 'URL of the server. Overrides BOURSE_BASE_URL.')
    .option('--profile <name>', 'Profile with the server and the token. Overrides BOURSE_PROFILE. See profiles --help.')
    .option(
      '--env-file <file>',
      'Variables of the environment as lines of NAME=value. Those that are set already count.',
    )
    .option('--insecure-http', 'Send the token to an http URL of another machine, where anyone in between can read it.')
    .option('-y, --yes', 'Do not ask for confirmation.')
    .option('--no-input', 'Never prompt for input.')
    .option('--curl', 'Print the equivalent curl command instead of sending the request.')
    .option('--show-token', 'With --curl: print the token itself instead of its variable.')
    .option('--debug', 'Print requests, their durations and request ids. Never prints secrets.')
}

/** The output format, also of an error. Settings that cannot be read set none: they are what the error is about. */
export async function formatOf({ variables, terminal }: CommandContext, options: GlobalOptions): Promise<Format> {
  const { readSettings } = await import('./input/settings.ts')
  try {
    return (readSettings(variables, options, (text) => terminal.note(text)).output ?? 'table') as Format
  } catch {
    const ofEnvironment = formats.find((one) => one === variables.BOURSE_OUTPUT)
    return options.json ? 'json' : ((options.output ?? ofEnvironment ?? 'table') as Format)
  }
}

/** Hands a command the format of the settings, and the writer of YAML where it prints that. */
async function settleFormat(program: Command, context: CommandContext): Promise<void> {
  const format = await formatOf(context, program.opts<GlobalOptions>())
  program.setOptionValue('usualOutput', format)
  if (format !== 'yaml') return
  const { yamlOf } = await import('./output/yaml-text.ts')
  program.setOptionValue('toYaml', yamlOf)
}

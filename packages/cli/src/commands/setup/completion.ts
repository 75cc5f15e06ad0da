/** `bourse completion`: prints or installs the script with which a shell completes command lines. */

import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import type { Environment } from '@bourse/text/program.ts'
import { singleQuoted } from '@bourse/text/shell.ts'
import { type Command, Option } from 'commander'
import type { CommandContext } from '../../input/session.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import type { Terminal } from '../../output/terminal.ts'
import { usageProblem } from '../../output/usage.ts'
import { type Shell, scriptOf, shells, wordsOf } from './completion-scripts.ts'
import { type LoadProgram, suggest } from './suggestions.ts'

/** Adds the commands. */
export function addCompletion(program: Command, context: CommandContext, load: LoadProgram): void {
  const { terminal, variables } = context
  const group = printsNoRows(program.command('completion')).description(
    'Let the shell complete commands, flags, values and names.',
  )
  for (const shell of shells) {
    group
      .command(shell)
      .description(`Print the script for ${shell}.`)
      .addHelpText('after', `\nExamples:\n  $ bourse completion ${shell}\n  $ ${usageOf(shell)}`)
      .action(() => terminal.data(scriptOf(shell, programOf(variables)).trimEnd()))
  }
  group
    .command('install')
    .description('Write the script to where the shell finds it, and say what else is needed.')
    .argument('[shell]', 'bash, zsh or fish. Default: the shell of SHELL.')
    .addHelpText('after', '\nExample:\n  $ bourse completion install')
    .action((shell: string | undefined) => install(context, shell))
  group
    .command('suggest', { hidden: true })
    .description('Print what can follow the words of a command line, for the scripts.')
    .argument('[words...]', 'The words, of which the last is incomplete.')
    .addOption(new Option('--line <line>', 'The words as one line that begins with the name of the program.'))
    .addHelpText('after', '\nExample:\n  $ bourse completion suggest -- instances get ""')
    .action(async (words: string[], { line }: { line?: string }) => {
      const typed = line === undefined ? words : wordsOf(line).slice(1)
      await printSuggestions(context, typed, load)
    })
}

/** Prints suggestions. A failure prints nothing: a message would damage the line that is being typed. */
async function printSuggestions(context: CommandContext, words: readonly string[], load: LoadProgram): Promise<void> {
  const quiet: Terminal = { ...context.terminal, note: () => {} }
  const found = await suggest({ ...context, terminal: quiet }, words, load).catch(() => [])
  if (found === 'files') return context.terminal.data(':files')
  // Names and descriptions of others must not add lines.
  const plain = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
  for (const { value, text } of found) if (plain(value) === value) context.terminal.data(`${value}\t${plain(text)}`)
}

/** How a shell uses the script without an installation. */
function usageOf(shell: Shell): string {
  return shell === 'fish' ? 'bourse completion fish | source' : `source <(bourse completion ${shell})`
}

/** The command that starts this program: its name, if the shell finds it, or the paths of Node and the program. */
function programOf({ PATH = '' }: Environment): string {
  const [node = '', path = ''] = process.argv
  return PATH.split(delimiter).some((folder) => isRunnable(join(folder, 'bourse')))
    ? 'bourse'
    : `${singleQuoted(node)} ${singleQuoted(path)}`
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function install({ terminal, variables }: CommandContext, typed: string | undefined): void {
  const name = typed ?? basename(variables.SHELL ?? '')
  const shell = shells.find((one) => one === name)
  if (!shell) {
    throw usageProblem(`There is no completion for the shell "${name}".`, `Name one of ${shells.join(', ')}.`)
  }
  const home = variables.HOME || homedir()
  const data = variables.XDG_DATA_HOME || join(home, '.local', 'share')
  const config = variables.XDG_CONFIG_HOME || join(home, '.config')
  const path = {
    bash: join(data, 'bash-completion', 'completions', 'bourse'),
    zsh: join(data, 'bourse', 'zsh', '_bourse'),
    fish: join(config, 'fish', 'completions', 'bourse.fish'),
  }[shell]
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, scriptOf(shell, programOf(variables)))
  } catch (error) {
    throw usageProblem(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}.`, undefined, 'access')
  }
  terminal.note(`Wrote ${path}.`)
  const needed = {
    bash: `New shells use it if the package bash-completion is installed. Otherwise add to ~/.bashrc: source ${path}`,
    zsh: `Add to ~/.zshrc, before compinit: fpath=(${dirname(path)} $fpath)`,
    fish: 'New shells use it.',
  }[shell]
  terminal.note(needed)
}

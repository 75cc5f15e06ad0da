/** Runs the program once: parses the command line, runs the command, returns the exit code. */
import { CommanderError } from 'commander'
import { optionsText } from './commands/help/overview.ts'
import { parserProblem } from './commands/help/parser-problems.ts'
import { addEnvFile } from './input/env-file.ts'
import type { CommandContext, GlobalOptions } from './input/session.ts'
import { withVerbSpelledOut } from './input/shortcuts.ts'
import { findCurl } from './output/curl.ts'
import { exitCodeOf, exitCodes } from './output/exit-codes.ts'
import { isForPrograms, printFailure } from './output/failure.ts'
import { areViolations, commandExit, loggedFailure, shellExit } from './output/quiet-ends.ts'
import { asksForOptions, createProgram, formatOf, withHelpLast, withSortJoined } from './program.ts'

/** Runs a command line, without the names of the runtime and the program. */
export async function run(given: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context
  const words = withVerbSpelledOut(given)
  const said: string[] = []
  try {
    addEnvFile(words, context.variables)
  } catch (error) {
    printFailure(terminal, error, await formatOf(context, givenOutput(words)))
    return exitCodeOf(error)
  }
  const program = await createProgram(context, words, (text) => void said.push(text))
  if (asksForOptions(words)) {
    terminal.data(optionsText(program))
    return exitCodes.ok
  }
  try {
    await program.parseAsync(withHelpLast(program, withSortJoined(words)), { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    if (error instanceof CommanderError) {
      const options = { ...program.opts<GlobalOptions>(), ...givenOutput(words) }
      // Help and version are not failures, and a group without a command shows its help.
      if (error.exitCode === 0) return exitCodes.ok
      const format = await formatOf(context, options)
      if (error.code !== 'commander.help' || isForPrograms(format))
        printFailure(terminal, parserProblem(program, words, { error, said }), format)
      else for (const text of said) terminal.note(text)
      return exitCodes.usage
    }
    if (areViolations(error)) return exitCodes.failed
    const logged = loggedFailure(error)
    if (logged !== undefined) return exitCodeOf(logged)
    // The shell has already printed its own error.
    const shell = shellExit(error)
    if (shell !== undefined) return shell
    const ended = commandExit(error)
    if (ended !== undefined) {
      const { cause } = error as Error
      if (cause !== undefined) printFailure(terminal, cause, await formatOf(context, program.opts<GlobalOptions>()))
      return ended
    }
    const command = findCurl(error)
    if (command !== undefined) {
      terminal.data(command)
      return exitCodes.ok
    }
    const options = program.opts<GlobalOptions>()
    if (options.debug && error instanceof Error) terminal.note(`[debug] ${error.stack}`)
    printFailure(terminal, error, await formatOf(context, options))
    return exitCodeOf(error)
  }
}

/** The output format that a command line asks for, also behind the word at which its parser stopped. */
function givenOutput(words: readonly string[]): Pick<GlobalOptions, 'output'> {
  const output = words.findLast((word, index) => ['-o', '--output'].includes(words[index - 1] ?? '') && word !== '')
  const joined = words.map((word) => /^(?:-o|--output=)(.+)$/.exec(word)?.[1]).findLast((one) => one !== undefined)
  const found = output ?? joined ?? (words.includes('--json') ? 'json' : undefined)
  return found === undefined ? {} : { output: found }
}

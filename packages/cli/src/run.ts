/** Runs the program once: parses the command line, runs the command, returns the exit code. */
import { CommanderError } from 'commander'
import type { CommandContext, GlobalOptions } from './input/session.ts'
import { findCurl } from './output/curl.ts'
import { exitCodeOf, exitCodes } from './output/exit-codes.ts'
import { printFailure } from './output/failure.ts'
import type { Format } from './output/formats.ts'
import { areViolations, shellExit } from './output/quiet-ends.ts'
import { createProgram, withHelpLast, withSortJoined } from './program.ts'

/** Runs a command line, without the names of the runtime and the program. */
export async function run(words: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context
  const program = await createProgram(context, words)
  try {
    await program.parseAsync(withHelpLast(program, withSortJoined(words)), { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    // Commander has already printed the error. Help and version are not failures.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    if (areViolations(error)) return exitCodes.failed
    // The shell has already printed its own error.
    const shell = shellExit(error)
    if (shell !== undefined) return shell
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

/** The output format of an error. Settings that cannot be read set none: they are what the error is about. */
async function formatOf({ variables }: CommandContext, options: GlobalOptions): Promise<Format> {
  const { readSettings } = await import('./input/settings.ts')
  try {
    return (readSettings(variables, options).output ?? 'table') as Format
  } catch {
    return options.json ? 'json' : ((options.output ?? 'table') as Format)
  }
}

/** The program `bourse`. */
import { environment } from '@bourse/server/config.ts'
import { CommanderError } from 'commander'
import { findCurl } from './curl.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { printFailure } from './failure.ts'
import type { formats } from './output.ts'
import { createProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

const terminal = openTerminal()
const code = await run(process.argv)
// A command may have set one of its own.
if (code !== exitCodes.ok) process.exitCode = code

async function run(argv: readonly string[]): Promise<number> {
  const program = createProgram({ terminal, variables: environment() })
  try {
    await program.parseAsync(argv)
    return exitCodes.ok
  } catch (error) {
    // Commander has said what is wrong itself; help and version are no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const command = findCurl(error)
    if (command !== undefined) {
      terminal.data(command)
      return exitCodes.ok
    }
    const { output, json } = program.opts<{ output?: (typeof formats)[number]; json?: boolean }>()
    printFailure(terminal, error, json ? 'json' : (output ?? 'table'))
    return exitCodeOf(error)
  }
}

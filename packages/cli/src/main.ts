/** The program `bourse`. */
import { environment } from '@bourse/server/config.ts'
import { run } from './commands/run.ts'
import { exitOnInterrupt } from './input/stop-signal.ts'
import { openTerminal } from './output/terminal.ts'

exitOnInterrupt()
process.exitCode = await run(process.argv.slice(2), { terminal: openTerminal(), variables: environment() })

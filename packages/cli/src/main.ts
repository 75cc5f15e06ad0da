/** The program `bourse`. */
import { environment } from '@bourse/server/config.ts'
import { run } from './run.ts'
import { exitOnInterrupt } from './stop-signal.ts'
import { openTerminal } from './terminal.ts'

exitOnInterrupt()
process.exitCode = await run(process.argv.slice(2), { terminal: openTerminal(), variables: environment() })

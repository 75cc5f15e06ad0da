/** The program `bourse`. */
import { environment } from '@bourse/server/config.ts'
import { run } from './run.ts'
import { openTerminal } from './terminal.ts'

process.exitCode = await run(process.argv.slice(2), { terminal: openTerminal(), variables: environment() })

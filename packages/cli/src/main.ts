/** The program that people call. */
import { exitOnInterrupt } from './input/stop-signal.ts'
import { openTerminal } from './output/terminal.ts'
import { run } from './run.ts'

exitOnInterrupt()
process.exitCode = await run(process.argv.slice(2), { terminal: openTerminal(), variables: process.env })

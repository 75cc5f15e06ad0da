/** The stand-alone agent program that hosts download from their server. */
import { once } from 'node:events'
import { join } from 'node:path'
import { shellWord } from '@bourse/text/shell.ts'
import { Command } from 'commander'
import { checkLine } from './checks.ts'
import { addAgentCommands } from './commands.ts'
import { isUnfitHost } from './problems.ts'

const program = new Command('bourse').description('The agent of a Bourse host.')
addAgentCommands(program, {
  program: shellWord(join(import.meta.dirname, '../bin/bourse')),
  variables: process.env,
  data: (line) => console.log(line),
  note: (line) => console.error(line),
  printChecks: (checks) => {
    for (const check of checks) console.log(checkLine(check))
  },
  stopSignal: () => Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal).then(() => signal))),
  random: Math.random,
})
try {
  await program.parseAsync()
} catch (error) {
  console.error(`Error: ${(error as Error).message}`)
  process.exitCode = isUnfitHost(error) ? 78 : 1
}

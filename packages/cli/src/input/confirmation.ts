/** Asks before a command that destroys or spends something. */
import { usageProblem } from '../output/usage.ts'
import type { Session } from './session.ts'

/**
 * Asks a question, unless `--yes` answers it. Without a terminal, and with `--no-input`, the command is refused: a
 * script must say `--yes`. Throws where the answer is no. With `--curl` nothing is sent, so nothing is asked.
 */
export async function confirm({ terminal, options }: Pick<Session, 'terminal' | 'options'>, question: string) {
  if (options.yes || options.curl) return
  if (options.input === false) {
    throw usageProblem(`Nothing was done: --no-input forbids to ask "${question}".`, 'Add --yes to go ahead.')
  }
  const answer = await terminal.ask(question)
  if (answer === undefined) {
    throw usageProblem(`Nothing was done: there is no terminal to ask "${question}".`, 'Add --yes to go ahead.')
  }
  if (!answer) throw new Error('Cancelled. Nothing changed.')
}

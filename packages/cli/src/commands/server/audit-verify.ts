/** `bourse audit verify`: checks the seals of the audit trail in the database of an installation. */

import { printable } from '@bourse/api/kit/plain-text.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { printObject, readOutputOptions } from '../../output/output.ts'
import { violations } from '../../output/quiet-ends.ts'
import { usageProblem } from '../../output/usage.ts'

const members = ['object', 'is_intact', 'seals', 'entries', 'end', 'problems']

/** Adds the command. */
export function addAuditVerify(group: Command, { terminal, variables }: CommandContext): void {
  const command = group
    .command('verify')
    .description('Check that nobody has changed the audit trail in the database. Changes nothing.')
    .option('--expect <seal>', 'A seal that the trail must still have: the end that an earlier check printed.')
    .addHelpText(
      'after',
      `
Looks at BOURSE_DATABASE_URL, or at the sandbox of BOURSE_DATA_DIR, running or stopped, with its key files. Compares
every entry with its seal and every seal with its signature. Ends with exit code 1 where something was changed. Only
--expect shows that the end of the trail is missing: keep what this prints, or the lines of the server's log, elsewhere.

Examples:
  $ bourse audit verify
  $ bourse audit verify --expect 812:5f0c5f9e0b6f1f0d8a8c5b2d0f3c9a7e4b1d6c8f2a3e5b7d9c0f1a2b3c4d5e6f`,
    )
  command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions & { expect?: string }>()
    const output = readOutputOptions(options)
    const { verifyInstallation } = await import('@bourse/server/checked-database.ts')
    const found = await verifyInstallation(variables, terminal.note, readExpected(options.expect))
    const { problems, seals, entries, end = null } = found
    const is_intact = problems.length === 0
    const shown = { object: 'audit_verification', is_intact, seals, entries, end, problems }
    printObject(terminal, output, shown, { members, columns: ['is_intact', 'seals', 'entries', 'end'] })
    for (const { message } of problems) terminal.note(`${terminal.red('changed')}: ${printable(message)}`)
    if (!is_intact) throw violations()
  })
}

function readExpected(text: string | undefined): { number: number; digest: string } | undefined {
  if (text === undefined) return undefined
  const [, number, digest] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? []
  if (number === undefined || digest === undefined) {
    throw usageProblem('--expect takes a seal as NUMBER:DIGEST.', '`bourse audit verify` prints it as the end.')
  }
  return { number: Number(number), digest }
}

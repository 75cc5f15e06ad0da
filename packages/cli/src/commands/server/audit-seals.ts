/** `bourse audit verify` and `bourse audit export`: check and print the seals of an installation's audit trail. */
import { readFile } from 'node:fs/promises'
import type { ExpectedSeal } from '@bourse/server/iam/audit/seals.rules.ts'
import { printable } from '@bourse/text/plain-text.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { outputFor, printObject } from '../../output/output.ts'
import { violations } from '../../output/quiet-ends.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import { usageProblem } from '../../output/usage.ts'

const shape = {
  members: ['object', 'is_intact', 'seals', 'entries', 'end', 'problems'],
  columns: ['is_intact', 'seals', 'entries', 'end'],
}

/** Adds the commands. */
export function addAuditSeals(group: Command, context: CommandContext): void {
  addVerify(group, context)
  addExport(group, context)
}

function addVerify(group: Command, { terminal, variables }: CommandContext): void {
  const command = group
    .command('verify')
    .description('Check that nobody has changed the audit trail in the database. Changes nothing.')
    .option('--expect <seal>', 'A seal that the trail must still have: the end that an earlier check printed.')
    .option('--against <file>', 'Seals that the trail must still have: what `bourse audit export` printed.')
    .addHelpText(
      'after',
      `
Reads the database of BOURSE_DATABASE_URL, or the sandbox of BOURSE_DATA_DIR, running or stopped, with its key files.
Compares every entry with its seal and every seal with its signature. Ends with exit code 1 if something was changed.
Only --expect and --against show that the end of the trail is missing: keep the output of this command or of an export,
or the lines of the server's log, elsewhere.

Examples:
  $ bourse audit verify
  $ bourse audit verify --against seals.txt
  $ bourse audit verify --expect 812:5f0c5f9e0b6f1f0d8a8c5b2d0f3c9a7e4b1d6c8f2a3e5b7d9c0f1a2b3c4d5e6f`,
    )
  command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions & { expect?: string; against?: string }>()
    const output = outputFor(shape, options)
    const expected = [
      ...(options.expect === undefined ? [] : [readSeal(options.expect, '--expect')]),
      ...(options.against === undefined ? [] : await readSealFile(options.against)),
    ]
    const { verifyInstallation } = await import('@bourse/server/start/checked-database.ts')
    const found = await verifyInstallation(variables, terminal.note, expected)
    const { problems, seals, entries, end = null } = found
    const is_intact = problems.length === 0
    const shown = { object: 'audit_verification', is_intact, seals, entries, end, problems }
    printObject(terminal, output, shown, shape)
    for (const { message } of problems) terminal.note(`${terminal.red('changed')}: ${printable(message)}`)
    if (!is_intact) throw violations()
  })
}

function addExport(group: Command, { terminal, variables }: CommandContext): void {
  printsNoRows(group.command('export'))
    .description('Print the seals of the audit trail, to keep elsewhere. Changes nothing.')
    .addHelpText(
      'after',
      `
Reads the same database as verify. Prints a line for each seal, the oldest first: its number and its digest. Whoever
can write the database cannot change lines that are kept elsewhere.

Example:
  $ bourse audit export`,
    )
    .action(async () => {
      const { readSeals } = await import('@bourse/server/start/checked-database.ts')
      await readSeals(variables, terminal.note, ({ number, digest }) => terminal.data(`${number}:${digest}`))
    })
}

/** The most bytes of a file of seals: those of two centuries. */
const fileBytesMax = 128 * 1024 * 1024

async function readSealFile(path: string): Promise<ExpectedSeal[]> {
  const text = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw usageProblem(`${path} cannot be read: ${error.code}.`, 'Give a file that `bourse audit export` has printed.')
  })
  if (text.length > fileBytesMax) throw usageProblem(`${path} has more than 128 MiB.`)
  const lines = text.toString('latin1').split(/\r?\n/)
  const seals = lines.flatMap((line, at) => (line === '' ? [] : [readSeal(line, `Line ${at + 1} of ${path}`)]))
  if (seals.length === 0) throw usageProblem(`${path} has no seals.`)
  return seals
}

function readSeal(text: string, what: string): ExpectedSeal {
  const [, number, digest] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? []
  if (number === undefined || digest === undefined) {
    throw usageProblem(`${what} is no seal of the form NUMBER:DIGEST.`, '`bourse audit export` prints seals in it.')
  }
  return { number: Number(number), digest }
}

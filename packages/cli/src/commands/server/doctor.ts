/** `bourse doctor`: finds problems of an installation and their remedies. */
import { resolve } from 'node:path'
import { isUnencryptedUrl } from '@bourse/api/kit/loopback.ts'
import { createClient } from '@bourse/sdk/client.ts'
import { AuthenticationError } from '@bourse/sdk/errors.ts'
import type { DoctorCheck } from '@bourse/server/start/doctor.ts'
import { printable } from '@bourse/text/plain-text.ts'
import { dataDirectoryOf, type Environment } from '@bourse/text/program.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { acceptsHttp, httpRemedy, readSettings } from '../../input/settings.ts'
import { outputFor, printList } from '../../output/output.ts'
import { violations } from '../../output/quiet-ends.ts'

const shape = {
  members: ['object', 'name', 'status', 'message', 'remedy', 'rows'],
  columns: ['status', 'name', 'message'],
}

/** Adds the command. */
export function addDoctor(program: Command, context: CommandContext): void {
  const { terminal, variables } = context
  const command = program
    .command('doctor')
    .description('Check an installation: settings, clock, keys, and every invariant of the data. Changes nothing.')
    .option('--now', 'Run every audit now. Default: show the last hourly run of a production server, if there is one.')
    .addHelpText(
      'after',
      `
Checks the database of BOURSE_DATABASE_URL, or the sandbox of BOURSE_DATA_DIR, running or stopped. Also checks the API
if BOURSE_BASE_URL is set or a sandbox runs. Ends with exit code 1 if a check finds a violation.

Examples:
  $ bourse doctor
  $ bourse doctor --now
  $ bourse doctor -o json`,
    )
  command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions & { now?: boolean }>()
    const output = outputFor(shape, options)
    const { examine } = await import('@bourse/server/start/doctor.ts')
    const checks = [
      ...(await examine(variables, terminal.note, { is_now: options.now === true })),
      ...(await checkApi(context, options)),
      ...checkHttp(context, options),
    ]
    printList(terminal, output, { object: 'list', data: checks, has_more: false }, shape)
    for (const check of checks.filter(isWorthExplaining)) explain(check)
    if (checks.some(({ status }) => status === 'violation')) throw violations()
  })

  function explain({ name, message, remedy, rows }: DoctorCheck): void {
    terminal.note(`\n${terminal.red(name)}: ${printable(message)}`)
    for (const row of rows) terminal.note(`  ${printable(JSON.stringify(row))}`)
    if (remedy) terminal.note(`  ${remedy}`)
  }
}

function isWorthExplaining({ status, rows }: DoctorCheck): boolean {
  return status === 'violation' || (status === 'note' && rows.length > 0)
}

/** Lists the use of plain HTTP to another machine. */
function checkHttp({ variables, terminal }: CommandContext, options: GlobalOptions): DoctorCheck[] {
  const { base_url = '' } = readSettings(variables, options, (text) => terminal.note(text))
  if (!isUnencryptedUrl(base_url) || !acceptsHttp(variables, options)) return []
  const message = `--insecure-http or BOURSE_INSECURE_HTTP: the token is sent to ${base_url} unencrypted`
  return [{ object: 'check', name: 'protection', status: 'note', message, remedy: null, rows: [] }]
}

async function checkApi({ variables, terminal }: CommandContext, options: GlobalOptions): Promise<DoctorCheck[]> {
  const { baseUrl } = options
  const { base_url, token } = readSettings(variables, options, (text) => terminal.note(text))
  const check = (status: DoctorCheck['status'], message: string, remedy: string | null = null): DoctorCheck[] => [
    { object: 'check', name: 'api', status, message, remedy, rows: [] },
  ]
  if (!base_url) return check('skipped', 'no address is set')
  if (isUnencryptedUrl(base_url) && !acceptsHttp(variables, options)) {
    return check('violation', `${base_url} is not encrypted, so the token is not sent to it`, httpRemedy)
  }
  const isNamed = Boolean(baseUrl || variables.BOURSE_BASE_URL)
  try {
    const client = createClient({ baseUrl: base_url, token: token ?? '', timeout: 5_000, maxRetries: 0 })
    await client.readiness.get()
    if (!token) return check('ok', `${base_url} is ready; no token is set, so no request was authenticated`)
    const { id } = await client.account.get()
    return check('ok', `${base_url} is ready and accepts the token of account ${id}`)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof AuthenticationError) {
      return check(
        'violation',
        `${base_url} refuses the token: ${message}`,
        'Set BOURSE_API_TOKEN to a token of this server.',
      )
    }
    // The file of a stopped sandbox still contains its address.
    const isExpected = isNamed || (await isSandboxRunning(variables))
    if (!isExpected) return check('skipped', `${base_url} does not respond: the sandbox is stopped`)
    return check('violation', message, 'Start the server, or correct BOURSE_BASE_URL.')
  }
}

async function isSandboxRunning(variables: Environment): Promise<boolean> {
  const { dataDirectoryHolder } = await import('@bourse/server/core/postgres/data-directory.ts')
  return (await dataDirectoryHolder(resolve(dataDirectoryOf(variables)))) !== undefined
}

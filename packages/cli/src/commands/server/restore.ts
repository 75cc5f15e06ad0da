/** `bourse restore`: makes a database of a backup and the archived log, as it was at a moment. */
import { daysIn } from '@bourse/text/time/zones.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { outputFor, printObject } from '../../output/output.ts'
import { usageProblem } from '../../output/usage.ts'

const shape = {
  members: [
    'object',
    'backup',
    'data_directory',
    'last_commit_at',
    'first_lost_commit_at',
    'end_lsn',
    'timeline',
    'history',
    'sessions',
    'sessions_ended',
    'tokens',
    'webhooks',
  ],
  columns: ['backup', 'data_directory', 'last_commit_at', 'first_lost_commit_at', 'timeline'],
}
const exactTime = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/

type RestoreFlags = {
  readonly to: string
  readonly dataDirectory: string
  readonly timeline?: string
  readonly postgresBin?: string
  readonly revokeTokens?: boolean
}

/** Adds the command. */
export function addRestore(program: Command, { terminal, variables }: CommandContext): void {
  const command = program
    .command('restore')
    .description('Restore a backup of a production database to a moment, into a new data directory of PostgreSQL.')
    .argument('<location>', 'Location of the backups: a directory, or s3://bucket/prefix.')
    .argument(
      '[id]',
      'The backup. Default: the newest backup that ended before the moment, if all are of one database.',
    )
    .requiredOption('--to <moment>', 'The moment, such as 2026-11-29T03:00:00Z, or latest: all that is archived.')
    .requiredOption('--data-directory <directory>', 'The new data directory: empty, or not there yet.')
    .option('--timeline <number>', 'The timeline to follow. Default: the newest of the archive.')
    .option('--postgres-bin <directory>', 'The programs of PostgreSQL of the same major version.')
    .option('--revoke-tokens', 'End all sessions of people, sign-in links and sign-ins of devices.')
    .addHelpText(
      'after',
      `
Stop all servers first. PostgreSQL replays the log on a private socket, and begins a new timeline. Servers that run on
it record that commits were lost, and cursors of lost events get 410. Tokens that were made after the moment are
refused. Resources and rights that were deleted or revoked after the moment exist again: docs/guides/backup.md says
what to do about them.

Until the restore is done, all files are in DIRECTORY.restoring. If an interruption leaves that directory, remove it.

Examples:
  $ bourse restore /var/backups/bourse --to 2026-11-29T03:00:00Z --data-directory /var/lib/postgresql/18/restored
  $ bourse restore s3://backups/bourse --to latest --data-directory /var/lib/postgresql/18/restored --revoke-tokens`,
    )
  command.action(async (location: string, id: string | undefined) => {
    const options = command.optsWithGlobals<GlobalOptions & RestoreFlags>()
    const output = outputFor(shape, options)
    const {
      to,
      dataDirectory: data_directory,
      postgresBin: postgres_bin,
      revokeTokens: revoke_tokens = false,
    } = options
    if (to !== 'latest' && !isTime(to)) {
      throw usageProblem('--to must be "latest" or a time with a zone, such as 2026-11-29T03:00:00Z.')
    }
    const timeline = readTimeline(options.timeline)
    const { restoreBackup } = await import('@bourse/server/start/restore.ts')
    const request = { location, id, to, data_directory, timeline, postgres_bin, revoke_tokens }
    const report = await restoreBackup(variables, request, terminal.note)
    printObject(terminal, output, report, shape)
    const { sessions, sessions_ended, tokens, webhooks } = report
    if (sessions_ended > 0) terminal.note(`${sessions_ended} sessions were ended: people have to sign in again.`)
    else if (sessions > 0)
      terminal.note(`${sessions} sessions count, those that were ended since too: --revoke-tokens.`)
    terminal.note(
      `${tokens} tokens and the secrets of ${webhooks} webhooks are those of the moment. Look through them.`,
    )
  })
}

/** Whether a text is a time with a zone. Date.parse alone takes 30 February for 2 March. */
function isTime(text: string): boolean {
  const [, year, month, day] = (exactTime.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  return Number.isFinite(Date.parse(text)) && day <= daysIn(year, month)
}

function readTimeline(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) throw usageProblem('--timeline must be a whole number from 1 on.')
  return Number(text)
}

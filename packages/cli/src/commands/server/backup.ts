/** `bourse backup`: makes, lists, verifies and removes backups of a production database, and archives its log. */
import { printable } from '@bourse/text/plain-text.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { outputFor, printList, printObject } from '../../output/output.ts'
import { commandEnded, violations } from '../../output/quiet-ends.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import { usageProblem } from '../../output/usage.ts'

const place = 'A directory, or s3://bucket/prefix with the settings of BOURSE_S3_ENDPOINT.'
const created = {
  members: ['object', 'id', 'ended_at', 'size_bytes', 'timeline', 'start_lsn', 'end_lsn', 'images'],
  columns: ['id', 'ended_at', 'size_bytes', 'images'],
}
const listed = {
  members: [
    'object',
    'id',
    'state',
    'ended_at',
    'size_bytes',
    'postgres_version',
    'schema',
    'system_identifier',
    'timeline',
    'problem',
  ],
  columns: ['id', 'state', 'ended_at', 'size_bytes', 'problem'],
}
const checked = {
  members: ['object', 'name', 'status', 'message', 'remedy', 'rows'],
  columns: ['status', 'name', 'message'],
}
const pruned = { members: ['object', 'backups', 'log_files', 'kept'], columns: ['backups', 'log_files', 'kept'] }
/** PostgreSQL takes a status above 125 of restore_command for a failure, and any other for the end of the log. */
const failedFetch = 255

/** Adds the commands. */
export function addBackup(program: Command, context: CommandContext): void {
  const group = program.command('backup').description('Backups of a production database.')
  addCreate(group, context)
  addList(group, context)
  addVerify(group, context)
  addPrune(group, context)
  addArchive(group, context)
}

function addCreate(group: Command, { terminal, variables }: CommandContext): void {
  const command = group
    .command('create')
    .description('Copy the database of BOURSE_DATABASE_URL while its servers run.')
    .argument('<location>', place)
    .option('--keys <directory>', 'Record the public names of these key files, so that verify can compare them.')
    .addHelpText(
      'after',
      `
The copy goes over the replication protocol. The user of BOURSE_DATABASE_URL needs the right REPLICATION, and
pg_hba.conf an entry for the database "replication". Keys and images are not in a backup: back them up separately, the
images after the database.

Examples:
  $ bourse backup create /var/backups/bourse --keys /etc/bourse/keys
  $ bourse backup create s3://backups/bourse`,
    )
  command.action(async (location: string) => {
    const options = command.optsWithGlobals<GlobalOptions & { keys?: string }>()
    const output = outputFor(created, options)
    const { createBackup } = await import('@bourse/server/start/backup-create.ts')
    const record = await createBackup(variables, { location, keys_directory: options.keys }, terminal.note)
    const { backupBytes } = await import('@bourse/server/core/backup/backup-record.rules.ts')
    const { object, id, ended_at, timeline, start_lsn, end_lsn, contents } = record
    const size_bytes = backupBytes(record)
    const shown = { object, id, ended_at, size_bytes, timeline, start_lsn, end_lsn, images: contents.images }
    printObject(terminal, output, shown, created)
    terminal.note('The backup has no keys and no images. Back up the key files separately, and now the image store.')
  })
}

function addList(group: Command, { terminal, variables }: CommandContext): void {
  const command = group
    .command('list')
    .description('List the backups of a location, oldest first.')
    .argument('<location>', place)
    .addHelpText('after', '\nExample:\n  $ bourse backup list /var/backups/bourse')
  command.action(async (location: string) => {
    const output = outputFor(listed, command.optsWithGlobals<GlobalOptions>())
    const { summarizeBackups } = await import('@bourse/server/start/backup-upkeep.ts')
    const data = await summarizeBackups(variables, location)
    printList(terminal, output, { object: 'list', data, has_more: false }, listed)
  })
}

function addVerify(group: Command, { terminal, variables }: CommandContext): void {
  const command = group
    .command('verify')
    .description(
      'Restore a backup into a temporary database, check every invariant, compare it with its record, and remove it.',
    )
    .argument('<location>', place)
    .argument('[id]', 'The backup. Default: the newest.')
    .option('--postgres-bin <directory>', 'The programs of PostgreSQL of the same major version.')
    .addHelpText(
      'after',
      `
Needs room for the database in the temporary directory (TMPDIR). PostgreSQL runs on a private socket, with settings of
its own. If the variables of the key files are set, verify also checks that the files have the keys of the backup. If
BOURSE_DATABASE_URL is set, the success is recorded in that database. Ends with exit code 1 if something differs.

Examples:
  $ bourse backup verify /var/backups/bourse
  $ bourse backup verify s3://backups/bourse 20261129T030000Z --postgres-bin /usr/lib/postgresql/18/bin`,
    )
  command.action(async (location: string, id: string | undefined) => {
    const options = command.optsWithGlobals<GlobalOptions & { postgresBin?: string }>()
    const output = outputFor(checked, options)
    const { verifyBackup } = await import('@bourse/server/start/backup-verify.ts')
    const request = { location, id, postgres_bin: options.postgresBin }
    const { record, checks } = await verifyBackup(variables, request, terminal.note)
    printList(terminal, output, { object: 'list', data: checks, has_more: false }, checked)
    const wrong = checks.filter(({ status }) => status === 'violation')
    for (const { name, message } of wrong) terminal.note(`${terminal.red(name)}: ${printable(message)}`)
    if (wrong.length > 0) throw violations()
    terminal.note(`Backup ${record.id} can be restored.`)
  })
}

function addPrune(group: Command, { terminal, variables }: CommandContext): void {
  const command = group
    .command('prune')
    .description('Remove old backups, and the archived log that no other backup needs.')
    .argument('<location>', place)
    .requiredOption('--keep <number>', 'How many complete backups of each database to keep.')
    .addHelpText('after', '\nExample:\n  $ bourse backup prune /var/backups/bourse --keep 14')
  command.action(async (location: string) => {
    const options = command.optsWithGlobals<GlobalOptions & { keep: string }>()
    const output = outputFor(pruned, options)
    if (!/^[1-9]\d{0,3}$/.test(options.keep)) throw usageProblem('--keep must be a whole number from 1 to 9999.')
    const { pruneBackups } = await import('@bourse/server/start/backup-upkeep.ts')
    const done = await pruneBackups(variables, { location, keep: Number(options.keep) })
    printObject(terminal, output, { object: 'backup_pruning', ...done }, pruned)
  })
}

function addArchive(group: Command, { variables }: CommandContext): void {
  printsNoRows(group.command('archive-wal'))
    .description('Archive a file of the write-ahead log. For archive_command of PostgreSQL.')
    .argument('<location>', place)
    .argument('<file>', 'The file: %p.')
    .argument('<name>', 'Its name in the archive: %f.')
    .addHelpText(
      'after',
      `
Succeeds if the archive has the same file already, and fails if it has another file of this name.

In postgresql.conf:
  archive_command = 'bourse backup archive-wal /var/backups/bourse "%p" "%f"'

Example:
  $ bourse backup archive-wal /var/backups/bourse pg_wal/000000010000000000000001 000000010000000000000001`,
    )
    .action(async (location: string, path: string, name: string) => {
      const { archiveLogFile } = await import('@bourse/server/start/backup-upkeep.ts')
      await archiveLogFile(variables, { location, path, name })
    })

  printsNoRows(group.command('fetch-wal'))
    .description('Fetch a file of the write-ahead log. For restore_command of a standby.')
    .argument('<location>', place)
    .argument('<name>', 'Its name in the archive: %f.')
    .argument('<file>', 'Destination of the file: %p.')
    .addHelpText(
      'after',
      `
Ends with exit code 1 if the archive has no such file. Ends with 255, which stops the recovery, if the archive cannot
be read. \`bourse restore\` needs no restore_command.

In postgresql.conf:
  restore_command = 'bourse backup fetch-wal /var/backups/bourse "%f" "%p"'

Example:
  $ bourse backup fetch-wal /var/backups/bourse 000000010000000000000001 pg_wal/RECOVERYXLOG`,
    )
    .action(async (location: string, name: string, path: string) => {
      const { fetchLogFile } = await import('@bourse/server/start/backup-upkeep.ts')
      const isThere = await fetchLogFile(variables, { location, path, name }).catch((error: Error) => {
        throw commandEnded(failedFetch, error)
      })
      if (!isThere) throw commandEnded(1)
    })
}

/** `bourse migrate`: brings the database of a production installation to the schema of this program, or plans it. */
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { outputFor, printList, printObject } from '../../output/output.ts'

const done = { members: ['object', 'from', 'to'], columns: ['from', 'to'] }
const planned = {
  members: [
    'object',
    'migration',
    'step',
    'in_transaction',
    'line',
    'action',
    'table',
    'lock',
    'blocks',
    'work',
    'rows',
    'bytes',
    'serves',
  ],
  columns: ['migration', 'step', 'action', 'table', 'lock', 'blocks', 'work', 'rows', 'bytes', 'serves'],
}

const help = `
Migrates the database of BOURSE_DATABASE_URL as its owner. Running servers go on: a step waits for a lock for at most
a second at a time, and large indexes are built concurrently. An interrupted migration continues at the next run.

--plan shows each statement with its lock (null on new tables), what the lock blocks, and its work: none (a moment),
scan, rewrite, rows (changes rows), unknown. serves is the oldest program, by its schema, that works with the schema
from there on. If running programs are older, migrate is refused. Stop them first, or give --stop-replicas: they then
refuse requests until they are replaced. A sandbox migrates its database at the start.

Examples:
  $ bourse migrate --plan
  $ bourse migrate --plan -o json
  $ bourse migrate`

/** Adds the command. */
export function addMigrate(program: Command, { terminal, variables }: CommandContext): void {
  const command = program
    .command('migrate')
    .description('Migrate the database of a production installation, while its servers run.')
    .option('--plan', 'Only show what the pending migrations do.')
    .option('--stop-replicas', 'Also apply migrations that make running programs refuse requests.')
    .addHelpText('after', help)
  command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions & { plan?: boolean; stopReplicas?: boolean }>()
    const output = outputFor(options.plan ? planned : done, options)
    const { migrateDatabase, planDatabase } = await import('@bourse/server/start/upgrade.ts')
    if (!options.plan) {
      const { from, to } = await migrateDatabase(variables, terminal.note, {
        stop_replicas: options.stopReplicas ?? false,
      })
      return printObject(terminal, output, { object: 'migration', from, to }, done)
    }
    const { schema, known, statements, programs } = await planDatabase(variables)
    terminal.note(`The database has schema ${schema.version}, this program has schema ${known}. Nothing is changed.`)
    const { running, stopped } = programs
    if (running > 0) terminal.note(`Programs that use the database: ${running}. The migrations would stop ${stopped}.`)
    printList(terminal, output, { object: 'list', data: statements, has_more: false }, planned)
  })
}

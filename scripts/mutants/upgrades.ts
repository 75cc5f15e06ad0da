import { level, type Mutant, server } from './mutant.ts'

const migrations = (path: string) => server(`core/migrations/${path}`)

/** Old and new programs on one database: which schema serves whom, and how migrations keep out of their way. */
export const upgradeMutants: readonly Mutant[] = [
  {
    wrong: 'The first step of a migration does not count before the last one is applied.',
    file: migrations('schema-state.ts'),
    text: '::integer, version)), 0) as serves',
    replacement: '::integer, version)) filter (where steps_left = 0), 0) as serves',
    test: migrations('steps.test.ts'),
    caught_by: 'the schema serves an older program no longer from the first step of a migration on',
  },
  {
    wrong: 'A program waits for its turn to migrate in a statement, whose snapshot blocks a concurrent index.',
    file: migrations('migrate.ts'),
    text: 'select pg_try_advisory_lock($1) taken',
    replacement: 'select pg_advisory_lock($1) is not null taken',
    test: migrations('steps.test.ts'),
    caught_by: 'programs that migrate at once build the index once, and none waits for ever',
  },
  {
    wrong: 'A running server writes null into a column that a migration has added.',
    file: server('automation/deployments.store.ts'),
    text: ['insert into deployments (', '{insertedColumns})\n   select ', '{insertedColumns}'].join('$'),
    replacement: 'insert into deployments\n   select n.*',
    test: level('contract/added-columns'),
    caught_by: 'every operation and reconciler works on after a migration has added a column to every table',
  },
  {
    wrong: 'A new migration may take something away and serve the same programs as before.',
    file: 'scripts/tidy/migrations.ts',
    text: 'const isRaised = serves > previous.serves ||',
    replacement: 'const isRaised = serves >= previous.serves ||',
    test: 'scripts/tidy/migrations.test.ts',
    caught_by: 'a new migration needs a reason, and serves fewer programs, for: alter table a drop column b',
    in_commit: true,
  },
]

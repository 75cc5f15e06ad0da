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
    wrong: 'A server stays ready on a schema that does not serve it.',
    file: server('process.service.ts'),
    text: "    if (outdated) problems.set('schema', outdated)\n",
    replacement: '',
    test: level('restart/newer-schemas'),
    caught_by: 'a server is ready on a newer schema that serves it, and names the reason',
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
    wrong: 'The invalid index of an interrupted creation counts as built.',
    file: migrations('apply-migration.ts'),
    text: 'if (found?.is_valid) return',
    replacement: 'if (found) return',
    test: migrations('steps.test.ts'),
    caught_by: 'a creation of an index that was killed is dropped and runs again, and no other step does',
  },
  {
    wrong: 'The invalid index of one partition is not dropped before it is built again.',
    file: migrations('partitioned-index.ts'),
    text: 'if (exists && !is_valid) await run',
    replacement: 'if (exists && is_valid) await run',
    test: migrations('partitioned-index.test.ts'),
    caught_by: 'a creation on a partitioned table that was killed goes on with what is missing',
  },
  {
    wrong: 'An interrupted migration begins again with its first step.',
    file: migrations('apply-migration.ts'),
    text: 'let at = steps.length - steps_left;',
    replacement: 'let at = 0;',
    test: migrations('steps.test.ts'),
    caught_by: 'a creation of an index that was killed is dropped and runs again, and no other step does',
  },
  {
    wrong: 'A migration waits for a lock without a limit, and everything else behind it.',
    file: migrations('apply-migration.ts'),
    text: 'await client.query(`set local lock_timeout = ',
    replacement: 'await client.query(`set local lock_timeout = 0 -- ',
    test: migrations('steps.test.ts'),
    caught_by: 'a step waits for a lock for a moment at a time, so that others go on',
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
    wrong: 'A plan calls a lock on a table that is in use one on a new table.',
    file: migrations('migration-plan.ts'),
    text: 'const isFelt = on !== undefined && !is_new',
    replacement: 'const isFelt = on !== undefined && is_new',
    test: migrations('migration-plan.test.ts'),
    caught_by: 'a plan names each pending statement with its lock, its work and the size of the table',
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

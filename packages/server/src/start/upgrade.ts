/** Migrates the database of a production installation apart from its servers, or says what that would do. */
import { join } from 'node:path'
import type { Environment } from '@bourse/text/program.ts'
import { readDatabaseTarget } from '../config.ts'
import { programRoot } from '../core/base/program-root.ts'
import { migrate } from '../core/migrations/migrate.ts'
import { type MigrationPlan, planMigrations } from '../core/migrations/migration-plan.ts'

const directory = join(programRoot, 'migrations')

/**
 * Applies the pending migrations to the database of BOURSE_DATABASE_URL. Returns the schema before and after. Throws
 * replicas_would_stop where running programs would stop, unless `stop_replicas` is set.
 */
export function migrateDatabase(
  variables: Environment,
  print: (line: string) => void,
  { stop_replicas }: { readonly stop_replicas: boolean },
): Promise<{ from: number; to: number }> {
  return migrate(readDatabaseTarget(variables), { directory, log: print, keeps_programs: !stop_replicas })
}

/** What the pending migrations would do to that database. Changes nothing. */
export function planDatabase(variables: Environment): Promise<MigrationPlan> {
  return planMigrations(readDatabaseTarget(variables), directory)
}

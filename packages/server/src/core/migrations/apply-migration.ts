/**
 * Applies one migration, step by step, so that the traffic of running servers goes on: a step waits for a lock only for
 * a moment, because everything that wants the table queues behind it, and tries again later. A step that ends is
 * recorded, in its own transaction where it has one. After a kill, the next run goes on with the first step that is not
 * recorded.
 */

import { pause } from '@bourse/text/time/pause.ts'
import type pg from 'pg'
import { isStartProblem, startProblem } from '../base/start-problem.ts'
import { fileName, type IndexStep, indexOf, lineOfStep, type Migration, type MigrationStep } from './migration-files.ts'
import { createPartitionedIndex, isPartitioned } from './partitioned-index.ts'
import type { SqlStatement } from './sql-statements.ts'

/** How long a step waits for a lock at a time, and how often it tries. Servers wait for one for up to two seconds. */
export type LockPatience = { readonly wait_milliseconds: number; readonly tries: number }

export const usualPatience: LockPatience = { wait_milliseconds: 1_000, tries: 30 }

type MigrationContext = {
  readonly client: pg.Client
  readonly patience: LockPatience
  readonly log: (message: string) => void
}

const longestPauseMilliseconds = 5_000
const lockCodes = ['55P03', '40P01']

/** Applies what is left of a migration: all steps, or the last `stepsLeft`. Throws migration_failed. */
export async function applyMigration(
  context: MigrationContext,
  migration: Migration,
  stepsLeft = migration.steps.length,
): Promise<void> {
  const { steps } = migration
  for (let at = steps.length - stepsLeft; at < steps.length; at++) {
    const step = steps[at] as MigrationStep
    const place = steps.length === 1 ? fileName(migration) : `${fileName(migration)}, step ${at + 1}`
    const record = () => recordStep(context.client, migration, steps.length - at - 1)
    const index = step.statements[0] && indexOf(step.statements[0])
    if (step.is_outside && index) await applyOutside(context, { place, step, index, record })
    else await applyInTransaction(context, { place, step, record })
  }
  context.log(`Applied migration ${fileName(migration)}.`)
}

type Application = { readonly place: string; readonly step: MigrationStep; readonly record: () => Promise<void> }

async function applyInTransaction(context: MigrationContext, { place, step, record }: Application): Promise<void> {
  const { client, patience } = context
  await withLocks(context, place, async () => {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${patience.wait_milliseconds}`)
      await client.query(step.sql)
      await record()
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      const { message, position, code } = error as { message: string; position?: string; code?: string }
      if (lockCodes.includes(code ?? '')) throw error
      const line = position ? `, line ${lineOfStep(step, Number(position))}` : ''
      throw startProblem('migration_failed', `Migration ${place}${line} failed and was rolled back: ${message}.`, error)
    }
  })
}

/** Runs work again while it cannot get its locks. */
export async function withLocks(
  { patience, log }: Pick<MigrationContext, 'patience' | 'log'>,
  place: string,
  work: () => Promise<void>,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!lockCodes.includes((error as { code?: string }).code ?? '')) throw error
      if (tried >= patience.tries) {
        throw startProblem(
          'migration_failed',
          `Migration ${place} could not lock its tables in ${tried} tries of ${patience.wait_milliseconds} ms and ` +
            'was rolled back. End the long transactions on the database (pg_stat_activity) and run it again.',
          error,
        )
      }
      log(`Migration ${place} waits for a lock that a transaction holds; trying again.`)
      await pause(Math.min(longestPauseMilliseconds, 100 * 2 ** tried))
    }
  }
}

/**
 * Creates or drops an index concurrently. While it waits for older transactions, nobody waits for it, so it has no time
 * limit. A creation that was interrupted has left an invalid index, which is useless and slows down writes.
 */
async function applyOutside(
  context: MigrationContext,
  { place, step, index, record }: Application & { readonly index: IndexStep },
): Promise<void> {
  const { text, line } = step.statements[0] as SqlStatement
  try {
    if (index.is_creation) await createIndex(context, { place, text, index })
    else await context.client.query(text)
    await record()
  } catch (error) {
    if (isStartProblem(error)) throw error
    const { message } = error as Error
    throw startProblem('migration_failed', `Migration ${place}, line ${line}, failed: ${message}.`, error)
  }
}

async function createIndex(
  context: MigrationContext,
  { place, text, index }: { place: string; text: string; index: IndexStep },
): Promise<void> {
  const { client, patience, log } = context
  const found = await findIndex(client, index.index)
  if (found && found.table !== index.table) {
    throw new Error(`the index ${index.index} exists on the table ${found.table}`)
  }
  if (found?.is_valid) return
  if (await isPartitioned(client, index.table as string)) {
    const briefly = (work: () => Promise<void>) =>
      withLocks(context, place, async () => {
        await client.query(`set lock_timeout = ${patience.wait_milliseconds}`)
        await work().finally(() => client.query('set lock_timeout = 0'))
      })
    return createPartitionedIndex({ client, text, index, briefly })
  }
  if (found) {
    log(`Migration ${place}: dropping the index ${index.index}, whose creation was interrupted.`)
    await client.query(`drop index concurrently if exists ${client.escapeIdentifier(index.index)}`)
  }
  await client.query(text)
}

async function findIndex(client: pg.Client, name: string): Promise<{ is_valid: boolean; table: string } | undefined> {
  const { rows } = await client.query<{ is_valid: boolean; table: string }>(
    `select i.indisvalid as is_valid, t.relname::text as table
     from pg_class c
     join pg_index i on i.indexrelid = c.oid
     join pg_class t on t.oid = i.indrelid
     where c.relname = $1 and c.relnamespace = current_schema()::regnamespace`,
    [name],
  )
  return rows[0]
}

async function recordStep(client: pg.Client, migration: Migration, stepsLeft: number): Promise<void> {
  const { version, name, sha256, serves } = migration
  await client.query(
    `insert into schema_migrations (version, name, sha256, applied_at, serves, steps_left)
     values ($1, $2, $3, extract(epoch from clock_timestamp())::bigint, $4, $5)
     on conflict (version) do update set applied_at = excluded.applied_at, steps_left = excluded.steps_left`,
    [version, name, sha256, serves, stepsLeft],
  )
}

/**
 * Refuses a PostgreSQL whose settings could lose, hide or reorder acknowledged writes, and a role that could change
 * events or the ledger. The check runs on each new connection, as the run-time role, because `alter role … set` and
 * `alter database … set` affect some connections and not others.
 * Not this file's work: the settings of the bundled PostgreSQL (postmaster.ts).
 */

import { startProblem } from '../base/start-problem.ts'
import { type Db, statement } from './db.ts'

type SettingRow = { readonly name: string; readonly value: string | null }

type SettingProblem = {
  readonly setting: string
  readonly value: string
  readonly must_be: string
  readonly because: string
}

type SettingsEvaluation = { readonly refusals: SettingProblem[]; readonly warnings: SettingProblem[] }

/** Optional values to compare with. A value that is absent is not checked. */
export type SettingsContext = {
  /** The clock of this machine in Unix seconds, read at the same time as the rows. */
  readonly local_seconds?: number
  /** The most connections that all replicas together open. */
  readonly connections_needed?: number
}

type SettingRule = Omit<SettingProblem, 'value'> & {
  readonly holds: (value: string, all: ReadonlyMap<string, string>) => boolean
}

/** The oldest major version of PostgreSQL that the program starts with. */
export const oldestPostgres = 17
const versionMin = oldestPostgres * 10_000
const clockSecondsMax = 5

const on = { must_be: 'on', holds: (value: string) => value === 'on' }
const off = { must_be: 'off', holds: (value: string) => value === 'off' }
const none = { must_be: 'none', holds: (value: string) => value === '' }
const hidesDamage = 'it hides damaged data instead of reporting it'

const rules: readonly SettingRule[] = [
  {
    setting: 'server_version_num',
    must_be: `${versionMin} or more`,
    because: 'older versions are not tested',
    holds: (value) => Number(value) >= versionMin,
  },
  {
    setting: 'server_encoding',
    must_be: 'UTF8',
    because: 'other encodings cannot hold every text',
    holds: (value) => value === 'UTF8',
  },
  {
    setting: 'pg_is_in_recovery',
    must_be: 'false',
    because: 'a standby cannot decide writes',
    holds: (value) => value === 'false',
  },
  { setting: 'fsync', ...on, because: 'a power failure would lose acknowledged rows' },
  { setting: 'full_page_writes', ...on, because: 'a power failure would tear pages that hold acknowledged rows' },
  {
    setting: 'synchronous_commit',
    must_be: 'on, remote_apply, remote_write, or local without synchronous standbys',
    because: 'a commit would be acknowledged before it is safe, and a crash would lose it',
    holds: (value, all) =>
      ['on', 'remote_apply', 'remote_write'].includes(value) ||
      (value === 'local' && all.get('synchronous_standby_names') === ''),
  },
  {
    setting: 'data_sync_retry',
    ...off,
    because: 'a failed sync is reported only once, so a retry would treat lost writes as durable',
  },
  { setting: 'zero_damaged_pages', ...off, because: hidesDamage },
  { setting: 'ignore_checksum_failure', ...off, because: hidesDamage },
  { setting: 'ignore_invalid_pages', ...off, because: hidesDamage },
  {
    setting: 'session_replication_role',
    must_be: 'origin',
    because: 'other values skip foreign keys and triggers',
    holds: (value) => value === 'origin',
  },
  {
    setting: 'default_transaction_isolation',
    must_be: 'read committed',
    because: 'the lock order depends on it',
    holds: (value) => value === 'read committed',
  },
  { setting: 'default_transaction_read_only', ...off, because: 'no write would succeed' },
  {
    setting: 'role superuser',
    must_be: 'false',
    because: 'a superuser bypasses every permission check of the database',
    holds: (value) => value === 'false',
  },
  { setting: 'role owns tables', ...none, because: 'an owner could change or drop its tables' },
  { setting: 'role may rewrite tables', ...none, because: 'events, the audit trail and the ledger are append-only' },
]

/**
 * Checks the rows of readSettings. Refusals stop the start; warnings are logged. A setting that is missing from the
 * rows is refused, so that no setting is left unchecked.
 */
export function evaluateSettings(rows: readonly SettingRow[], context: SettingsContext = {}): SettingsEvaluation {
  const all = new Map(rows.map(({ name, value }) => [name, value ?? 'unknown']))
  const refusals = rules.flatMap(({ holds, ...rule }) => {
    const value = all.get(rule.setting) ?? 'unknown'
    return holds(value, all) ? [] : [{ ...rule, value }]
  })
  return { refusals, warnings: evaluateLeniently(all, context) }
}

function evaluateLeniently(all: ReadonlyMap<string, string>, context: SettingsContext): SettingProblem[] {
  const warnings: SettingProblem[] = []
  const checksums = all.get('data_checksums') ?? 'unknown'
  if (checksums !== 'on') {
    const because = 'disk corruption would stay undetected'
    warnings.push({ setting: 'data_checksums', value: checksums, must_be: 'on', because })
  }
  if (context.local_seconds !== undefined) {
    const ahead = Math.round(context.local_seconds - Number(all.get('clock')))
    if (!(Math.abs(ahead) <= clockSecondsMax)) {
      const because = 'tokens and limits of this replica depend on its own clock'
      const value = `${ahead} s ahead of the database`
      warnings.push({ setting: 'clock', value, must_be: `within ${clockSecondsMax} s`, because })
    }
  }
  const free = Number(all.get('connections'))
  if (context.connections_needed !== undefined && !(free >= context.connections_needed)) {
    const because = 'the replicas could not open all their connections, and would refuse requests'
    warnings.push({
      setting: 'connections',
      value: String(free),
      must_be: `${context.connections_needed} or more`,
      because,
    })
  }
  return warnings
}

/** A problem as a sentence for the operator. */
export function describeProblem({ setting, value, must_be, because }: SettingProblem): string {
  return `${setting} is "${value}" and must be ${must_be}: ${because}.`
}

// One statement, because it runs on each new connection. The append-only tables are matched by name: `events` and its
// partitions, and all names that begin with `audit_` or `ledger`.
const findSettings = statement<SettingRow>(
  'settings.find',
  `with tables as (
     select c.oid, c.relname, c.relowner
     from pg_class c
     where c.relkind in ('r', 'p')
       and c.relnamespace = to_regnamespace(current_schema())
   )
   select name, current_setting(name, true) as value
   from unnest(array[
     'server_version_num', 'server_encoding', 'fsync', 'full_page_writes', 'synchronous_commit',
     'synchronous_standby_names', 'data_sync_retry', 'zero_damaged_pages', 'ignore_checksum_failure',
     'ignore_invalid_pages', 'session_replication_role', 'default_transaction_isolation',
     'default_transaction_read_only', 'data_checksums']) as name
   union all
   select 'pg_is_in_recovery', pg_is_in_recovery()::text
   union all
   select 'clock', extract(epoch from clock_timestamp())::text
   union all
   select 'role superuser', (select rolsuper::text from pg_roles where rolname = current_user)
   union all
   select 'role owns tables', coalesce((
     select string_agg(relname, ', ' order by relname)
     from tables
     where pg_has_role(current_user, relowner, 'usage')), '')
   union all
   select 'role may rewrite tables', coalesce((
     select string_agg(relname, ', ' order by relname)
     from tables
     where relname ~ '^(events$|events_|ledger|audit_)'
       and (has_table_privilege(oid, 'update, delete, truncate') or has_any_column_privilege(oid, 'update'))), '')
   union all
   select 'connections', (
     select least(
       current_setting('max_connections')::int
         - current_setting('superuser_reserved_connections')::int
         - coalesce(current_setting('reserved_connections', true), '0')::int,
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user),
       (select nullif(datconnlimit, -1) from pg_database where datname = current_database())))::text`,
)

/** Reads, on this connection and as its role, everything that evaluateSettings checks. */
export async function readSettings(db: Db): Promise<SettingRow[]> {
  return await db.rows(findSettings)
}

/** Throws unsafe_database with every unsafe setting of this connection; returns the warnings. */
export async function checkSettings(db: Db, context: SettingsContext = {}): Promise<SettingProblem[]> {
  const { refusals, warnings } = evaluateSettings(await readSettings(db), context)
  if (refusals.length === 0) return warnings
  const list = refusals.map(describeProblem).join(' ')
  throw startProblem('unsafe_database', `The database is not safe to use. ${list} Change this and start again.`)
}

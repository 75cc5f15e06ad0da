/**
 * A hash of all choices, all responses and the final database of a run: equal seeds have equal hashes. `write` gets
 * each line, to find the difference between two runs.
 */
import { createHash } from 'node:crypto'
import { type Db, statement } from '../../../src/core/db/db.ts'
import { journalTable } from './market-journal.ts'

export type RunDigest = { add(line: string): void; close(db: Db): Promise<string> }

/** Columns that depend on real time or on the cluster. */
const realTime: Readonly<Record<string, readonly string[]>> = {
  sandbox_clock: ['real_anchor'],
  installation: ['created_at'],
  cursor_keys: ['created_at'],
  audit_entries: ['stored_on', 'write_order'],
  events: ['stored_on'],
  // A transaction number, which the whole cluster shares.
  books: ['born'],
  histories: ['system_identifier', 'timeline', 'recorded_at'],
  instance_logs: ['budget_at_ms', 'budget_used'],
  image_uploads: ['verification_until'],
  // Hosts live by the real clock.
  agent_rollouts: ['began_at'],
  agent_rollout_hosts: ['began_at', 'well_since'],
  // In which order attempts ended, and how far the webhooks of the coverage pass are, which nobody waits for.
  webhooks: ['worker_id', 'epoch', 'position', 'position_at', 'failures', 'failures_since', 'last_success_at'],
}
/**
 * Whether a replica records a failed attempt before it is killed depends on real time. So do rows of deliveries, and
 * which entries of the audit trail one seal covers.
 */
const leftOut = [
  'audit_seals',
  'schema_migrations',
  'reconcilers',
  'webhook_workers',
  'webhook_deliveries',
  journalTable,
]

const listTables = statement<{ name: string; columns: string[] }>(
  null,
  `select c.relname::text as name, array_agg(a.attname::text order by a.attname) as columns
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   group by c.relname order by c.relname`,
)

export function openDigest(write?: (line: string) => void): RunDigest {
  const hash = createHash('sha256')
  const add = (line: string) => {
    hash.update(`${line}\n`)
    write?.(line)
  }
  return {
    add,
    close: async (db) => {
      for (const { name, columns } of await db.rows(listTables)) {
        if (leftOut.includes(name)) continue
        const kept = columns.filter((column) => !realTime[name]?.includes(column))
        const row = `row(${kept.join(', ')})::text`
        const rows = await db.rows(
          statement<{ row: string }>(null, `select ${row} as row from ${name} order by ${row} collate "C"`),
        )
        add(name)
        for (const one of rows) add(one.row)
      }
      return hash.digest('hex').slice(0, 16)
    },
  }
}

/**
 * Creates an index of a partitioned table concurrently, which PostgreSQL has no statement for: an index of the parent
 * alone, which new partitions get too, then one of each partition, which is attached to it. The last one makes it
 * valid. Each part that exists is kept, so it goes on where it was interrupted.
 */
import type pg from 'pg'
import type { IndexStep } from './migration-files.ts'

type IndexPart = {
  readonly partition: string
  /** The name of the index that is built for the partition. */
  readonly child: string
  readonly exists: boolean
  readonly is_valid: boolean
}

type PartitionedIndexOptions = {
  readonly client: pg.Client
  /** The statement that would create the index of a plain table. */
  readonly text: string
  readonly index: IndexStep
  /** Runs work that needs a lock for a moment only, again while it does not get it. */
  readonly briefly: (work: () => Promise<void>) => Promise<void>
}

/** Whether a table has partitions. */
export async function isPartitioned(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ is_partitioned: boolean }>(
    `select relkind = 'p' as is_partitioned
     from pg_class
     where relname = $1 and relnamespace = current_schema()::regnamespace`,
    [table],
  )
  return rows[0]?.is_partitioned === true
}

/** Creates the index, or what is missing of it. */
export async function createPartitionedIndex({ client, text, index, briefly }: PartitionedIndexOptions): Promise<void> {
  const names = /\bconcurrently\s+"?\w+"?\s+on\s+"?\w+"?/i
  const quote = (name: string) => client.escapeIdentifier(name)
  const table = index.table as string
  const ofParent = text.replace(names, `if not exists ${quote(index.index)} on only ${quote(table)}`)
  await briefly(() => run(client, ofParent))
  // Partitions may be added and replaced meanwhile.
  for (let parts = await missing(client, index); parts.length > 0; parts = await missing(client, index)) {
    for (const { partition, child, exists, is_valid } of parts) {
      if (exists && !is_valid) await run(client, `drop index concurrently if exists ${quote(child)}`)
      if (!is_valid) await run(client, text.replace(names, `concurrently ${quote(child)} on ${quote(partition)}`))
      await briefly(() => run(client, `alter index ${quote(index.index)} attach partition ${quote(child)}`))
    }
  }
}

async function run(client: pg.Client, text: string): Promise<void> {
  await client.query(text)
}

/** The partitions without an index that is attached to that of the parent. */
async function missing(client: pg.Client, { index, table }: IndexStep): Promise<IndexPart[]> {
  const { rows } = await client.query<IndexPart>(
    `with parent as (
       select c.oid, i.oid as index
       from pg_class c
       join pg_class i on i.relname = $2 and i.relnamespace = c.relnamespace
       where c.relname = $1 and c.relnamespace = current_schema()::regnamespace
     ), parts as (
       select c.relname::text as partition, left(c.relname::text || '_' || $2, 63) as child
       from parent p
       join pg_inherits h on h.inhparent = p.oid and not h.inhdetachpending
       join pg_class c on c.oid = h.inhrelid
       where not exists (
         select
         from pg_inherits k
         join pg_index x on x.indexrelid = k.inhrelid
         where k.inhparent = p.index and x.indrelid = c.oid
       )
     )
     select p.partition, p.child, x.indexrelid is not null as exists, coalesce(x.indisvalid, false) as is_valid
     from parts p
     left join pg_class i on i.relname = p.child and i.relnamespace = current_schema()::regnamespace
     left join pg_index x on x.indexrelid = i.oid
     order by p.partition`,
    [table, index],
  )
  return rows
}

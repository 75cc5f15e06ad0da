/**
 * Learns which rows an operation writes: counting triggers count the rows of each table while operations run, and
 * a copy of each table is made from its newest rows, with the same columns and indexes, without constraints, references
 * and triggers. What a program needs to write those rows is the price that no server can avoid.
 */
import type pg from 'pg'
import { type CopiedColumn, type CopiedTable, quote, templatesName } from './statement.rules.ts'

/** Fewer rows than this for one operation are work of the background. */
const leastRows = 0.02
/** So many of the newest rows are copied again and again. */
const templatesMax = 64

/**
 * The tables that operations write, on average for one of them, with copies of them in a new schema. `run` runs
 * operations and returns how many.
 */
export async function learnTables(
  client: pg.Client,
  { schema, run }: { readonly schema: string; readonly run: () => Promise<number> },
): Promise<CopiedTable[]> {
  await client.query(startCounting)
  const operations = await run()
  const counted = await readCounts(client)
  await client.query(stopCounting)
  await client.query(`create schema ${quote(schema)}`)
  const tables: CopiedTable[] = []
  for (const { name, inserts, updates, deletes } of counted) {
    const each = { inserts: inserts / operations, updates: updates / operations, deletes: deletes / operations }
    if (Math.max(each.inserts, each.updates, each.deletes) < leastRows) continue
    tables.push({ schema, name, ...each, ...(await makeCopy(client, schema, name)) })
  }
  if (tables.length === 0) throw new Error(`${operations} operations wrote no rows.`)
  return tables
}

/** Sequences count outside of transactions, so that a row costs the counted program little. */
const startCounting = `
create schema bench_counts;
create function bench_counts.count_row() returns trigger language plpgsql security definer as $$
begin
  perform nextval(format('bench_counts.%I', tg_relid::text || tg_op));
  return null;
end $$;
do $$
declare
  own record;
  kind text;
begin
  for own in
    select c.oid, c.relname from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  loop
    foreach kind in array array['INSERT', 'UPDATE', 'DELETE'] loop
      execute format('create sequence bench_counts.%I minvalue 0 start 0', own.oid::text || kind);
      perform nextval(format('bench_counts.%I', own.oid::text || kind));
    end loop;
    execute format(
      'create trigger bench_count after insert or update or delete on public.%I
       for each row execute function bench_counts.count_row()',
      own.relname);
  end loop;
end $$;`

const stopCounting = 'drop schema bench_counts cascade'

type CountedTable = Readonly<Record<'inserts' | 'updates' | 'deletes', number>> & { readonly name: string }

async function readCounts(client: pg.Client): Promise<CountedTable[]> {
  const { rows } = await client.query<{ name: string; kind: string; count: string }>(
    `select c.relname as name, substr(s.sequencename, length(c.oid::text) + 1) as kind, s.last_value as count
     from pg_sequences s join pg_class c on s.sequencename ~ ('^' || c.oid || '[A-Z]+$')
     where s.schemaname = 'bench_counts'
     order by c.relname`,
  )
  const of = (name: string, kind: string) => Number(rows.find((row) => row.name === name && row.kind === kind)?.count)
  return [...new Set(rows.map(({ name }) => name))].map((name) => ({
    name,
    inserts: of(name, 'INSERT'),
    updates: of(name, 'UPDATE'),
    deletes: of(name, 'DELETE'),
  }))
}

type TableCopy = Pick<CopiedTable, 'templates' | 'columns' | 'key'>

/** Makes the copy of a table with the newest rows as its first ones, and a table of those to copy from. */
async function makeCopy(client: pg.Client, schema: string, name: string): Promise<TableCopy> {
  const [table, copy] = [`public.${quote(name)}`, `${quote(schema)}.${quote(name)}`]
  const templates = `${quote(schema)}.${quote(templatesName(name))}`
  await client.query(`create table ${copy} (like ${table} including indexes including storage including generated)`)
  await client.query(`create table ${templates} as
    select row_number() over () - 1 as bench_number, *
    from (select * from ${table} order by age(xmin), ctid desc limit ${templatesMax}) newest`)
  const columns = await readColumns(client, name)
  const names = columns.map((column) => quote(column.name)).join(', ')
  await client.query(`insert into ${copy} (${names}) select ${names} from ${templates}`)
  await client.query(`create index on ${templates} (bench_number)`)
  await client.query(`analyze ${templates}`)
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${templates}`)
  return { templates: Number(rows[0]?.count), columns, key: await readKey(client, name) }
}

/** The columns that a program can write. Those that make a row unique get a new value in each copy. */
async function readColumns(client: pg.Client, name: string): Promise<CopiedColumn[]> {
  const { rows } = await client.query<CopiedColumn>(
    `select a.attname as name,
       case
         when t.typname in ('text', 'varchar') then 'text'
         when t.typname in ('int4', 'int8') then t.typname
         else 'other'
       end as kind,
       exists (
         select from pg_index i where i.indrelid = a.attrelid and a.attnum = any(i.indkey::int2[])
       ) as is_indexed,
       exists (
         select from pg_index i
         where i.indrelid = a.attrelid and i.indisunique and a.attnum = (
           select key.attnum
           from unnest(i.indkey::int2[]) with ordinality key(attnum, place)
             join pg_attribute ka on ka.attrelid = i.indrelid and ka.attnum = key.attnum
             join pg_type kt on kt.oid = ka.atttypid
           where kt.typname in ('text', 'varchar', 'int4', 'int8')
           order by key.place desc limit 1
         )
       ) as is_renewed
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by a.attnum`,
    [`public.${quote(name)}`],
  )
  return rows
}

/** The columns of the primary key, or of another unique index of columns; none where there is no such index. */
async function readKey(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ names: string[] }>(
    `select array_agg(a.attname::text order by key.place) as names
     from pg_index i, unnest(i.indkey::int2[]) with ordinality key(attnum, place), pg_attribute a
     where i.indrelid = $1::regclass and i.indisunique and i.indexprs is null and i.indpred is null
       and a.attrelid = i.indrelid and a.attnum = key.attnum
     group by i.indexrelid, i.indisprimary
     order by i.indisprimary desc, i.indexrelid limit 1`,
    [`public.${quote(name)}`],
  )
  return rows[0]?.names ?? []
}

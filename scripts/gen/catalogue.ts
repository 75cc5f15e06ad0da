import type pg from 'pg'

/** A column as the catalogue describes it. */
export type Column = {
  readonly name: string
  /** As SQL writes it, with length or scale: `text`, `bigint`, `numeric(20,6)`, `text[]`. */
  readonly type: string
  readonly collation: string | null
  readonly not_null: boolean
  readonly default: string | null
  /** `a` is always, `d` is by default. */
  readonly identity: 'a' | 'd' | null
  readonly generated: boolean
}

export type Table = {
  readonly name: string
  readonly columns: readonly Column[]
  /** Each as `constraint name definition`. */
  readonly constraints: readonly string[]
  readonly indexes: readonly string[]
  readonly partition_key: string | null
  readonly options: string | null
  /** Role and its rights, as `grant` writes them. */
  readonly grants: readonly { role: string; rights: string }[]
}

/** What the migrations made of an empty database. */
export type Catalogue = {
  readonly tables: readonly Table[]
  readonly functions: readonly string[]
  readonly triggers: readonly string[]
}

/** Reads the schema `public` from the catalogue, in an order that does not depend on how it came about. */
export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const tables = await client.query<Table>(tablesQuery)
  const functions = await client.query<{ text: string }>(functionsQuery)
  const triggers = await client.query<{ text: string }>(triggersQuery)
  return {
    tables: tables.rows,
    functions: functions.rows.map(({ text }) => text),
    triggers: triggers.rows.map(({ text }) => text),
  }
}

/** Without partitions, which the program makes by the day, and without constraints that only repeat NOT NULL. */
const tablesQuery = `
  select c.relname as name,
    array_to_string(c.reloptions, ', ') as options,
    case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partition_key,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod),
        'collation', case when a.attcollation <> t.typcollation then l.collname end,
        'not_null', a.attnotnull,
        'default', pg_get_expr(d.adbin, d.adrelid),
        'identity', nullif(a.attidentity, ''),
        'generated', a.attgenerated <> ''
      ) order by a.attnum)
      from pg_attribute a
      join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns,
    coalesce((
      select jsonb_agg(format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid, true))
        order by position(k.contype::text in 'pufcx'), k.conname)
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
    ), '[]') as constraints,
    coalesce((
      select jsonb_agg(pg_get_indexdef(i.indexrelid) order by n.relname)
      from pg_index i join pg_class n on n.oid = i.indexrelid
      where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    ), '[]') as indexes,
    coalesce((
      select jsonb_agg(jsonb_build_object('role', g.role, 'rights', g.rights) order by g.role)
      from (
        select a.grantee::regrole::text as role, string_agg(lower(a.privilege_type), ', '
          order by position(a.privilege_type in 'SELECT INSERT UPDATE DELETE')) as rights
        from aclexplode(c.relacl) a where a.grantee <> c.relowner and a.grantee <> 0
        group by a.grantee
      ) g
    ), '[]') as grants
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname collate "C"`

const functionsQuery = `
  select pg_get_functiondef(p.oid) as text from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`

const triggersQuery = `
  select pg_get_triggerdef(t.oid) as text from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and not c.relispartition
  order by c.relname collate "C", t.tgname collate "C"`

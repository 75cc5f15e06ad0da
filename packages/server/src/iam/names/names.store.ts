import type { Id, IdKind } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A name to insert. */
export type NewName = {
  readonly id: string
  readonly kind: IdKind
  readonly account_id: string
  readonly workspace_id: string | null
  readonly name: string
  /** The kind that its summary shows, if that is not its kind. */
  readonly shown_as: string | null
}

/** The columns of a summary. */
export type NameRow = {
  id: string
  kind: IdKind
  account_id: string
  name: string
  shown_as: string | null
  workspace_name: string | null
}

/** A name of an account. */
export type OwnedNameRow = { id: string; kind: IdKind; workspace_id: Id<'workspace'> | null; name: string }

/** The segments of a path. */
type PathRow = { ref: string; account_id: string; workspace: string | null; name: string }

const pathColumns = 'ref text, account_id text, workspace text, name text'

const findInAccounts = statement<{ ref: string; id: string }>(
  'iam.find_in_accounts',
  `select p.ref, n.id
   from jsonb_to_recordset($2::jsonb) as p(${pathColumns})
   join names n on n.account_id = p.account_id and n.kind = $1 and n.name = p.name and n.workspace_id is null
     and n.deleted_at is null`,
)

const findInWorkspaces = statement<{ ref: string; id: string }>(
  'iam.find_in_workspaces',
  `select p.ref, n.id
   from jsonb_to_recordset($2::jsonb) as p(${pathColumns})
   join names w on w.account_id = p.account_id and w.kind = 'workspace' and w.name = p.workspace
     and w.workspace_id is null and w.deleted_at is null
   join names n on n.workspace_id = w.id and n.kind = $1 and n.name = p.name
     and n.deleted_at is null`,
)

const findAnywhere = statement<{ id: string }>(
  'iam.find_anywhere',
  `select n.id
   from names w
   join names n on n.workspace_id = w.id and n.kind = $2 and n.name = $3 and n.deleted_at is null
   where w.account_id = $1 and w.kind = 'workspace' and w.workspace_id is null and w.deleted_at is null`,
)

// The order prevents deadlocks between commands that insert the same names.
const insertFresh = statement<{ id: string }>(
  'iam.insert_names',
  `insert into names (id, kind, account_id, workspace_id, name, shown_as)
   select n.id, n.kind, n.account_id, n.workspace_id, n.name, n.shown_as
   from jsonb_to_recordset($1::jsonb) as
     n(id text, kind text, account_id text, workspace_id text, name text, shown_as text)
   order by n.workspace_id, n.account_id, n.kind, n.name
   on conflict do nothing
   returning id`,
)

const updateTo = statement<never>(
  'iam.update_name',
  `update names
   set name = $2
   where id = $1 and deleted_at is null`,
)

// Responses show these kinds after their deletion: in summaries, as creators, and in the paths of their resources.
const kindsKept = "('image', 'deployment', 'procurement', 'token', 'user', 'workspace')"

const removeRows = statement<never>(
  'iam.remove_names',
  `delete from names
   where kind not in ${kindsKept} and id in (
     select id
     from names
     where id = any($1)
     order by id
     for update
   )`,
)

const markDeleted = statement<never>(
  'iam.release_names',
  `update names
   set deleted_at = $2
   where deleted_at is null and id in (
     select id
     from names
     where id = any($1)
     order by id
     for no key update
   )`,
)

const removeAll = statement<never>(
  'iam.forget_names',
  `delete from names
   where id = any($1)`,
)

const listRows = statement<NameRow>(
  'iam.list_names',
  // The subquery runs as fast as a join and halves the planning time.
  `select n.id, n.kind, n.account_id, n.name, n.shown_as,
     (select w.name from names w where w.id = n.workspace_id) as workspace_name
   from names n
   where n.id = any($1)`,
)

const listPresent = statement<NameRow>(
  'iam.list_present_names',
  `select n.id, n.kind, n.account_id, n.name, n.shown_as,
     (select w.name from names w where w.id = n.workspace_id) as workspace_name
   from names n
   where n.id = any($1) and n.deleted_at is null`,
)

const listOwnedRows = statement<OwnedNameRow>(
  'iam.list_owned_names',
  // A session is called by the person whose it is.
  `select n.id, n.kind, n.workspace_id, coalesce(p.name, n.name) as name
   from names n
   left join tokens t on n.kind = 'token' and t.id = n.id
   left join names p on p.id = t.user_id
   where n.id = any($1) and n.account_id = $2`,
)

const listRowsAround = statement<NameRow>(
  'iam.list_names_around',
  `with own as (
     select n.id, n.kind, n.account_id, n.workspace_id, n.name, n.shown_as
     from names n
     where n.id = any($1)
   )
   select o.id, o.kind, o.account_id, o.name, o.shown_as,
     (select w.name from names w where w.id = o.workspace_id) as workspace_name
   from own o
   union all
   select w.id, w.kind, w.account_id, w.name, w.shown_as, null as workspace_name
   from names w
   where w.id in (select workspace_id from own)`,
)

const listLive = statement<{ id: string }>(
  'iam.list_live_names',
  `select id
   from names
   where id = any($1) and deleted_at is null`,
)

const listLiveKinds = statement<{ kind: IdKind }>(
  'iam.list_kinds_in_workspace',
  `select distinct kind
   from names
   where workspace_id = $1 and deleted_at is null
   order by kind`,
)

/** The ids of paths of one kind, without unknown paths. */
export function findByPaths(
  db: Db,
  kind: IdKind,
  { segments, paths }: { segments: 2 | 3; paths: readonly PathRow[] },
): Promise<{ ref: string; id: string }[]> {
  return db.rows(segments === 2 ? findInAccounts : findInWorkspaces, [kind, JSON.stringify(paths)])
}

/** The ids of what has a name, in any workspace of an account. */
export async function findByName(db: Db, accountId: string, kind: IdKind, name: string): Promise<string[]> {
  return (await db.rows(findAnywhere, [accountId, kind, name])).map(({ id }) => id)
}

/** Inserts the names that are free; returns the ids of their resources. */
export async function insertNames(db: Db, names: readonly NewName[]): Promise<Set<string>> {
  const rows = await db.rows(insertFresh, [JSON.stringify(names)])
  return new Set(rows.map((row) => row.id))
}

/** Renames a resource. Throws a unique violation if the name is taken. */
export function updateName(db: Db, id: string, name: string): Promise<number> {
  return db.run(updateTo, [id, name])
}

/** Releases names: marks rows of {@link kindsKept} as deleted and deletes the others. */
export async function releaseNames(db: Db, ids: readonly string[], now: number): Promise<void> {
  await Promise.all([db.run(removeRows, [ids]), db.run(markDeleted, [ids, now])])
}

/** Deletes names of every kind. */
export function forgetNames(db: Db, ids: readonly string[]): Promise<number> {
  return db.run(removeAll, [ids])
}

/** The names of some ids, including released names that are kept. */
export function listNames(db: Db, ids: readonly string[]): Promise<NameRow[]> {
  return db.rows(listRows, [ids])
}

/** The names of some ids and of their workspaces, including released names that are kept. */
export function listNamesAround(db: Db, ids: readonly string[]): Promise<NameRow[]> {
  return db.rows(listRowsAround, [ids])
}

/** The names of those of some ids that an account has, including released names that are kept. */
export function listOwnedNames(db: Db, ids: readonly string[], accountId: string): Promise<OwnedNameRow[]> {
  return db.rows(listOwnedRows, [ids, accountId])
}

/** Those of some ids whose names are not released. */
export async function listLiveNames(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await db.rows(listLive, [ids])).map(({ id }) => id))
}

/** The kinds of named resources that a workspace contains. */
export async function listKindsIn(db: Db, workspaceId: string): Promise<IdKind[]> {
  return (await db.rows(listLiveKinds, [workspaceId])).map(({ kind }) => kind)
}

/** The names of resources that are not deleted, by id. */
export function listPresentNames(db: Db, ids: readonly string[]): Promise<NameRow[]> {
  return db.rows(listPresent, [ids])
}

import type { Kind } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A name as it is asked for. */
export type NewName = {
  readonly id: string
  readonly kind: Kind
  readonly account_id: string
  readonly workspace_id: string | null
  readonly name: string
  /** The `object` of its summary, where that is not its kind. */
  readonly shown_as: string | null
}

/** What a summary is made of. */
export type NameRow = {
  id: string
  kind: Kind
  account_id: string
  name: string
  shown_as: string | null
  workspace_name: string | null
}

/** A path, taken apart. */
export type PathRow = { ref: string; account_id: string; workspace: string | null; name: string }

const pathColumns = 'ref text, account_id text, workspace text, name text'

const findInAccounts = statement<{ ref: string; id: string }>(
  'iam.find_in_accounts',
  `select p.ref, n.id from jsonb_to_recordset($2::jsonb) as p(${pathColumns})
   join names n on n.account_id = p.account_id and n.kind = $1 and n.name = p.name and n.workspace_id is null
     and n.deleted_at is null`,
)

const findInWorkspaces = statement<{ ref: string; id: string }>(
  'iam.find_in_workspaces',
  `select p.ref, n.id from jsonb_to_recordset($2::jsonb) as p(${pathColumns})
   join names w on w.account_id = p.account_id and w.kind = 'workspace' and w.name = p.workspace
     and w.workspace_id is null and w.deleted_at is null
   join names n on n.workspace_id = w.id and n.kind = $1 and n.name = p.name and n.deleted_at is null`,
)

// Sorted, so that commands that want the same names wait for each other in one direction.
const insertFresh = statement<{ id: string }>(
  'iam.insert_names',
  `insert into names (id, kind, account_id, workspace_id, name, shown_as)
   select n.id, n.kind, n.account_id, n.workspace_id, n.name, n.shown_as
   from jsonb_to_recordset($1::jsonb) as
     n(id text, kind text, account_id text, workspace_id text, name text, shown_as text)
   order by n.workspace_id, n.account_id, n.kind, n.name
   on conflict do nothing returning id`,
)

const updateTo = statement<never>('iam.update_name', 'update names set name = $2 where id = $1 and deleted_at is null')

// Only these are shown after their end: in summaries, as makers, and in the paths of what lay in them.
const shownForever = "('image', 'deployment', 'procurement', 'token', 'user', 'workspace')"

const removeUnshown = statement<never>(
  'iam.remove_names',
  `delete from names where kind not in ${shownForever} and id in
     (select id from names where id = any($1) order by id for update)`,
)

const markDeleted = statement<never>(
  'iam.release_names',
  `update names set deleted_at = $2 where deleted_at is null and id in
     (select id from names where id = any($1) order by id for no key update)`,
)

const listRows = statement<NameRow>(
  'iam.list_names',
  // A query of its own for the workspace plans in half the time of a join, and runs as fast.
  `select n.id, n.kind, n.account_id, n.name, n.shown_as,
     (select w.name from names w where w.id = n.workspace_id) as workspace_name
   from names n where n.id = any($1)`,
)

const listRowsAround = statement<NameRow>(
  'iam.list_names_around',
  `with own as (select n.id, n.kind, n.account_id, n.workspace_id, n.name, n.shown_as from names n where n.id = any($1))
   select o.id, o.kind, o.account_id, o.name, o.shown_as,
     (select w.name from names w where w.id = o.workspace_id) as workspace_name
   from own o
   union all
   select w.id, w.kind, w.account_id, w.name, w.shown_as, null as workspace_name
   from names w where w.id in (select workspace_id from own)`,
)

const listLive = statement<{ id: string }>(
  'iam.list_live_names',
  'select id from names where id = any($1) and deleted_at is null',
)

const listLiveKinds = statement<{ kind: Kind }>(
  'iam.list_kinds_in_workspace',
  'select distinct kind from names where workspace_id = $1 and deleted_at is null order by kind',
)

/** The ids behind paths of one kind, those that there are. */
export function findByPaths(
  db: Db,
  kind: Kind,
  { segments, paths }: { segments: 2 | 3; paths: readonly PathRow[] },
): Promise<{ ref: string; id: string }[]> {
  return db.rows(segments === 2 ? findInAccounts : findInWorkspaces, [kind, JSON.stringify(paths)])
}

/** Writes those names that are free; gives their ids. */
export async function insertNames(db: Db, names: readonly NewName[]): Promise<Set<string>> {
  const rows = await db.rows(insertFresh, [JSON.stringify(names)])
  return new Set(rows.map((row) => row.id))
}

/** Renames; fails with a unique violation where the name is taken. */
export function updateName(db: Db, id: string, name: string): Promise<number> {
  return db.run(updateTo, [id, name])
}

/** Frees names; the rows of kinds that are shown after their end stay. */
export async function releaseNames(db: Db, ids: readonly string[], now: number): Promise<void> {
  await Promise.all([db.run(removeUnshown, [ids]), db.run(markDeleted, [ids, now])])
}

/** What is known of the names of some ids, deleted ones too. */
export function listNames(db: Db, ids: readonly string[]): Promise<NameRow[]> {
  return db.rows(listRows, [ids])
}

/** The same, and the names of the workspaces that they are in. */
export function listNamesAround(db: Db, ids: readonly string[]): Promise<NameRow[]> {
  return db.rows(listRowsAround, [ids])
}

/** Which of some ids have a name that is not released. */
export async function listLiveNames(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await db.rows(listLive, [ids])).map(({ id }) => id))
}

/** The kinds of what a workspace holds under a name. */
export async function listKindsIn(db: Db, workspace_id: string): Promise<Kind[]> {
  return (await db.rows(listLiveKinds, [workspace_id])).map(({ kind }) => kind)
}

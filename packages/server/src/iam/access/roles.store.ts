import { builtInRoles } from '@bourse/api/iam/built-in-roles.ts'
import type { Policy } from '@bourse/api/iam/roles.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Tables } from '../../core/generated/tables.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { conditions, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** A custom role. */
export type RoleRow = Tables['roles'] & { name: string; policy: Policy }

/** A row of the list of roles. `role` is null for a built-in role. */
type ListedRole = { id: Id<'role'>; tier: number; place: number; role: RoleRow | null }

const insertOne = statement<never>(
  'iam.insert_role',
  `insert into roles (id, account_id, policy, created_at, updated_at)
   values ($1, $2, $3, $4, $4)`,
)

const findOne = statement<RoleRow>(
  'iam.find_role',
  `select r.id, r.account_id, n.name, r.policy, r.created_at, r.updated_at
   from roles r
   join names n on n.id = r.id
   where r.id = $1`,
)

const updateOne = statement<never>(
  'iam.update_role',
  `update roles
   set policy = $2, updated_at = $3
   where id = $1`,
)

const removeOne = statement<never>(
  'iam.remove_role',
  `delete from roles
   where id = $1`,
)

const selectUsersWithRole = statement<{ id: Id<'user'> }>(
  'iam.list_users_with_role',
  `select distinct g.principal_id as id
   from grants g
   join users u on u.id = g.principal_id
   where g.role_id = $1
   order by id`,
)

const selectRoleAssigned = statement<{ held: boolean }>(
  'iam.is_role_assigned',
  `select exists (
     select 1
     from grants
     where role_id = $1
   ) as held`,
)

/** Inserts a role. Its name is claimed separately. */
export function insertRole(db: Db, row: Omit<RoleRow, 'name' | 'updated_at'>): Promise<number> {
  return db.run(insertOne, [row.id, row.account_id, JSON.stringify(row.policy), row.created_at])
}

/** A custom role by its id. */
export function findRole(db: Db, id: string): Promise<RoleRow | undefined> {
  return db.row(findOne, [id])
}

/** Updates the policy of a role. */
export function updateRole(db: Db, row: RoleRow): Promise<number> {
  return db.run(updateOne, [row.id, JSON.stringify(row.policy), row.updated_at])
}

/** Deletes a role that is not granted. */
export function removeRole(db: Db, id: string): Promise<number> {
  return db.run(removeOne, [id])
}

/** Whether a role is granted to a user or token. */
export async function isRoleAssigned(db: Db, roleId: string): Promise<boolean> {
  return (await db.row(selectRoleAssigned, [roleId]))?.held ?? false
}

// Built-in roles come first, in the contract's order. All sort columns fall, as keyset pagination requires.
const builtIn = Object.values(builtInRoles).map(({ id }, index, all) => `('${id}', ${all.length - index})`)
const selectAll = `select l.id, l.tier, l.place, l.role
   from (
     select b.id collate "C" as id, 1 as tier, b.place::bigint as place, null::text as account_id, null::json as role
     from (values ${builtIn.join(', ')}) as b(id, place)
     union all
     select r.id, 0, r.created_at, r.account_id,
       json_build_object('id', r.id, 'account_id', r.account_id, 'name', n.name, 'policy', r.policy,
         'created_at', r.created_at, 'updated_at', r.updated_at)
     from roles r
     join names n on n.id = r.id
   ) l`

/** A page of the roles of an account: the built-in roles, then its custom roles, newest first. */
export function listRoles(
  ctx: Ctx,
  filter: { account_id: string; ids: readonly string[] | undefined; query: PageQuery },
): Promise<Page<ListedRole>> {
  const where = conditions()
    .add('l.account_id is null or l.account_id = $', filter.account_id)
    .addIf('l.id = any($)', filter.ids)
  return readPage<ListedRole>(ctx, {
    prefix: 'rolec',
    query: filter.query,
    select: selectAll,
    where,
    sort: {
      columns: ['l.tier', 'l.place', 'l.id'],
      direction: 'falling',
      keys: ({ tier, place, id }) => [tier, place, id],
    },
  })
}

/** The users who have a role, in any scope. */
export async function listUsersWithRole(db: Db, roleId: string): Promise<Id<'user'>[]> {
  return (await db.rows(selectUsersWithRole, [roleId])).map(({ id }) => id)
}

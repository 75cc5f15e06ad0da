import { type Audit, defineAudit } from '../../core/work/auditor.ts'

const livePrincipal = (id: string) => `(
         exists (
           select 1
           from users u
           where u.id = ${id} and u.deleted_at is null
         )
         or exists (
           select 1
           from tokens t
           where t.id = ${id} and t.kind = 'service' and t.deleted_at is null
         )
       )`

/** The number of resources of a limited kind, by account. */
const counted = (name: string, from: string) =>
  `select '${name}' as name, account_id, count(*) as there
       from ${from}
       group by account_id`

/** The invariants of names, rights and limits. */
export const iamAudits: readonly Audit[] = [
  defineAudit(
    'names.unique',
    `select kind, account_id, workspace_id, name, count(*) as times
     from names
     where deleted_at is null
     group by kind, account_id, workspace_id, name
     having count(*) > 1`,
  ),
  defineAudit(
    'names.owner',
    `select coalesce(o.id, n.id) as id
     from (
       select id from workspaces where deleted_at is null
       union all
       select id from users where deleted_at is null
       union all
       select id from tokens where deleted_at is null
       union all
       select id from roles
     ) o
     full join (
       select id
       from names
       where deleted_at is null and kind in ('workspace', 'user', 'token', 'role')
     ) n using (id)
     where o.id is null or n.id is null`,
  ),
  defineAudit(
    'names.workspace',
    `select n.id, n.workspace_id
     from names n
     left join workspaces w on w.id = n.workspace_id and w.account_id = n.account_id and w.deleted_at is null
     where n.deleted_at is null and n.workspace_id is not null and w.id is null`,
  ),
  defineAudit(
    'access.grantor',
    `select a.account_id
     from (
       select distinct account_id
       from grants
     ) a
     where not exists (
       select 1
       from grants g
       where g.account_id = a.account_id and g.role_id = 'role_admin' and g.workspace_id is null
         and ${livePrincipal('g.principal_id')}
     )`,
  ),
  defineAudit(
    'access.grants',
    `select g.id
     from grants g
     left join users u on u.id = g.principal_id and u.deleted_at is null
     left join tokens t on t.id = g.principal_id and t.deleted_at is null
     left join workspaces w on w.id = g.workspace_id and w.deleted_at is null
     left join roles r on r.id = g.role_id
     where coalesce(u.account_id, t.account_id, '') <> g.account_id
       or (g.workspace_id is not null and coalesce(w.account_id, '') <> g.account_id)
       or coalesce(r.account_id, g.account_id) <> g.account_id`,
  ),
  defineAudit(
    'limits.exact',
    `select account_id, name, coalesce(k.there, 0) as there, coalesce(u.used, 0) + coalesce(c.amount, 0) as used
     from (
       ${counted('workspaces', 'workspaces where deleted_at is null')}
       union all
       ${counted('users', 'users where deleted_at is null')}
       union all
       ${counted('tokens', "tokens where kind = 'service' and deleted_at is null")}
       union all
       ${counted('roles', 'roles')}
       union all
       ${counted('grants', 'grants')}
     ) k
     full join limit_usage u using (account_id, name)
     left join (
       select account_id, name, sum(amount)::bigint as amount
       from limit_changes
       group by account_id, name
     ) c using (account_id, name)
     where name in ('workspaces', 'users', 'tokens', 'roles', 'grants')
       and coalesce(k.there, 0) <> coalesce(u.used, 0) + coalesce(c.amount, 0)`,
  ),
]

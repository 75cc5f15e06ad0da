/**
 * Invariants that the tables of many areas share: a resource has a row and a name, and its rows are counted. The areas
 * say which of their tables they are about.
 */
import { type Audit, defineAudit } from './auditor.ts'

/** Each resource of a table has one name of its kind, in the same workspace, and each such name a resource. */
export function workspaceMatches(invariant: string, { table, kind }: { table: string; kind: string }): Audit {
  return defineAudit(
    invariant,
    `select coalesce(r.id, n.id) as id
     from (
       select id, workspace_id
       from ${table}
       where deleted_at is null
     ) r
     full join (
       select id, workspace_id
       from names
       where deleted_at is null and kind = '${kind}'
     ) n on n.id = r.id
     where r.workspace_id is distinct from n.workspace_id`,
  )
}

/** The stored usage of a limit is the number of rows of a table. `counts`: which rows count. */
export function limitExact(
  invariant: string,
  { limit, table, counts }: { limit: string; table: string; counts: string },
): Audit {
  return defineAudit(
    invariant,
    `select account_id, coalesce(k.there, 0) as there, coalesce(u.used, 0) + coalesce(c.amount, 0) as used
     from (
       select account_id, count(*) as there
       from ${table}
       where ${counts}
       group by account_id
     ) k
     full join (
       select account_id, used
       from limit_usage
       where name = '${limit}'
     ) u using (account_id)
     full join (
       select account_id, sum(amount)::bigint as amount
       from limit_changes
       where name = '${limit}'
       group by account_id
     ) c using (account_id)
     where coalesce(k.there, 0) <> coalesce(u.used, 0) + coalesce(c.amount, 0)`,
  )
}

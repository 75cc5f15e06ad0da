import type { Id } from '@bourse/api/kit/ids.ts'
import type { Firewall, FirewallRule } from '@bourse/api/network/firewalls.ts'
import { type Db, statement } from '../core/db/db.ts'
import type { Tables } from '../core/generated/tables.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { defineLock } from '../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import { addTagFilters, type TagFilters } from '../core/work/tags.ts'

export type FirewallRow = Omit<Tables['firewalls'], 'deleted_at'> & { rules: FirewallRule[]; tags: Firewall['tags'] }

const columns = 'f.id, f.account_id, f.workspace_id, f.is_default, f.rules, f.tags, f.created_at, f.updated_at'

const selectFirewall = statement<FirewallRow>(
  'network.find_firewall',
  `select ${columns}
   from firewalls f
   where f.id = $1 and f.deleted_at is null`,
)
const selectDefault = statement<{ id: Id<'firewall'> }>(
  'network.find_default_firewall',
  `select id
   from firewalls
   where workspace_id = $1 and is_default and deleted_at is null`,
)
const insertRow = statement<never>(
  'network.insert_firewall',
  `insert into firewalls (id, account_id, workspace_id, is_default, rules, tags, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)
const updateRow = statement<never>(
  'network.update_firewall',
  `update firewalls
   set rules = $2, tags = $3, updated_at = $4
   where id = $1`,
)
const removeRow = statement<never>(
  'network.remove_firewall',
  `update firewalls
   set deleted_at = $2
   where id = $1`,
)

/** Taken to change or delete a firewall. */
export const firewallLock = defineLock(
  'firewall',
  'parents',
  `select id
   from firewalls
   where id = any($1) and deleted_at is null
   order by id
   for update`,
)

/** Taken to refer to a firewall; conflicts only with {@link firewallLock}. */
export const firewallShareLock = defineLock(
  'firewall.share',
  'parents',
  `select id
   from firewalls
   where id = any($1) and deleted_at is null
   order by id
   for key share`,
)

/** A firewall of any account that is not deleted. */
export function findFirewall(db: Db, id: string): Promise<FirewallRow | undefined> {
  return db.row(selectFirewall, [id])
}

/** The default firewall of a workspace. */
export async function findDefaultFirewall(db: Db, workspaceId: string): Promise<Id<'firewall'> | undefined> {
  return (await db.row(selectDefault, [workspaceId]))?.id
}

export async function insertFirewall(db: Db, row: FirewallRow): Promise<void> {
  const { id, account_id, workspace_id, is_default, rules, tags, created_at } = row
  const params = [
    id,
    account_id,
    workspace_id,
    is_default,
    JSON.stringify(rules),
    tags && JSON.stringify(tags),
    created_at,
  ]
  await db.run(insertRow, params)
}

export async function updateFirewall(db: Db, row: FirewallRow): Promise<void> {
  await db.run(updateRow, [row.id, JSON.stringify(row.rules), row.tags && JSON.stringify(row.tags), row.updated_at])
}

export async function removeFirewall(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(removeRow, [id, ctx.now])
}

/** A page of the firewalls that match `where`. */
export function listFirewalls(ctx: Ctx, query: PageQuery & TagFilters, where: Conditions): Promise<Page<FirewallRow>> {
  where.add('f.deleted_at is null')
  addTagFilters(where, 'f.tags', query)
  const select = `select ${columns}
     from firewalls f`
  return readPage<FirewallRow>(ctx, { prefix: 'frwlc', query, select, where, sort: newestFirst('f') })
}

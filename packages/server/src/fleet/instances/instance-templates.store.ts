import type { InstanceTemplate } from '@bourse/api/fleet/instance-templates.ts'
import type { PriorityLevel } from '@bourse/api/fleet/priority-levels.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx, Referrer } from '../../core/work/ctx.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import { addTagFilters, type TagFilters } from '../../core/work/tags.ts'

export type TemplateRow = {
  id: Id<'instance_template'>
  account_id: string
  workspace_id: Id<'workspace'>
  image_id: Id<'image'>
  priority_level: PriorityLevel
  enable_public_ipv4: boolean
  firewall_id: Id<'firewall'> | null
  subnet_id: Id<'subnet'> | null
  infiniband_partition_id: Id<'infiniband_partition'> | null
  ssh_key_ids: Id<'ssh_key'>[]
  tags: InstanceTemplate['tags']
  user_data_used: boolean
  created_at: number
}

const columns = `t.id, t.account_id, t.workspace_id, t.image_id, t.priority_level, t.enable_public_ipv4, t.firewall_id,
  t.subnet_id, t.infiniband_partition_id, t.tags, t.user_data_used, t.created_at, t.ssh_key_ids`

const selectTemplate = statement<TemplateRow>(
  'fleet.find_template',
  `select ${columns}
   from instance_templates t
   where t.id = $1 and t.deleted_at is null`,
)
const insertRow = statement<never>(
  'fleet.insert_template',
  `insert into instance_templates (id, account_id, workspace_id, image_id, priority_level, enable_public_ipv4,
     firewall_id, subnet_id, infiniband_partition_id, tags, user_data_used, created_at, ssh_key_ids)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
)
const removeRow = statement<never>(
  'fleet.remove_template',
  `update instance_templates
   set deleted_at = $2
   where id = $1`,
)

/** Taken to delete a template. By its name it sorts after the locks of what templates refer to. */
export const templateLock = defineLock(
  'template',
  'parents',
  `select id
   from instance_templates
   where id = any($1) and deleted_at is null
   order by id
   for update`,
)

/** Taken to rely on a template. */
export const templateShareLock = defineLock(
  'template.share',
  'parents',
  `select id
   from instance_templates
   where id = any($1) and deleted_at is null
   order by id
   for key share`,
)

/** A template that is not deleted, of whatever account. */
export function findTemplate(db: Db, id: string): Promise<TemplateRow | undefined> {
  return db.row(selectTemplate, [id])
}

export async function insertTemplate(db: Db, row: TemplateRow): Promise<void> {
  await db.run(insertRow, [
    row.id,
    row.account_id,
    row.workspace_id,
    row.image_id,
    row.priority_level,
    row.enable_public_ipv4,
    row.firewall_id,
    row.subnet_id,
    row.infiniband_partition_id,
    row.tags && JSON.stringify(row.tags),
    row.user_data_used,
    row.created_at,
    row.ssh_key_ids,
  ])
}

export async function removeTemplate(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(removeRow, [id, ctx.now])
}

/** A page of the templates that match `where`. */
export function listTemplates(ctx: Ctx, query: PageQuery & TagFilters, where: Conditions): Promise<Page<TemplateRow>> {
  where.add('t.deleted_at is null')
  addTagFilters(where, 't.tags', query)
  const select = `select ${columns}
     from instance_templates t`
  return readPage<TemplateRow>(ctx, { prefix: 'itmplc', query, select, where, sort: newestFirst('t') })
}

/** The templates that refer to a resource by a column. */
export async function listTemplateReferrers(
  db: Db,
  column: 'firewall_id' | 'image_id' | 'subnet_id' | 'infiniband_partition_id',
  id: string,
  limit: number,
): Promise<Referrer[]> {
  const rows = await db.rows(
    statement<{ id: string; account_id: string }>(
      `fleet.list_templates_by_${column}`,
      `select id, account_id
       from instance_templates
       where ${column} = $1 and deleted_at is null
       order by id
       limit $2`,
    ),
    [id, limit],
  )
  return rows.map((row) => ({ kind: 'instance_template', ...row }))
}

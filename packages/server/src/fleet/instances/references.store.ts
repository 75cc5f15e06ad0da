import { type Db, statement } from '../../core/db/db.ts'
import type { Referrer } from '../../core/work/ctx.ts'

/** The living instances that refer to a resource by a column. */
export async function listInstanceReferrers(
  db: Db,
  column: 'firewall_id' | 'image_id' | 'subnet_id' | 'infiniband_partition_id' | 'pool_id' | 'sku_id',
  id: string,
  limit: number,
): Promise<Referrer[]> {
  const rows = await db.rows(
    statement<{ id: string; account_id: string }>(
      `fleet.list_instances_by_${column}`,
      `select id, account_id
       from instances
       where ${column} = $1 and state <> 'terminated'
       order by id
       limit $2`,
    ),
    [id, limit],
  )
  return rows.map((row) => ({ kind: 'instance', ...row }))
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

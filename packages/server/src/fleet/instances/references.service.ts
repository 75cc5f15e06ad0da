import type { FindReferrers, ReferrerTable } from '../../core/work/references.ts'
import { listInstanceReferrers, listTemplateReferrers } from './references.store.ts'

type TemplateColumn = Parameters<typeof listTemplateReferrers>[1]
type InstanceColumn = Parameters<typeof listInstanceReferrers>[1]

/**
 * Who in the fleet refers to what: instances that are not terminated, and templates. A workspace is not asked for: what
 * lies in it holds a name there, and ended instances hold theirs until their records go.
 */
export const fleetReferrers: ReferrerTable = {
  firewall: instancesAndTemplates('firewall_id'),
  image: instancesAndTemplates('image_id'),
  subnet: instancesAndTemplates('subnet_id'),
  infiniband_partition: instancesAndTemplates('infiniband_partition_id'),
  pool: instances('pool_id'),
  sku: instances('sku_id'),
}

function instances(column: InstanceColumn): FindReferrers {
  return (ctx, id, limit) => listInstanceReferrers(ctx.db, column, id, limit)
}

function instancesAndTemplates(column: TemplateColumn): FindReferrers {
  return async (ctx, id, limit) => {
    const found = await Promise.all([
      listInstanceReferrers(ctx.db, column, id, limit),
      listTemplateReferrers(ctx.db, column, id, limit),
    ])
    return found.flat().slice(0, limit)
  }
}

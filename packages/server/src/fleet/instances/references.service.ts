import type { FindReferrers, ReferrerTable } from '../../core/work/references.ts'
import { listPartnerHosts } from '../hosts/hosts.service.ts'
import { listInstanceReferrers, listTemplateReferrers } from './references.store.ts'

type TemplateColumn = Parameters<typeof listTemplateReferrers>[1]
type InstanceColumn = Parameters<typeof listInstanceReferrers>[1]

/**
 * Which instances and templates refer to a resource. Terminated instances do not count. Hosts refer to a SKU only where
 * partners may not supply it. Workspaces need no entry: every resource in a workspace has a name there, and ended
 * instances keep theirs until their records are removed.
 */
export const fleetReferrers: ReferrerTable = {
  firewall: instancesAndTemplates('firewall_id'),
  image: instancesAndTemplates('image_id'),
  subnet: instancesAndTemplates('subnet_id'),
  infiniband_partition: instancesAndTemplates('infiniband_partition_id'),
  pool: instances('pool_id'),
  sku: instances('sku_id'),
  partner_hosts_of_sku: listPartnerHosts,
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

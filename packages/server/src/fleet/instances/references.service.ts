import type { FindReferrers, ReferrerTable } from '../../core/work/references.ts'
import { listPartnerHosts } from '../hosts/hosts.service.ts'
import { machinesWithSshKey } from './instance-ssh-keys.service.ts'
import { templatesBy } from './instance-templates.service.ts'
import { instancesBy } from './instances.service.ts'

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
  pool: instancesBy('pool_id'),
  sku: instancesBy('sku_id'),
  partner_hosts_of_sku: listPartnerHosts,
  machines_keeping_ssh_key: machinesWithSshKey(false),
  machines_losing_ssh_key: machinesWithSshKey(true),
}

function instancesAndTemplates(column: Parameters<typeof templatesBy>[0]): FindReferrers {
  const finders = [instancesBy(column), templatesBy(column)]
  return async (ctx, id, limit) => {
    const found = await Promise.all(finders.map((find) => find(ctx, id, limit)))
    return found.flat().slice(0, limit)
  }
}

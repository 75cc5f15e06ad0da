/**
 * Raises the generation of hosts when the network of their machines changes: the rules of a firewall, the firewall of
 * an instance, the members of a subnet, the tunnel of a host. And when an SSH key that machines have is deleted.
 * Not this file's work: composing the desired state (desired-state.service.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Db } from '../../core/db/db.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { sshKeyEnded } from '../../iam/tokens/ssh-key-ends.service.ts'
import { firewallRulesChanged } from '../../network/firewalls.service.ts'
import { lockHosts } from '../hosts/hosts.service.ts'
import { bumpGenerations, subnetPeersChanged } from '../hosts/machines.service.ts'
import { instanceNetworkChanged } from '../instances/instance-changes.service.ts'
import { recordSshKeyEnd } from '../instances/instance-ssh-keys.service.ts'
import { hostEndpointChanged } from '../tunnels/tunnels.service.ts'
import { listConcernedHosts, listHostsOfSshKey, listPeerHosts, type NetworkColumn } from './desired-state.store.ts'

export const hostNetworkReconciler: Reconciler = {
  kind: 'fleet.host_network',
  topics: [firewallRulesChanged, instanceNetworkChanged, subnetPeersChanged, hostEndpointChanged, sshKeyEnded],
  step: async (ctx, key) => {
    if (key.startsWith('sshk_')) await recordSshKeyEnd(ctx, key)
    const ids = await listHosts(ctx.db, key)
    await lockHosts(ctx, ids)
    await bumpGenerations(ctx, ids)
    return undefined
  },
}

function listHosts(db: Db, key: string): Promise<Id<'host'>[]> {
  if (key.startsWith('host_')) return listPeerHosts(db, key)
  return key.startsWith('sshk_') ? listHostsOfSshKey(db, key) : listConcernedHosts(db, columnOf(key), key)
}

/** Other keys are the id of a firewall, a subnet or an instance; the prefix tells which. */
function columnOf(key: string): NetworkColumn {
  if (key.startsWith('frwl_')) return 'firewall_id'
  return key.startsWith('snet_') ? 'subnet_id' : 'id'
}

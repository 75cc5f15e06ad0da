/**
 * Raises the generation of hosts when the network of their machines changes: the rules of a firewall, the firewall of
 * an instance, the members of a subnet, the tunnel of a host. Not this file's work: composing the desired state
 * (desired-state.service.ts).
 */
import type { Reconciler } from '../../core/work/reconciler.ts'
import { firewallRulesChanged } from '../../network/firewalls.service.ts'
import { lockHosts } from '../hosts/hosts.service.ts'
import { bumpGenerations, subnetPeersChanged } from '../hosts/machines.service.ts'
import { instanceNetworkChanged } from '../instances/instance-changes.service.ts'
import { hostEndpointChanged } from '../tunnels/tunnels.service.ts'
import { listConcernedHosts, listPeerHosts, type NetworkColumn } from './desired-state.store.ts'

export const hostNetworkReconciler: Reconciler = {
  kind: 'fleet.host_network',
  topics: [firewallRulesChanged, instanceNetworkChanged, subnetPeersChanged, hostEndpointChanged],
  step: async (ctx, key) => {
    const isHost = key.startsWith('host_')
    const ids = isHost ? await listPeerHosts(ctx.db, key) : await listConcernedHosts(ctx.db, columnOf(key), key)
    await lockHosts(ctx, ids)
    await bumpGenerations(ctx, ids)
    return undefined
  },
}

/** Other keys are the id of a firewall, a subnet or an instance; the prefix tells which. */
function columnOf(key: string): NetworkColumn {
  if (key.startsWith('frwl_')) return 'firewall_id'
  return key.startsWith('snet_') ? 'subnet_id' : 'id'
}

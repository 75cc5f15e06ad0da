/** The line of areas: what each brings to the program, in order. The map of the program. */
import { deploymentAudits } from './automation/deployments.audit.ts'
import { deploymentReconcilers } from './automation/deployments.reconciler.ts'
import { deploymentRoutes } from './automation/deployments.routes.ts'
import { deploymentReferrers, findInstanceNameTemplate } from './automation/deployments.service.ts'
import { procurementAudits } from './automation/procurements.audit.ts'
import { procurementReconcilers } from './automation/procurements.reconciler.ts'
import { procurementRoutes } from './automation/procurements.routes.ts'
import { procurementReferrers } from './automation/procurements.service.ts'
import { spotBuyingReconcilers } from './automation/spot-buying.reconciler.ts'
import { moneyAudits } from './billing/money.audit.ts'
import { moneyRoutes } from './billing/money.routes.ts'
import type { Audit } from './core/auditor.ts'
import { streamsOf } from './core/event-stream.ts'
import type { TransferRoute } from './core/http-transfer.ts'
import { oldKeysReconciler } from './core/old-keys.ts'
import type { Reconciler } from './core/reconciler.ts'
import type { ReferrerTable } from './core/references.ts'
import type { Route } from './core/routes.ts'
import { eventAudits } from './events/events.audit.ts'
import { eventRoutes } from './events/events.routes.ts'
import { agentRoutes } from './fleet/agents.routes.ts'
import { enrolmentEndReconciler } from './fleet/enrolment-end.reconciler.ts'
import { hostDrainReconciler } from './fleet/host-drain.reconciler.ts'
import { hostNetworkReconciler } from './fleet/host-network.reconciler.ts'
import { hostSilenceReconciler } from './fleet/host-silence.reconciler.ts'
import { hostAudits } from './fleet/hosts.audit.ts'
import { hostRoutes } from './fleet/hosts.routes.ts'
import { purgeReconciler, userDataReconciler } from './fleet/instance-remains.reconciler.ts'
import { nameSuccessorsBy } from './fleet/instance-replacement.service.ts'
import { instanceTemplateRoutes } from './fleet/instance-templates.routes.ts'
import { instanceAudits } from './fleet/instances.audit.ts'
import { instanceRoutes } from './fleet/instances.routes.ts'
import { machineAudits } from './fleet/machines.audit.ts'
import { placementReconciler, slotsReconciler } from './fleet/placement.reconciler.ts'
import { fleetReferrers } from './fleet/references.service.ts'
import { replacementAudits } from './fleet/replacements.audit.ts'
import { iamAudits } from './iam/access.audit.ts'
import { accountRoutes } from './iam/accounts.routes.ts'
import { grantRoutes } from './iam/grants.routes.ts'
import { limitRoutes } from './iam/limits.routes.ts'
import { countLimitUseBy } from './iam/limits.service.ts'
import { permissionRoutes } from './iam/permissions.routes.ts'
import { roleRoutes } from './iam/roles.routes.ts'
import { tokenRoutes } from './iam/tokens.routes.ts'
import { userRoutes } from './iam/users.routes.ts'
import { workspaceRoutes } from './iam/workspaces.routes.ts'
import { furnishWorkspaces } from './iam/workspaces.service.ts'
import { imageTransferRoutes } from './images/image-transfers.routes.ts'
import { uploadExpiryReconciler } from './images/image-uploads.reconciler.ts'
import { imageAudits } from './images/images.audit.ts'
import { imageAdministrationRoutes, imageRoutes, imageUploadRoutes } from './images/images.routes.ts'
import { haltRoutes } from './market/halts.routes.ts'
import { countReservedNodeHours } from './market/order-admission.service.ts'
import { marketNoticeRoutes, orderbookRoutes } from './market/orderbook.routes.ts'
import { orderAudits } from './market/orders.audit.ts'
import {
  frozenAccountReconciler,
  lapseReconciler,
  promiseReconciler,
  resumeReconciler,
  retiredSkuReconciler,
} from './market/orders.reconciler.ts'
import { orderRoutes } from './market/orders.routes.ts'
import { orderReferrers } from './market/orders.service.ts'
import { poolHistoryReconciler } from './market/pool-history.reconciler.ts'
import { poolTransferRoutes } from './market/pool-transfers.routes.ts'
import { poolAdministrationRoutes, poolRoutes } from './market/pools.routes.ts'
import { skuAdministrationRoutes, skuRoutes } from './market/skus.routes.ts'
import { firewallRoutes } from './network/firewalls.routes.ts'
import { makeDefaultFirewall, removeDefaultFirewall } from './network/firewalls.service.ts'
import { infinibandPartitionRoutes } from './network/infiniband-partitions.routes.ts'
import { subnetRoutes } from './network/subnets.routes.ts'
import { clockRoutes } from './sandbox/clock.routes.ts'
import { faultRoutes } from './sandbox/faults.routes.ts'
import { simulatedHostRoutes } from './sandbox/hosts.routes.ts'
import { readyImageRoutes } from './sandbox/images.routes.ts'
import { makerReconciler } from './sandbox/makers.reconciler.ts'
import { makerRoutes } from './sandbox/makers.routes.ts'
import { marketHaltReconciler } from './sandbox/market-halts.reconciler.ts'
import { scenarioRoutes } from './sandbox/scenarios.routes.ts'
import { simulatedHostAudits } from './sandbox/simulated-hosts.audit.ts'
import { simulatedHostReconciler } from './sandbox/simulated-hosts.reconciler.ts'

/** What a server is made of. */
export type App = {
  readonly routes: readonly Route[]
  /** What streams bytes, where they lie with the server itself. */
  readonly transfers: readonly TransferRoute[]
  readonly reconcilers: readonly Reconciler[]
  readonly referrers: readonly ReferrerTable[]
  readonly audits: readonly Audit[]
}

furnishWorkspaces({
  made: makeDefaultFirewall,
  removed: (ctx, { workspace_id }) => removeDefaultFirewall(ctx, workspace_id),
})

nameSuccessorsBy(findInstanceNameTemplate)

countLimitUseBy('reserved_node_hours', countReservedNodeHours)
// Of this process: a stream ends with the process that serves it, so none is written down.
countLimitUseBy('event_streams', async (ctx, account_id) => streamsOf(ctx.memory).count(account_id))

/** Every area, left to right. The sandbox's own routes stand in their place only where it is on. */
export const app: App = {
  routes: [
    ...accountRoutes,
    ...workspaceRoutes,
    ...userRoutes,
    ...roleRoutes,
    ...grantRoutes,
    ...permissionRoutes,
    ...tokenRoutes,
    ...limitRoutes,
    ...eventRoutes,
    ...moneyRoutes,
    ...skuRoutes,
    ...skuAdministrationRoutes,
    ...poolRoutes,
    ...poolAdministrationRoutes,
    ...poolTransferRoutes,
    ...haltRoutes,
    ...orderRoutes,
    ...orderbookRoutes,
    ...marketNoticeRoutes,
    ...imageRoutes,
    ...imageUploadRoutes,
    ...imageAdministrationRoutes,
    ...firewallRoutes,
    ...subnetRoutes,
    ...infinibandPartitionRoutes,
    ...instanceTemplateRoutes,
    ...instanceRoutes,
    ...hostRoutes,
    ...agentRoutes,
    ...deploymentRoutes,
    ...procurementRoutes,
  ],
  transfers: imageTransferRoutes,
  reconcilers: [
    oldKeysReconciler,
    lapseReconciler,
    resumeReconciler,
    promiseReconciler,
    poolHistoryReconciler,
    retiredSkuReconciler,
    frozenAccountReconciler,
    uploadExpiryReconciler,
    placementReconciler,
    slotsReconciler,
    enrolmentEndReconciler,
    hostDrainReconciler,
    hostSilenceReconciler,
    hostNetworkReconciler,
    purgeReconciler,
    userDataReconciler,
    ...deploymentReconcilers,
    ...procurementReconcilers,
    ...spotBuyingReconcilers,
    simulatedHostReconciler,
    makerReconciler,
    marketHaltReconciler,
  ],
  referrers: [orderReferrers, fleetReferrers, deploymentReferrers, procurementReferrers],
  audits: [
    ...iamAudits,
    ...eventAudits,
    ...moneyAudits,
    ...orderAudits,
    ...imageAudits,
    ...instanceAudits,
    ...replacementAudits,
    ...hostAudits,
    ...machineAudits,
    ...deploymentAudits,
    ...procurementAudits,
    ...simulatedHostAudits,
  ],
}

/** What only a sandbox has. */
export const sandboxRoutes: readonly Route[] = [
  ...clockRoutes,
  ...simulatedHostRoutes,
  ...readyImageRoutes,
  ...faultRoutes,
  ...makerRoutes,
  ...scenarioRoutes,
]

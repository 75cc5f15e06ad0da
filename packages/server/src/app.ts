/** The list of areas and their routes, reconcilers, referrers and audits, in the order of the areas. */
import { exportRoutes } from './accounting/exports/exports.routes.ts'
import { platformLedgerRoutes } from './accounting/platform/platform-ledger.routes.ts'
import { closedStatementAudits } from './accounting/statements/closed-statements.audit.ts'
import { closingReconciler } from './accounting/statements/closed-statements.reconciler.ts'
import { statementRoutes } from './accounting/statements/statements.routes.ts'
import { usageAudits } from './accounting/usage/usage.audit.ts'
import { usageRoutes } from './accounting/usage/usage.routes.ts'
import { usageFoldReconciler } from './accounting/usage/usage-fold.reconciler.ts'
import { deploymentAudits } from './automation/deployments.audit.ts'
import { deploymentReconcilers } from './automation/deployments.reconciler.ts'
import { deploymentRoutes } from './automation/deployments.routes.ts'
import { deploymentReferrers } from './automation/deployments.service.ts'
import { procurementAudits } from './automation/procurements.audit.ts'
import { procurementReconcilers } from './automation/procurements.reconciler.ts'
import { procurementRoutes } from './automation/procurements.routes.ts'
import { procurementReferrers } from './automation/procurements.service.ts'
import { spotBuyingReconcilers } from './automation/spot-buying.reconciler.ts'
import { administeredAccountRoutes } from './billing/administered-accounts.routes.ts'
import { budgetAudits } from './billing/budgets.audit.ts'
import { budgetReconciler } from './billing/budgets.reconciler.ts'
import { budgetRoutes } from './billing/budgets.routes.ts'
import { moneyAudits } from './billing/money.audit.ts'
import { moneyFigures } from './billing/money.figures.ts'
import { moneyRoutes } from './billing/money.routes.ts'
import { pendingCreditReconciler } from './billing/pending-credits.reconciler.ts'
import { pendingCreditRoutes } from './billing/pending-credits.routes.ts'
import type { Route } from './core/http/routes.ts'
import type { TransferRoute } from './core/http/transfer.ts'
import type { Audit } from './core/work/auditor.ts'
import type { FigureGroup } from './core/work/figures.ts'
import { idempotencyExpiryReconciler } from './core/work/idempotency-expiry.ts'
import type { Reconciler } from './core/work/reconciler.ts'
import type { ReferrerTable } from './core/work/references.ts'
import { selfAuditFigures } from './events/audits/self-audit.figures.ts'
import { eventAudits } from './events/log/events.audit.ts'
import { eventRoutes } from './events/serving/events.routes.ts'
import { agentRoutes } from './fleet/agents/agents.routes.ts'
import { hostNetworkReconciler } from './fleet/agents/desired-state.reconciler.ts'
import { hostRetirementRoutes } from './fleet/agents/host-retirement.routes.ts'
import { hostSilenceReconciler } from './fleet/agents/host-silence.reconciler.ts'
import { instanceAccessRoutes } from './fleet/agents/instance-access.routes.ts'
import { attestationRoutes } from './fleet/attestation/attestations.routes.ts'
import { hostFitReconciler } from './fleet/hardware/host-fit.reconciler.ts'
import { skuBenchmarksReconciler } from './fleet/hardware/sku-benchmarks.reconciler.ts'
import { enrolmentEndReconciler } from './fleet/hosts/enrolment-end.reconciler.ts'
import { hostChangeRoutes } from './fleet/hosts/host-changes.routes.ts'
import { hostDrainReconciler } from './fleet/hosts/host-drain.reconciler.ts'
import { hostAudits } from './fleet/hosts/hosts.audit.ts'
import { hostRoutes } from './fleet/hosts/hosts.routes.ts'
import { machineAudits } from './fleet/hosts/machines.audit.ts'
import { purgeReconciler, userDataReconciler } from './fleet/instances/instance-remains.reconciler.ts'
import { instanceTemplateRoutes } from './fleet/instances/instance-templates.routes.ts'
import { instanceAudits } from './fleet/instances/instances.audit.ts'
import { instanceRoutes } from './fleet/instances/instances.routes.ts'
import { fleetReferrers } from './fleet/instances/references.service.ts'
import { fleetFigures } from './fleet/placement/fleet.figures.ts'
import { instanceExplanationRoutes } from './fleet/placement/instance-explanations.routes.ts'
import { placementReconciler, slotsReconciler } from './fleet/placement/placement.reconciler.ts'
import { agentRolloutPurgeReconciler } from './fleet/rollouts/agent-rollout-purge.reconciler.ts'
import { agentRolloutFigures } from './fleet/rollouts/agent-rollouts.figures.ts'
import { agentRolloutReconciler } from './fleet/rollouts/agent-rollouts.reconciler.ts'
import { agentRolloutRoutes } from './fleet/rollouts/agent-rollouts.routes.ts'
import { iamAudits } from './iam/access/access.audit.ts'
import { grantRoutes } from './iam/access/grants.routes.ts'
import { permissionRoutes } from './iam/access/permissions.routes.ts'
import { roleRoutes } from './iam/access/roles.routes.ts'
import { accountRoutes } from './iam/accounts/accounts.routes.ts'
import { limitRoutes } from './iam/accounts/limits.routes.ts'
import { userRoutes } from './iam/accounts/users.routes.ts'
import { workspaceRoutes } from './iam/accounts/workspaces.routes.ts'
import { auditRoutes } from './iam/audit/audit.routes.ts'
import { auditTrailAudits } from './iam/audit/seals.audit.ts'
import { auditSealFigures } from './iam/audit/seals.figures.ts'
import { auditSealReconciler } from './iam/audit/seals.reconciler.ts'
import { peoplePages } from './iam/pages/pages.routes.ts'
import { passkeyRoutes } from './iam/passkeys/passkeys.routes.ts'
import { deviceLoginRoutes } from './iam/people/device-logins.routes.ts'
import { identityRoutes } from './iam/people/identities.routes.ts'
import { sshKeyRoutes } from './iam/ssh-keys/ssh-keys.routes.ts'
import { tokenRoutes } from './iam/tokens/tokens.routes.ts'
import { imageTransferRoutes } from './images/image-transfers.routes.ts'
import { uploadExpiryReconciler } from './images/image-uploads.reconciler.ts'
import { imageAudits } from './images/images.audit.ts'
import { imageAdministrationRoutes, imageRoutes, imageUploadRoutes } from './images/images.routes.ts'
import { bookFigures } from './market/book/books.figures.ts'
import { marketNoticeRoutes, orderbookRoutes } from './market/orders/orderbook.routes.ts'
import {
  frozenAccountReconciler,
  lapseReconciler,
  promiseReconciler,
  resumeReconciler,
  retiredSkuReconciler,
} from './market/orders/orders.reconciler.ts'
import { orderRoutes } from './market/orders/orders.routes.ts'
import { orderReferrers } from './market/orders/orders.service.ts'
import { priceBucketAudits } from './market/orders/price-buckets.audit.ts'
import { haltRoutes } from './market/pools/halts.routes.ts'
import { poolHistoryReconciler } from './market/pools/pool-history.reconciler.ts'
import { poolAdministrationRoutes, poolRoutes } from './market/pools/pools.routes.ts'
import { skuAdministrationRoutes, skuRoutes } from './market/skus/skus.routes.ts'
import { crossedBookAudits } from './market/trading/crossed-books.audit.ts'
import { orderEventAudits } from './market/trading/order-events.audit.ts'
import { orderAudits } from './market/trading/orders.audit.ts'
import { poolTransferRoutes } from './market/trading/pool-transfers.routes.ts'
import { firewallRoutes } from './network/firewalls.routes.ts'
import { infinibandPartitionRoutes } from './network/infiniband-partitions.routes.ts'
import { subnetRoutes } from './network/subnets.routes.ts'
import { backupFigures } from './process/backups.figures.ts'
import { faultRoutes } from './sandbox/faults/faults.routes.ts'
import { marketHaltReconciler } from './sandbox/faults/market-halts.reconciler.ts'
import { simulatedHostRoutes } from './sandbox/hosts/hosts.routes.ts'
import { simulatedHostAudits } from './sandbox/hosts/simulated-hosts.audit.ts'
import { simulatedHostReconciler } from './sandbox/hosts/simulated-hosts.reconciler.ts'
import { makerReconciler } from './sandbox/makers/makers.reconciler.ts'
import { makerRoutes } from './sandbox/makers/makers.routes.ts'
import { readyImageRoutes } from './sandbox/scenarios/images.routes.ts'
import { scenarioRoutes } from './sandbox/scenarios/scenarios.routes.ts'
import { clockRoutes } from './sandbox/world/clock.routes.ts'
import { attemptsDueReconciler } from './webhooks/attempts-due.reconciler.ts'
import { webhookPurgeReconciler } from './webhooks/webhook-purge.reconciler.ts'
import { webhookAudits } from './webhooks/webhooks.audit.ts'
import { webhookRoutes } from './webhooks/webhooks.routes.ts'

/** The parts of a server. */
type App = {
  readonly routes: readonly Route[]
  /** Routes that stream bytes, for a server that stores them itself. */
  readonly transfers: readonly TransferRoute[]
  /** Pages for people. */
  readonly pages: readonly TransferRoute[]
  readonly reconcilers: readonly Reconciler[]
  readonly referrers: readonly ReferrerTable[]
  readonly audits: readonly Audit[]
  /** Figures about the database that each scrape of `/metrics` shows. They cost little. */
  readonly figures: readonly FigureGroup[]
  /** The same of whole tables, read with the audits. */
  readonly hourly_figures: readonly FigureGroup[]
}

/** The parts of all areas, left to right, without the routes of the sandbox. */
export const app: App = {
  routes: [
    ...accountRoutes,
    ...workspaceRoutes,
    ...userRoutes,
    ...roleRoutes,
    ...grantRoutes,
    ...permissionRoutes,
    ...auditRoutes,
    ...tokenRoutes,
    ...deviceLoginRoutes,
    ...identityRoutes,
    ...passkeyRoutes,
    ...sshKeyRoutes,
    ...limitRoutes,
    ...eventRoutes,
    ...webhookRoutes,
    ...administeredAccountRoutes,
    ...moneyRoutes,
    ...pendingCreditRoutes,
    ...budgetRoutes,
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
    ...instanceAccessRoutes,
    ...attestationRoutes,
    ...instanceExplanationRoutes,
    ...hostRoutes,
    ...hostChangeRoutes,
    ...hostRetirementRoutes,
    ...agentRoutes,
    ...agentRolloutRoutes,
    ...deploymentRoutes,
    ...procurementRoutes,
    ...usageRoutes,
    ...exportRoutes,
    ...statementRoutes,
    ...platformLedgerRoutes,
  ],
  transfers: imageTransferRoutes,
  pages: peoplePages,
  reconcilers: [
    idempotencyExpiryReconciler,
    auditSealReconciler,
    attemptsDueReconciler,
    webhookPurgeReconciler,
    budgetReconciler,
    pendingCreditReconciler,
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
    hostFitReconciler,
    skuBenchmarksReconciler,
    agentRolloutReconciler,
    agentRolloutPurgeReconciler,
    purgeReconciler,
    userDataReconciler,
    ...deploymentReconcilers,
    ...procurementReconcilers,
    ...spotBuyingReconcilers,
    usageFoldReconciler,
    closingReconciler,
    simulatedHostReconciler,
    makerReconciler,
    marketHaltReconciler,
  ],
  referrers: [orderReferrers, fleetReferrers, deploymentReferrers, procurementReferrers],
  audits: [
    ...iamAudits,
    ...auditTrailAudits,
    ...eventAudits,
    ...webhookAudits,
    ...moneyAudits,
    ...budgetAudits,
    ...orderAudits,
    ...crossedBookAudits,
    ...orderEventAudits,
    ...priceBucketAudits,
    ...imageAudits,
    ...instanceAudits,
    ...hostAudits,
    ...machineAudits,
    ...deploymentAudits,
    ...procurementAudits,
    ...usageAudits,
    ...closedStatementAudits,
    ...simulatedHostAudits,
  ],
  figures: [
    auditSealFigures,
    ...selfAuditFigures,
    ...bookFigures,
    ...fleetFigures,
    agentRolloutFigures,
    ...backupFigures,
  ],
  hourly_figures: moneyFigures,
}

/** The routes that only a sandbox has. */
export const sandboxRoutes: readonly Route[] = [
  ...clockRoutes,
  ...simulatedHostRoutes,
  ...readyImageRoutes,
  ...faultRoutes,
  ...makerRoutes,
  ...scenarioRoutes,
]

/** The contract: every operation, area by area. The reference, SDK, command line and tests are derived from it. */
import { operations as automationEstimates } from './automation/automation-estimates.ts'
import { operations as deployments } from './automation/deployments.ts'
import { operations as procurements } from './automation/procurements.ts'
import { operations as billing } from './billing/billing.ts'
import { operations as budgets } from './billing/budgets.ts'
import { operations as exports } from './billing/exports.ts'
import { operations as pendingCredits } from './billing/pending-credits.ts'
import { operations as platformLedger } from './billing/platform-ledger.ts'
import { operations as statements } from './billing/statements.ts'
import { operations as usage } from './billing/usage.ts'
import { operations as events } from './events/events.ts'
import { operations as agent } from './fleet/agent.ts'
import { operations as agentBundles } from './fleet/agent-bundles.ts'
import { operations as agentHardware } from './fleet/agent-hardware.ts'
import { operations as agentRollouts } from './fleet/agent-rollouts.ts'
import { operations as agentStatements } from './fleet/agent-statements.ts'
import { operations as agentUpdates } from './fleet/agent-updates.ts'
import { operations as attestation } from './fleet/attestation.ts'
import { operations as benchmarks } from './fleet/benchmarks.ts'
import { operations as instanceExplanations } from './fleet/explanations.ts'
import { operations as hostEnrolments } from './fleet/host-enrolments.ts'
import { operations as hosts } from './fleet/hosts.ts'
import { operations as instanceAccess } from './fleet/instance-access.ts'
import { operations as instanceTemplates } from './fleet/instance-templates.ts'
import { operations as instances } from './fleet/instances.ts'
import { operations as platformInstances } from './fleet/platform-instances.ts'
import { operations as account } from './iam/account.ts'
import { operations as accounts } from './iam/accounts.ts'
import { operations as auditEntries } from './iam/audit-entries.ts'
import { operations as deviceLogins } from './iam/device-logins.ts'
import { operations as grants } from './iam/grants.ts'
import { operations as identities } from './iam/identities.ts'
import { operations as limits } from './iam/limits.ts'
import { operations as names } from './iam/names.ts'
import { operations as passkeySignIn } from './iam/passkey-sign-in.ts'
import { operations as passkeys } from './iam/passkeys.ts'
import { operations as permissions } from './iam/permissions.ts'
import { operations as roles } from './iam/roles.ts'
import { operations as sshKeys } from './iam/ssh-keys.ts'
import { operations as tokens } from './iam/tokens.ts'
import { operations as users } from './iam/users.ts'
import { operations as workspaces } from './iam/workspaces.ts'
import { operations as imageAdministration } from './images/image-administration.ts'
import { operations as imageUploads } from './images/image-uploads.ts'
import { operations as images } from './images/images.ts'
import { operations as orderExplanations } from './market/explanations.ts'
import { operations as marketAdministration } from './market/market-administration.ts'
import { operations as marketCharts } from './market/market-charts.ts'
import { operations as orderEstimates } from './market/order-estimates.ts'
import { operations as orderbook } from './market/orderbook.ts'
import { operations as orderbookBoard } from './market/orderbook-board.ts'
import { operations as orders } from './market/orders.ts'
import { operations as platformLists } from './market/platform-lists.ts'
import { operations as poolTransfers } from './market/pool-transfers.ts'
import { operations as pools } from './market/pools.ts'
import { operations as skuAdministration } from './market/sku-administration.ts'
import { operations as skuAvailability } from './market/sku-availability.ts'
import { operations as skus } from './market/skus.ts'
import { operations as firewalls } from './network/firewalls.ts'
import { operations as infinibandPartitions } from './network/infiniband-partitions.ts'
import { operations as subnets } from './network/subnets.ts'
import { operations as process } from './process/process.ts'
import { operations as additions } from './sandbox/additions.ts'
import { operations as clock } from './sandbox/clock.ts'
import { operations as faults } from './sandbox/faults.ts'
import { operations as makers } from './sandbox/makers.ts'
import { operations as scenarios } from './sandbox/scenarios.ts'
import { operations as webhookDeliveries } from './webhooks/webhook-deliveries.ts'
import { operations as webhookKeys } from './webhooks/webhook-keys.ts'
import { operations as webhooks } from './webhooks/webhooks.ts'

/** Every operation of the API, in the order of the reference. */
export const endpoints = [
  ...account,
  ...limits,
  ...workspaces,
  ...users,
  ...identities,
  ...passkeys,
  ...sshKeys,
  ...roles,
  ...grants,
  ...names,
  ...permissions,
  ...tokens,
  ...deviceLogins,
  ...passkeySignIn,
  ...auditEntries,
  ...events,
  ...webhooks,
  ...webhookDeliveries,
  ...webhookKeys,
  ...billing,
  ...pendingCredits,
  ...usage,
  ...exports,
  ...statements,
  ...budgets,
  ...skus,
  ...pools,
  ...marketAdministration,
  ...poolTransfers,
  ...orders,
  ...orderExplanations,
  ...orderEstimates,
  ...orderbook,
  ...marketCharts,
  ...orderbookBoard,
  ...skuAvailability,
  ...imageUploads,
  ...images,
  ...firewalls,
  ...subnets,
  ...infinibandPartitions,
  ...instanceTemplates,
  ...instances,
  ...instanceAccess,
  ...attestation,
  ...instanceExplanations,
  ...hosts,
  ...hostEnrolments,
  ...deployments,
  ...procurements,
  ...automationEstimates,
  ...accounts,
  ...platformLedger,
  ...platformLists,
  ...platformInstances,
  ...agentBundles,
  ...agentRollouts,
  ...skuAdministration,
  ...imageAdministration,
  ...clock,
  ...scenarios,
  ...makers,
  ...additions,
  ...faults,
  ...process,
] as const

/** The operations for the agents of hosts. Customers do not call them. */
export const agentEndpoints = [...agent, ...agentHardware, ...agentStatements, ...agentUpdates, ...benchmarks] as const

/** The name of an operation. */
export type OperationName = (typeof endpoints)[number]['name']

/** The contract of one operation. */
export type Operation<N extends OperationName> = Extract<(typeof endpoints)[number], { name: N }>

/** The contract: every operation, area by area. The reference, SDK, command line and tests are derived from it. */
import {
  createDeployment,
  deleteDeployment,
  getDeployment,
  listDeployments,
  updateDeployment,
} from './automation/deployments.ts'
import {
  createProcurement,
  deleteProcurement,
  getProcurement,
  listProcurements,
  updateProcurement,
} from './automation/procurements.ts'
import {
  createAccountTransaction,
  getBalance,
  listAccountTransactions,
  listHolds,
  listTransactions,
  putCreditLimit,
} from './billing/billing.ts'
import { listEvents } from './events/events.ts'
import { appendInstanceLogs, enrolHost, getDesiredState, redeemUserDataTicket, reportHost } from './fleet/agent.ts'
import { explainInstance } from './fleet/explanations.ts'
import { createHostEnrolment, deleteHostEnrolment, listHostEnrolments } from './fleet/host-enrolments.ts'
import { cordonHost, drainHost, getHost, listHosts, retireHost, uncordonHost, updateHost } from './fleet/hosts.ts'
import { getInstanceSsh, listInstanceLogs } from './fleet/instance-access.ts'
import {
  createInstanceTemplate,
  deleteInstanceTemplate,
  getInstanceTemplate,
  getInstanceTemplateCloudInit,
  listInstanceTemplates,
} from './fleet/instance-templates.ts'
import {
  createInstance,
  deleteInstance,
  getInstance,
  getInstanceCloudInit,
  listInstances,
  replaceInstance,
  terminateInstance,
  updateInstance,
  updateInstancePriorities,
} from './fleet/instances.ts'
import { getAccount } from './iam/account.ts'
import {
  createAccount,
  createAccountUser,
  deleteAccountLimit,
  freezeAccount,
  getAdministeredAccount,
  listAccountLimits,
  listAccounts,
  putAccountLimit,
  setTrustLevel,
  unfreezeAccount,
  updateAccount,
} from './iam/accounts.ts'
import { createGrant, deleteGrant, getGrant, listGrants } from './iam/grants.ts'
import { getLimit, listLimits } from './iam/limits.ts'
import { checkPermissions, getPermissions } from './iam/permissions.ts'
import { createRole, deleteRole, getRole, listRoles, updateRole } from './iam/roles.ts'
import { createToken, deleteToken, getToken, listTokens } from './iam/tokens.ts'
import { createUser, deleteUser, getUser, listUsers, updateUser } from './iam/users.ts'
import { createWorkspace, deleteWorkspace, getWorkspace, listWorkspaces, updateWorkspace } from './iam/workspaces.ts'
import {
  deprecatePublicImage,
  publishPublicImage,
  reinstatePublicImage,
  revokePublicImage,
} from './images/image-administration.ts'
import {
  completeImage,
  createImage,
  createImagePart,
  getImageDownload,
  listImageParts,
} from './images/image-uploads.ts'
import { deleteImage, deprecateImage, getImage, listImages, reinstateImage, revokeImage } from './images/images.ts'
import { explainOrder } from './market/explanations.ts'
import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  haltMarket,
  listMaintenanceWindows,
  resumeMarket,
} from './market/market-administration.ts'
import { createOrderEstimate } from './market/order-estimates.ts'
import { getBookDepth, getBookQuote, listBookFills, listBookWindows, listPriceHistory } from './market/orderbook.ts'
import { cancelOrder, createOrder, getOrder, listOrderFills, listOrders } from './market/orders.ts'
import { createPoolTransfer, getPoolTransfer, listPoolTransfers } from './market/pool-transfers.ts'
import { createPool, createReadOnlyPool, deletePool, getPool, listPools, updatePool } from './market/pools.ts'
import {
  createSku,
  deleteSkuOverride,
  listSkuOverrides,
  putSkuOverride,
  putSkuPropertyValue,
  restoreSku,
  retireSku,
  updateSku,
} from './market/sku-administration.ts'
import { getSkuAvailability, listSkuAvailability } from './market/sku-availability.ts'
import { getSku, listSkuProperties, listSkus } from './market/skus.ts'
import {
  createFirewall,
  deleteFirewall,
  getFirewall,
  listFirewalls,
  replaceFirewallRules,
  updateFirewall,
} from './network/firewalls.ts'
import {
  createInfinibandPartition,
  deleteInfinibandPartition,
  getInfinibandPartition,
  listInfinibandPartitions,
  updateInfinibandPartition,
} from './network/infiniband-partitions.ts'
import { createSubnet, deleteSubnet, getSubnet, listSubnets, updateSubnet } from './network/subnets.ts'
import { getDocs, getHealth, getMetrics, getOpenapi, getReadiness, getVersion } from './process/process.ts'
import { createReadyImage, createSimulatedHosts } from './sandbox/additions.ts'
import { advanceClock, freezeClock, getClock, resumeClock, setClockRate, settle } from './sandbox/clock.ts'
import { createFault, deleteFault, listFaults } from './sandbox/faults.ts'
import { createMarketMaker, listMarketMakers, updateMarketMaker } from './sandbox/makers.ts'
import { listScenarios, loadScenario, resetSandbox } from './sandbox/scenarios.ts'

/** Every operation of the API, in the order of the reference. */
export const endpoints = [
  getAccount,
  listLimits,
  getLimit,
  createWorkspace,
  listWorkspaces,
  getWorkspace,
  updateWorkspace,
  deleteWorkspace,
  createUser,
  listUsers,
  getUser,
  updateUser,
  deleteUser,
  listRoles,
  createRole,
  getRole,
  updateRole,
  deleteRole,
  createGrant,
  listGrants,
  getGrant,
  deleteGrant,
  checkPermissions,
  getPermissions,
  createToken,
  listTokens,
  getToken,
  deleteToken,
  listEvents,
  getBalance,
  listTransactions,
  listHolds,
  listAccountTransactions,
  createAccountTransaction,
  putCreditLimit,
  listSkus,
  getSku,
  listSkuProperties,
  createPool,
  listPools,
  getPool,
  updatePool,
  deletePool,
  createReadOnlyPool,
  haltMarket,
  resumeMarket,
  createPoolTransfer,
  listPoolTransfers,
  getPoolTransfer,
  createOrder,
  listOrders,
  getOrder,
  listOrderFills,
  cancelOrder,
  explainOrder,
  createOrderEstimate,
  listBookWindows,
  getBookQuote,
  getBookDepth,
  listBookFills,
  listPriceHistory,
  listSkuAvailability,
  getSkuAvailability,
  createMaintenanceWindow,
  listMaintenanceWindows,
  deleteMaintenanceWindow,
  createImage,
  listImages,
  getImage,
  createImagePart,
  listImageParts,
  completeImage,
  getImageDownload,
  revokeImage,
  reinstateImage,
  deprecateImage,
  deleteImage,
  createFirewall,
  listFirewalls,
  getFirewall,
  updateFirewall,
  replaceFirewallRules,
  deleteFirewall,
  createSubnet,
  listSubnets,
  getSubnet,
  updateSubnet,
  deleteSubnet,
  createInfinibandPartition,
  listInfinibandPartitions,
  getInfinibandPartition,
  updateInfinibandPartition,
  deleteInfinibandPartition,
  createInstanceTemplate,
  listInstanceTemplates,
  getInstanceTemplate,
  getInstanceTemplateCloudInit,
  deleteInstanceTemplate,
  createInstance,
  listInstances,
  updateInstancePriorities,
  getInstance,
  updateInstance,
  terminateInstance,
  replaceInstance,
  deleteInstance,
  getInstanceCloudInit,
  listInstanceLogs,
  getInstanceSsh,
  explainInstance,
  listHosts,
  getHost,
  updateHost,
  cordonHost,
  uncordonHost,
  drainHost,
  retireHost,
  createHostEnrolment,
  listHostEnrolments,
  deleteHostEnrolment,
  createDeployment,
  listDeployments,
  getDeployment,
  updateDeployment,
  deleteDeployment,
  createProcurement,
  listProcurements,
  getProcurement,
  updateProcurement,
  deleteProcurement,
  createAccount,
  listAccounts,
  getAdministeredAccount,
  updateAccount,
  freezeAccount,
  unfreezeAccount,
  setTrustLevel,
  listAccountLimits,
  putAccountLimit,
  deleteAccountLimit,
  createAccountUser,
  createSku,
  updateSku,
  retireSku,
  restoreSku,
  putSkuPropertyValue,
  listSkuOverrides,
  putSkuOverride,
  deleteSkuOverride,
  publishPublicImage,
  revokePublicImage,
  reinstatePublicImage,
  deprecatePublicImage,
  getClock,
  freezeClock,
  resumeClock,
  advanceClock,
  setClockRate,
  settle,
  listScenarios,
  loadScenario,
  resetSandbox,
  createMarketMaker,
  listMarketMakers,
  updateMarketMaker,
  createSimulatedHosts,
  createReadyImage,
  createFault,
  listFaults,
  deleteFault,
  getHealth,
  getReadiness,
  getVersion,
  getOpenapi,
  getDocs,
  getMetrics,
] as const

/** The operations for the agents of hosts. Customers do not call them. */
export const agentEndpoints = [
  enrolHost,
  getDesiredState,
  reportHost,
  redeemUserDataTicket,
  appendInstanceLogs,
] as const

/** The name of an operation. */
export type OperationName = (typeof endpoints)[number]['name']

/** The contract of one operation. */
export type Operation<N extends OperationName> = Extract<(typeof endpoints)[number], { name: N }>

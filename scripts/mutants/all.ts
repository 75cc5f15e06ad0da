import { accountingMutants } from './accounting.ts'
import { automationMutants } from './automation.ts'
import { billingMutants } from './billing.ts'
import { buyerMutants } from './buyers.ts'
import { outputMutants } from './cli/output.ts'
import { typedInputMutants } from './cli/typed-input.ts'
import { wordMutants } from './cli/words.ts'
import { clientMutants } from './clients.ts'
import { consolePageMutants } from './console/run-pages.ts'
import { tradeMutants } from './console/trade.ts'
import { coreMutants } from './core.ts'
import { deviceMutants } from './devices.ts'
import { estimateMutants } from './estimates.ts'
import { eventMutants } from './events.ts'
import { fleetMutants } from './fleet.ts'
import { hardwareMutants } from './hardware.ts'
import { historyMutants } from './history.ts'
import { hostMutants } from './hosts.ts'
import { httpMutants } from './http.ts'
import { accessMutants } from './iam/access.ts'
import { auditMutants } from './iam/audit.ts'
import { cascadeMutants } from './iam/cascades.ts'
import { peopleMutants } from './iam/people.ts'
import { rightsMutants } from './iam/rights.ts'
import { signInMutants } from './iam/sign-in.ts'
import { wayInMutants } from './iam/ways-in.ts'
import { imageMutants } from './images.ts'
import { lostHardwareMutants } from './lost-hardware.ts'
import { marketMutants } from './market.ts'
import type { Mutant } from './mutant.ts'
import { platformMutants } from './platform.ts'
import { upgradeMutants } from './upgrades.ts'
import { watchingMutants } from './watching.ts'
import { webhookMutants } from './webhooks.ts'

/** All mutants, by area. */
export const mutants: readonly Mutant[] = [
  ...eventMutants,
  ...coreMutants,
  ...historyMutants,
  ...httpMutants,
  ...accessMutants,
  ...rightsMutants,
  ...platformMutants,
  ...cascadeMutants,
  ...peopleMutants,
  ...signInMutants,
  ...wayInMutants,
  ...auditMutants,
  ...fleetMutants,
  ...hostMutants,
  ...deviceMutants,
  ...hardwareMutants,
  ...lostHardwareMutants,
  ...buyerMutants,
  ...automationMutants,
  ...marketMutants,
  ...estimateMutants,
  ...billingMutants,
  ...accountingMutants,
  ...imageMutants,
  ...clientMutants,
  ...consolePageMutants,
  ...typedInputMutants,
  ...outputMutants,
  ...watchingMutants,
  ...upgradeMutants,
  ...webhookMutants,
  ...wordMutants,
  ...tradeMutants,
]
